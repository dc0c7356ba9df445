package database

import (
	"strings"
	"testing"
)

func TestAStackMayBeNamedByItsARN(t *testing.T) {
	name, err := StackFlags{Stack: "arn:aws:cloudformation:eu-central-1:1:stack/dev/1"}.name()
	if err != nil || !strings.HasPrefix(name, "arn:") {
		t.Errorf("%q, %v", name, err)
	}
}
