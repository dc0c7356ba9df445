package organizations

import (
	"context"
	"math"
	"slices"

	"touchline/shared/endpoints/wire"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// players is /v1/{alias}/{id}/players.
func (e Endpoints) players(ctx context.Context, call route.Call, p playersParams) (route.List[wire.ListedPlayer], error) {
	f := p.family()
	by := filters{association: p.AssociationID, club: p.ClubID, competition: p.CompetitionID, team: p.TeamID}
	q, err := e.askList(ctx, call, by, p.IncludeDescendants, p.guesses(e, f, call)...)
	if err != nil {
		return route.List[wire.ListedPlayer]{}, err
	}
	q.atLarge = by == filters{}
	s, err := q.players(ctx, f, p)
	if err != nil {
		return route.List[wire.ListedPlayer]{}, err
	}
	page, total, err := readPage(ctx, q, records.PlayerKind(nil), s, p.listParams)
	if err != nil {
		return route.List[wire.ListedPlayer]{}, err
	}
	items := make([]wire.ListedPlayer, 0, len(page))
	for i := range page {
		items = append(items, e.Players.Listed(&page[i]))
	}
	return route.NewList(items, p.Paging, total), nil
}

// family is of the players of teams owned, or of those of them that belong to a
// competition.
func (p playersParams) family() family {
	if p.CompetitionID != "" {
		return entered(func(r records.Range) string {
			return records.PlayersEntered(sport.ID(p.CompetitionID), r, orderOf(p.Sort))
		})
	}
	return owned(records.PlayersOf, records.PlayersBelow, p.Sort, records.Variant(p.Status))
}

func (p playersParams) guesses(e Endpoints, f family, call route.Call) []guess {
	if p.TeamID != "" {
		return []guess{p.guess(records.PlayersOfTeam(sport.ID(p.TeamID), orderOf(p.Sort)))}
	}
	guesses := e.guess(f, call, p.listParams, p.AssociationID, p.ClubID)
	if p.CompetitionID != "" && !p.IncludeDescendants {
		guesses = append(guesses, guess{list: ownTeams(sport.ID(call.ID))})
	}
	return guesses
}

// ownTeams is the list of the teams that an organization itself owns.
func ownTeams(organization sport.ID) string {
	return records.TeamsOf(organization, records.ByID, records.All)
}

func (q *question) players(ctx context.Context, f family, p playersParams) (selection[records.PlayerEntry], error) {
	s := selection[records.PlayerEntry]{match: matchSeason(p.Season, p.ActiveStatus)}
	switch {
	case q.team != nil:
		s.list, s.where = q.playersOfTeam(p)
		return s, nil
	case q.competition != nil && !q.deep && !q.organization.Leaf:
		own, err := q.ownTeams(ctx)
		if err != nil {
			return s, err
		}
		if len(own) == 0 {
			return s, nil
		}
		s.where = func(x records.PlayerEntry) bool { return own[x.Team.ID] }
	}
	s.list = q.list(f, q.association, q.club)
	return s, nil
}

// playersOfTeam is the list of a team's players, empty where the team is none of
// the addressed organization or of what other filters name. A player belongs to
// a competition that the team is not entered in by its line-ups.
func (q *question) playersOfTeam(p playersParams) (list string, where func(records.PlayerEntry) bool) {
	t := q.team
	if !q.deep && t.Owner != q.organization.ID {
		return "", nil
	}
	for _, o := range []*records.OrganizationRecord{q.organization, q.association, q.club} {
		if o != nil && !slices.Contains(t.OwnerReach, o.ID) {
			return "", nil
		}
	}
	if q.competition == nil || t.Competition == q.competition.ID {
		return records.PlayersOfTeam(t.ID, orderOf(p.Sort)), nil
	}
	return records.PlayersEntered(q.competition.ID, records.RangeOf(t.Owner), orderOf(p.Sort)),
		func(x records.PlayerEntry) bool { return x.Team.ID == t.ID }
}

// ownTeams are the teams that the addressed organization itself owns.
func (q *question) ownTeams(ctx context.Context) (map[sport.ID]bool, error) {
	teams := &records.Page[records.TeamEntry]{Kind: records.TeamKind(nil), Request: pagedlist.Request[records.TeamEntry]{
		List: ownTeams(q.organization.ID), Limit: math.MaxInt,
	}}
	if err := q.snap.Read(ctx, teams); err != nil {
		return nil, err
	}
	own := make(map[sport.ID]bool, len(teams.Entries))
	for i := range teams.Entries {
		own[teams.Entries[i].ID] = true
	}
	return own, nil
}
