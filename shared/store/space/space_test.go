package space_test

import (
	"testing"

	"touchline/shared/store/space"
)

func TestThePrefixIsThatOfTheLayout(t *testing.T) {
	if space.Prefix != space.Of(space.Layout) {
		t.Errorf("Prefix is %q, that of layout %d is %q", space.Prefix, space.Layout, space.Of(space.Layout))
	}
}
