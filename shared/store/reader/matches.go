package reader

import (
	"context"
	"time"

	"touchline/shared/problem"
	"touchline/shared/sport"
	"touchline/shared/store"
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

// inSeason selects the matches of the season asked for, friendlies only where
// they carry it. Where none is asked for, it selects the team entry's own season
// and friendlies without one, and everything where the entry has no season
// either (D39).
func (f MatchFilter) inSeason(own int) func(records.Facet) bool {
	switch {
	case f.Season != 0:
		return func(x records.Facet) bool { return x.Season == f.Season }
	case own != 0:
		return func(x records.Facet) bool { return x.Season == own || x.Season == 0 }
	}
	return func(records.Facet) bool { return true }
}

// Match returns a match. A season, where not 0, must be the current one of the
// match's competition, whichever the match is of; a friendly has none (D16).
func (r *Reader) Match(ctx context.Context, v sport.Viewer, id string, season int) (*records.MatchRecord, error) {
	_, m, err := r.match(ctx, v, id, season)
	return m, err
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
	s, m, err := r.match(ctx, v, id, season, key(sport.ID(id)))
	if err != nil {
		return nil, nil, err
	}
	detail, err := record[T](s, key(m.ID))
	return m, detail, err
}

func (r *Reader) match(ctx context.Context, v sport.Viewer, id string, season int, with ...store.Key) (*snapshot, *records.MatchRecord, error) {
	s, m, err := open[records.MatchRecord](ctx, r, v, id, records.MatchKey, with...)
	if err != nil || season == 0 {
		return s, m, err
	}
	return s, m, s.checkCurrent(ctx, m.Competition, season)
}

// checkCurrent fails with notFound where season is not the current one of the
// competition.
func (s *snapshot) checkCurrent(ctx context.Context, of *records.CompetitionRef, season int) error {
	if of == nil {
		return problem.Missed(problem.MissingSeason)
	}
	key := records.CompetitionKey(of.ID, records.CurrentTag)
	if err := s.fetch(ctx, key); err != nil {
		return err
	}
	c, err := record[records.CompetitionRecord](s, key)
	if err != nil {
		return err
	}
	if c == nil || c.Hidden || c.Season != season {
		return problem.Missed(problem.MissingSeason)
	}
	return nil
}

// inScope returns the entries that the viewer may see (D24): all that are not elsewhere,
// and the others if the record of their match says so.
func inScope[T any](ctx context.Context, s *snapshot, v sport.Viewer, entries []T, match func(*T) sport.ID, elsewhere func(*T) bool) ([]T, error) {
	var keys []store.Key
	for i := range entries {
		if elsewhere(&entries[i]) {
			keys = append(keys, records.MatchKey(match(&entries[i])))
		}
	}
	if err := s.fetch(ctx, keys...); err != nil {
		return nil, err
	}
	var seen []T
	for i := range entries {
		if elsewhere(&entries[i]) {
			m, err := record[records.MatchRecord](s, records.MatchKey(match(&entries[i])))
			if err != nil {
				return nil, err
			}
			if m == nil || !m.Contains(v.Organization, v.Descendants) {
				continue
			}
		}
		seen = append(seen, entries[i])
	}
	return seen, nil
}
