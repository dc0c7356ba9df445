// Package sheet reads a CSV file of a dataset. It turns each row into the line of
// NDJSON that says the same, so that the rules of a line hold for it (dataset.md, CSV).
//
// A column is named like a field, a nested one with dots (score.home). An empty
// cell is a field that is null. A cell of a list is separated by "|"; of a
// list of objects each column gives one field of all of them (groups.id,
// groups.name, groups.order). Whether a cell is a number, true or false, or text
// follows from the table of the kind's fields (jsonl.Column); a cell that is not what it
// must be becomes text, and is a fault when the line is read. Columns whose heading begins
// with "#" are not read.
package sheet

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"touchline/shared/dataset/files"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/times"
)

// The bounds of a header and of a row, far above what any kind has, so that no
// file takes more than a multiple of its size.
const (
	maxColumns  = 200
	maxElements = 10_000 // of a list in a cell, as of the largest lists (D47)
)

// Sheet is a CSV file under way.
type Sheet struct {
	rows       *csv.Reader
	budget     *budget
	limit      int
	known      []jsonl.Column // those of the kind
	header     []string       // as it is written
	columns    []column       // those that the header names, in the order of the kind's
	unnamed    []int          // cells below an empty heading
	own        []int          // cells that are not read (isOwn)
	date, time int            // cells of a kick-off in two, or its date alone; -1: there isn't one
	untimely   map[int]bool   // the rows of whose kick-off the time is wrong, not the date
	number     int
	above      int  // lines above the header
	inBook     bool // rows are counted, not lines
	line       []byte

	rules  []Rule      // of a sheet with headings of its own: the header is their fields, and so are rows
	places []int       // of their columns; -1: a constant
	titles []string    // the headings
	lists  map[int]int // rules of a list behind the first of it: a column for each element
	needed []int       // those of fields that a record needs
	passed int
	result int // the cell of a score in one; -1: there isn't one
}

// column is a column of the header.
type column struct {
	jsonl.Column
	at       int      // its cell in a row
	elements []string // of its cell in the row last read, where it is of a list of objects
}

// RowError is what is wrong with a row; the next can still be read.
type RowError struct {
	Column  string // empty: the row
	Message string
}

// Error gives the message.
func (e *RowError) Error() string { return e.Message }

// New reads the header of a file of the kind with these columns, or of a sheet of a
// workbook (inBook), which is CSV with a record for each row. Rules, if there are any, say
// where its fields are (Map). A row may have limit bytes.
// The error is a *HeaderError where the names in it are wrong, a *files.UnreadableError
// where it cannot be read.
func New(from io.Reader, known []jsonl.Column, rules []Rule, inBook bool, limit int) (*Sheet, error) {
	b := &budget{from, limit + slack}
	buffered := bufio.NewReaderSize(b, slack)
	head, err := buffered.Peek(slack / 2)
	if err != nil && !errors.Is(err, io.EOF) && len(head) == 0 {
		return nil, err
	}
	if message := foreign(string(head), inBook); message != "" {
		return nil, files.Unreadable(message)
	}
	s := &Sheet{rows: csv.NewReader(buffered), budget: b, limit: limit, known: known, inBook: inBook, number: 1, date: -1, time: -1, result: -1, rules: rules, lists: map[int]int{}, untimely: map[int]bool{}}
	s.rows.FieldsPerRecord = -1
	s.rows.ReuseRecord = true
	above := 0 // the headings
	if rules != nil {
		above = rules[0].From - 1
	}
	if !inBook {
		for ; above > 0; above-- {
			if _, err := buffered.ReadSlice('\n'); err != nil {
				return nil, files.Unreadable(fmt.Sprintf("has no row %d", rules[0].From))
			}
			s.above++
			s.number++
		}
		head, _ = buffered.Peek(slack / 2)
		s.rows.Comma = s.separator(buffered, head)
	}
	header, err := s.rows.Read()
	for ; above > 0 && err == nil; above-- {
		s.number++
		header, err = s.rows.Read()
	}
	if err != nil {
		return nil, s.failed(err)
	}
	s.header = slices.Clone(header)
	if rules != nil {
		if err := s.place(); err != nil {
			return nil, err
		}
	}
	return s, s.name()
}

// separator is what a first line such as "sep=;" names; that line is read then. Without
// one it is the separator that the first line has most of.
func (s *Sheet) separator(from *bufio.Reader, head []byte) rune {
	first, _, more := strings.Cut(string(head), "\n")
	if said, ok := strings.CutPrefix(strings.ToLower(strings.TrimRight(first, "\r")), "sep="); ok && more && len(said) == 1 {
		_, _ = from.Discard(len(first) + 1) // it was peeked
		s.above++
		s.number++
		return rune(said[0])
	}
	best := ','
	for _, c := range ";\t" {
		if strings.Count(first, string(c)) > strings.Count(first, string(best)) {
			best = c
		}
	}
	return best
}

// Number is the line of the row last read, from 1; the header is on the first.
func (s *Sheet) Number() int { return s.number }

// Has reports whether there is a column for a field, or for a part of it.
func (s *Sheet) Has(field string) bool {
	return slices.ContainsFunc(s.columns, func(c column) bool { return InField(c.Path, field) })
}

// Next gives the next row as a line, valid until the next call: {} for one of empty
// cells. The error is io.EOF at the end, a *RowError (beside which there may be the line,
// as far as it can be read), a *HeaderError for a cell below an empty heading, or a
// *files.UnreadableError where the rest cannot be read.
func (s *Sheet) Next() ([]byte, error) {
	s.budget.left = s.limit + slack
	cells, err := s.rows.Read()
	var parse *csv.ParseError
	switch {
	case errors.Is(err, io.EOF):
		return nil, err
	case errors.As(err, &parse):
		s.number = parse.StartLine + s.above
		if errors.Is(parse.Err, csv.ErrQuote) || errors.Is(parse.Err, csv.ErrBareQuote) {
			return nil, &RowError{Message: `has a quotation mark (") out of place: a cell with one is quoted, and it is doubled in there`}
		}
		return nil, &RowError{Message: parse.Err.Error()}
	case err != nil:
		return nil, s.failed(err)
	}
	if s.number++; !s.inBook {
		s.number, _ = s.rows.FieldPos(0)
		s.number += s.above
	}
	if s.rules != nil {
		cells = s.project(cells)
	}
	for _, i := range s.own {
		if i < len(cells) {
			cells[i] = ""
		}
	}
	filled := false
	for i, cell := range cells {
		if strings.TrimSpace(cell) == "" { // as some people empty a cell
			cells[i] = ""
			continue
		}
		filled = true
		if !s.inBook {
			cells[i] = unguarded(cell)
		}
	}
	if !filled {
		return append(s.line[:0], "{}"...), nil
	}
	if s.rules != nil && s.passes(cells) {
		return append(s.line[:0], "{}"...), nil
	}
	wrong := s.misplaced(cells)
	for _, i := range s.unnamed {
		if wrong == nil && i < len(cells) && cells[i] != "" {
			return nil, &HeaderError{[]RowError{{Column: "column " + letters(i), Message: fmt.Sprintf("has no name in the first row, but %s on line %d: name it, or empty it", quoted(cells[i]), s.number)}}}
		}
	}
	s.joinKickoff(cells)
	if s.result >= 0 {
		if cells, err = s.splitResult(cells); wrong == nil {
			wrong = err
		}
	}
	if wide := s.split(cells); wide != "" {
		return nil, &RowError{Column: wide, Message: fmt.Sprintf("has more than %d elements", maxElements)}
	}
	if s.line = s.object(s.line[:0], s.columns, 0, cells, -1); len(s.line) > s.limit {
		return nil, &RowError{Message: fmt.Sprintf("says more than a line of %d KiB", s.limit>>10)}
	}
	return s.line, wrong
}

func (s *Sheet) failed(err error) error {
	if errors.Is(err, errTooLong) {
		return files.Unreadable(fmt.Sprintf("has a row after line %d that is longer than %d KiB: is a quotation mark not closed?", s.number, s.limit>>10))
	}
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		return files.Unreadable("has a header that cannot be read: " + parse.Err.Error())
	}
	return err
}

// joinKickoff puts the time of a kick-off in two cells behind its date.
func (s *Sheet) joinKickoff(cells []string) {
	if s.date < 0 || s.date >= len(cells) {
		return
	}
	date := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(cells[s.date]), " 00:00:00"), " 00:00") // as some spreadsheets write a date
	if s.time >= 0 && s.time < len(cells) && date != "" && strings.TrimSpace(cells[s.time]) != "" {
		_, _, wrong := times.ParseLocal(date)
		date += " " + strings.TrimSpace(cells[s.time])
		if _, _, err := times.ParseLocal(date); err != nil && wrong == nil {
			s.untimely[s.number] = true
		}
	}
	cells[s.date] = date
}

// split splits the cells of lists of objects, and returns the column of a list that has too
// many elements; empty: none has.
func (s *Sheet) split(cells []string) (wide string) {
	for i := range s.columns {
		c := &s.columns[i]
		cell := c.cell(cells, -1)
		c.elements = c.elements[:0]
		if (c.In != "" || c.Holds == jsonl.ListCell) && strings.Count(cell, "|") >= maxElements {
			return c.Path
		}
		if c.In != "" && cell != "" {
			for part := range strings.SplitSeq(cell, "|") {
				c.elements = append(c.elements, strings.TrimSpace(part))
			}
		}
	}
	return ""
}

// object writes columns of a row as a JSON object. Their paths have the first n bytes in
// common; element is the index in a list of objects, -1 outside of one.
func (s *Sheet) object(to []byte, of []column, n int, cells []string, element int) []byte {
	to = append(to, '{')
	first := len(to)
	for len(of) > 0 && len(to) <= s.limit { // else it is refused
		name, _, nested := strings.Cut(of[0].Path[n:], ".")
		path, width := of[0].Path[:n+len(name)], 1
		for nested && width < len(of) && InField(of[width].Path, path) {
			width++
		}
		parts := of[:width]
		of = of[width:]
		empty := !slices.ContainsFunc(parts, func(c column) bool { return c.cell(cells, element) != "" })
		if empty && element >= 0 {
			continue
		}
		if len(to) > first {
			to = append(to, ',')
		}
		to = append(append(append(to, '"'), name...), '"', ':')
		switch list := nested && element < 0 && parts[0].In == path; {
		case empty && (list || !nested):
			to = append(to, "null"...)
		case list:
			to = s.list(to, parts, len(path)+1, cells)
		case nested:
			to = s.object(to, parts, len(path)+1, cells, element)
		default:
			to = parts[0].append(to, parts[0].cell(cells, element))
		}
	}
	return append(to, '}')
}

// list writes a list of objects, of which each column has one field.
func (s *Sheet) list(to []byte, of []column, n int, cells []string) []byte {
	to = append(to, '[')
	elements := 0
	for _, c := range of {
		elements = max(elements, len(c.elements))
	}
	for i := 0; i < elements && len(to) <= s.limit; i++ { // else it is refused
		if i > 0 {
			to = append(to, ',')
		}
		to = s.object(to, of, n, cells, i)
	}
	return append(to, ']')
}

// cell is a column's cell, or the element of it in a list of objects.
func (c *column) cell(cells []string, element int) string {
	switch {
	case element < 0 && c.at < len(cells):
		return cells[c.at]
	case element >= 0 && element < len(c.elements):
		return c.elements[element]
	}
	return ""
}

// append writes a cell as what its field is.
func (c *column) append(to []byte, cell string) []byte {
	plain := strings.TrimSpace(cell)
	whole := strings.TrimSuffix(plain, ".0") // as programs write a column of decimals
	switch truth := truthOf(plain); {
	case c.Holds == jsonl.ListCell:
		to = append(to, '[')
		for i, part := range strings.Split(cell, "|") {
			if i > 0 {
				to = append(to, ',')
			}
			if part = strings.TrimSpace(part); strings.HasPrefix(part, "{") && jsontext.Value(part).IsValid() {
				to = append(to, part...) // {"headToHead": [...]}
				continue
			}
			to, _ = jsontext.AppendQuote(to, part) // faulty bytes are reported
		}
		return append(to, ']')
	case c.Holds == jsonl.NumberCell && isInteger(whole):
		return append(to, whole...)
	case c.Holds == jsonl.TruthCell && (truth == "true" || truth == "false"):
		return append(to, truth...)
	}
	to, _ = jsontext.AppendQuote(to, cell) // faulty bytes are reported
	return to
}

// isInteger reports whether a text is an integer of JSON, of at most 19 digits.
func isInteger(text string) bool {
	return len(text) <= 20 && strings.Trim(strings.TrimPrefix(text, "-"), "0123456789") == "" && jsontext.Value(text).IsValid()
}

// slack is what is read ahead of a row.
const slack = 1 << 16

var errTooLong = errors.New("the row is too long")

// budget bounds what is read for a row.
type budget struct {
	from io.Reader
	left int
}

// Read implements io.Reader.
func (b *budget) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLong
	}
	n, err := b.from.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

const notUTF8 = "is not valid UTF-8: save it as CSV UTF-8"

// foreign says by its beginning what a file is instead of CSV in UTF-8; empty: nothing.
func foreign(head string, inBook bool) string {
	switch {
	case head == "":
		return "is empty: its first row has the names of the fields"
	case strings.HasPrefix(head, "\xff\xfe"), strings.HasPrefix(head, "\xfe\xff"), strings.Contains(head[:min(4, len(head))], "\x00"):
		return "is UTF-16: save it as CSV UTF-8"
	case strings.HasPrefix(head, "PK\x03\x04"):
		return "is a workbook, or an archive, and no CSV: let its name end in .xlsx, or unpack it"
	case head[0] == '<':
		return "is HTML or XML, and no CSV: open it in a spreadsheet program and save it as .xlsx or CSV UTF-8"
	case head[0] == '{':
		return "is no CSV: let its name end in .ndjson, if it has a line of JSON for each record"
	case !inBook && strings.Contains(head, "\r") && !strings.Contains(head, "\n"):
		return "has line ends of another age (CR alone): save it as CSV UTF-8"
	}
	return ""
}

// misplaced is what is wrong with a row before its fields are looked at; nil: nothing.
func (s *Sheet) misplaced(cells []string) error {
	if slices.EqualFunc(cells, s.header, strings.EqualFold) {
		return &RowError{Message: "repeats the header: take the row out"}
	}
	for i, cell := range cells {
		switch {
		case !utf8.ValidString(cell) && i < len(s.header):
			return &RowError{Column: jsonl.Shown(s.header[i]), Message: notUTF8 + fmt.Sprintf(", not %.60q", cell)}
		case cell != "" && i >= len(s.header):
			return &RowError{Message: fmt.Sprintf("has more cells than the header, which has %d: the first of them is %s. Is the row a column to the right, or a separator in a cell that is not quoted?", len(s.header), quoted(cell))}
		}
	}
	return nil
}
