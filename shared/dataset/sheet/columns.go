package sheet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"touchline/shared/dataset/files"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/slips"
)

// NDJSONOnly are the fields of a match that no sheet can have.
var NDJSONOnly = []string{"lineups", "events", "statistics"}

// named is the column of a name; nil: there isn't one.
func named(columns []jsonl.Column, name string) *jsonl.Column {
	if i := slices.IndexFunc(columns, func(c jsonl.Column) bool { return c.Path == name }); i >= 0 {
		return &columns[i]
	}
	return nil
}

// names are those of columns.
func names(columns []jsonl.Column) []string {
	all := make([]string, len(columns))
	for i, c := range columns {
		all[i] = c.Path
	}
	return all
}

// KindOf is the only kind that has the fields in a first row: most of them, and those that
// say which record a row is. Any: there isn't one, or several have as many.
func KindOf(header []string, columnsOf func(files.Kind) []jsonl.Column) files.Kind {
	header = slices.DeleteFunc(slices.Clone(header), func(name string) bool { return strings.TrimSpace(name) == "" })
	best, most, tie := files.Any, 0, false
	for k := range files.Kinds {
		columns := columnsOf(k)
		known, found := 0, map[string]bool{}
		for _, name := range header {
			name = canonical(columns, name)
			found[name] = true
			if named(columns, name) != nil || twoCells(columns) && slices.Contains(twoColumns, name) {
				known++
			}
		}
		whole := !slices.ContainsFunc(columns, func(c jsonl.Column) bool { return c.Identifies && !found[c.Path] })
		switch {
		case !whole || 2*known <= len(header) || known < most:
		case known == most:
			tie = true
		default:
			best, most, tie = k, known, false
		}
	}
	if tie {
		return files.Any
	}
	return best
}

// HeaderError is what is wrong with the names in the first row: nothing of the file
// is read.
type HeaderError struct{ Wrong []RowError }

// Error gives the first message.
func (e *HeaderError) Error() string { return e.Wrong[0].Message }

// template ends a message on the names in a first row.
const template = "; `touchline template` writes a file with every column"

// check refuses a first row that is not a header, and a column that the kind does not have.
func check(columns []jsonl.Column, header []string) error {
	known := names(columns)
	var wrong []RowError
	found := 0 // columns that are known
	for _, name := range header {
		switch name = strings.TrimSpace(name); {
		case name == "":
		case slices.Contains(known, name):
			found++
		default:
			wrong = append(wrong, RowError{jsonl.Shown(name), "is not a known column" + meant(columns, name)})
		}
	}
	if found == 0 && len(header) == 1 && strings.ContainsAny(header[0], ",;|\t") {
		return &HeaderError{[]RowError{{Message: fmt.Sprintf("the first row is a single cell, %s: separate cells by commas, semicolons or tabs, and quote a cell, not a row", quoted(header[0]))}}}
	}
	if found == 0 {
		return &HeaderError{[]RowError{{Message: fmt.Sprintf("the first row is not a header: it must name the columns, such as %s%s", strings.Join(known[:4], ", "), template)}}}
	}
	for _, c := range columns {
		if c.Identifies && !slices.ContainsFunc(header, func(cell string) bool { return strings.TrimSpace(cell) == c.Path }) {
			wrong = append(wrong, RowError{c.Path, "has no column, and without it no row says which record it is" + template})
		}
	}
	if wrong != nil {
		return &HeaderError{wrong}
	}
	return nil
}

// meant ends the message on a column that is not known.
func meant(columns []jsonl.Column, name string) string {
	head, _, _ := strings.Cut(name, ".")
	if slices.Contains(NDJSONOnly, head) {
		return ": line-ups, events and statistics need NDJSON"
	}
	parts := slices.DeleteFunc(names(columns), func(c string) bool { return !strings.HasPrefix(c, name+".") })
	if len(parts) > 0 {
		return "; its parts have columns of their own: " + strings.Join(parts, ", ")
	}
	if best := slips.Near(name, names(columns)); best != "" {
		return "; did you mean " + best + "?"
	}
	return "; known here are " + strings.Join(names(columns), ", ")
}

// twoColumns together are a kick-off.
var twoColumns = []string{"date", "time"}

// twoCells reports whether a kick-off may be in twoColumns.
func twoCells(columns []jsonl.Column) bool { return named(columns, "kickoffLocal") != nil }

// canonical is a name of a column as the format writes it: its case does not count.
func canonical(columns []jsonl.Column, name string) string {
	name = strings.TrimSpace(name)
	for _, known := range append(names(columns), twoColumns...) {
		if strings.EqualFold(known, name) {
			return known
		}
	}
	return name
}

// truthOf is a truth as spreadsheets of some languages write it, in English.
func truthOf(cell string) string {
	switch cell = strings.ToLower(cell); cell {
	case "wahr", "vrai", "vero", "verdadero":
		return "true"
	case "falsch", "faux", "falso":
		return "false"
	}
	return cell
}

// letters name a column as spreadsheets do: A, B, to Z, AA and so on.
func letters(column int) string {
	name := ""
	for column++; column > 0; column = (column - 1) / 26 {
		name = string(rune('A'+(column-1)%26)) + name
	}
	return name
}

// quoted is a cell that is fit for a message.
func quoted(cell string) string { return strconv.Quote(jsonl.Excerpt(cell)) }

// joinKickoff has the columns date and time give kickoffLocal, where that has no column.
func (s *Sheet) joinKickoff() {
	find := func(name string) int {
		for _, c := range s.root {
			if c.name == name && c.at >= 0 {
				return c.at
			}
		}
		return -1
	}
	date, time := find("date"), find("time")
	if date < 0 || time < 0 || s.Has("kickoffLocal") || s.Has("kickoffAt") {
		return
	}
	s.date, s.time = date, time
	s.root = slices.DeleteFunc(s.root, func(c *column) bool { return c.at == time })
	for _, c := range s.root {
		if c.at == date {
			c.name, c.path = "kickoffLocal", "kickoffLocal"
		}
	}
	for i, name := range s.header {
		if name == "date" || name == "time" {
			s.header[i] = "kickoffLocal"
		}
	}
}

// joined puts the time of a kick-off behind its date.
func (s *Sheet) joined(cells []string) []string {
	if s.date < 0 || s.time >= len(cells) || s.date >= len(cells) {
		return cells
	}
	date, midnight := strings.CutSuffix(strings.TrimSpace(cells[s.date]), " 00:00:00") // as some spreadsheets write a date
	time := strings.TrimSpace(cells[s.time])
	if date != "" && time != "" {
		cells[s.date] = date + " " + time
	} else if midnight {
		cells[s.date] = date
	}
	return cells
}
