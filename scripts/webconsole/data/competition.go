package data

import (
	"context"
	"net/http"
	"net/url"

	"touchline/scripts/webconsole/parts"
	"touchline/shared/endpoints/wire"
)

// competitionBody is the page of a competition's season.
type competitionBody struct {
	wire.TournamentsCompetitionReply
	Groups    wire.Groups // with the seasons that there are
	Tabs      parts.Tabs
	Tab       string
	Season    string // as it was asked for, for links; empty: the current one
	Standings wire.Standings
	Order     orderBody
}

// block is a table: that of a competition, or of one of its groups.
type block struct {
	Name string // of the group; empty: none
	Rows []wire.StandingRow
}

// Blocks are the rows of the table by group; they are in the order of the groups.
func (b competitionBody) Blocks() []block {
	var blocks []block
	for _, row := range b.Standings.Standings {
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
	id, season := r.PathValue("id"), seasonQuery(r)
	path := "/v1/tournaments/" + id
	b := competitionBody{Tab: parts.Chosen(r, "table", "order"), Season: r.URL.Query().Get("season")}
	q := a.questions(ctx, r)
	one(q, &b.TournamentsCompetitionReply, "%s%s", path, season)
	one(q, &b.Groups, "%s/groups%s", path, season)
	switch b.Tab {
	case "table":
		one(q, &b.Standings, "%s/standings%s", path, season)
	case "order":
		q.Go(func() (err error) {
			if b.Standings, err = resource[wire.Standings](q.ctx, a, "%s/standings%s", path, season); err == nil {
				b.Order, err = orderOf(q.ctx, a.source.Sports, b.Standings)
			}
			return err
		})
	}
	err := q.Wait()
	b.Tabs = CompetitionTabs(id, r.URL.Query().Get("season"), b.Tab)
	return Page{Title: b.Competition.Name, Crumbs: parts.Crumbs("Data", "/data"), Body: b}, err
}

// Fixtures is the tab of a competition that is a page of its own.
const Fixtures = "matches"

// CompetitionTabs are the parts of a competition's page. The season is empty for the
// current one.
func CompetitionTabs(id, season, current string) parts.Tabs {
	tabs := parts.TabsOf("The competition", "/data/competitions/"+url.PathEscape(id), current, []string{"season", season},
		"table", "Table", "order", "Order", Fixtures, "Fixtures")
	for i := range tabs.Tabs {
		if t := &tabs.Tabs[i]; t.Name == "Fixtures" {
			t.Path = parts.WithQuery("/fixtures/"+url.PathEscape(id), "season", season)
		}
	}
	return tabs
}
