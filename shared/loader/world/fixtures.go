package world

import (
	"cmp"
	"context"
	"maps"
	"reflect"
	"slices"

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// FixturesID is the identity of a records.FixturesRecord.
type FixturesID struct {
	Team    sport.ID
	Quarter int
}

// ScheduleOf are the two records that a match belongs to, of its teams.
func ScheduleOf(o *Outcome) []FixturesID {
	q := records.Quarter(o.Entry.Kickoff)
	return []FixturesID{{o.Entry.Home.ID, q}, {o.Entry.Away.ID, q}}
}

// FixturesScheduled reads the fixtures that affected matches belong to.
func (f *Fetcher) FixturesScheduled(ctx context.Context) {
	if f.Empty {
		return
	}
	w := f.World
	key := func(id FixturesID) store.Key { return records.FixturesKey(id.Team, id.Quarter) }
	for id, r := range decoded[FixturesID, records.FixturesRecord](ctx, f, slices.Collect(maps.Keys(w.scheduled)), key) {
		matches, err := r.Matches()
		assign(&w.fixtures, id, storedFixtures{r, matches})
		w.failed = cmp.Or(w.failed, err)
	}
}

// storedFixtures is a record of the table, and the matches that it was made of.
type storedFixtures struct {
	record  *records.FixturesRecord
	matches []records.Match
}

// FixturesAt returns the stored record of fixtures, nil for none, and the matches that
// it will have, by kickoff, then id. Affected matches are as they are computed, others
// as they are stored. Changed reports whether the record has other matches.
func (w *World) FixturesAt(id FixturesID) (was *records.FixturesRecord, is []records.Match, changed bool) {
	stored := w.fixtures[id]
	for _, m := range stored.matches {
		if !w.affected.Has(m.ID) {
			is = append(is, m)
		}
	}
	for _, m := range w.scheduled[id] {
		if o := w.Outcome(After, m); o != nil && !o.Entry.Hidden && slices.Contains(ScheduleOf(o), id) {
			is = append(is, o.Entry.Match)
		}
	}
	slices.SortFunc(is, func(a, b records.Match) int {
		return cmp.Or(cmp.Compare(a.Kickoff, b.Kickoff), cmp.Compare(a.ID, b.ID))
	})
	changed = !slices.EqualFunc(stored.matches, is, func(a, b records.Match) bool { return reflect.DeepEqual(a, b) })
	return stored.record, is, changed
}
