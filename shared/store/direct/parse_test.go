package direct

import (
	"strings"
	"testing"
)

// An item has 32 levels at most. Whatever has so many more that reading it would take
// all memory is not understood.
func TestValuesAreReadToADepth(t *testing.T) {
	for levels, understood := range map[int]bool{1: true, 32: true, maxDepth: false, 1_000_000: false} {
		p := parser{text: []byte(strings.Repeat(`{"L":[`, levels) + `{"S":"x"}` + strings.Repeat(`]}`, levels))}
		if value := p.attribute(); p.done() != understood || understood && value == nil {
			t.Errorf("%d levels: %v", levels, value)
		}
	}
}
