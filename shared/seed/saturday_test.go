package seed

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset"
)

var saturday = Saturday{Begins: defaultNow, Speed: 20}

// TestASaturdayHasWhatATickerHasToStand follows it minute by minute.
func TestASaturdayHasWhatATickerHasToStand(t *testing.T) {
	gone, corrected := map[string]bool{}, map[string]bool{}
	statuses := map[string]map[string]bool{}
	for n := range saturdayMatches {
		known := map[string]event{}
		for now := range SaturdayMinutes + 1 {
			m := saturday.match(n, now)
			if statuses[m.Status] == nil {
				statuses[m.Status] = map[string]bool{}
			}
			statuses[m.Status][m.ID] = true
			if m.Lineups != nil {
				played := m
				played.Events = slices.DeleteFunc(slices.Clone(m.Events), func(e event) bool { return e.Type == "period" })
				follow(t, played)
			}
			there := map[string]event{}
			for _, e := range m.Events {
				if was, old := known[e.ID]; e.ID == "" || there[e.ID].ID != "" {
					t.Fatalf("%s, minute %d: the id %q is no id of one event", m.ID, now, e.ID)
				} else if old && !cmp.Equal(was, e) {
					corrected[e.ID] = true
				}
				there[e.ID] = e
			}
			for id := range known {
				if there[id].ID == "" {
					gone[id] = true
				}
			}
			known = there
		}
	}
	if len(gone) != 1 || len(corrected) != 1 {
		t.Errorf("annulled %v, corrected %v", gone, corrected)
	}
	for status, want := range map[string]int{"upcoming": 12, "live": 11, "finished": 11, "postponed": 1} {
		if len(statuses[status]) != want {
			t.Errorf("%d matches are %s at some time, not %d", len(statuses[status]), status, want)
		}
	}
}

// TestASaturdaysFilesLoad: the first with what the demo has, and one for each
// minute, of the matches that are different in it.
func TestASaturdaysFilesLoad(t *testing.T) {
	there := func(_ context.Context, targets []dataset.Target) ([]bool, error) {
		return slices.Repeat([]bool{true}, len(targets)), nil
	}
	read := func(dir string) int {
		set, err := dataset.Read(t.Context(), os.DirFS(dir), dataset.Options{})
		if err != nil {
			t.Fatal(err)
		}
		faults, err := set.Resolve(t.Context(), there, false)
		if err != nil || faults.Count() > 0 {
			t.Fatalf("%v, %v", faults, err)
		}
		return set.Len()
	}
	dir := t.TempDir()
	first, err := saturday.Write(dir)
	if want := (Counts{Competitions: 1, Teams: 24, Players: 480, Matches: 12}); err != nil || first != want {
		t.Fatalf("%+v, %v", first, err)
	}
	if got := read(dir); got != first.Total() {
		t.Errorf("%d records are read", got)
	}
	for _, tt := range []struct{ from, to, want int }{
		{0, 19, 0}, {19, 20, 8}, {0, postponedAt, 9}, {SaturdayMinutes, SaturdayMinutes + 9, 0}, {0, SaturdayMinutes, 12},
	} {
		dir := t.TempDir()
		counts, err := saturday.Changes(dir, tt.from, tt.to)
		if err != nil || counts.Total() != tt.want {
			t.Errorf("from %d to %d: %+v, %v", tt.from, tt.to, counts, err)
		}
		if tt.want > 0 && read(dir) != tt.want {
			t.Errorf("from %d to %d: the file has other records", tt.from, tt.to)
		}
	}
}

func TestASaturdaysClock(t *testing.T) {
	if got := saturday.Minute(saturday.Begins.Add(3 * time.Minute)); got != 60 {
		t.Errorf("minute %d", got)
	}
	if kickoff := saturday.match(0, 0).KickoffAt; !strings.HasSuffix(kickoff, "T15:01:00Z") {
		t.Errorf("the first kickoff is at %s", kickoff)
	}
}
