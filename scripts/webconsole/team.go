package webconsole

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"golang.org/x/sync/errgroup"

	"touchline/shared/client"
)

// teamBody is the page of a team.
type teamBody struct {
	client.TeamDetail
	Tabs    tabs
	Tab     string
	Squad   client.Page[client.SquadPlayer]
	Matches client.Page[client.TeamMatch]
	Numbers client.TeamStatistics
	Pager   pager
}

func (s *Server) team(ctx context.Context, a *asker, r *http.Request) (page, error) {
	path := "/v1/teams/" + r.PathValue("id")
	b := teamBody{Tab: chosen(r, "squad", "matches", "numbers")}
	n, items, total := pageOf(r), 0, 0
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		d, err := ask[struct {
			Team client.TeamDetail `json:"team"`
		}](ctx, a, "%s", path)
		b.TeamDetail = d.Team
		return err
	})
	g.Go(func() (err error) {
		list := fmt.Sprintf("?limit=%d&page=%d", pageSize, n)
		switch b.Tab {
		case "squad":
			b.Squad, err = ask[client.Page[client.SquadPlayer]](ctx, a, "%s/players%s", path, list)
			items, total = len(b.Squad.Data), b.Squad.Total
		case "matches":
			b.Matches, err = ask[client.Page[client.TeamMatch]](ctx, a, "%s/matches%s", path, list)
			items, total = len(b.Matches.Data), b.Matches.Total
		case "numbers":
			b.Numbers, err = ask[client.TeamStatistics](ctx, a, "%s/statistics", path)
		}
		return err
	})
	err := g.Wait()
	b.Pager = pagerOf(r, n, items, total)
	b.Tabs = tabsOf("The team", r.URL.Path, b.Tab, nil, "squad", "Squad", "matches", "Matches", "numbers", "Numbers")
	crumbs := []crumb{{"Data", "/data"}}
	if c := b.Competition; c != nil {
		crumbs = append(crumbs, crumb{c.Name, withQuery("/data/competitions/"+string(c.ID), "season", strconv.Itoa(c.Season))})
	}
	return page{Title: b.Name, Crumbs: crumbs, Body: b}, err
}

// playerBody is the page of a player.
type playerBody struct {
	client.PlayerDetail
	Numbers client.PlayerStatistics
	Matches client.Page[client.PlayerMatch]
	Pager   pager
}

func (s *Server) player(ctx context.Context, a *asker, r *http.Request) (page, error) {
	path := "/v1/players/" + r.PathValue("id")
	var b playerBody
	n := pageOf(r)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		d, err := ask[struct {
			Player client.PlayerDetail `json:"player"`
		}](ctx, a, "%s", path)
		b.PlayerDetail = d.Player
		return err
	})
	g.Go(func() (err error) {
		b.Numbers, err = ask[client.PlayerStatistics](ctx, a, "%s/statistics", path)
		return err
	})
	g.Go(func() (err error) {
		b.Matches, err = ask[client.Page[client.PlayerMatch]](ctx, a, "%s/matches?limit=%d&page=%d", path, pageSize, n)
		return err
	})
	err := g.Wait()
	b.Pager = pagerOf(r, n, len(b.Matches.Data), b.Matches.Total)
	return page{Title: b.Name, Crumbs: []crumb{{"Data", "/data"}, {b.Team.Name, "/data/teams/" + string(b.Team.ID)}}, Body: b}, err
}
