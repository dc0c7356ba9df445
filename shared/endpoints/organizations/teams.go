package organizations

import (
	"context"

	"touchline/shared/endpoints/wire"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// teams is /v1/{alias}/{id}/teams.
func (e Endpoints) teams(ctx context.Context, call route.Call, p teamsParams) (route.List[wire.ListedTeam], error) {
	f := p.family()
	by := filters{association: p.AssociationID, club: p.ClubID, competition: p.CompetitionID}
	q, err := e.askList(ctx, call, by, p.IncludeDescendants, e.guess(f, call, p.listParams, p.AssociationID, p.ClubID)...)
	if err != nil {
		return route.List[wire.ListedTeam]{}, err
	}
	s := selection[records.TeamEntry]{list: q.list(f, q.association, q.club), match: matchSeason(p.Season, p.ActiveStatus)}
	if q.competition != nil && !q.deep && !q.organization.Leaf {
		s.where = q.owns
	}
	page, total, err := readPage(ctx, q, records.TeamKind(nil), s, p.listParams)
	if err != nil {
		return route.List[wire.ListedTeam]{}, err
	}
	items := make([]wire.ListedTeam, 0, len(page))
	for i := range page {
		items = append(items, wire.ListedTeamOf(&page[i]))
	}
	return route.NewList(items, p.Paging, total), nil
}

// family is of the teams owned, or of those of them that are entered in a
// competition.
func (p teamsParams) family() family {
	if p.CompetitionID != "" {
		return entered(func(r records.Range) string {
			return records.TeamsEntered(sport.ID(p.CompetitionID), r, orderOf(p.Sort))
		})
	}
	return owned(records.TeamsOf, records.TeamsBelow, p.Sort, records.Variant(p.Status))
}

// owns reports whether the addressed organization itself owns a team of its
// span. A hidden one, which only its own key addresses, is not named in what it
// owns (D40).
func (q *question) owns(t records.TeamEntry) bool {
	return t.OrganizationID == q.organization.ID || t.OrganizationID == "" && q.organization.Hidden
}

// matchSeason selects teams and players by the season that their competition is
// in (D17) and by status; nil: by nothing.
func matchSeason(season route.Season, status route.ActiveStatus) func(pagedlist.Facet) bool {
	if season.Season == 0 && status.Status == "" {
		return nil
	}
	return func(f pagedlist.Facet) bool {
		return (season.Season == 0 || f.Season == season.Season) &&
			(status.Status == "" || f.Status == string(status.Status))
	}
}
