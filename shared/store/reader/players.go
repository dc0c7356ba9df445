package reader

import (
	"context"
	"fmt"

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
	key := records.PlayerSeasonsKey(sport.ID(id))
	s, p := open[records.PlayerRecord](ctx, r, v, id, records.PlayerKey, key)
	return p, seasonOf(s, v, id, record[records.SeasonsRecord[records.PlayerSeason]](s, key), season), s.err
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
// the player's, what the match says in its own record: half a unit for each of a page.
// The list of nearly every player is in its head, which comes with the first round trip; a
// longer one takes a third.
func (r *Reader) PlayerMatches(ctx context.Context, v sport.Viewer, id string, f MatchFilter, offset, limit int) (Page[Played], error) {
	list := records.PlayerMatches(sport.ID(id))
	s, p := open[records.PlayerRecord](ctx, r, v, id, records.PlayerKey, headOf(list))
	from, to := f.bounds()
	performances := listed(list, records.PerformanceSchema(), pagedlist.Request[records.PerformanceEntry]{
		Match: f.match(p.Season), From: from, To: to, Offset: offset, Limit: limit,
	})
	page := readSeen(ctx, s, v, performances, !p.SeenByOwner(v.Organization, v.Descendants),
		func(e *records.PerformanceEntry) sport.ID { return e.Match },
		func(e *records.PerformanceEntry) bool { return e.Competition == "" || e.Competition != p.Competition })
	return Page[Played]{Entries: s.played(ctx, page.Entries), Total: page.Total}, s.err
}

// played joins performances with their matches. One whose match is not there, or hidden
// since, as while a load is under way, is left out.
func (s *snapshot) played(ctx context.Context, performances []records.PerformanceEntry) []Played {
	keys := make([]store.Key, len(performances))
	for i := range performances {
		keys[i] = records.MatchKey(performances[i].Match)
	}
	s.fetch(ctx, keys...)
	played := make([]Played, 0, len(performances))
	for i, key := range keys {
		if m := record[records.MatchRecord](s, key); m != nil && !m.Hidden {
			played = append(played, Played{Match: &m.Match, Performance: performances[i]})
		}
	}
	return played
}
