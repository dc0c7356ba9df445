package spreadsheet

import (
	"cmp"
	"io"
	"strconv"
	"strings"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/dataset/jsonl"
)

// Template writes the sheets of kinds, as CSV or as a workbook, each with all columns but
// erase, patch and kickoffAt, and an example; all together are a dataset without faults.
func Template(create func(name string) (io.WriteCloser, error), asBook bool, kinds []files.Kind, now time.Time) error {
	if !asBook {
		return template(CSV{create}, kinds, now)
	}
	book, err := NewBook()
	if err != nil {
		return err
	}
	return cmp.Or(template(book, kinds, now), book.save(create))
}

func template(to Sink, kinds []files.Kind, now time.Time) error {
	for _, kind := range kinds {
		var columns []jsonl.Column
		for _, c := range dataset.Columns(kind) {
			if c.Path != "erase" && c.Path != "patch" && c.Path != "kickoffAt" {
				columns = append(columns, c)
			}
		}
		row, done, err := to.Sheet(kind, columns)
		if err != nil {
			return err
		}
		cells := make([]string, len(columns))
		for _, example := range examples[kind] {
			for i, c := range columns {
				cells[i] = strings.ReplaceAll(example[c.Path], "YEAR", strconv.Itoa(now.Year()))
			}
			if err := row(cells); err != nil {
				return err
			}
		}
		if err := done(); err != nil {
			return err
		}
	}
	return nil
}

// Kinds are all kinds of records.
func Kinds() []files.Kind {
	all := make([]files.Kind, files.Kinds)
	for i := range all {
		all[i] = files.Kind(i)
	}
	return all
}

// examples are the rows of a template. YEAR stands for this one.
var examples = [files.Kinds][]map[string]string{
	files.Organizations: {
		{"id": "federation", "type": "federation", "name": "Example Federation"},
		{"id": "club-1", "type": "club", "name": "Example Club", "parentId": "federation"},
	},
	files.Competitions: {{
		"id": "league", "season": "YEAR", "name": "Example League", "type": "league", "timezone": "Europe/Vienna", "organizationId": "federation",
		"rules.win": "3", "rules.draw": "1", "rules.loss": "0", "rules.tieBreakers": "points|goalDiff|goalsFor|name",
	}},
	files.Teams: {
		{"id": "team-1", "name": "Example Club I", "shortName": "EX1", "organizationId": "club-1", "competitionId": "league", "season": "YEAR"},
		{"id": "team-2", "name": "Example Club II", "shortName": "EX2", "organizationId": "club-1", "competitionId": "league", "season": "YEAR"},
	},
	files.Players: {{"id": "player-1", "name": "Alex Example", "teamId": "team-1", "number": "10", "position": "forward"}},
	files.Matches: {{
		"id": "match-1", "competitionId": "league", "season": "YEAR", "status": "finished", "kickoffLocal": "YEAR-01-03 15:00",
		"homeTeamId": "team-1", "awayTeamId": "team-2", "score.home": "2", "score.away": "1", "round": "1",
	}},
	files.Standings: {{
		"competitionId": "league", "season": "YEAR", "table": "regular", "rows.teamId": "team-1|team-2", "rows.rank": "1|2", "rows.played": "1|1",
		"rows.won": "1|0", "rows.drawn": "0|0", "rows.lost": "0|1", "rows.goalsFor": "2|1", "rows.goalsAgainst": "1|2", "rows.points": "3|0",
	}},
}
