package teams

import (
	"cmp"
	"context"
	"math"
	"slices"

	"touchline/shared/endpoints/scope"
	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// maxCopies is how many competition copies of a club its matches cover (D26).
const maxCopies = 20

// ofClub is matches for a club's id: those of its own team entries and of its
// most recent competition copies, each as if asked for alone, in one list. All
// that the parameters select is read, since a match between two of the entries
// is on the lists of both and counts once.
func ofClub(ctx context.Context, snap *records.Snapshot, call route.Call, p matchesParams) (matchList, error) {
	club, err := findClub(snap, call)
	if err != nil {
		return matchList{}, err
	}
	entries, meta, err := entriesOf(ctx, snap, club.ID)
	if err != nil {
		return matchList{}, err
	}
	pages := make([]*records.Page[records.MatchEntry], 0, len(entries))
	queries := make([]records.Query, 0, len(entries))
	for i := range entries {
		page := matchesOf(entries[i].ID, entries[i].Season, p)
		page.Request.Limit = math.MaxInt
		pages, queries = append(pages, page), append(queries, page)
	}
	if err := snap.Read(ctx, queries...); err != nil {
		return matchList{}, err
	}
	matches := merge(pages)
	from := min(p.Offset(), len(matches))
	to := min(from+p.Limit, len(matches))
	return show(matches[from:to], p, len(matches), meta), nil
}

// findClub gives the club, which the snapshot has fetched. A key's own
// organization is in its scope, hidden or not (D36).
func findClub(snap *records.Snapshot, call route.Call) (*records.OrganizationRecord, error) {
	club, err := records.Record[records.OrganizationRecord](snap, records.OrganizationKey(sport.ID(call.ID)))
	if err != nil {
		return nil, err
	}
	if club == nil || club.Type != sport.Club ||
		club.ID != call.Organization && !club.Contains(call.Organization, call.Descendants) {
		return nil, scope.NotFound(problem.MissingID)
	}
	return club, nil
}

// entriesOf reads the club's own entries and its most recent competition
// copies, and says whether there are more (D26, D44).
func entriesOf(ctx context.Context, snap *records.Snapshot, club sport.ID) ([]records.TeamEntry, route.Meta, error) {
	part := func(own bool, limit int) *records.Page[records.TeamEntry] {
		return &records.Page[records.TeamEntry]{Kind: records.ClubEntryKind(), Request: pagedlist.Request[records.TeamEntry]{
			List: records.ClubEntries(club), Limit: limit,
			Match: func(f pagedlist.Facet) bool { return (f.Status == records.OwnEntry) == own },
		}}
	}
	own, copies := part(true, math.MaxInt), part(false, maxCopies)
	if err := snap.Read(ctx, own, copies); err != nil {
		return nil, route.Meta{}, err
	}
	meta := route.Meta{Kind: kindClub}
	if copies.Total > maxCopies {
		meta.Truncated, meta.CompetitionsIncluded = true, maxCopies
	}
	return append(own.Entries, copies.Entries...), meta, nil
}

// merge is the matches of all pages by kickoff, then id, each once.
func merge(pages []*records.Page[records.MatchEntry]) []records.MatchEntry {
	var matches []records.MatchEntry
	for _, page := range pages {
		matches = append(matches, page.Entries...)
	}
	slices.SortFunc(matches, func(a, b records.MatchEntry) int {
		return cmp.Or(cmp.Compare(a.Kickoff, b.Kickoff), cmp.Compare(a.ID, b.ID))
	})
	return slices.CompactFunc(matches, func(a, b records.MatchEntry) bool { return a.ID == b.ID })
}
