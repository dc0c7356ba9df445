package reader

import (
	"context"
	"math"
	"slices"

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// Players returns a page of the players of the teams that the addressed
// organization, or with Descendants any below it, owns; season 0 and status
// empty: any.
func (r *Reader) Players(ctx context.Context, v sport.Viewer, q OrganizationQuery, season int, status sport.Status) (Page[records.PlayerEntry], error) {
	f := familyOf(records.Players, q, q.Competition, records.Variant(status))
	x, err := r.searchList(ctx, v, q, r.guessPlayers(f, v, q)...)
	if err != nil {
		return Page[records.PlayerEntry]{}, err
	}
	x.unnarrowed = q.Association == "" && q.Club == "" && q.Competition == "" && q.Team == ""
	s, err := x.players(ctx, f)
	if err != nil {
		return Page[records.PlayerEntry]{}, err
	}
	s.schema, s.match = records.PlayerSchema(nil), matchSeason(season, status)
	return readPage(ctx, x, s)
}

func (r *Reader) guessPlayers(f family[records.PlayerEntry], v sport.Viewer, q OrganizationQuery) []store.Key {
	if q.Team != "" {
		return []store.Key{headOf(records.PlayersOfTeam(sport.ID(q.Team), q.order()))}
	}
	ahead := guess(r, f, v, q, q.Association, q.Club)
	if q.Competition != "" && !q.Descendants {
		ahead = append(ahead, headOf(ownTeams(sport.ID(q.ID))))
	}
	return ahead
}

// ownTeams is the list of the teams that an organization itself owns.
func ownTeams(organization sport.ID) records.List[records.TeamEntry] {
	return records.Teams.Of(organization, records.ByID, records.All)
}

// players chooses the list, and what of it.
func (x *search) players(ctx context.Context, f family[records.PlayerEntry]) (selection[records.PlayerEntry], error) {
	var s selection[records.PlayerEntry]
	switch {
	case x.team != nil:
		s.list, s.where = x.playersOfTeam()
		return s, nil
	case x.competition != nil && !x.query.Descendants && !x.organization.Leaf:
		own, err := x.ownTeams(ctx)
		if err != nil || len(own) == 0 {
			return s, err
		}
		s.where = func(p records.PlayerEntry) bool { return own[p.Team.ID] }
	}
	s.list = listOf(x, f, x.association, x.club)
	return s, nil
}

// playersOfTeam is the list of a team's players, empty where the team does not
// belong to the addressed organization or to what other filters name. A player
// belongs to a competition that the team is not entered in by its line-ups.
func (x *search) playersOfTeam() (list records.List[records.PlayerEntry], where func(records.PlayerEntry) bool) {
	t := x.team
	if !x.query.Descendants && t.Owner != x.organization.ID {
		return "", nil
	}
	for _, o := range []*records.OrganizationRecord{x.organization, x.association, x.club} {
		if o != nil && !slices.Contains(t.OwnerReach, o.ID) {
			return "", nil
		}
	}
	if x.competition == nil || t.Competition == x.competition.ID {
		return records.PlayersOfTeam(t.ID, x.query.order()), nil
	}
	return records.Players.Entered(x.competition.ID, records.RangeOf(t.Owner), x.query.order()),
		func(p records.PlayerEntry) bool { return p.Team.ID == t.ID }
}

// ownTeams are the teams that the addressed organization itself owns.
func (x *search) ownTeams(ctx context.Context) (map[sport.ID]bool, error) {
	teams := listed(ownTeams(x.organization.ID), records.TeamSchema(nil), pagedlist.Request[records.TeamEntry]{Limit: math.MaxInt})
	if err := x.read(ctx, teams); err != nil {
		return nil, err
	}
	own := make(map[sport.ID]bool, len(teams.Entries))
	for i := range teams.Entries {
		own[teams.Entries[i].ID] = true
	}
	return own, nil
}
