package format

import (
	"strings"
	"testing"
	"testing/fstest"

	"touchline/shared/dataset/files"
)

// What a template offers for a column is what the reader takes, and no column has a set
// of values that is not offered.
func TestValuesOfColumnsAreTheReaders(t *testing.T) {
	const bogus = "bogus value"
	whole := map[files.Kind]string{
		files.Organizations: `{"id":"x","type":"club","name":"X"}`, files.Competitions: `{"id":"x","season":2026,"name":"X","organizationId":"x"}`,
		files.Teams: `{"id":"x","name":"X","shortName":"X"}`, files.Players: `{"id":"x","name":"X","teamId":"x"}`,
		files.Matches: `{"id":"x","status":"live","kickoffAt":"2026-03-01T15:00:00Z","homeTeamId":"x","awayTeamId":"y"}`,
	}
	for k := range files.Kinds {
		kind := k
		for _, c := range Columns(kind) {
			column, values := c.Path, c.Choices()
			for _, value := range append([]string{bogus}, values...) {
				header, row := "id", "x"
				if kind == files.Standings {
					header, row = "competitionId,season,table", "x,2026,regular"
				}
				if kind == files.Competitions && column != "season" {
					header, row = "id,season", "x,2026"
				}
				if kind == files.Lineups && column != "side" {
					header, row = "match,side", "x,home"
				} else if !kind.HasRecords() {
					header, row = "match", "x"
				}
				if kind == files.Standings && column == "table" {
					header, row = "competitionId,season", "x,2026"
				}
				_, err := Read(t.Context(), fstest.MapFS{kind.String() + ".csv": {Data: []byte(header + "," + column + "\n" + row + "," + value + "\n")}}, Options{Stored: stored(whole[min(kind, files.Matches)])})
				text := ""
				if err != nil {
					text = err.Error()
				}
				enum := strings.Contains(text, column+": must be one of ") || strings.Contains(text, column+": must be true or false")
				switch {
				case value != bogus && enum:
					t.Errorf("%s, %s: %q is offered, but %s", kind, column, value, text)
				case value == bogus && values != nil && !enum:
					t.Errorf("%s, %s: the reader takes %q: %s", kind, column, value, text)
				case value == bogus && values == nil && enum && column != "rules.tieBreakers" && column != "period":
					t.Errorf("%s, %s has values that are not offered: %s", kind, column, text)
				case enum && value == bogus && values != nil && values[0] != "true" && column != "rules.tieBreakers" && column != "period" && !strings.Contains(text, "must be one of "+strings.Join(values, ", ")):
					t.Errorf("%s, %s: %s, offered are %v", kind, column, text, values)
				}
			}
		}
	}
}
