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

// teamBody is the page of a team.
type teamBody struct {
	wire.TeamDetail
	Tabs    parts.Tabs
	Tab     string
	Squad   route.List[wire.SquadPlayer]
	Matches list[wire.ListedMatch]
	Numbers wire.TeamStatistics
	Pager   parts.Pager
}

func team(ctx context.Context, a *Asker, r *http.Request) (Page, error) {
	path := "/v1/teams/" + r.PathValue("id")
	b := teamBody{Tab: parts.Chosen(r, "squad", "matches", "numbers")}
	n, items, total := parts.PageOf(r), 0, 0
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		d, err := resource[wire.TeamsReply](ctx, a, "%s", path)
		b.TeamDetail = d.Team
		return err
	})
	g.Go(func() (err error) {
		page := fmt.Sprintf("?limit=%d&page=%d", parts.PageSize, n)
		switch b.Tab {
		case "squad":
			b.Squad, err = ask[route.List[wire.SquadPlayer]](ctx, a, "%s/players%s", path, page)
			items, total = len(b.Squad.Data), b.Squad.Total
		case "matches":
			b.Matches, err = ask[list[wire.ListedMatch]](ctx, a, "%s/matches%s", path, page)
			items, total = len(b.Matches.Data), b.Matches.Total
		case "numbers":
			b.Numbers, err = resource[wire.TeamStatistics](ctx, a, "%s/statistics", path)
		}
		return err
	})
	err := g.Wait()
	b.Pager = parts.PagerOf(r, n, items, total)
	b.Tabs = parts.TabsOf("The team", r.URL.Path, b.Tab, nil, "squad", "Squad", "matches", "Matches", "numbers", "Numbers")
	crumbs := parts.Crumbs("Data", "/data")
	if c := b.Competition; c != nil {
		crumbs = append(crumbs, parts.Crumb{Name: c.Name, Path: parts.WithQuery("/data/competitions/"+string(c.ID), "season", strconv.Itoa(c.Season))})
	}
	return Page{Title: b.Name, Crumbs: crumbs, Body: b}, err
}

// playerBody is the page of a player.
type playerBody struct {
	wire.PlayerDetail
	Numbers wire.PlayerStatistics
	Matches route.List[wire.PlayedMatch]
	Pager   parts.Pager
}

func player(ctx context.Context, a *Asker, r *http.Request) (Page, error) {
	path := "/v1/players/" + r.PathValue("id")
	var b playerBody
	n := parts.PageOf(r)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		d, err := resource[wire.PlayersReply](ctx, a, "%s", path)
		b.PlayerDetail = d.Player
		return err
	})
	g.Go(func() (err error) {
		b.Numbers, err = resource[wire.PlayerStatistics](ctx, a, "%s/statistics", path)
		return err
	})
	g.Go(func() (err error) {
		b.Matches, err = ask[route.List[wire.PlayedMatch]](ctx, a, "%s/matches?limit=%d&page=%d", path, parts.PageSize, n)
		return err
	})
	err := g.Wait()
	b.Pager = parts.PagerOf(r, n, len(b.Matches.Data), b.Matches.Total)
	return Page{Title: b.Name, Crumbs: parts.Crumbs("Data", "/data", b.Team.Name, "/data/teams/"+string(b.Team.ID)), Body: b}, err
}
