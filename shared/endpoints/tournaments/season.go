package tournaments

import (
	"context"

	"touchline/shared/endpoints/scope"
	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/store"
	"touchline/shared/store/sports"
)

// season is a competition's season in the key's scope, and where it lies.
type season struct {
	snap   *sports.Snapshot
	record *store.CompetitionRecord
	tag    store.Tag
}

// find reads the season that a request is about, together with what with names
// for the place where it may lie. It fails with notFound.
func (e Endpoints) find(ctx context.Context, call route.Call, asked route.Season, with func(store.Tag) []store.Key) (season, error) {
	id, err := scope.ID(call)
	if err != nil {
		return season{}, err
	}
	tags := []store.Tag{store.CurrentTag}
	if asked.Season != 0 {
		tags = append(tags, store.SeasonTag(asked.Season))
	}
	s := season{snap: e.Sports.Open()}
	var keys []store.Key
	for _, tag := range tags {
		keys = append(keys, store.CompetitionKey(id, tag))
		keys = append(keys, with(tag)...)
	}
	if err := s.snap.Fetch(ctx, keys...); err != nil {
		return season{}, err
	}
	there := false // in one season or another
	for _, s.tag = range tags {
		s.record, err = sports.Record[store.CompetitionRecord](s.snap, store.CompetitionKey(id, s.tag))
		if err != nil {
			return season{}, err
		}
		there = there || s.record != nil && s.record.Contains(call.Organization, call.Descendants)
		if s.record != nil && (asked.Season == 0 || s.record.Season == asked.Season) {
			break
		}
	}
	if s.record == nil || !s.record.Contains(call.Organization, call.Descendants) {
		return season{}, missing(there)
	}
	return s, nil
}

// findParts is find for a season's single records, with what with names for its
// place. Records cost as much as they answer, so that a season that was asked
// for is found first: one round trip more, and no part read in vain.
func (e Endpoints) findParts(ctx context.Context, call route.Call, asked route.Season, with func(store.Tag) []store.Key) (season, error) {
	if asked.Season == 0 {
		return e.find(ctx, call, asked, with)
	}
	id, err := scope.ID(call)
	if err != nil {
		return season{}, err
	}
	s := season{snap: e.Sports.Open(), tag: store.CurrentTag}
	if err := s.snap.Fetch(ctx, store.CompetitionKey(id, s.tag)); err != nil {
		return season{}, err
	}
	if s.record, err = sports.Record[store.CompetitionRecord](s.snap, store.CompetitionKey(id, s.tag)); err != nil {
		return season{}, err
	}
	if s.record == nil {
		return season{}, scope.NotFound(problem.MissingID) // what has seasons has a current one
	}
	there := s.record.Contains(call.Organization, call.Descendants)
	if s.record.Season != asked.Season {
		s.tag = store.SeasonTag(asked.Season)
	}
	if err := s.snap.Fetch(ctx, append(with(s.tag), store.CompetitionKey(id, s.tag))...); err != nil {
		return season{}, err
	}
	s.record, err = scope.Find[store.CompetitionRecord](s.snap, call, store.CompetitionKey(id, s.tag))
	if err != nil && there {
		err = scope.About(problem.MissingSeason, err)
	}
	return s, err
}

// missing is the notFound of a competition that is there but for the season
// asked for, or is not there.
func missing(there bool) error {
	if there {
		return scope.NotFound(problem.MissingSeason)
	}
	return scope.NotFound(problem.MissingID)
}
