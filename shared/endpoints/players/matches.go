package players

import (
	"context"
	"fmt"
	"math"
	"slices"

	"touchline/shared/endpoints/fixtures"
	"touchline/shared/endpoints/wire"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// matches is /v1/players/{id}/matches, by kickoff, then id (D15). What the
// player did is on a list of the player's, what the match says is with the team
// it was for, so that a score is written once a team and not once a player. The
// list of nearly every player is in its head, which comes with the first round
// trip; a longer one takes a third.
func (e Endpoints) matches(ctx context.Context, call route.Call, p matchesParams) (route.List[wire.PlayedMatch], error) {
	played := records.PlayerMatches(sport.ID(call.ID))
	snap, player, err := e.find(ctx, call, pagedlist.HeadKeys(played, false)...)
	if err != nil {
		return route.List[wire.PlayedMatch]{}, err
	}
	inSeason := fixtures.Season(p.Season.Season, player.Season)
	from, to := fixtures.Within(p.TimeRange)
	page := &records.Page[records.PerformanceEntry]{Kind: records.PerformanceKind(), Request: pagedlist.Request[records.PerformanceEntry]{
		List: played, Offset: p.Offset(), Limit: p.Limit, From: from, To: to,
		Match: func(f pagedlist.Facet) bool {
			return inSeason(f) && (p.Status == "" || f.Status == string(p.Status))
		},
	}}
	guest := !player.SeenByOwner(call.Organization, call.Descendants)
	if guest {
		page.Request.Offset, page.Request.Limit = 0, math.MaxInt
	}
	if err := snap.Read(ctx, page); err != nil {
		return route.List[wire.PlayedMatch]{}, err
	}
	if guest {
		if err := inScope(ctx, snap, call, page, player.Competition, p.Paging); err != nil {
			return route.List[wire.PlayedMatch]{}, err
		}
	}
	matches, err := matchesOf(ctx, snap, page.Entries)
	if err != nil {
		return route.List[wire.PlayedMatch]{}, err
	}
	items := make([]wire.PlayedMatch, 0, len(page.Entries))
	for i := range page.Entries {
		if m := matches[page.Entries[i].Match]; m != nil {
			items = append(items, wire.PlayedMatchOf(m, &page.Entries[i]))
		}
	}
	return route.NewList(items, p.Paging, page.Total), nil
}

// inScope leaves, of the performances of a player who is in the key's scope
// through the team's competition alone, those in matches that are in the scope
// themselves (D24), and of these the page asked for.
func inScope(ctx context.Context, snap *records.Snapshot, call route.Call, page *records.Page[records.PerformanceEntry], competition sport.ID, p route.Paging) error {
	elsewhere := func(e *records.PerformanceEntry) bool { return e.Competition == "" || e.Competition != competition }
	var keys []store.Key
	for i := range page.Entries {
		if elsewhere(&page.Entries[i]) {
			keys = append(keys, records.MatchKey(page.Entries[i].Match))
		}
	}
	if err := snap.Fetch(ctx, keys...); err != nil {
		return err
	}
	var shown []records.PerformanceEntry
	for i := range page.Entries {
		if elsewhere(&page.Entries[i]) {
			m, err := records.Record[records.MatchRecord](snap, records.MatchKey(page.Entries[i].Match))
			if err != nil {
				return err
			}
			if m == nil || !m.Contains(call.Organization, call.Descendants) {
				continue
			}
		}
		shown = append(shown, page.Entries[i])
	}
	from := min(p.Offset(), len(shown))
	page.Entries, page.Total = shown[from:min(from+p.Limit, len(shown))], len(shown)
	return nil
}

// matchesOf gives the matches of performances by id. One that is not among those
// of its team, or hidden since, as while a load is under way, is not there.
func matchesOf(ctx context.Context, snap *records.Snapshot, performances []records.PerformanceEntry) (map[sport.ID]*records.Match, error) {
	var keys []store.Key
	for i := range performances {
		p := &performances[i]
		if key := records.FixturesKey(p.Team, records.Quarter(p.Kickoff)); !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	if err := snap.Fetch(ctx, keys...); err != nil {
		return nil, err
	}
	found := make(map[sport.ID]*records.Match, len(performances))
	for _, key := range keys {
		fixtures, err := records.Record[records.FixturesRecord](snap, key)
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
	return found, strays(ctx, snap, performances, found)
}

// strays adds what found lacks from the records of the matches themselves: the
// two are written one after the other, and read at different times.
func strays(ctx context.Context, snap *records.Snapshot, performances []records.PerformanceEntry, found map[sport.ID]*records.Match) error {
	var missing []store.Key
	for i := range performances {
		if found[performances[i].Match] == nil {
			missing = append(missing, records.MatchKey(performances[i].Match))
		}
	}
	if err := snap.Fetch(ctx, missing...); err != nil {
		return err
	}
	for _, key := range missing {
		m, err := records.Record[records.MatchRecord](snap, key)
		if err != nil {
			return err
		}
		if m != nil && !m.Hidden {
			found[m.ID] = &m.Match
		}
	}
	return nil
}
