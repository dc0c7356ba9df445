package reader

import (
	"cmp"
	"context"
	"math"
	"slices"

	"touchline/shared/problem"
	"touchline/shared/sport"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// maxCopies is how many competition copies of a club its matches cover (D26).
const maxCopies = 20

// ClubMatches says what a club's matches cover.
type ClubMatches struct {
	// Truncated: the club has more competition copies than those covered, whose
	// number is Included.
	Truncated bool
	Included  int
}

// clubMatches merges the matches of a club's own team entries and of its most
// recent competition copies, each as if read alone. All that the filter selects
// is read, since a match between two of the entries is on the lists of both and
// counts once.
func (s *snapshot) clubMatches(ctx context.Context, v sport.Viewer, id sport.ID, f MatchFilter, offset, limit int) (TeamMatches, error) {
	club, err := s.club(v, id)
	if err != nil {
		return TeamMatches{}, err
	}
	entries, covered, err := s.clubEntries(ctx, club.ID, f.Season)
	if err != nil {
		return TeamMatches{}, err
	}
	lists := make([]*pagedlist.Reading[records.MatchEntry], 0, len(entries))
	queries := make([]query, 0, len(entries))
	for i := range entries {
		list := matchesOf(entries[i].ID, entries[i].Season, f)
		list.Request.Limit = math.MaxInt
		lists, queries = append(lists, list), append(queries, list)
	}
	if err := s.read(ctx, queries...); err != nil {
		return TeamMatches{}, err
	}
	matches := merge(lists)
	return TeamMatches{
		Page: Page[records.MatchEntry]{Entries: slice(matches, offset, limit), Total: len(matches)},
		Club: &covered,
	}, nil
}

// club returns the club, which the snapshot has fetched. A key's own
// organization is in its scope, hidden or not (D36).
func (s *snapshot) club(v sport.Viewer, id sport.ID) (*records.OrganizationRecord, error) {
	club, err := record[records.OrganizationRecord](s, records.OrganizationKey(id))
	if err != nil {
		return nil, err
	}
	if club == nil || club.Type != sport.Club || club.ID != v.Organization && !club.Contains(v.Organization, v.Descendants) {
		return nil, problem.Missed(problem.MissingID)
	}
	return club, nil
}

// clubEntries reads the club's own entries and its most recent competition
// copies (D26, D44): of the season asked for, else of the current season of each
// competition (D46). Own entries are in no competition's season: which of their
// matches are of a season asked for, the matches say.
func (s *snapshot) clubEntries(ctx context.Context, club sport.ID, season int) ([]records.TeamEntry, ClubMatches, error) {
	isOwn := func(f records.Facet) bool { return f.Status == records.OwnEntry }
	isCopy := func(f records.Facet) bool {
		if season != 0 {
			return !isOwn(f) && f.Season == season
		}
		return f.Status == records.CurrentEntry
	}
	entries := func(match func(records.Facet) bool, limit int) *pagedlist.Reading[records.TeamEntry] {
		return listed(records.ClubEntries(club), records.ClubEntrySchema(), pagedlist.Request[records.TeamEntry]{Limit: limit, Match: records.ByFacet(match)})
	}
	own, copies := entries(isOwn, math.MaxInt), entries(isCopy, maxCopies)
	if err := s.read(ctx, own, copies); err != nil {
		return nil, ClubMatches{}, err
	}
	covered := ClubMatches{Included: len(copies.Entries), Truncated: copies.Total > maxCopies}
	return append(own.Entries, copies.Entries...), covered, nil
}

// merge returns the matches of all lists by kickoff, then id, each once.
func merge(lists []*pagedlist.Reading[records.MatchEntry]) []records.MatchEntry {
	var matches []records.MatchEntry
	for _, l := range lists {
		matches = append(matches, l.Entries...)
	}
	slices.SortFunc(matches, func(a, b records.MatchEntry) int {
		return cmp.Or(cmp.Compare(a.Kickoff, b.Kickoff), cmp.Compare(a.ID, b.ID))
	})
	return slices.CompactFunc(matches, func(a, b records.MatchEntry) bool { return a.ID == b.ID })
}
