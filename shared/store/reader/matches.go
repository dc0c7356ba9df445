package reader

import (
	"context"
	"math"
	"slices"
	"time"

	"touchline/shared/problem"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// MatchFilter selects from a list of matches.
type MatchFilter struct {
	Season   int               // 0: none is asked for; see the methods
	Status   sport.MatchStatus // empty: any
	From, To *time.Time        // bounds on the kickoff, both inclusive, in whole milliseconds; nil: open
}

// bounds are those of a list by kickoff.
func (f MatchFilter) bounds() (from, to []byte) {
	if f.From != nil {
		from = records.KickoffKey(f.From.UnixMilli(), "")
	}
	if f.To != nil {
		to = records.KickoffKey(f.To.UnixMilli()+1, "")
	}
	return from, to
}

// match selects the matches of the status asked for, and of the season, friendlies
// only where they carry it. Where no season is asked for, it selects the team entry's own
// and friendlies without one, and everything where the entry has no season
// either (D39).
func (f MatchFilter) match(own int) func(pagedlist.Facet) bool {
	return records.ByFacet(func(x records.Facet) bool {
		switch {
		case f.Status != "" && x.Status != string(f.Status):
			return false
		case f.Season != 0:
			return x.Season == f.Season
		}
		return own == 0 || x.Season == own || x.Season == 0
	})
}

// Match returns a match. A season, where not 0, must be the current one of the
// match's competition, whichever the match is of; a friendly has none (D16).
func (r *Reader) Match(ctx context.Context, v sport.Viewer, id string, season int) (*records.MatchRecord, error) {
	s, m := r.match(ctx, v, id, season)
	return m, s.err
}

// Lineups returns a match and its line-ups, nil where they are not published
// (D45).
func (r *Reader) Lineups(ctx context.Context, v sport.Viewer, id string, season int) (*records.MatchRecord, *records.LineupsRecord, error) {
	return matchDetail[records.LineupsRecord](ctx, r, v, id, season, records.LineupsKey)
}

// Events returns a match and its events, nil where it has none.
func (r *Reader) Events(ctx context.Context, v sport.Viewer, id string, season int) (*records.MatchRecord, *records.EventsRecord, error) {
	return matchDetail[records.EventsRecord](ctx, r, v, id, season, records.EventsKey)
}

// Figures returns a match and its statistics, nil where it has none.
func (r *Reader) Figures(ctx context.Context, v sport.Viewer, id string, season int) (*records.MatchRecord, *records.FiguresRecord, error) {
	return matchDetail[records.FiguresRecord](ctx, r, v, id, season, records.FiguresKey)
}

// matchDetail reads a match and one of its details in one round trip.
func matchDetail[T any](ctx context.Context, r *Reader, v sport.Viewer, id string, season int, key func(sport.ID) store.Key) (*records.MatchRecord, *T, error) {
	s, m := r.match(ctx, v, id, season, key(sport.ID(id)))
	detail := record[T](s, key(m.ID))
	return m, detail, s.err
}

func (r *Reader) match(ctx context.Context, v sport.Viewer, id string, season int, with ...store.Key) (*snapshot, *records.MatchRecord) {
	s, m := open[records.MatchRecord](ctx, r, v, id, records.MatchKey, with...)
	if season == 0 {
		return s, m
	}
	// The season has to be the current one of the competition.
	var c *records.CompetitionRecord
	if m.Competition != nil {
		key := records.CompetitionKey(m.Competition.ID, records.CurrentTag)
		s.fetch(ctx, key)
		c = record[records.CompetitionRecord](s, key)
	}
	if c == nil || c.Hidden || c.Season != season {
		s.fail(problem.Missed(problem.MissingSeason))
	}
	return s, m
}

// readSeen reads a page of a list of matches. A guest is a viewer who sees the list's
// team through its competition alone: of the matches that are elsewhere he sees those
// whose records say so (D24). All are read for him, and the page is one of those seen.
func readSeen[T any](
	ctx context.Context, s *snapshot, v sport.Viewer, list *pagedlist.Reading[T],
	guest bool, match func(*T) sport.ID, elsewhere func(*T) bool,
) Page[T] {
	if !guest {
		s.read(ctx, list)
		return pageOf(list)
	}
	offset, limit := list.Request.Offset, list.Request.Limit
	list.Request.Offset, list.Request.Limit = 0, math.MaxInt
	s.read(ctx, list)
	var keys []store.Key
	for i := range list.Entries {
		if elsewhere(&list.Entries[i]) {
			keys = append(keys, records.MatchKey(match(&list.Entries[i])))
		}
	}
	s.fetch(ctx, keys...)
	seen := slices.DeleteFunc(list.Entries, func(e T) bool {
		return elsewhere(&e) && !recordOr[records.MatchRecord](s, records.MatchKey(match(&e))).Contains(v.Organization, v.Descendants)
	})
	return Page[T]{Entries: slice(seen, offset, limit), Total: len(seen)}
}
