package tournaments

import (
	"context"

	"touchline/shared/endpoints/scope"
	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// season is a competition's season in the key's scope, and where it lies.
type season struct {
	snap    *records.Snapshot
	summary *records.CompetitionRef
	tag     records.Tag
	record  *records.CompetitionRecord // nil where findParts found it by a season
}

// find reads the season that a request is about, together with what with names
// for the place where it may lie. It fails with notFound.
func (e Endpoints) find(ctx context.Context, call route.Call, asked route.Season, with func(records.Tag) []store.Key) (season, error) {
	id, err := scope.ID(call)
	if err != nil {
		return season{}, err
	}
	tags := []records.Tag{records.CurrentTag}
	if asked.Season != 0 {
		tags = append(tags, records.SeasonTag(asked.Season))
	}
	s := season{snap: e.Sports.Open()}
	var keys []store.Key
	for _, tag := range tags {
		keys = append(keys, records.CompetitionKey(id, tag))
		keys = append(keys, with(tag)...)
	}
	if err := s.snap.Fetch(ctx, keys...); err != nil {
		return season{}, err
	}
	there := false // in one season or another
	for _, s.tag = range tags {
		s.record, err = records.Record[records.CompetitionRecord](s.snap, records.CompetitionKey(id, s.tag))
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
	s.summary = &s.record.CompetitionRef
	return s, nil
}

// findParts is find for a season's single records, with what with names for its
// place. Records cost as much as they answer, so that a season that was asked
// for is found first: one round trip more, and no part read in vain.
func (e Endpoints) findParts(ctx context.Context, call route.Call, asked route.Season, with func(records.Tag) []store.Key) (season, error) {
	if asked.Season == 0 {
		return e.find(ctx, call, asked, with)
	}
	id, err := scope.ID(call)
	if err != nil {
		return season{}, err
	}
	s := season{snap: e.Sports.Open()}
	key := records.SeasonKey(id, asked.Season)
	if err := s.snap.Fetch(ctx, key); err != nil {
		return season{}, err
	}
	place, err := scope.Find[records.SeasonRecord](s.snap, call, key)
	if err != nil {
		return season{}, e.without(ctx, call, s.snap, err)
	}
	s.summary, s.tag = &place.CompetitionRef, place.Tag()
	return s, s.snap.Fetch(ctx, with(s.tag)...)
}

// without tells, for the log, a competition that lacks the season asked for from
// one that is not there; err is the notFound.
func (e Endpoints) without(ctx context.Context, call route.Call, snap *records.Snapshot, err error) error {
	key := records.CompetitionKey(sport.ID(call.ID), records.CurrentTag)
	if problem.From(err).Code != problem.NotFound || snap.Fetch(ctx, key) != nil {
		return err
	}
	if current, _ := records.Record[records.CompetitionRecord](snap, key); current != nil && current.Contains(call.Organization, call.Descendants) {
		return scope.About(problem.MissingSeason, err)
	}
	return err
}

// missing is the notFound of a competition that is there but for the season
// asked for, or is not there.
func missing(there bool) error {
	if there {
		return scope.NotFound(problem.MissingSeason)
	}
	return scope.NotFound(problem.MissingID)
}
