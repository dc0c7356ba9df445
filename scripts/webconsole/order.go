package webconsole

import (
	"context"
	"fmt"

	"touchline/shared/client"
	"touchline/shared/loader/diff"
	"touchline/shared/loader/projection"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/standings"
)

// orderBody says why a table is in its order.
type orderBody struct {
	Criteria []string
	Blocks   []decidedBlock
	Given    bool // the dataset gives the table: nothing is computed
	Differs  bool // what is computed here is not what the API returns
}

// decidedBlock is a table with what put each row above the next.
type decidedBlock struct {
	Name string
	Rows []decidedRow
}

// decidedRow is a row and what put it above the next; empty for the last.
type decidedRow struct {
	Row  client.StandingRow
	Why  string
	Tied bool // level on points with the next
}

// orderOf computes a season's table again from the records, and says what decided
// each row. Its rows are those that the API returns; where the two differ in
// order, it says so and explains nothing.
func (s *Server) orderOf(ctx context.Context, shown client.Standings) (orderBody, error) {
	id := world.SeasonID{ID: shown.Competition.ID, Season: shown.Competition.Season}
	w := world.NewWorld()
	f := &world.Fetcher{Table: s.options.Sports, World: w}
	if err := f.Competitions(ctx, []sport.ID{id.ID}); err != nil {
		return orderBody{}, err
	}
	c := w.Competitions.At(world.Before, id)
	if c == nil {
		return orderBody{Differs: true}, nil
	}
	if w.Tables.At(world.Before, world.TableID{SeasonID: id, Table: sport.TableRegular}) != nil {
		return orderBody{Given: true}, nil
	}
	if err := fetchTables(ctx, f, c); err != nil {
		return orderBody{}, err
	}
	p := &projection.Projector{World: w, Names: diff.NewCollation()}
	rows, decisions := standings.Explain(p.Standings(world.Before, c))
	return explained(c.Rules, shown.Standings, rows, decisions), nil
}

// fetchTables reads what the table of a season is computed from, and the tables
// that its teams bring along from.
func fetchTables(ctx context.Context, f *world.Fetcher, c *world.Competition) error {
	for range maxHeight {
		seasons := []world.SeasonID{c.SeasonID()}
		for _, read := range []func(context.Context, []world.SeasonID) error{f.PlayedIn, f.EnteredIn, f.TeamsEntered} {
			if err := read(ctx, seasons); err != nil {
				return err
			}
		}
		if !standings.NeedsParent(c.Rules) {
			return nil
		}
		parent := c.ParentSeason()
		if err := f.Competitions(ctx, []sport.ID{parent.ID}); err != nil {
			return err
		}
		if c = f.World.Competitions.At(world.Before, parent); c == nil {
			return nil
		}
	}
	return nil
}

// explained puts the decisions beside the rows that are shown. Rows of hidden
// teams are computed and not shown.
func explained(rules sport.Rules, shown []client.StandingRow, rows []standings.Row, decisions []standings.Decision) orderBody {
	var b orderBody
	for _, criterion := range rules.TieBreakers {
		b.Criteria = append(b.Criteria, words(criterion))
	}
	at := 0
	for i, row := range rows {
		if at == len(shown) || shown[at].Team.ID != row.TeamID {
			continue
		}
		r := decidedRow{Row: shown[at]}
		if i+1 < len(rows) && rows[i+1].GroupID == row.GroupID {
			r.Why = reason(decisions[i])
			r.Tied = rows[i+1].Points == row.Points
		}
		name := text(shown[at].Group)
		if len(b.Blocks) == 0 || b.Blocks[len(b.Blocks)-1].Name != name {
			b.Blocks = append(b.Blocks, decidedBlock{Name: name})
		}
		last := &b.Blocks[len(b.Blocks)-1]
		last.Rows = append(last.Rows, r)
		at++
	}
	if at < len(shown) {
		return orderBody{Differs: true}
	}
	return b
}

// reason is a decision in words.
func reason(d standings.Decision) string {
	if d.By == "" || d.By == sport.ByName {
		return "name: every criterion before it is level"
	}
	text := fmt.Sprintf("%s, %s to %s", words(d.By), d.Above, d.Below)
	if d.HeadToHead > 0 {
		text += fmt.Sprintf(", in the matches among the %d level teams", d.HeadToHead)
	}
	return text
}

// order is the tab of a competition that explains its table.
func (s *Server) order(ctx context.Context, p *competitionPart) error {
	var err error
	if p.Standings, err = ask[client.Standings](ctx, p.a, "%s/standings%s", p.path, seasonQuery(p.r, "?")); err != nil {
		return err
	}
	p.Order, err = s.orderOf(ctx, p.Standings)
	return err
}
