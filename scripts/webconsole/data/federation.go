package data

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"touchline/scripts/webconsole/parts"
	"touchline/shared/endpoints/wire"
	"touchline/shared/route"
)

// seasonQuery is the query with the season that was asked for; empty: none was.
func seasonQuery(r *http.Request) string {
	if n, err := strconv.Atoi(r.URL.Query().Get("season")); err == nil && n > 0 {
		return "?season=" + strconv.Itoa(n)
	}
	return ""
}

// hierarchy is what is below an organization at the top.
type hierarchy struct {
	Tree         wire.OrganizationsTreeReply
	Competitions route.List[wire.ListedCompetition]
}

// federation is the page of the whole: as a rule of one hierarchy.
func federation(ctx context.Context, a *Asker, r *http.Request) (Page, error) {
	all := make([]hierarchy, len(a.tops))
	q := a.questions(ctx, r)
	for i, top := range a.tops {
		put(q, &all[i].Tree, "/v1/organizations/%s/tree?depth=3&includeDescendants=true", top.ID)
		put(q, &all[i].Competitions, "/v1/organizations/%s/competitions?includeDescendants=true&sort=name&limit=100", top.ID)
	}
	return Page{Title: a.tops[0].Name, Body: all}, q.Wait()
}

// organizationBody is the page of an organization.
type organizationBody struct {
	wire.Organization
	Tabs         parts.Tabs
	Tab          string
	Associations route.List[wire.Organization]
	Clubs        route.List[wire.Organization]
	Competitions route.List[wire.ListedCompetition]
	Teams        route.List[wire.ListedTeam]
	Players      route.List[wire.ListedPlayer]
	Pager        parts.Pager
}

func organization(ctx context.Context, a *Asker, r *http.Request) (Page, error) {
	id := r.PathValue("id")
	b := organizationBody{Tab: parts.Chosen(r, "clubs", "associations", "competitions", "teams", "players")}
	q := a.questions(ctx, r)
	one(q, &b.Organization, "/v1/organizations/%s?includeDescendants=true", id)
	list := fmt.Sprintf("/v1/organizations/%s/%s?includeDescendants=true&sort=name", id, b.Tab)
	switch b.Tab {
	case "associations":
		paged(q, &b.Associations, &b.Pager, "%s", list)
	case "clubs":
		paged(q, &b.Clubs, &b.Pager, "%s", list)
	case "competitions":
		paged(q, &b.Competitions, &b.Pager, "%s", list)
	case "teams":
		paged(q, &b.Teams, &b.Pager, "%s", list)
	case "players":
		paged(q, &b.Players, &b.Pager, "%s", list)
	}
	err := q.Wait()
	b.Tabs = parts.TabsOf("What the organization has", r.URL.Path, b.Tab, nil,
		"clubs", "Clubs", "associations", "Associations", "competitions", "Competitions", "teams", "Teams", "players", "Players")
	return Page{Title: b.Name, Crumbs: parts.Crumbs("Data", "/data"), Body: b}, err
}
