package dataset

import (
	"context"
	"os"
	"testing"

	"touchline/shared/outside"
	"touchline/shared/sport"
)

// nothingStored is the Stays of an empty store.
func nothingStored(_ context.Context, targets []Target) ([]bool, error) {
	return make([]bool, len(targets)), nil
}

// The numbers are those of the data's own READMEs, and what is written reads as the same.
func TestRealDataReadsWithoutFaults(t *testing.T) {
	type counts struct{ Organizations, Competitions, Teams, Players, Matches, Finished, Lineups, Events int }
	for folder, want := range map[string]counts{
		"austria":  {231, 12, 167, 346, 1204, 899, 195, 195},
		"worldcup": {69, 4, 144, 3551, 296, 296, 288, 296},
	} {
		t.Run(folder, func(t *testing.T) {
			set, err := Read(t.Context(), os.DirFS(outside.Path(t, "data/"+folder)), Options{})
			must(t, err)
			got := counts{
				Organizations: len(set.Organizations), Competitions: len(set.Competitions),
				Teams: len(set.Teams), Players: set.Players.Len(), Matches: set.Matches.Len(),
			}
			for _, rec := range set.Matches.All() {
				full := rec.Value.Full()
				if full.Status == sport.Finished {
					got.Finished++
				}
				if full.Lineups != nil {
					got.Lineups++
				}
				if len(full.Events) > 0 {
					got.Events++
				}
			}
			if got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
			if faults, err := set.Resolve(t.Context(), nothingStored, false); err != nil || faults != nil {
				t.Errorf("references are not whole: %v %v", faults, err)
			}
			checkRoundTrip(t, set)
		})
	}
}
