package data

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"golang.org/x/sync/errgroup"

	"touchline/scripts/webconsole/parts"
	"touchline/shared/endpoints/wire"
	"touchline/shared/route"
)

// list is a page of a list of a competition's.
type list[T any] = route.ListIn[wire.Competition, T]

// competitionBody is the page of a competition's season.
type competitionBody struct {
	wire.CompetitionDetail
	Tabs      parts.Tabs
	Tab       string
	Season    string // parameter of links, empty: the current one
	Standings wire.Standings
	Blocks    []block // of the table
	Order     orderBody
	By        string // what scorers are ranked by
	Scorers   list[wire.Scorer]
	Cards     list[wire.Cards]
	Teams     route.List[wire.ListedTeam]
	Numbers   wire.CompetitionStatistics
	Pager     parts.Pager
}

// block is a table: that of a competition, or of one of its groups.
type block struct {
	Name string // of the group; empty: none
	Rows []wire.StandingRow
}

// blocksOf splits rows by group; they are in the order of the groups.
func blocksOf(rows []wire.StandingRow) []block {
	var blocks []block
	for _, row := range rows {
		name := parts.Text(row.Group)
		if len(blocks) == 0 || blocks[len(blocks)-1].Name != name {
			blocks = append(blocks, block{Name: name})
		}
		last := &blocks[len(blocks)-1]
		last.Rows = append(last.Rows, row)
	}
	return blocks
}

func competition(ctx context.Context, a *Asker, r *http.Request) (Page, error) {
	id := r.PathValue("id")
	b := competitionBody{Tab: parts.Chosen(r, "table", "order", "scorers", "cards", "teams", "numbers"), Season: seasonQuery(r, "")}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		d, err := resource[wire.TournamentsCompetitionReply](ctx, a, "/v1/tournaments/%s%s", id, seasonQuery(r, "?"))
		b.CompetitionDetail = d.Competition
		return err
	})
	part := &competitionPart{competitionBody: &b, a: a, path: "/v1/tournaments/" + id, page: parts.PageOf(r), season: seasonQuery(r, "&"), r: r}
	g.Go(func() error { return part.read(ctx) })
	err := g.Wait()
	b.Pager = parts.PagerOf(r, part.page, part.items, part.total)
	season := r.URL.Query().Get("season")
	b.Tabs = CompetitionTabs(id, season, b.Tab)
	return Page{Title: b.Name, Crumbs: parts.Crumbs("Data", "/data"), Body: b}, err
}

// Fixtures is the tab of a competition that is a page of its own.
const Fixtures = "matches"

// CompetitionTabs are the parts of a competition's page. The season is empty for the
// current one.
func CompetitionTabs(id, season, current string) parts.Tabs {
	tabs := parts.TabsOf("The competition", "/data/competitions/"+url.PathEscape(id), current, []string{"season", season},
		"table", "Table", "order", "Order", Fixtures, "Fixtures", "scorers", "Scorers", "cards", "Cards", "teams", "Teams", "numbers", "Numbers")
	for i := range tabs.Tabs {
		if t := &tabs.Tabs[i]; t.Name == "Fixtures" {
			t.Path = parts.WithQuery("/fixtures/"+url.PathEscape(id), "season", season)
		}
	}
	return tabs
}

// competitionPart reads what the chosen tab shows.
type competitionPart struct {
	*competitionBody
	a            *Asker
	r            *http.Request
	path, season string
	page         int
	items, total int // of a list
}

func (p *competitionPart) list(name, more string) string {
	return fmt.Sprintf("%s/%s?limit=%d&page=%d%s%s", p.path, name, parts.PageSize, p.page, p.season, more)
}

func (p *competitionPart) read(ctx context.Context) (err error) {
	q := p.r.URL.Query()
	switch p.Tab {
	case "table":
		p.Standings, err = resource[wire.Standings](ctx, p.a, "%s/standings%s", p.path, seasonQuery(p.r, "?"))
		p.Blocks = blocksOf(p.Standings.Standings)
	case "order":
		err = p.order(ctx)
	case "scorers":
		switch p.By = q.Get("by"); p.By {
		case "assists", "appearances":
		default:
			p.By = "goals"
		}
		p.Scorers, err = ask[list[wire.Scorer]](ctx, p.a, "%s", p.list("top-scorers", "&type="+p.By))
		p.items, p.total = len(p.Scorers.Data), p.Scorers.Total
	case "cards":
		err = p.cards(ctx, q.Get("of"))
	case "teams":
		p.Teams, err = ask[route.List[wire.ListedTeam]](ctx, p.a, "%s", p.list("teams", ""))
		p.items, p.total = len(p.Teams.Data), p.Teams.Total
	case "numbers":
		p.Numbers, err = resource[wire.CompetitionStatistics](ctx, p.a, "%s/statistics%s", p.path, seasonQuery(p.r, "?"))
	}
	return err
}

func (p *competitionPart) cards(ctx context.Context, of string) (err error) {
	if p.By = "player"; of == "team" {
		p.By = of
	}
	p.Cards, err = ask[list[wire.Cards]](ctx, p.a, "%s", p.list("cards", "&scope="+p.By))
	p.items, p.total = len(p.Cards.Data), p.Cards.Total
	return err
}
