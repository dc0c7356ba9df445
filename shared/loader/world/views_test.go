package world

import (
	"slices"
	"testing"
)

// A member that a load adds is one afterwards, and one that it removes is one before.
func TestMembersInEachView(t *testing.T) {
	var x members[string, string]
	for _, m := range []string{"stays", "goes", "returns"} {
		x.put("k", m)
	}
	x.Remove("k", "goes")
	x.Remove("k", "returns")
	x.Add("k", "returns")
	x.Add("k", "comes")
	x.Add("k", "passes")
	x.Remove("k", "passes")
	for _, tt := range []struct {
		name      string
		got, want []string
	}{
		{"before", slices.Sorted(x.In(Before, "k")), []string{"goes", "returns", "stays"}},
		{"after", slices.Sorted(x.In(After, "k")), []string{"comes", "returns", "stays"}},
		{"both", slices.Sorted(x.Both("k", "none")), []string{"comes", "goes", "returns", "stays"}},
		{"of another key", slices.Sorted(x.In(After, "other")), nil},
	} {
		if !slices.Equal(tt.got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, tt.got, tt.want)
		}
	}
}
