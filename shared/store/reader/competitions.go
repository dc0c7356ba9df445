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
	s, err := r.season(ctx, v, id, season, noKeys)
	if err != nil {
		return nil, err
	}
	return &s.record.Competition, nil
}

// Tables returns a season's tables, which are empty where no team is entered yet.
func (r *Reader) Tables(ctx context.Context, v sport.Viewer, id string, season int) (*records.CompetitionRef, *records.TableRecord, error) {
	s, err := r.seasonPlace(ctx, v, id, season, func(id sport.ID, tag records.Tag) []store.Key {
		return []store.Key{records.TableKey(id, tag)}
	})
	if err != nil {
		return nil, nil, err
	}
	tables, err := record[records.TableRecord](s.snapshot, records.TableKey(s.summary.ID, s.tag))
	if tables == nil {
		tables = new(records.TableRecord)
	}
	return s.summary, tables, err
}

// CompetitionGroups are a season's groups, and which seasons there are.
type CompetitionGroups struct {
	Competition *records.CompetitionRef
	Groups      *records.GroupsRecord // nil: none
	Seasons     []int                 // that the viewer sees, newest first (D57)
}

// Groups returns a season's groups.
func (r *Reader) Groups(ctx context.Context, v sport.Viewer, id string, season int) (CompetitionGroups, error) {
	s, err := r.seasonPlace(ctx, v, id, season, func(id sport.ID, tag records.Tag) []store.Key {
		return []store.Key{records.GroupsKey(id, tag), records.CompetitionSeasonsKey(id)}
	})
	if err != nil {
		return CompetitionGroups{}, err
	}
	groups, err := record[records.GroupsRecord](s.snapshot, records.GroupsKey(s.summary.ID, s.tag))
	if err != nil {
		return CompetitionGroups{}, err
	}
	seasons, err := record[records.CompetitionSeasonsRecord](s.snapshot, records.CompetitionSeasonsKey(s.summary.ID))
	if err != nil {
		return CompetitionGroups{}, err
	}
	if seasons == nil {
		seasons = &records.CompetitionSeasonsRecord{}
	}
	return CompetitionGroups{s.summary, groups, seasons.Of(v)}, nil
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
	s, err := r.seasonPlace(ctx, v, id, season, func(id sport.ID, tag records.Tag) []store.Key {
		return []store.Key{headOf(records.TournamentPlayers(id, tag)), records.StatisticsKey(id, tag)}
	})
	if err != nil {
		return CompetitionSeason{}, err
	}
	numbers, err := record[records.CompetitionStatisticsRecord](s.snapshot, records.StatisticsKey(s.summary.ID, s.tag))
	if err != nil {
		return CompetitionSeason{}, err
	}
	if numbers == nil {
		numbers = &records.CompetitionStatisticsRecord{}
	}
	players := listed(records.TournamentPlayers(s.summary.ID, s.tag), records.PlayerSchema(nil), pagedlist.Request[records.PlayerEntry]{})
	err = s.read(ctx, players)
	return CompetitionSeason{Competition: s.summary, Numbers: numbers, Players: players.Total}, err
}

// SeasonPage is a page of a list of a competition's season.
type SeasonPage[T any] struct {
	Page[T]
	Competition *records.CompetitionRef
}

// CompetitionMatches returns a page of a season's matches, by kickoff, then id.
func (r *Reader) CompetitionMatches(ctx context.Context, v sport.Viewer, id string, f MatchFilter, offset, limit int) (SeasonPage[records.MatchEntry], error) {
	request := pagedlist.Request[records.MatchEntry]{Offset: offset, Limit: limit}
	request.From, request.To = f.bounds()
	return seasonList(ctx, r, v, id, f.Season, records.MatchSchema(), request, func(id sport.ID, tag records.Tag) records.List[records.MatchEntry] {
		return records.TournamentMatches(id, tag, records.Variant(f.Status))
	})
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
	s, err := r.season(ctx, v, id, season, func(id sport.ID, tag records.Tag) []store.Key { return []store.Key{headOf(name(id, tag))} })
	if err != nil {
		return SeasonPage[T]{}, err
	}
	list := listed(name(s.summary.ID, s.tag), schema, request)
	err = s.read(ctx, list)
	return SeasonPage[T]{Page: pageOf(list), Competition: s.summary}, err
}

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
// with for both places where it may be. It fails with notFound.
func (r *Reader) season(ctx context.Context, v sport.Viewer, id string, asked int, with seasonKeys) (season, error) {
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
		keys = append(keys, with(of, tag)...)
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
// more, and nothing read in vain.
func (r *Reader) seasonPlace(ctx context.Context, v sport.Viewer, id string, asked int, with seasonKeys) (season, error) {
	if asked == 0 {
		return r.season(ctx, v, id, asked, with)
	}
	key := func(id sport.ID) store.Key { return records.SeasonKey(id, asked) }
	s, place, err := open[records.SeasonRecord](ctx, r, v, id, key)
	if err != nil {
		return season{}, s.whichMissing(ctx, v, id, err)
	}
	found := season{snapshot: s, summary: &place.CompetitionRef, tag: place.Tag()}
	return found, s.fetch(ctx, with(place.ID, found.tag)...)
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
