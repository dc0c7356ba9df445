package data

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"golang.org/x/sync/errgroup"

	"touchline/scripts/webconsole/parts"
	"touchline/shared/endpoints/wire"
	"touchline/shared/route"
)

// seasonQuery is the parameter season as it was sent, with what comes before it;
// empty: the current season.
func seasonQuery(r *http.Request, before string) string {
	if n, err := strconv.Atoi(r.URL.Query().Get("season")); err == nil && n > 0 {
		return before + "season=" + strconv.Itoa(n)
	}
	return ""
}

// federationBody is the page of the whole.
type federationBody struct {
	Tree         wire.OrganizationsTreeReply
	Competitions route.List[wire.ListedCompetition]
}

func federation(ctx context.Context, a *Asker, _ *http.Request) (Page, error) {
	var b federationBody
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		b.Tree, err = ask[wire.OrganizationsTreeReply](ctx, a, "/v1/organizations/%s/tree?depth=3&includeDescendants=true", a.viewer)
		return err
	})
	g.Go(func() (err error) {
		b.Competitions, err = ask[route.List[wire.ListedCompetition]](ctx, a, "/v1/organizations/%s/competitions?includeDescendants=true&sort=name&limit=100", a.viewer)
		return err
	})
	err := g.Wait()
	if err != nil {
		return Page{}, err
	}
	return Page{Title: b.Tree.Data.Data.Name, Body: b}, nil
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
	names := []string{"clubs", "Clubs", "associations", "Associations", "competitions", "Competitions", "teams", "Teams", "players", "Players"}
	b := organizationBody{Tab: parts.Chosen(r, "clubs", "associations", "competitions", "teams", "players")}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		b.Organization, err = resource[wire.Organization](ctx, a, "/v1/organizations/%s?includeDescendants=true", id)
		return err
	})
	n, items, total := parts.PageOf(r), 0, 0
	g.Go(func() (err error) {
		target := fmt.Sprintf("/v1/organizations/%s/%s?includeDescendants=true&sort=name&page=%d&limit=%d", id, b.Tab, n, parts.PageSize)
		switch b.Tab {
		case "associations":
			b.Associations, err = ask[route.List[wire.Organization]](ctx, a, "%s", target)
			items, total = len(b.Associations.Data), b.Associations.Total
		case "clubs":
			b.Clubs, err = ask[route.List[wire.Organization]](ctx, a, "%s", target)
			items, total = len(b.Clubs.Data), b.Clubs.Total
		case "competitions":
			b.Competitions, err = ask[route.List[wire.ListedCompetition]](ctx, a, "%s", target)
			items, total = len(b.Competitions.Data), b.Competitions.Total
		case "teams":
			b.Teams, err = ask[route.List[wire.ListedTeam]](ctx, a, "%s", target)
			items, total = len(b.Teams.Data), b.Teams.Total
		case "players":
			b.Players, err = ask[route.List[wire.ListedPlayer]](ctx, a, "%s", target)
			items, total = len(b.Players.Data), b.Players.Total
		}
		return err
	})
	err := g.Wait()
	b.Pager = parts.PagerOf(r, n, items, total)
	b.Tabs = parts.TabsOf("What the organization has", r.URL.Path, b.Tab, nil, names...)
	return Page{Title: b.Name, Crumbs: parts.Crumbs("Data", "/data"), Body: b}, err
}
