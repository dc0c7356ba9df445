package data

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"golang.org/x/sync/errgroup"

	"touchline/scripts/webconsole/parts"
	"touchline/shared/client"
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
	Tree         client.TreeNode
	Truncated    bool
	Competitions client.Page[client.ListedCompetition]
}

func federation(ctx context.Context, a *Asker, _ *http.Request) (Page, error) {
	var b federationBody
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		b.Tree, err = ask[client.TreeNode](ctx, a, "/v1/organizations/%s/tree?depth=3&includeDescendants=true", a.viewer)
		return err
	})
	g.Go(func() (err error) {
		b.Competitions, err = ask[client.Page[client.ListedCompetition]](ctx, a, "/v1/organizations/%s/competitions?includeDescendants=true&sort=name&limit=100", a.viewer)
		return err
	})
	err := g.Wait()
	return Page{Title: b.Tree.Name, Body: b}, err
}

// organizationBody is the page of an organization.
type organizationBody struct {
	client.Organization
	Tabs         parts.Tabs
	Tab          string
	Associations client.Page[client.Organization]
	Clubs        client.Page[client.Organization]
	Competitions client.Page[client.ListedCompetition]
	Teams        client.Page[client.ListedTeam]
	Players      client.Page[client.ListedPlayer]
	Pager        parts.Pager
}

func organization(ctx context.Context, a *Asker, r *http.Request) (Page, error) {
	id := r.PathValue("id")
	names := []string{"clubs", "Clubs", "associations", "Associations", "competitions", "Competitions", "teams", "Teams", "players", "Players"}
	b := organizationBody{Tab: parts.Chosen(r, "clubs", "associations", "competitions", "teams", "players")}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		b.Organization, err = ask[client.Organization](ctx, a, "/v1/organizations/%s?includeDescendants=true", id)
		return err
	})
	n, items, total := parts.PageOf(r), 0, 0
	g.Go(func() (err error) {
		target := fmt.Sprintf("/v1/organizations/%s/%s?includeDescendants=true&sort=name&page=%d&limit=%d", id, b.Tab, n, parts.PageSize)
		switch b.Tab {
		case "associations":
			b.Associations, err = ask[client.Page[client.Organization]](ctx, a, "%s", target)
			items, total = len(b.Associations.Data), b.Associations.Total
		case "clubs":
			b.Clubs, err = ask[client.Page[client.Organization]](ctx, a, "%s", target)
			items, total = len(b.Clubs.Data), b.Clubs.Total
		case "competitions":
			b.Competitions, err = ask[client.Page[client.ListedCompetition]](ctx, a, "%s", target)
			items, total = len(b.Competitions.Data), b.Competitions.Total
		case "teams":
			b.Teams, err = ask[client.Page[client.ListedTeam]](ctx, a, "%s", target)
			items, total = len(b.Teams.Data), b.Teams.Total
		case "players":
			b.Players, err = ask[client.Page[client.ListedPlayer]](ctx, a, "%s", target)
			items, total = len(b.Players.Data), b.Players.Total
		}
		return err
	})
	err := g.Wait()
	b.Pager = parts.PagerOf(r, n, items, total)
	b.Tabs = parts.TabsOf("What the organization has", r.URL.Path, b.Tab, nil, names...)
	return Page{Title: b.Name, Crumbs: parts.Crumbs("Data", "/data"), Body: b}, err
}
