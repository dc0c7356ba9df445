package reader

import (
	"context"

	"touchline/shared/problem"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// season is a competition's season that the viewer sees, and where it lies.
type season struct {
	*snapshot
	summary *records.CompetitionRef
	tag     records.Tag
	record  *records.CompetitionRecord // nil where seasonPlace found it by a season
}

// seasonKeys are the keys of what is read together with a season, at the place
// where it may lie.
type seasonKeys func(id sport.ID, tag records.Tag) []store.Key

func noKeys(sport.ID, records.Tag) []store.Key { return nil }

// season reads the season asked for, 0 being the current one, and the items at
// parts for both places where it may be. It fails with notFound.
func (r *Reader) season(ctx context.Context, v sport.Viewer, id string, asked int, parts seasonKeys) (season, error) {
	of, err := parseID(id)
	if err != nil {
		return season{}, err
	}
	tags := []records.Tag{records.CurrentTag}
	if asked != 0 {
		tags = append(tags, records.SeasonTag(asked))
	}
	s := season{snapshot: r.open()}
	var keys []store.Key
	for _, tag := range tags {
		keys = append(keys, records.CompetitionKey(of, tag))
		keys = append(keys, parts(of, tag)...)
	}
	if err := s.fetch(ctx, keys...); err != nil {
		return season{}, err
	}
	missing := problem.MissingID
	for _, tag := range tags {
		c, err := record[records.CompetitionRecord](s.snapshot, records.CompetitionKey(of, tag))
		if err != nil {
			return season{}, err
		}
		if c == nil || !c.Contains(v.Organization, v.Descendants) {
			continue
		}
		if asked == 0 || c.Season == asked {
			s.record, s.summary, s.tag = c, &c.CompetitionRef, tag
			return s, nil
		}
		missing = problem.MissingSeason
	}
	return season{}, problem.Missed(missing)
}

// seasonPlace is season for single records. A record costs as many units as it
// has bytes, so that a season that is asked for is located first: one round trip
// more, and no part read in vain.
func (r *Reader) seasonPlace(ctx context.Context, v sport.Viewer, id string, asked int, parts seasonKeys) (season, error) {
	if asked == 0 {
		return r.season(ctx, v, id, asked, parts)
	}
	key := func(id sport.ID) store.Key { return records.SeasonKey(id, asked) }
	s, place, err := open[records.SeasonRecord](ctx, r, v, id, key)
	if err != nil {
		return season{}, s.whichMissing(ctx, v, id, err)
	}
	found := season{snapshot: s, summary: &place.CompetitionRef, tag: place.Tag()}
	return found, s.fetch(ctx, parts(place.ID, found.tag)...)
}

// whichMissing distinguishes a competition without the season asked for from
// one that does not exist: for the log only. err is what the search failed
// with.
func (s *snapshot) whichMissing(ctx context.Context, v sport.Viewer, id string, err error) error {
	if s == nil || problem.From(err).Code != problem.NotFound {
		return err
	}
	key := records.CompetitionKey(sport.ID(id), records.CurrentTag)
	if s.fetch(ctx, key) != nil {
		return err
	}
	if _, missed := find[records.CompetitionRecord](s, v, key); missed != nil {
		return err
	}
	return problem.Missed(problem.MissingSeason)
}
