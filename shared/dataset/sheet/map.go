package sheet

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"touchline/shared/dataset/files"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/slips"
)

// Map says how sheets with headings of their own are read: a row of the sheet columns each
// (dataset.md, Sheets of your own).
type Map struct {
	rules []Rule
	// Wrong are the faults of its rows, by their lines.
	Wrong map[int]RowError
}

// Rule is where a field of a kind is found in a sheet.
type Rule struct {
	Sheet, Heading string
	Kind           files.Kind
	Field          string
	From           int // the row of the headings, from 1
}

// constant is the value of a rule without a column.
func (r *Rule) constant() (string, bool) { return strings.CutPrefix(r.Heading, "=") }

// every names the sheets that no other rule names.
const every = "*"

// mapColumns are those of the sheet columns.
var mapColumns = []jsonl.Column{{Path: "sheet"}, {Path: "heading"}, {Path: "field"}, {Path: "from", Holds: jsonl.NumberCell}}

// ReadMap reads the sheet columns, which may name some sheets. The error is one of New or of Next.
func ReadMap(from io.Reader, sheets []string, inBook bool, columnsOf func(files.Kind) []jsonl.Column) (*Map, error) {
	s, err := New(from, mapColumns, nil, inBook, files.MaxLine)
	m := &Map{Wrong: map[int]RowError{}}
	for err == nil {
		var line []byte
		if line, err = s.Next(); err != nil || string(line) == "{}" {
			continue
		}
		row, _ := jsonl.Split(line) // it was written so
		text := func(name string) string { return strings.TrimSpace(jsonl.TextOf(row.Of(name))) }
		r := Rule{Sheet: text("sheet"), Heading: text("heading"), From: 1}
		kind, field, _ := strings.Cut(text("field"), ".")
		r.Kind = files.Of(strings.ToLower(kind) + ".csv")
		wrong := RowError{}
		switch n, failed := strconv.Atoi(string(row.Of("from"))); {
		case r.Sheet == "":
			wrong = RowError{"sheet", "is missing: it is the name of a sheet, or * for all that no other row names"}
		case r.Sheet != every && !slices.ContainsFunc(sheets, func(name string) bool { return strings.EqualFold(name, r.Sheet) }):
			wrong = RowError{"sheet", "there is no sheet " + jsonl.Shown(r.Sheet) + slips.DidYouMean(r.Sheet, sheets)}
		case r.Heading == "":
			wrong = RowError{"heading", "is missing: it is the heading of a column, its letter, or = and what is the same in every row"}
		case r.Kind == files.Any:
			wrong = RowError{"field", "must be a kind and a field of it, such as matches.home" + jsonl.NotGiven(text("field"))}
		case text("from") != "" || n < 0 || failed == nil && n == 0:
			wrong = RowError{"from", "must be the number of the row with the headings"}
		default:
			r.From = max(n, 1)
			columns := columnsOf(r.Kind)
			if r.Field = canonical(columns, field); named(columns, r.Field) == nil && !(twoCells(columns) && slices.Contains(joined, r.Field)) {
				wrong = RowError{"field", fmt.Sprintf("%s is no field of %s", jsonl.Shown(field), r.Kind) + meant(columns, r.Field)}
			}
		}
		if wrong.Message != "" {
			m.Wrong[s.Number()] = wrong
			continue
		}
		m.rules = append(m.rules, r)
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return m, err
}

// Of are the rules of a sheet by kinds; none for one that is read without. Head gives a row
// of the sheet: the rules of every sheet are those of one that has one of the headings.
func (m *Map) Of(sheet string, head func(row int) []string) map[files.Kind][]Rule {
	if m == nil {
		return nil
	}
	all := map[files.Kind][]Rule{}
	for _, name := range []string{sheet, every} {
		for _, r := range m.rules {
			if strings.EqualFold(r.Sheet, name) {
				all[r.Kind] = append(all[r.Kind], r)
			}
		}
		if len(all) > 0 && (name == sheet || slices.ContainsFunc(m.rules, func(r Rule) bool { return r.Sheet == every && slices.ContainsFunc(head(r.From), r.heads) })) {
			return all
		}
	}
	return nil
}

// heads reports whether a cell is the heading of the rule.
func (r Rule) heads(cell string) bool { return slips.Folded(cell) == slips.Folded(r.Heading) }

// column is where a rule finds its cells, by the row of the headings.
func (r Rule) column(header []string) (int, error) {
	var found []string
	at := -1
	for i, cell := range header {
		if r.heads(cell) {
			at, found = i, append(found, letters(i))
		}
	}
	if len(found) > 1 {
		return 0, &RowError{jsonl.Shown(r.Heading), "is the heading of the columns " + strings.Join(found, " and ") + ": name one by its letter"}
	}
	for i := 0; at < 0 && i < maxColumns; i++ {
		if strings.EqualFold(letters(i), r.Heading) {
			at = i
		}
	}
	if at < 0 {
		return 0, &RowError{jsonl.Shown(r.Heading), fmt.Sprintf("heads no column in row %d%s", r.From, slips.DidYouMean(r.Heading, header))}
	}
	return at, nil
}

// place finds the columns of the rules, whose fields are the header then.
func (s *Sheet) place() error {
	var wrong []RowError
	fields := make([]string, len(s.rules))
	for i, r := range s.rules {
		if r.From != s.rules[0].From {
			return &HeaderError{[]RowError{{Message: fmt.Sprintf("has the headings of %s in row %d and in row %d", r.Kind, s.rules[0].From, r.From)}}}
		}
		at, err := -1, error(nil)
		if _, constant := r.constant(); !constant {
			at, err = r.column(s.header)
		}
		if row, ok := errors.AsType[*RowError](err); ok {
			at, wrong = -1, slices.Compact(append(wrong, *row)) // of a column that is several fields
		}
		if first := slices.Index(fields[:i], r.Field); first >= 0 && named(s.known, r.Field) != nil && named(s.known, r.Field).Holds == jsonl.ListCell {
			s.lists[i] = first
		} else {
			fields[i] = r.Field
		}
		s.places = append(s.places, at)
		if at >= 0 && needs(s.known, r.Field) {
			s.needed = append(s.needed, i)
		}
	}
	s.titles, s.header = s.header, fields
	if wrong == nil {
		return nil
	}
	if slices.Max(s.places) < 0 {
		wrong = []RowError{{Message: fmt.Sprintf("has none of the headings of %s in this row: from in the sheet columns is the number of their row", s.rules[0].Kind)}}
	}
	return &HeaderError{wrong}
}

// needs reports whether a record needs a field, or finds another by it.
func needs(known []jsonl.Column, field string) bool {
	c := named(known, field)
	return c != nil && (c.Needed || c.Identifies || c.LookedUp) ||
		slices.ContainsFunc(known, func(c jsonl.Column) bool { return slices.Contains(slices.Concat(c.Or...), field) })
}

// project gives the cells that the rules name, in their order.
func (s *Sheet) project(row []string) []string {
	cells := make([]string, len(s.rules))
	for i, r := range s.rules {
		if value, constant := r.constant(); constant {
			cells[i] = value
		} else if at := s.places[i]; at < len(row) {
			cells[i] = row[at]
		}
		if first, more := s.lists[i]; more && strings.TrimSpace(cells[i]) != "" {
			cells[first], cells[i] = strings.Trim(cells[first]+"|"+cells[i], "|"), ""
		}
	}
	return cells
}

// passes reports whether a row is no record: it has nothing in the columns that one needs, or
// a single cell of all, as a title has, or the headings again.
func (s *Sheet) passes(cells []string) bool {
	filled, needed, headings := 0, 0, true
	for i, cell := range cells {
		if s.places[i] < 0 || strings.TrimSpace(cell) == "" {
			continue
		}
		filled++
		headings = headings && s.places[i] < len(s.titles) && cell == s.titles[s.places[i]]
		if slices.Contains(s.needed, i) {
			needed++
		}
	}
	none := needed == 0 || filled == 1 && len(s.needed) > 1 || headings
	if none && filled > 0 { // what is empty is no row
		s.passed++
	}
	return none
}

// Passed is how many rows were no records.
func (s *Sheet) Passed() int { return s.passed }

// IsMapped reports whether rules say where the fields are.
func (s *Sheet) IsMapped() bool { return s.rules != nil }

// results are 3:1, 3-1 and 3:1 (1:0), whose periods are not read; 03:01 is what a spreadsheet
// shows of 3:1.
var results = regexp.MustCompile(`^(\d{1,3})\s*[:–−-]\s*(\d{1,3})(\s*\([\d\s:–−,;/-]+\))?$`)

// splitResult puts the two numbers of a score in one cell behind the others.
func (s *Sheet) splitResult(cells []string) ([]string, error) {
	for len(cells) < len(s.header) {
		cells = append(cells, "")
	}
	text := strings.TrimSpace(cells[s.result])
	if strings.Trim(text, " :–−-") == "" { // it is to be played
		return append(cells, "", ""), nil
	}
	parts := results.FindStringSubmatch(text)
	if parts == nil {
		return append(cells, "", ""), &RowError{resultColumn, "must be a result such as 3:1" + jsonl.NotGiven(text) + slips.Advice(text, false)}
	}
	home, _ := strconv.Atoi(parts[1]) // digits
	away, _ := strconv.Atoi(parts[2])
	return append(cells, strconv.Itoa(home), strconv.Itoa(away)), nil
}
