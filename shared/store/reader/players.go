package reader

import (
	"context"
	"fmt"
	"math"
	"slices"

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// Player returns a player, whom a key sees where it sees the team (D24).
func (r *Reader) Player(ctx context.Context, v sport.Viewer, id string) (*records.PlayerRecord, error) {
	_, p, err := open[records.PlayerRecord](ctx, r, v, id, records.PlayerKey)
	return p, err
}

// PlayerSeason returns a player and what the finished matches of a season add up
// to, as far as the viewer sees them (D24); nil if there aren't any (D16).
// Season 0 is the one of the player's team entry (D39).
func (r *Reader) PlayerSeason(ctx context.Context, v sport.Viewer, id string, season int) (*records.PlayerRecord, *records.PlayerSeason, error) {
	key := records.PlayerSeasonsKey(sport.ID(id))
	s, p, err := open[records.PlayerRecord](ctx, r, v, id, records.PlayerKey, key)
	if err != nil {
		return nil, nil, err
	}
	if p.Apart && s.items[key] == nil { // one of the two was in the cache while a load moved the sums
		at := records.PlayerKey(p.ID)
		if err := s.refresh(ctx, at, key); err != nil {
			return nil, nil, err
		}
		if p, err = find[records.PlayerRecord](s, v, at); err != nil {
			return nil, nil, err
		}
	}
	seasons := p.Seasons()
	if p.Apart {
		if seasons, err = record[records.SeasonsRecord[records.PlayerSeason]](s, key); err != nil {
			return nil, nil, err
		}
	}
	numbers, err := numbersOf(seasons, season)
	if err != nil {
		return nil, nil, fmt.Errorf("seasons of player %s: %w", p.ID, err)
	}
	if numbers == nil {
		return p, nil, nil
	}
	return p, numbers.SeenBy(v.Organization, v.Descendants), nil
}

// Played is a match, and what a player did in it.
type Played struct {
	Match *records.Match
	Part  records.PerformanceEntry
}

// PlayerMatches returns a page of a player's matches, by kickoff, then id (D15).
// Season 0 is what D39 says of a team entry. What the player did is on a list of
// the player's. What the match says is stored with the team that the player was in:
// a score is written once a team, not once a player. The list of nearly every
// player is in its head, which comes with the first round trip; a longer one
// takes a third.
func (r *Reader) PlayerMatches(ctx context.Context, v sport.Viewer, id string, f MatchFilter, offset, limit int) (Page[Played], error) {
	list := records.PlayerMatches(sport.ID(id))
	s, p, err := open[records.PlayerRecord](ctx, r, v, id, records.PlayerKey, headOf(list))
	if err != nil {
		return Page[Played]{}, err
	}
	inSeason := f.inSeason(p.Season)
	from, to := f.bounds()
	performances := listed(list, records.PerformanceSchema(), pagedlist.Request[records.PerformanceEntry]{
		Offset: offset, Limit: limit, From: from, To: to,
		Match: records.ByFacet(func(x records.Facet) bool {
			return inSeason(x) && (f.Status == "" || x.Status == string(f.Status))
		}),
	})
	guest := !p.SeenByOwner(v.Organization, v.Descendants)
	if guest {
		performances.Request.Offset, performances.Request.Limit = 0, math.MaxInt
	}
	if err := s.read(ctx, performances); err != nil {
		return Page[Played]{}, err
	}
	if guest {
		// The player's team is in the scope through its competition alone.
		seen, err := inScope(ctx, s, v, performances.Entries,
			func(e *records.PerformanceEntry) sport.ID { return e.Match },
			func(e *records.PerformanceEntry) bool { return e.Competition == "" || e.Competition != p.Competition })
		if err != nil {
			return Page[Played]{}, err
		}
		performances.Entries, performances.Total = slice(seen, offset, limit), len(seen)
	}
	entries, err := s.played(ctx, performances.Entries)
	return Page[Played]{Entries: entries, Total: performances.Total}, err
}

// played joins performances with their matches. One whose match is not among
// those of its team, or hidden since, as while a load is under way, is left out.
func (s *snapshot) played(ctx context.Context, performances []records.PerformanceEntry) ([]Played, error) {
	matches, err := s.fixtures(ctx, performances)
	if err != nil {
		return nil, err
	}
	if err := s.addMissing(ctx, performances, matches); err != nil {
		return nil, err
	}
	played := make([]Played, 0, len(performances))
	for _, p := range performances {
		if m := matches[p.Match]; m != nil {
			played = append(played, Played{Match: m, Part: p})
		}
	}
	return played, nil
}

// fixtures returns by id the matches of the teams and quarters of performances.
func (s *snapshot) fixtures(ctx context.Context, performances []records.PerformanceEntry) (map[sport.ID]*records.Match, error) {
	var keys []store.Key
	for i := range performances {
		if key := records.FixturesKey(performances[i].Team, records.Quarter(performances[i].Kickoff)); !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	if err := s.fetch(ctx, keys...); err != nil {
		return nil, err
	}
	found := make(map[sport.ID]*records.Match, len(performances))
	for _, key := range keys {
		fixtures, err := record[records.FixturesRecord](s, key)
		if err != nil {
			return nil, err
		}
		if fixtures == nil {
			continue
		}
		matches, err := fixtures.Matches()
		if err != nil {
			return nil, fmt.Errorf("item %s %s: %w", key.PK, key.SK, err)
		}
		for _, m := range matches {
			found[m.ID] = &m
		}
	}
	return found, nil
}

// addMissing adds what found does not have, from the records of the matches:
// the two are written one after the other, and read at different times.
func (s *snapshot) addMissing(ctx context.Context, performances []records.PerformanceEntry, found map[sport.ID]*records.Match) error {
	var missing []store.Key
	for i := range performances {
		if found[performances[i].Match] == nil {
			missing = append(missing, records.MatchKey(performances[i].Match))
		}
	}
	if err := s.fetch(ctx, missing...); err != nil {
		return err
	}
	for _, key := range missing {
		m, err := record[records.MatchRecord](s, key)
		if err != nil {
			return err
		}
		if m != nil && !m.Hidden {
			found[m.ID] = &m.Match
		}
	}
	return nil
}
