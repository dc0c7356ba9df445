package reader

import (
	"context"
	"fmt"
	"math"

	"touchline/shared/sport"
	"touchline/shared/store"
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
	s, t, err := open[records.TeamRecord](ctx, r, v, id, records.TeamKey, headOf(list))
	if err != nil {
		return nil, Page[records.PlayerEntry]{}, err
	}
	squad := listed(list, records.SquadSchema(), pagedlist.Request[records.PlayerEntry]{Offset: offset, Limit: limit})
	err = s.read(ctx, squad)
	return t, pageOf(squad), err
}

// TeamSeason returns a team and what its finished matches of a season add up to,
// as far as the viewer sees them (D24). Season 0 is the team entry's own (D39).
// A season without finished matches is empty, never nil (D16).
func (r *Reader) TeamSeason(ctx context.Context, v sport.Viewer, id string, season int) (*records.TeamRecord, *records.TeamSeason, error) {
	key := records.TeamSeasonsKey(sport.ID(id))
	s, t, err := open[records.TeamRecord](ctx, r, v, id, records.TeamKey, key)
	if err != nil {
		return nil, nil, err
	}
	seasons, err := record[records.SeasonsRecord[records.TeamSeason]](s, key)
	if err != nil {
		return nil, nil, err
	}
	numbers, err := numbersOf(seasons, season)
	if err != nil {
		return nil, nil, fmt.Errorf("seasons of team %s: %w", t.ID, err)
	}
	if numbers == nil {
		return t, &records.TeamSeason{}, nil
	}
	return t, numbers.SeenBy(v.Organization, v.Descendants), nil
}

// TeamMatches is a page of the matches of a team or of a club.
type TeamMatches struct {
	Page[records.MatchEntry]
	// Club is set where the id is a club's (D26).
	Club *ClubMatches
}

// TeamMatches returns a page of the matches of a team entry, or of a club's team
// entries, by kickoff, then id (D15, D26). Season 0 is what D39 says of a team
// entry.
func (r *Reader) TeamMatches(ctx context.Context, v sport.Viewer, id string, f MatchFilter, offset, limit int) (TeamMatches, error) {
	t, s, err := r.teamOrClub(ctx, v, id, f)
	if err != nil {
		return TeamMatches{}, err
	}
	if t == nil {
		return s.clubMatches(ctx, v, sport.ID(id), f, offset, limit)
	}
	list := matchesOf(t.ID, t.Season, f)
	guest := !t.SeenByOwner(v.Organization, v.Descendants)
	if list.Request.Offset, list.Request.Limit = offset, limit; guest {
		list.Request.Offset, list.Request.Limit = 0, math.MaxInt
	}
	if err := s.read(ctx, list); err != nil {
		return TeamMatches{}, err
	}
	if !guest {
		return TeamMatches{Page: pageOf(list)}, nil
	}
	// The team is in the scope through its competition alone.
	seen, err := inScope(ctx, s, v, list.Entries,
		func(m *records.MatchEntry) sport.ID { return m.ID },
		func(m *records.MatchEntry) bool { return m.Competition == nil || m.Competition.ID != t.Competition })
	return TeamMatches{Page: Page[records.MatchEntry]{Entries: slice(seen, offset, limit), Total: len(seen)}}, err
}

// teamOrClub fetches what the matches of a team and those of a club begin with.
// It returns the team; nil where the viewer sees none of that id.
func (r *Reader) teamOrClub(ctx context.Context, v sport.Viewer, id string, f MatchFilter) (*records.TeamRecord, *snapshot, error) {
	of, err := parseID(id)
	if err != nil {
		return nil, nil, err
	}
	s, key := r.open(), records.TeamKey(of)
	keys := []store.Key{key, records.OrganizationKey(of)}
	keys = append(keys, headOf(records.ClubEntries(of)), headOf(records.TeamMatches(of, records.Variant(f.Status))))
	if err := s.fetch(ctx, keys...); err != nil {
		return nil, nil, err
	}
	t, err := record[records.TeamRecord](s, key)
	if err != nil || t == nil || !t.Contains(v.Organization, v.Descendants) {
		return nil, s, err
	}
	return t, s, nil
}

// matchesOf are those of a team's matches that the filter selects; own is the
// season of the entry.
func matchesOf(id sport.ID, own int, f MatchFilter) *pagedlist.Reading[records.MatchEntry] {
	from, to := f.bounds()
	return listed(records.TeamMatches(id, records.Variant(f.Status)), records.MatchSchema(), pagedlist.Request[records.MatchEntry]{
		Match: records.ByFacet(f.inSeason(own)), From: from, To: to,
	})
}
