package pagedlist

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A run ends where it has reached the least size with a thing whose hash is a cut, or the
// most without.
func TestRunsEndAtCuts(t *testing.T) {
	type thing struct{ size, hash int }
	const no = 99 // 99 % 50 is no cut for things of up to 49
	tests := map[string]struct {
		things []thing
		want   []int // things in each run
		closed bool
	}{
		"nothing":                   {nil, nil, true},
		"one that is no cut":        {[]thing{{10, no}}, []int{1}, false},
		"a cut below the least":     {[]thing{{9, 0}, {1, no}}, []int{2}, false},
		"a cut at the least":        {[]thing{{9, no}, {1, 0}, {5, no}}, []int{2, 1}, false},
		"a cut at the end":          {[]thing{{9, no}, {1, 0}}, []int{2}, true},
		"the hash is below":         {[]thing{{10, 9}, {10, 59}}, []int{1, 1}, true},
		"the hash is the size":      {[]thing{{10, 10}, {9, 9}}, []int{2}, false},
		"the most":                  {[]thing{{10, no}, {10, no}, {1, no}}, []int{2, 1}, false},
		"more than the most":        {[]thing{{10, no}, {9, no}, {30, no}}, []int{3}, true},
		"a size begins with a run":  {[]thing{{20, no}, {9, 0}, {11, no}}, []int{1, 2}, true},
		"one by one, each too long": {[]thing{{20, no}, {20, no}}, []int{1, 1}, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			runs, closed := cut(tt.things, bounds{least: 10, most: 20, mean: 50},
				func(x thing) int { return x.size }, func(x thing) uint64 { return uint64(x.hash) }) //nolint:gosec // not negative
			var got []int
			for _, run := range runs {
				got = append(got, len(run))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || closed != tt.closed {
				t.Errorf("closed %v; %s", closed, diff)
			}
		})
	}
}

func TestASeparatorIsAsShortAsItCanBe(t *testing.T) {
	for _, tt := range [][3]string{{"a", "b", "b"}, {"abc", "abd", "abd"}, {"ab", "abc", "abc"}, {"a", "bcd", "b"}} {
		got := separator([]byte(tt[0]), []byte(tt[1]))
		if string(got) != tt[2] || string(got) <= tt[0] || string(got) > tt[1] {
			t.Errorf("between %s and %s: %s", tt[0], tt[1], got)
		}
	}
}
