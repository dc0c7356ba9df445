package space_test

import (
	"testing"

	"touchline/shared/store/space"
)

func TestSpaces(t *testing.T) {
	if space.Prefix != space.Of(space.Layout) {
		t.Errorf("Prefix is %q, that of layout %d is %q", space.Prefix, space.Layout, space.Of(space.Layout))
	}
	for pk, want := range map[string]int{"9#O#a": 9, "10#L#x.player": 10, "O#9": 0, "LOAD": 0, "L#9#1": 0, "": 0} {
		if got := space.LayoutOf(pk); got != want {
			t.Errorf("%q is of layout %d, want %d", pk, got, want)
		}
	}
	if space.Of(8) != "" {
		t.Error("layout 8 has a space")
	}
}
