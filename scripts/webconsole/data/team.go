package data

import (
	"context"
	"net/http"
	"strconv"

	"touchline/scripts/webconsole/parts"
	"touchline/shared/endpoints/wire"
	"touchline/shared/route"
)

// teamBody is the page of a team.
type teamBody struct {
	wire.TeamsReply
	Tabs    parts.Tabs
	Tab     string
	Squad   route.List[wire.SquadPlayer]
	Matches route.ListIn[wire.Competition, wire.ListedMatch]
	Pager   parts.Pager
}

func team(ctx context.Context, a *Asker, r *http.Request) (Page, error) {
	path := "/v1/teams/" + r.PathValue("id")
	b := teamBody{Tab: parts.Chosen(r, "squad", "matches")}
	q := a.questions(ctx, r)
	one(q, &b.TeamsReply, "%s", path)
	switch b.Tab {
	case "squad":
		paged(q, &b.Squad, &b.Pager, "%s/players", path)
	case "matches":
		paged(q, &b.Matches, &b.Pager, "%s/matches", path)
	}
	err := q.Wait()
	b.Tabs = parts.TabsOf("The team", r.URL.Path, b.Tab, nil, "squad", "Squad", "matches", "Matches")
	return Page{Title: b.Team.Name, Crumbs: below(b.Team.Competition), Body: b}, err
}

// below is the way to a page of what a competition has; nil: of no competition.
func below(c *wire.Competition) []parts.Crumb {
	crumbs := parts.Crumbs("Data", "/data")
	if c != nil {
		crumbs = append(crumbs, parts.Crumb{Name: c.Name, Path: parts.WithQuery("/data/competitions/"+string(c.ID), "season", strconv.Itoa(c.Season))})
	}
	return crumbs
}

// playerBody is the page of a player.
type playerBody struct {
	wire.PlayersReply
	Matches route.List[wire.PlayedMatch]
	Pager   parts.Pager
}

func player(ctx context.Context, a *Asker, r *http.Request) (Page, error) {
	path := "/v1/players/" + r.PathValue("id")
	var b playerBody
	q := a.questions(ctx, r)
	one(q, &b.PlayersReply, "%s", path)
	paged(q, &b.Matches, &b.Pager, "%s/matches", path)
	err := q.Wait()
	p := b.Player
	return Page{Title: p.Name, Crumbs: parts.Crumbs("Data", "/data", p.Team.Name, "/data/teams/"+string(p.Team.ID)), Body: b}, err
}
