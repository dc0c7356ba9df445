package players

import (
	"context"
	"math"

	"touchline/shared/endpoints/fixtures"
	"touchline/shared/endpoints/wire"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/kinds"
	"touchline/shared/store/list"
	"touchline/shared/store/sports"
)

// matches is /v1/players/{id}/matches, by kickoff, then id (D15). What the
// player did is on a list of the player's, what the match says on the list of
// the team it was for: a third round trip, for a score that is written once a
// team and not once a player.
func (e Endpoints) matches(ctx context.Context, call route.Call, p matchesParams) (route.List[wire.PlayedMatch], error) {
	played := store.PlayerMatches(sport.ID(call.ID))
	snap, player, err := e.find(ctx, call, list.HeadKeys(played, false)...)
	if err != nil {
		return route.List[wire.PlayedMatch]{}, err
	}
	inSeason := fixtures.Season(p.Season.Season, player.Season)
	from, to := fixtures.Within(p.TimeRange)
	page := &sports.Page[store.PerformanceEntry]{Kind: kinds.Performances(), Request: list.Request[store.PerformanceEntry]{
		List: played, Offset: p.Offset(), Limit: p.Limit, From: from, To: to,
		Match: func(f list.Facet) bool {
			return inSeason(f) && (p.Status == "" || f.Status == string(p.Status))
		},
	}}
	// The head of the list that is likely to be wanted comes with the page.
	likely := &sports.Page[store.MatchEntry]{
		Kind: kinds.Matches(), Request: list.Request[store.MatchEntry]{List: store.TeamMatches(player.Team.ID, store.All)},
	}
	guest := !player.SeenByOwner(call.Organization, call.Descendants)
	if guest {
		page.Request.Offset, page.Request.Limit = 0, math.MaxInt
	}
	if err := snap.Read(ctx, page, likely); err != nil {
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
func inScope(ctx context.Context, snap *sports.Snapshot, call route.Call, page *sports.Page[store.PerformanceEntry], competition sport.ID, p route.Paging) error {
	elsewhere := func(e *store.PerformanceEntry) bool { return e.Competition == "" || e.Competition != competition }
	var keys []store.Key
	for i := range page.Entries {
		if elsewhere(&page.Entries[i]) {
			keys = append(keys, store.MatchKey(page.Entries[i].Match))
		}
	}
	if err := snap.Fetch(ctx, keys...); err != nil {
		return err
	}
	var shown []store.PerformanceEntry
	for i := range page.Entries {
		if elsewhere(&page.Entries[i]) {
			m, err := sports.Record[store.MatchRecord](snap, store.MatchKey(page.Entries[i].Match))
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

// matchesOf gives the matches of performances by id. One that is on no list of
// its team, or hidden since, as while a load is under way, is not there.
func matchesOf(ctx context.Context, snap *sports.Snapshot, performances []store.PerformanceEntry) (map[sport.ID]*store.Match, error) {
	pages := stretches(performances)
	queries := make([]sports.Query, 0, len(pages))
	for _, page := range pages {
		queries = append(queries, page)
	}
	if err := snap.Read(ctx, queries...); err != nil {
		return nil, err
	}
	found := make(map[sport.ID]*store.Match, len(performances))
	for _, page := range pages {
		for i := range page.Entries {
			found[page.Entries[i].ID] = &page.Entries[i].Match
		}
	}
	return found, strays(ctx, snap, performances, found)
}

// stretches are, for each team in the performances, its matches from the first
// to the last kickoff among them.
func stretches(performances []store.PerformanceEntry) []*sports.Page[store.MatchEntry] {
	type stretch struct{ first, last int64 }
	of := make(map[sport.ID]stretch)
	var teams []sport.ID
	for i := range performances {
		p := &performances[i]
		s, known := of[p.Team]
		if !known {
			teams = append(teams, p.Team)
			s = stretch{first: p.Kickoff, last: p.Kickoff}
		}
		of[p.Team] = stretch{first: min(s.first, p.Kickoff), last: max(s.last, p.Kickoff)}
	}
	pages := make([]*sports.Page[store.MatchEntry], 0, len(teams))
	for _, id := range teams {
		pages = append(pages, &sports.Page[store.MatchEntry]{Kind: kinds.Matches(), Request: list.Request[store.MatchEntry]{
			List: store.TeamMatches(id, store.All), Limit: math.MaxInt,
			From: store.KickoffKey(of[id].first, ""), To: store.KickoffKey(of[id].last+1, ""),
		}})
	}
	return pages
}

// strays adds what found lacks from the records of the matches themselves: the
// two lists are written one after the other, and read at different times.
func strays(ctx context.Context, snap *sports.Snapshot, performances []store.PerformanceEntry, found map[sport.ID]*store.Match) error {
	var missing []store.Key
	for i := range performances {
		if found[performances[i].Match] == nil {
			missing = append(missing, store.MatchKey(performances[i].Match))
		}
	}
	if err := snap.Fetch(ctx, missing...); err != nil {
		return err
	}
	for _, key := range missing {
		m, err := sports.Record[store.MatchRecord](snap, key)
		if err != nil {
			return err
		}
		if m != nil && !m.Hidden {
			found[m.ID] = &m.Match
		}
	}
	return nil
}
