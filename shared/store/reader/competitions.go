package reader

import (
	"context"

	"touchline/shared/problem"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// The Sports table keeps the current season of a competition apart from the
// others (records.CurrentTag), so that a request without a season, here 0, reads
// what it needs at once. One with a season may be about either place (D16).

// Competition returns a season of a competition; season 0 is the current one.
func (r *Reader) Competition(ctx context.Context, v sport.Viewer, id string, season int) (*records.Competition, error) {
	s := r.season(ctx, v, id, season, noKeys)
	return &s.record.Competition, s.err
}

// Tables returns a season's tables, which are empty where no team is entered yet.
func (r *Reader) Tables(ctx context.Context, v sport.Viewer, id string, season int) (*records.CompetitionRef, *records.TableRecord, error) {
	s := r.seasonPlace(ctx, v, id, season, func(id sport.ID, tag records.Tag) []store.Key {
		return []store.Key{records.TableKey(id, tag)}
	})
	tables := recordOr[records.TableRecord](s.snapshot, records.TableKey(s.summary.ID, s.tag))
	return s.summary, tables, s.err
}

// CompetitionGroups are a season's groups, and which seasons there are.
type CompetitionGroups struct {
	Competition *records.CompetitionRef
	Groups      *records.GroupsRecord // nil: none
	Seasons     []int                 // that the viewer sees, newest first (D57)
}

// Groups returns a season's groups.
func (r *Reader) Groups(ctx context.Context, v sport.Viewer, id string, season int) (CompetitionGroups, error) {
	s := r.seasonPlace(ctx, v, id, season, func(id sport.ID, tag records.Tag) []store.Key {
		return []store.Key{records.GroupsKey(id, tag), records.CompetitionSeasonsKey(id)}
	})
	groups := record[records.GroupsRecord](s.snapshot, records.GroupsKey(s.summary.ID, s.tag))
	seasons := recordOr[records.CompetitionSeasonsRecord](s.snapshot, records.CompetitionSeasonsKey(s.summary.ID))
	return CompetitionGroups{s.summary, groups, seasons.Of(v)}, s.err
}

// CompetitionSeason is a season in numbers.
type CompetitionSeason struct {
	Competition *records.CompetitionRef
	Numbers     *records.CompetitionStatisticsRecord
	Players     int // who belong to it
}

// CompetitionSeason returns a season in numbers, which are all 0 where no team is
// entered yet.
func (r *Reader) CompetitionSeason(ctx context.Context, v sport.Viewer, id string, season int) (CompetitionSeason, error) {
	s := r.seasonPlace(ctx, v, id, season, func(id sport.ID, tag records.Tag) []store.Key {
		return []store.Key{headOf(records.TournamentPlayers(id, tag)), records.StatisticsKey(id, tag)}
	})
	numbers := recordOr[records.CompetitionStatisticsRecord](s.snapshot, records.StatisticsKey(s.summary.ID, s.tag))
	players := listed(records.TournamentPlayers(s.summary.ID, s.tag), records.PlayerSchema(nil), pagedlist.Request[records.PlayerEntry]{})
	s.read(ctx, players)
	return CompetitionSeason{Competition: s.summary, Numbers: numbers, Players: players.Total}, s.err
}

// SeasonPage is a page of a list of a competition's season.
type SeasonPage[T any] struct {
	Page[T]
	Competition *records.CompetitionRef
}

// CompetitionMatches returns a page of a season's matches, by kickoff, then id.
func (r *Reader) CompetitionMatches(ctx context.Context, v sport.Viewer, id string, f MatchFilter, offset, limit int) (SeasonPage[records.MatchEntry], error) {
	request := pagedlist.Request[records.MatchEntry]{Match: f.match(0), Offset: offset, Limit: limit}
	request.From, request.To = f.bounds()
	return seasonList(ctx, r, v, id, f.Season, records.MatchSchema(), request, records.TournamentMatches)
}

// CompetitionTeams returns a page of a season's teams, by name, then id.
func (r *Reader) CompetitionTeams(ctx context.Context, v sport.Viewer, id string, season, offset, limit int) (SeasonPage[records.TeamEntry], error) {
	request := pagedlist.Request[records.TeamEntry]{Offset: offset, Limit: limit}
	return seasonList(ctx, r, v, id, season, records.TeamSchema(nil), request, records.TournamentTeams)
}

// CompetitionPlayers returns a page of a season's players, by name, then id.
func (r *Reader) CompetitionPlayers(ctx context.Context, v sport.Viewer, id string, season, offset, limit int) (SeasonPage[records.PlayerEntry], error) {
	request := pagedlist.Request[records.PlayerEntry]{Offset: offset, Limit: limit}
	return seasonList(ctx, r, v, id, season, records.PlayerSchema(nil), request, records.TournamentPlayers)
}

// TopScorers returns a page of a season's players by goals, assists or
// appearances (D27); by is the value of the route's parameter.
func (r *Reader) TopScorers(ctx context.Context, v sport.Viewer, id string, season int, by string, offset, limit int) (SeasonPage[records.ScorerEntry], error) {
	request := pagedlist.Request[records.ScorerEntry]{Offset: offset, Limit: limit}
	return seasonList(ctx, r, v, id, season, records.ScorerSchema(nil), request, func(id sport.ID, tag records.Tag) records.List[records.ScorerEntry] {
		return records.TopScorers(id, tag, records.Ranking(by))
	})
}

// Cards returns a page of a season's players or teams by cards (D27); of is the
// value of the route's parameter.
func (r *Reader) Cards(ctx context.Context, v sport.Viewer, id string, season int, of string, offset, limit int) (SeasonPage[records.CardEntry], error) {
	request := pagedlist.Request[records.CardEntry]{Offset: offset, Limit: limit}
	return seasonList(ctx, r, v, id, season, records.CardSchema(nil), request, func(id sport.ID, tag records.Tag) records.List[records.CardEntry] {
		return records.Cards(id, tag, records.Ranking(of))
	})
}

// seasonList reads a page of a season's list: its record and the head of the
// list in one round trip, the page in another.
func seasonList[T any](
	ctx context.Context, r *Reader, v sport.Viewer, id string, season int,
	schema pagedlist.Schema[T], request pagedlist.Request[T], name func(sport.ID, records.Tag) records.List[T],
) (SeasonPage[T], error) {
	s := r.season(ctx, v, id, season, func(id sport.ID, tag records.Tag) []store.Key { return []store.Key{headOf(name(id, tag))} })
	list := listed(name(s.summary.ID, s.tag), schema, request)
	s.read(ctx, list)
	return SeasonPage[T]{Page: pageOf(list), Competition: s.summary}, s.err
}

// season is a competition's season that the viewer sees, and where it lies; it is zero
// where the snapshot has failed.
type season struct {
	*snapshot
	summary *records.CompetitionRef
	tag     records.Tag
	record  *records.CompetitionRecord // zero where seasonPlace found it by a season
}

// seasonKeys are the keys of what is read together with a season, at the place
// where it may lie.
type seasonKeys func(id sport.ID, tag records.Tag) []store.Key

func noKeys(sport.ID, records.Tag) []store.Key { return nil }

// season reads the season asked for, 0 being the current one, and the items at
// with for both places where it may be. It fails with notFound.
func (r *Reader) season(ctx context.Context, v sport.Viewer, id string, asked int, with seasonKeys) season {
	s := season{snapshot: r.open(), summary: &records.CompetitionRef{}, record: &records.CompetitionRecord{}}
	s.checkID(id, problem.MissingID)
	tags := []records.Tag{records.CurrentTag}
	if asked != 0 {
		tags = append(tags, records.SeasonTag(asked))
	}
	var keys []store.Key
	for _, tag := range tags {
		keys = append(keys, records.CompetitionKey(sport.ID(id), tag))
		keys = append(keys, with(sport.ID(id), tag)...)
	}
	s.fetch(ctx, keys...)
	missing := problem.MissingID
	for _, tag := range tags {
		c := record[records.CompetitionRecord](s.snapshot, records.CompetitionKey(sport.ID(id), tag))
		if c == nil || !c.Contains(v.Organization, v.Descendants) {
			continue
		}
		if asked == 0 || c.Season == asked {
			s.record, s.summary, s.tag = c, &c.CompetitionRef, tag
			return s
		}
		missing = problem.MissingSeason
	}
	s.fail(problem.Missed(missing))
	return s
}

// seasonPlace is season for single records. A record costs as many units as it
// has bytes, so that a season that is asked for is located first: one round trip
// more, and nothing read in vain.
func (r *Reader) seasonPlace(ctx context.Context, v sport.Viewer, id string, asked int, with seasonKeys) season {
	if asked == 0 {
		return r.season(ctx, v, id, asked, with)
	}
	s, place := open[records.SeasonRecord](ctx, r, v, id, func(id sport.ID) store.Key { return records.SeasonKey(id, asked) })
	if s.err != nil && problem.From(s.err).Code == problem.NotFound && r.season(ctx, v, id, 0, noKeys).err == nil {
		s.err = problem.Missed(problem.MissingSeason) // the competition is there: for the log only
	}
	found := season{snapshot: s, summary: &place.CompetitionRef, tag: place.Tag(), record: &records.CompetitionRecord{}}
	found.fetch(ctx, with(place.ID, found.tag)...)
	return found
}
