package data

import (
	"context"
	"errors"
	"fmt"

	"touchline/scripts/webconsole/parts"
	"touchline/shared/endpoints/wire"
	"touchline/shared/loader/projection"
	"touchline/shared/regulations"
	"touchline/shared/sport"
	"touchline/shared/standings"
	"touchline/shared/store"
)

// orderBody is why a table is in its order.
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
	Row  wire.StandingRow
	From string // where its points come from
	Why  string
	Tied bool // level on points with the next
}

// orderOf says what decided each row of a season's table, which is computed again
// from the records. Its rows are those that the API returns; where the two differ
// in order, it says so and explains nothing.
func orderOf(ctx context.Context, table *store.Table, shown wire.Standings) (orderBody, error) {
	t, err := projection.Explain(ctx, table, shown.Competition.ID, shown.Competition.Season)
	switch {
	case errors.Is(err, projection.ErrNotFound):
		return orderBody{Differs: true}, nil
	case err != nil:
		return orderBody{}, err
	case t.Given:
		return orderBody{Given: true}, nil
	}
	return explained(t, shown.Standings), nil
}

// explained adds the decisions to the rows that are shown. Rows of hidden teams
// are computed but not shown.
func explained(t *projection.Table, shown []wire.StandingRow) orderBody {
	var b orderBody
	for _, criterion := range sport.Blocks(t.Rules.TieBreakers) {
		b.Criteria = append(b.Criteria, regulations.Criterion(criterion, seeded))
	}
	at := 0
	for i, row := range t.Rows {
		if at == len(shown) || shown[at].Team.ID != row.TeamID {
			continue
		}
		r := decidedRow{Row: shown[at], From: t.From(&row)}
		if i+1 < len(t.Rows) && t.Rows[i+1].GroupID == row.GroupID {
			r.Why = reason(row.Decision)
			r.Tied = t.Rows[i+1].Points == row.Points
		}
		name := parts.Text(shown[at].Group)
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

// seeded is what the seed of a team may stand for.
const seeded = "seed (a lot, a ruling)"

// reason explains a decision.
func reason(d standings.Decision) string {
	if d.By == "" || d.By == sport.ByName {
		return "name: every criterion before it is level"
	}
	if d.By == sport.ByWithdrawal {
		return "the next team has withdrawn"
	}
	text := fmt.Sprintf("%s, %s to %s", regulations.Criterion(d.By, seeded), d.Above, d.Below)
	if d.HeadToHead > 0 {
		text += fmt.Sprintf(", in the matches among the %d level teams", d.HeadToHead)
	}
	return text
}
