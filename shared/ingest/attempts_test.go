package ingest

import (
	"testing"
	"time"

	"touchline/shared/loader/commit"
)

// An attempt counts with those before it, unless the last of them got further.
func TestAttemptsThatGetNoFurtherAreCounted(t *testing.T) {
	monday, tuesday := Version{ETag: "1", Modified: time.Unix(1, 0)}, Version{ETag: "2", Modified: time.Unix(2, 0)}
	none := commit.Position{}
	tests := []struct {
		name string
		was  Attempted
		at   commit.Position
		want int
	}{
		{"the first", Attempted{}, none, 1},
		{"nothing was begun", Attempted{Ready: monday, Count: 4}, none, 5},
		{"of another _READY", Attempted{Ready: tuesday, Count: 4}, none, 1},
		{"the drop's load has begun", Attempted{Ready: monday, Count: 4}, commit.Position{Journal: "j", Label: "drop"}, 1},
		{"and got no further", Attempted{Ready: monday, Count: 4, Journal: "j"}, commit.Position{Journal: "j", Label: "drop"}, 5},
		{"and got further", Attempted{Ready: monday, Count: 4, Journal: "j", Reached: "a"}, commit.Position{Journal: "j", Label: "drop", Reached: "b"}, 1},
		{"another's load is found", Attempted{Ready: monday, Count: 4}, commit.Position{Journal: "k", Label: "other", Reached: "a"}, 5},
		{"another's got no further", Attempted{Ready: monday, Count: 4, Journal: "k", Reached: "a"}, commit.Position{Journal: "k", Label: "other", Reached: "a"}, 5},
		{"another's got further", Attempted{Ready: monday, Count: 4, Journal: "k", Reached: "a"}, commit.Position{Journal: "k", Label: "other", Reached: "b"}, 1},
		{"another's has ended", Attempted{Ready: monday, Count: 4, Journal: "k", Reached: "a"}, none, 5},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.was.next(monday, "drop", tt.at)
			want := Attempted{Ready: monday, Count: tt.want, Journal: tt.at.Journal, Reached: tt.at.Reached}
			if got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}
