package reader

import (
	"fmt"
	"testing"
	"time"

	"touchline/shared/problem"
	"touchline/shared/simulation"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// D1 step 20: the rule of players before the general one.
func TestAListRangesOverSoManyOrganizations(t *testing.T) {
	tests := []struct {
		organizations int
		unnarrowed    bool
		refused       bool
	}{
		{50, true, false}, {51, true, true}, {51, false, false}, {5000, false, false}, {5001, false, true}, {5001, true, true},
	}
	for _, tt := range tests {
		err := (&search{unnarrowed: tt.unnarrowed}).checkSize(tt.organizations)
		if (err != nil) != tt.refused || err != nil && problem.From(err).Code != problem.ScopeTooLarge {
			t.Errorf("%d, unnarrowed %v: %v", tt.organizations, tt.unnarrowed, err)
		}
	}
}

// filled is a reader of a table with a list.
func filled[T any](t *testing.T, table *store.Table, schema pagedlist.Schema[T], list records.List[T], entries ...T) *Reader {
	t.Helper()
	var ops []pagedlist.Op[T]
	for i := range entries {
		ops = append(ops, pagedlist.Op[T]{Put: &entries[i]})
	}
	changes, err := schema.Changes(string(list), ops)
	if err == nil {
		err = pagedlist.Apply(t.Context(), table, schema, []pagedlist.Changes{changes}, pagedlist.Options{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return &Reader{Items: &store.Cached{Source: table, Now: time.Now}}
}

// D26: a club's own entries, and twenty of its competition copies.
func TestAClubsMatchesCoverItsRecentEntries(t *testing.T) {
	for copies, truncated := range map[int]bool{19: false, 20: false, 21: true} {
		table := &store.Table{DB: simulation.NewDatabase(), Name: "sports"}
		entries := []records.TeamEntry{
			{Team: records.Team{TeamRef: records.TeamRef{ID: "own"}}},
			{Team: records.Team{TeamRef: records.TeamRef{ID: "old"}, CompetitionID: "k", Season: 2020}, Archived: true},
		}
		for n := range copies {
			entries = append(entries, records.TeamEntry{Team: records.Team{
				TeamRef: records.TeamRef{ID: sport.ID(fmt.Sprintf("t%02d", n))}, CompetitionID: "k", Season: 2000 + n,
			}})
		}
		r := filled(t, table, records.ClubEntrySchema(), records.ClubEntries(id), entries...)
		snapshot := r.open()
		entries, covered := snapshot.clubEntries(t.Context(), id, 0)
		if snapshot.err != nil || len(entries) != 1+min(copies, 20) || entries[0].ID != "own" || entries[1].Season != 2000+copies-1 {
			t.Errorf("%d copies: %+v, %v", copies, entries, snapshot.err)
		}
		if want := (ClubMatches{Truncated: truncated, Included: min(copies, 20)}); covered != want {
			t.Errorf("%d copies: %+v", copies, covered)
		}
		entries, _ = snapshot.clubEntries(t.Context(), id, 2020)
		if n := 2 + copies/21; snapshot.err != nil || len(entries) != n {
			t.Errorf("%d copies, season 2020: %+v, %v", copies, entries, snapshot.err)
		}
	}
}
