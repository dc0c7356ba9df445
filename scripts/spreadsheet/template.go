package spreadsheet

import (
	"cmp"
	"embed"
	"encoding/csv"
	"errors"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/dataset/jsonl"
)

// exampleSeason is the example of a whole season: sheets with the columns that it needs.
//
//go:embed season
var exampleSeason embed.FS

// rows are those of a sheet, by column; used says which columns it has.
type rows struct {
	used  func(column string) bool
	cells []map[string]string
}

// Template writes the sheets of kinds, as CSV or as a workbook, each with all columns but
// erase, patch and kickoffAt, and an example; all together are a dataset without faults.
func Template(create func(name string) (io.WriteCloser, error), asBook bool, kinds []files.Kind, now time.Time) error {
	return write(create, asBook, kinds, now, func(kind files.Kind) (*rows, error) {
		return &rows{func(column string) bool { return column != "erase" && column != "patch" && column != "kickoffAt" }, examples[kind]}, nil
	})
}

// Season writes the example of a season.
func Season(create func(name string) (io.WriteCloser, error), asBook bool, now time.Time) error {
	return write(create, asBook, Kinds(), now, seasonOf)
}

// seasonOf reads a sheet of the example; nil: it has none of the kind.
func seasonOf(kind files.Kind) (*rows, error) {
	f, err := exampleSeason.Open("season/" + kind.String() + ".csv")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // there are no rows
	}
	if err != nil {
		return nil, err
	}
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	of := &rows{used: func(column string) bool { return slices.Contains(all[0], column) }}
	for _, row := range all[1:] {
		cells := map[string]string{}
		for i, column := range all[0] {
			cells[column] = row[i]
		}
		of.cells = append(of.cells, cells)
	}
	return of, nil
}

func write(create func(name string) (io.WriteCloser, error), asBook bool, kinds []files.Kind, now time.Time, of func(files.Kind) (*rows, error)) error {
	if !asBook {
		return sheets(CSV{create}, kinds, now, of)
	}
	book, err := NewBook()
	if err != nil {
		return err
	}
	return cmp.Or(sheets(book, kinds, now, of), book.save(create))
}

func sheets(to Sink, kinds []files.Kind, now time.Time, of func(files.Kind) (*rows, error)) error {
	for _, kind := range kinds {
		sheet, err := of(kind)
		if err != nil {
			return err
		}
		if sheet == nil {
			continue
		}
		var columns []jsonl.Column
		for _, c := range dataset.Columns(kind) {
			if sheet.used(c.Path) {
				columns = append(columns, c)
			}
		}
		row, done, err := to.Sheet(kind, columns)
		if err != nil {
			return err
		}
		cells := make([]string, len(columns))
		for _, example := range sheet.cells {
			for i, c := range columns {
				cells[i] = Dated(example[c.Path], now)
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

// distance matches a day of an example, relative to today.
var distance = regexp.MustCompile(`DAY([-+][0-9]+)`)

// Dated makes an example's season, the next one and its days relative to today.
func Dated(text string, now time.Time) string {
	text = strings.NewReplacer("SEASON", strconv.Itoa(now.Year()), "NEXT", strconv.Itoa(now.Year()+1)).Replace(text)
	return distance.ReplaceAllStringFunc(text, func(found string) string {
		days, _ := strconv.Atoi(found[len("DAY"):]) // digits
		return now.AddDate(0, 0, days).Format(time.DateOnly)
	})
}

// Kinds are all kinds of records.
func Kinds() []files.Kind {
	all := make([]files.Kind, files.Kinds)
	for i := range all {
		all[i] = files.Kind(i)
	}
	return all
}

// examples are the rows of a template. Dated says what is in the place of a year.
var examples = [files.Kinds][]map[string]string{
	files.Organizations: {
		{"id": "federation", "type": "federation", "name": "Example Federation"},
		{"id": "club-1", "type": "club", "name": "Example Club", "parentId": "federation"},
	},
	files.Competitions: {{
		"id": "league", "season": "SEASON", "name": "Example League", "type": "league", "timezone": "Europe/Vienna", "organizationId": "federation",
		"rules.win": "3", "rules.draw": "1", "rules.loss": "0", "rules.tieBreakers": "points|goalDiff|goalsFor|name",
	}},
	files.Teams: {
		{"id": "team-1", "name": "Example Club I", "shortName": "EX1", "organizationId": "club-1", "competitionId": "league", "season": "SEASON"},
		{"id": "team-2", "name": "Example Club II", "shortName": "EX2", "organizationId": "club-1", "competitionId": "league", "season": "SEASON"},
	},
	files.Players: {{"id": "player-1", "name": "Alex Example", "teamId": "team-1", "number": "10", "position": "forward"}},
	files.Matches: {{
		"id": "match-1", "competitionId": "league", "season": "SEASON", "status": "finished", "kickoffLocal": "SEASON-01-03 15:00",
		"homeTeamId": "team-1", "awayTeamId": "team-2", "score.home": "2", "score.away": "1", "round": "1",
	}},
	files.Standings: {{
		"competitionId": "league", "season": "SEASON", "table": "regular", "rows.teamId": "team-1|team-2", "rows.rank": "1|2", "rows.played": "1|1",
		"rows.won": "1|0", "rows.drawn": "0|0", "rows.lost": "0|1", "rows.goalsFor": "2|1", "rows.goalsAgainst": "1|2", "rows.points": "3|0",
	}},
}
