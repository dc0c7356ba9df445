package integrity

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sort"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/dataset/relations"
	"touchline/shared/loader/history"
	"touchline/shared/loader/sources"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// Missing warns of deletions of what is not stored (D51). The other warnings are
// found where the dataset is read, or by package dataset/relations.
func Missing(w *world.World, part *dataset.Part) []dataset.Fault {
	return slices.Concat(missing(w, part.Organizations), missing(w, part.Competitions), missing(w, part.Teams),
		missing(w, part.Players), missing(w, part.Matches), missing(w, part.Standings))
}

func missing[T dataset.Entity](w *world.World, given []*dataset.Record[T]) (found []dataset.Fault) {
	for _, x := range given {
		if of := history.RecordOf(x); x.Deleted && !sources.Stored(w, of) {
			field := "id"
			if of.Kind == history.KindStandings {
				field = "table"
			}
			found = append(found, dataset.Fault{File: x.Origin.File, Line: x.Origin.Line, Field: field, Message: "deletes what is not stored"})
		}
	}
	return found
}

// Odd are the warnings of a dataset that take more than one record or the table; of the
// table nothing stays that the set does not hold, where nothingStays says so.
func (l *Checker) Odd(ctx context.Context, set *dataset.Set, part *dataset.Part, now time.Time, nothingStays bool) ([]dataset.Fault, error) {
	stored := Stored(l.World, world.After)
	if !nothingStays {
		stored.Matches = storedMatches(ctx, l.Fetch, set, part)
	}
	found := slices.Concat(l.ties(ctx, set), l.exchanged(set))
	sortFaults(found)
	return append(relations.Warnings(set, now, stored, l.Resolve), found...), l.Fetch.Err()
}

// sortFaults sorts faults by their lines.
func sortFaults(all []dataset.Fault) {
	// slices.SortFunc, compiled for this struct, adds 18 KB to ingest.
	sort.Slice(all, func(i, j int) bool {
		a, b := &all[i], &all[j]
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Message, b.Message)) < 0
	})
}

// Stored are the teams and the seasons of a view, for what a dataset says of them.
func Stored(w *world.World, v world.View) relations.Stored {
	return relations.Stored{
		Team: func(id sport.ID) *sport.Team {
			if t := w.Teams.At(v, id); t != nil {
				return &t.Team
			}
			return nil
		},
		Season: func(id sport.ID, season int) *sport.Competition {
			if c := w.Competitions.At(v, world.SeasonID{ID: id, Season: season}); c != nil {
				return &c.Competition
			}
			return nil
		},
		Current: w.CurrentSeason,
	}
}

// storedMatches are the stored home matches of the teams that get another.
func storedMatches(ctx context.Context, f *world.Fetcher, set *dataset.Set, records *dataset.Part) []sport.Match {
	w := f.World
	homes := world.Set[sport.ID]{}
	for _, x := range records.Matches {
		if !x.Deleted && w.Matches.At(world.Before, x.ID) == nil {
			homes.Add(x.Value.Base.HomeTeamID)
		}
	}
	teams := slices.Sorted(maps.Keys(homes))
	f.FixturesOf(ctx, teams)
	var matches []sport.Match
	for _, team := range teams {
		for _, id := range slices.Sorted(w.Fixtures.In(world.Before, team)) {
			e := w.Listed(world.Before, id)
			if e != nil && e.Home.ID == team && set.Find(dataset.Target{Kind: sport.KindMatch, ID: id}) == dataset.Unknown {
				m := sport.Match{ID: id, Status: e.Status, Season: e.Season, HomeTeamID: team, AwayTeamID: e.Away.ID, Kickoff: time.UnixMilli(e.Kickoff).UTC()}
				if e.Competition != nil {
					m.CompetitionID = e.Competition.ID
				}
				matches = append(matches, m)
			}
		}
	}
	return matches
}
