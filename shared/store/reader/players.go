package reader

import (
	"context"
	"fmt"
	"slices"

	"touchline/shared/problem"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// Player returns a player, whom a key sees where it sees the team (D24).
func (r *Reader) Player(ctx context.Context, v sport.Viewer, id string) (*records.PlayerRecord, error) {
	s, p := open[records.PlayerRecord](ctx, r, v, id, records.PlayerKey)
	return p, s.err
}

// PlayerSeason returns a player and what the finished matches of a season add up
// to, as far as the viewer sees them (D24); nil if there aren't any (D16).
// Season 0 is the one of the player's team entry (D39).
func (r *Reader) PlayerSeason(ctx context.Context, v sport.Viewer, id string, season int) (*records.PlayerRecord, *records.PlayerSeason, error) {
	at, key := records.PlayerKey(sport.ID(id)), records.PlayerSeasonsKey(sport.ID(id))
	s, p := open[records.PlayerRecord](ctx, r, v, id, records.PlayerKey, key)
	if p.Apart && s.items[key] == nil { // one of the two was in the cache while a load moved the sums
		s.take(ctx, []store.Key{at, key}, true)
		p = find[records.PlayerRecord](s, v, at, problem.MissingID)
	}
	seasons := p.Seasons()
	if p.Apart {
		seasons = record[records.SeasonsRecord[records.PlayerSeason]](s, key)
	}
	return p, seasonOf(s, v, id, seasons, season), s.err
}

// seasonOf is what a season of a team or a player adds up to, as far as the viewer sees
// it; season 0 is that of the team entry itself (D39). nil: nothing.
func seasonOf[S any](s *snapshot, v sport.Viewer, id string, seasons *records.SeasonsRecord[S], season int) *S {
	if seasons == nil {
		return nil
	}
	seen, err := seasons.Season(season)
	if err != nil {
		s.fail(fmt.Errorf("seasons of %s: %w", id, err))
	}
	if seen == nil {
		return nil
	}
	return seen.SeenBy(v.Organization, v.Descendants)
}

// Played is a match, and what a player did in it.
type Played struct {
	Match       *records.Match
	Performance records.PerformanceEntry
}

// PlayerMatches returns a page of a player's matches, by kickoff, then id (D15).
// Season 0 is what D39 says of a team entry. What the player did is on a list of
// the player's. What the match says is stored with the team that the player was in:
// a score is written once a team, not once a player. The list of nearly every
// player is in its head, which comes with the first round trip; a longer one
// takes a third.
func (r *Reader) PlayerMatches(ctx context.Context, v sport.Viewer, id string, f MatchFilter, offset, limit int) (Page[Played], error) {
	list := records.PlayerMatches(sport.ID(id))
	s, p := open[records.PlayerRecord](ctx, r, v, id, records.PlayerKey, headOf(list))
	inSeason := f.inSeason(p.Season)
	from, to := f.bounds()
	performances := listed(list, records.PerformanceSchema(), pagedlist.Request[records.PerformanceEntry]{
		Offset: offset, Limit: limit, From: from, To: to,
		Match: records.ByFacet(func(x records.Facet) bool {
			return inSeason(x) && (f.Status == "" || x.Status == string(f.Status))
		}),
	})
	page := readSeen(ctx, s, v, performances, !p.SeenByOwner(v.Organization, v.Descendants),
		func(e *records.PerformanceEntry) sport.ID { return e.Match },
		func(e *records.PerformanceEntry) bool { return e.Competition == "" || e.Competition != p.Competition })
	return Page[Played]{Entries: s.played(ctx, page.Entries), Total: page.Total}, s.err
}

// played joins performances with their matches. One whose match is not among
// those of its team, or hidden since, as while a load is under way, is left out.
func (s *snapshot) played(ctx context.Context, performances []records.PerformanceEntry) []Played {
	matches := s.fixtures(ctx, performances)
	s.addMissing(ctx, performances, matches)
	played := make([]Played, 0, len(performances))
	for _, p := range performances {
		if m := matches[p.Match]; m != nil {
			played = append(played, Played{Match: m, Performance: p})
		}
	}
	return played
}

// fixtures returns by id the matches of the teams and quarters of performances.
func (s *snapshot) fixtures(ctx context.Context, performances []records.PerformanceEntry) map[sport.ID]*records.Match {
	var keys []store.Key
	for i := range performances {
		if key := records.FixturesKey(performances[i].Team, records.Quarter(performances[i].Kickoff)); !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	s.fetch(ctx, keys...)
	found := make(map[sport.ID]*records.Match, len(performances))
	for _, key := range keys {
		fixtures := record[records.FixturesRecord](s, key)
		if fixtures == nil {
			continue
		}
		matches, err := fixtures.Matches()
		if err != nil {
			s.fail(fmt.Errorf("item %s %s: %w", key.PK, key.SK, err))
		}
		for _, m := range matches {
			found[m.ID] = &m
		}
	}
	return found
}

// addMissing adds what found does not have, from the records of the matches:
// the two are written one after the other, and read at different times.
func (s *snapshot) addMissing(ctx context.Context, performances []records.PerformanceEntry, found map[sport.ID]*records.Match) {
	var missing []store.Key
	for i := range performances {
		if found[performances[i].Match] == nil {
			missing = append(missing, records.MatchKey(performances[i].Match))
		}
	}
	s.fetch(ctx, missing...)
	for _, key := range missing {
		if m := record[records.MatchRecord](s, key); m != nil && !m.Hidden {
			found[m.ID] = &m.Match
		}
	}
}
