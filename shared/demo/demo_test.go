package demo

import (
	"context"
	"os"
	"testing"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/dataset/format"
	"touchline/shared/sport"
)

// TestTheDayIsToday: on any day the dataset is one without a fault, has one live match, and
// what is before now has been played.
func TestTheDayIsToday(t *testing.T) {
	nothing := func(_ context.Context, targets []dataset.Target) ([]bool, error) {
		return make([]bool, len(targets)), nil
	}
	for _, now := range []string{"2026-03-13T15:00:00Z", "2026-11-29T00:30:00+01:00", "2023-06-30T23:59:00Z", "2027-01-02T09:00:00Z", "2028-02-29T18:12:31Z"} {
		t.Run(now, func(t *testing.T) {
			at, err := time.Parse(time.RFC3339, now)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			if err := Write(dir, at); err != nil {
				t.Fatal(err)
			}
			set, err := format.Read(t.Context(), os.DirFS(dir), format.Options{})
			if err != nil {
				t.Fatal(err)
			}
			faults, err := set.Resolve(t.Context(), nothing, false)
			if err != nil || faults.Count() > 0 || set.Warnings.Count() > 2 { // two matches in which something happens twice in a minute
				t.Errorf("%v, %v, %v", faults, set.Warnings, err)
			}
			live, season := 0, 0
			for _, r := range set.Matches.All() {
				m := r.Value.Base
				if m.Status == sport.Live {
					live++
				}
				if was := m.Kickoff.Before(at); !m.Kickoff.IsZero() && was == (m.Status == sport.Upcoming) && m.Status != sport.Postponed {
					t.Errorf("%s is %s at %s", m.ID, m.Status, m.Kickoff)
				}
				season = max(season, m.Season)
			}
			if first := at.UTC().AddDate(0, 0, -untilNow).Year(); live != 1 || season != first {
				t.Errorf("%d are live in the season %d, want 1 in %d", live, season, first)
			}
		})
	}
}
