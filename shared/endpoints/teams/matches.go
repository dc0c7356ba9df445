package teams

import (
	"context"
	"math"

	"touchline/shared/endpoints/fixtures"
	"touchline/shared/endpoints/scope"
	"touchline/shared/endpoints/wire"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// matchList is the reply of matches: the list has no competition, its items do.
type matchList = route.ListIn[wire.Competition, wire.ListedMatch]

// What meta.kind says the id is of (D26).
const (
	kindTeam = "team"
	kindClub = "club"
)

// matches is /v1/teams/{id}/matches, by kickoff, then id (D15). An id that is
// no team's in the scope may be a club's (D26).
func (e Endpoints) matches(ctx context.Context, call route.Call, p matchesParams) (matchList, error) {
	id, err := scope.ID(call)
	if err != nil {
		return matchList{}, err
	}
	snap, key := e.Sports.Open(), records.TeamKey(id)
	wanted := append([]store.Key{key, records.OrganizationKey(id)}, pagedlist.HeadKeys(records.ClubEntries(id), false)...)
	wanted = append(wanted, pagedlist.HeadKeys(records.TeamMatches(id, variant(p)), false)...)
	if err := snap.Fetch(ctx, wanted...); err != nil {
		return matchList{}, err
	}
	t, err := records.Record[records.TeamRecord](snap, key)
	if err != nil {
		return matchList{}, err
	}
	if t == nil || !t.Contains(call.Organization, call.Descendants) {
		return ofClub(ctx, snap, call, p)
	}
	if !t.SeenByOwner(call.Organization, call.Descendants) {
		return ofGuest(ctx, snap, call, t, p)
	}
	page := matchesOf(t.ID, t.Season, p)
	page.Request.Offset, page.Request.Limit = p.Offset(), p.Limit
	if err := snap.Read(ctx, page); err != nil {
		return matchList{}, err
	}
	return show(page.Entries, p, page.Total, route.Meta{Kind: kindTeam}), nil
}

// ofGuest is matches for a team that is in the key's scope through its
// competition alone: of what else it plays, only what is in the scope itself
// (D24), which each match's own record says.
func ofGuest(ctx context.Context, snap *records.Snapshot, call route.Call, t *records.TeamRecord, p matchesParams) (matchList, error) {
	page := matchesOf(t.ID, t.Season, p)
	page.Request.Limit = math.MaxInt
	if err := snap.Read(ctx, page); err != nil {
		return matchList{}, err
	}
	elsewhere := func(m *records.MatchEntry) bool { return m.Competition == nil || m.Competition.ID != t.Competition }
	var keys []store.Key
	for i := range page.Entries {
		if elsewhere(&page.Entries[i]) {
			keys = append(keys, records.MatchKey(page.Entries[i].ID))
		}
	}
	if err := snap.Fetch(ctx, keys...); err != nil {
		return matchList{}, err
	}
	var shown []records.MatchEntry
	for i := range page.Entries {
		if elsewhere(&page.Entries[i]) {
			m, err := records.Record[records.MatchRecord](snap, records.MatchKey(page.Entries[i].ID))
			if err != nil {
				return matchList{}, err
			}
			if m == nil || !m.Contains(call.Organization, call.Descendants) {
				continue
			}
		}
		shown = append(shown, page.Entries[i])
	}
	from := min(p.Offset(), len(shown))
	return show(shown[from:min(from+p.Limit, len(shown))], p, len(shown), route.Meta{Kind: kindTeam}), nil
}

// matchesOf is the part of a team's matches that the parameters select; season
// is the entry's own.
func matchesOf(id sport.ID, season int, p matchesParams) *records.Page[records.MatchEntry] {
	from, to := fixtures.Within(p.TimeRange)
	return &records.Page[records.MatchEntry]{Kind: records.MatchKind(), Request: pagedlist.Request[records.MatchEntry]{
		List: records.TeamMatches(id, variant(p)), Match: fixtures.Season(p.Season.Season, season), From: from, To: to,
	}}
}

func variant(p matchesParams) records.Variant { return records.Variant(p.Status) }

func show(entries []records.MatchEntry, p matchesParams, total int, meta route.Meta) matchList {
	items := make([]wire.ListedMatch, 0, len(entries))
	for i := range entries {
		items = append(items, wire.ListedMatchOf(&entries[i].Match))
	}
	return matchList{List: route.NewList(items, p.Paging, total), Meta: &meta}
}
