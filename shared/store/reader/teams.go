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

// Team returns a team entry and the number of its players.
func (r *Reader) Team(ctx context.Context, v sport.Viewer, id string) (t *records.TeamRecord, players int, err error) {
	t, squad, err := r.squad(ctx, v, id, 0, 0)
	return t, squad.Total, err
}

// Squad returns a page of a team's players, by number, then id (D15).
func (r *Reader) Squad(ctx context.Context, v sport.Viewer, id string, offset, limit int) (Page[records.PlayerEntry], error) {
	_, squad, err := r.squad(ctx, v, id, offset, limit)
	return squad, err
}

func (r *Reader) squad(ctx context.Context, v sport.Viewer, id string, offset, limit int) (*records.TeamRecord, Page[records.PlayerEntry], error) {
	list := records.Squad(sport.ID(id))
	s, t := open[records.TeamRecord](ctx, r, v, id, records.TeamKey, headOf(list))
	squad := listed(list, records.SquadSchema(), pagedlist.Request[records.PlayerEntry]{Offset: offset, Limit: limit})
	s.read(ctx, squad)
	return t, pageOf(squad), s.err
}

// TeamSeason returns a team and what its finished matches of a season add up to,
// as far as the viewer sees them (D24). Season 0 is the team entry's own (D39).
// A season without finished matches is empty, never nil (D16).
func (r *Reader) TeamSeason(ctx context.Context, v sport.Viewer, id string, season int) (*records.TeamRecord, *records.TeamSeason, error) {
	key := records.TeamSeasonsKey(sport.ID(id))
	s, t := open[records.TeamRecord](ctx, r, v, id, records.TeamKey, key)
	numbers := seasonOf(s, v, id, record[records.SeasonsRecord[records.TeamSeason]](s, key), season)
	return t, cmp.Or(numbers, &records.TeamSeason{}), s.err
}

// TeamMatches is a page of the matches of a team or of a club.
type TeamMatches struct {
	Page[records.MatchEntry]
	// Club is set where the id is a club's (D26).
	Club *ClubMatches
}

// ClubMatches says what a club's matches cover.
type ClubMatches struct {
	// Truncated: the club has more competition copies than those covered, whose
	// number is Included.
	Truncated bool
	Included  int
}

// TeamMatches returns a page of the matches of a team entry, or of a club's team
// entries, by kickoff, then id (D15, D26). Season 0 is what D39 says of a team
// entry.
func (r *Reader) TeamMatches(ctx context.Context, v sport.Viewer, id string, f MatchFilter, offset, limit int) (TeamMatches, error) {
	s, of := r.open(), sport.ID(id)
	s.checkID(id, problem.MissingID)
	s.fetch(ctx, records.TeamKey(of), records.OrganizationKey(of),
		headOf(records.ClubEntries(of)), headOf(records.TeamMatches(of)))
	t := recordOr[records.TeamRecord](s, records.TeamKey(of))
	if !t.Contains(v.Organization, v.Descendants) {
		return s.clubMatches(ctx, v, of, f, offset, limit)
	}
	list := matchesOf(&t.Team, f)
	list.Request.Offset, list.Request.Limit = offset, limit
	page := readSeen(ctx, s, v, list, !t.SeenByOwner(v.Organization, v.Descendants),
		func(m *records.MatchEntry) sport.ID { return m.ID },
		func(m *records.MatchEntry) bool { return m.Competition == nil || m.Competition.ID != t.Competition })
	return TeamMatches{Page: page}, s.err
}

// matchesOf are those of a team's matches that the filter selects: all of them.
func matchesOf(t *records.Team, f MatchFilter) *pagedlist.Reading[records.MatchEntry] {
	from, to := f.bounds()
	return listed(records.TeamMatches(t.ID), records.MatchSchema(), pagedlist.Request[records.MatchEntry]{
		Match: f.match(t.Season), From: from, To: to, Limit: math.MaxInt,
	})
}

// clubMatches merges the matches of a club's own team entries and of its most
// recent competition copies, each as if read alone. All that the filter selects
// is read, since a match between two of the entries is on the lists of both and
// counts once. The organization was fetched.
func (s *snapshot) clubMatches(ctx context.Context, v sport.Viewer, id sport.ID, f MatchFilter, offset, limit int) (TeamMatches, error) {
	s.named(v, string(id), sport.Club, problem.MissingID)
	entries, covered := s.clubEntries(ctx, id, f.Season)
	var lists []query
	for i := range entries {
		lists = append(lists, matchesOf(&entries[i].Team, f))
	}
	s.read(ctx, lists...)
	var matches []records.MatchEntry
	for _, list := range lists {
		matches = append(matches, list.(*pagedlist.Reading[records.MatchEntry]).Entries...)
	}
	slices.SortFunc(matches, func(a, b records.MatchEntry) int {
		return cmp.Or(cmp.Compare(a.Kickoff, b.Kickoff), cmp.Compare(a.ID, b.ID))
	})
	matches = slices.CompactFunc(matches, func(a, b records.MatchEntry) bool { return a.ID == b.ID })
	return TeamMatches{
		Page: Page[records.MatchEntry]{Entries: slice(matches, offset, limit), Total: len(matches)},
		Club: &covered,
	}, s.err
}

// maxCopies is how many competition copies of a club its matches cover (D26).
const maxCopies = 20

// clubEntries reads the club's own entries and its most recent competition
// copies (D26, D44): of the season asked for, else of the current season of each
// competition (D46). Own entries are in no competition's season: which of their
// matches are of a season asked for, the matches say.
func (s *snapshot) clubEntries(ctx context.Context, club sport.ID, season int) ([]records.TeamEntry, ClubMatches) {
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
	s.read(ctx, own, copies)
	return append(own.Entries, copies.Entries...), ClubMatches{Included: len(copies.Entries), Truncated: copies.Total > maxCopies}
}
