package dataset

import (
	"slices"
	"strings"
	"testing"

	"touchline/shared/dataset/files"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/rules"
	"touchline/shared/dataset/sheet"
)

// Each field of a record can be a column, but for the details of a match, and every column
// is a field.
func TestColumnsAreTheFields(t *testing.T) {
	for of, fields := range [files.Kinds][]string{
		files.Organizations: append(jsonl.Names(organizationFields), "patch"),
		files.Competitions:  append(jsonl.Names(competitionFields), "patch"),
		files.Teams:         append(jsonl.Names(teamFields), "patch"),
		files.Players:       append(jsonl.Names(playerFields), "patch"),
		files.Matches:       append(jsonl.Names(matchFields), "patch"),
		files.Standings:     jsonl.Names(tableFields),
	} {
		var columns []string
		for _, path := range sheet.Columns(files.Kind(of)) {
			name, _, _ := strings.Cut(path, ".")
			columns = append(columns, name)
		}
		fields = slices.DeleteFunc(fields, func(name string) bool { return slices.Contains([]string{"lineups", "events", "statistics"}, name) })
		slices.Sort(columns)
		slices.Sort(fields)
		if columns = slices.Compact(columns); !slices.Equal(columns, fields) {
			t.Errorf("kind %d has the columns %v for the fields %v", of, columns, fields)
		}
	}
	of := func(kind files.Kind, field string) (nested []string) {
		for _, path := range sheet.Columns(kind) {
			if rest, ok := strings.CutPrefix(path, field+"."); ok {
				name, _, _ := strings.Cut(rest, ".")
				nested = append(nested, name)
			}
		}
		slices.Sort(nested)
		return slices.Compact(nested)
	}
	for field, fields := range map[string][]string{
		"rules": rules.Fields(), "groups": jsonl.Names(groupFields),
	} {
		slices.Sort(fields)
		if got := of(files.Competitions, field); !slices.Equal(got, fields) {
			t.Errorf("%s has the columns %v for the fields %v", field, got, fields)
		}
	}
	rows := jsonl.Names(rowFields)
	slices.Sort(rows)
	if got := of(files.Standings, "rows"); !slices.Equal(got, rows) {
		t.Errorf("rows has the columns %v for the fields %v", got, rows)
	}
}
