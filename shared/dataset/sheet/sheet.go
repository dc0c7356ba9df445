// Package sheet reads a CSV file of a dataset. It turns each row into the line of
// NDJSON that says the same, so that the rules of a line hold for it (dataset.md, CSV).
//
// A column is named like a field, a nested one with dots (score.home). An empty
// cell is a field that is null. A cell of a list is separated by "|"; of a
// list of objects each column gives one field of all of them (groups.id,
// groups.name, groups.order). Whether a cell is a number, true or false, or text
// follows from the table of the kind's fields (jsonl.Column); a cell that is not what it
// must be becomes text, and is a fault when the line is read.
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
)

// The bounds of a header and of a row, far above what any kind has, so that no
// file takes more than a multiple of its size.
const (
	maxColumns  = 200
	maxName     = 100    // bytes
	maxSteps    = 4      // of a name, with dots between
	maxElements = 10_000 // of a list in a cell, as of the largest lists (D47)
)

// Sheet is a CSV file under way.
type Sheet struct {
	rows       *csv.Reader
	budget     *budget
	limit      int
	known      []jsonl.Column // those of the kind
	root       []*column
	header     []string
	unnamed    []int // columns without a name
	date, time int   // columns of a kick-off in two cells; -1: there isn't one
	width      int   // columns of the header
	number     int
	above      int      // lines above the header
	repeated   []string // the header
	inBook     bool     // rows are counted, not lines
	line       []byte
}

// column is a column, or what several have in common.
type column struct {
	name     string
	at       int // -1: it is not a column itself
	path     string
	holds    jsonl.Cell
	objects  bool // it has the columns of a list of objects
	parts    []*column
	elements []string // of the cell in a list of objects, of the row last read
}

// RowError is what is wrong with a row; the next can still be read.
type RowError struct {
	Column  string // empty: the row
	Message string
}

// Error gives the message.
func (e *RowError) Error() string { return e.Message }

// New reads the header of a file of the kind with these columns, or of a sheet of a workbook (inBook), which
// is CSV with a record for each row. A row may have limit bytes. The error is
// a *HeaderError where the names in it are wrong, a *files.UnreadableError where it
// cannot be read.
func New(from io.Reader, known []jsonl.Column, inBook bool, limit int) (*Sheet, error) {
	b := &budget{from: from}
	b.left = limit + slack
	buffered := bufio.NewReaderSize(b, slack)
	head, err := buffered.Peek(slack / 2)
	if err != nil && !errors.Is(err, io.EOF) && len(head) == 0 {
		return nil, err
	}
	if message := foreign(string(head), inBook); message != "" {
		return nil, files.Unreadable(message)
	}
	s := &Sheet{rows: csv.NewReader(buffered), budget: b, limit: limit, known: known, inBook: inBook, number: 1}
	s.rows.FieldsPerRecord = -1
	s.rows.ReuseRecord = true
	if !inBook {
		s.rows.Comma = s.separator(buffered, head)
	}
	header, err := s.rows.Read()
	if err != nil {
		return nil, s.failed(err)
	}
	s.width = len(header)
	s.repeated = slices.Clone(header)
	for i, name := range header {
		header[i] = canonical(known, name)
	}
	if err := s.columns(header); err != nil {
		return nil, err
	}
	s.date, s.time = -1, -1
	if twoCells(known) {
		s.joinKickoff()
	}
	return s, check(known, s.header)
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

// columns makes the tree of the fields.
func (s *Sheet) columns(header []string) error {
	if len(header) > maxColumns {
		return files.Unreadable(fmt.Sprintf("has more than %d columns", maxColumns))
	}
	for i, name := range header {
		name = strings.Clone(strings.TrimSpace(name))
		if name == "" {
			s.unnamed = append(s.unnamed, i)
			continue
		}
		if !utf8.ValidString(name) {
			return files.Unreadable(notUTF8)
		}
		if len(name) > maxName || strings.Count(name, ".") >= maxSteps {
			return files.Unreadable(fmt.Sprintf("has a column whose name is longer than %d bytes, or has more than %d steps: %.30q", maxName, maxSteps, name))
		}
		s.header = append(s.header, name)
		level := &s.root
		steps := strings.Split(name, ".")
		for depth, step := range steps {
			path := strings.Join(steps[:depth+1], ".")
			at := slices.IndexFunc(*level, func(c *column) bool { return c.name == step })
			if at < 0 {
				*level = append(*level, &column{name: step, at: -1, path: path,
					objects: slices.ContainsFunc(s.known, func(k jsonl.Column) bool { return k.In == path })})
				at = len(*level) - 1
			}
			c := (*level)[at]
			last := depth == len(steps)-1
			switch {
			case last && (c.at >= 0 || len(c.parts) > 0), !last && c.at >= 0:
				return files.Unreadable(fmt.Sprintf("has two columns for %s", path))
			case last:
				if c.at = i; named(s.known, name) != nil {
					c.holds = named(s.known, name).Holds
				}
			}
			level = &c.parts
		}
	}
	if len(s.root) == 0 {
		return files.Unreadable("has no names of fields in its first row")
	}
	return nil
}

const notUTF8 = "is not valid UTF-8: save it as CSV UTF-8"

// Number is the line of the row last read, from 1; the header is on the first.
func (s *Sheet) Number() int { return s.number }

// Has reports whether there is a column for a field, or for a part of it.
func (s *Sheet) Has(field string) bool {
	return slices.ContainsFunc(s.root, func(c *column) bool { return c.name == field })
}

// Next gives the next row as a line, valid until the next call: {} for one of empty
// cells. The error is
// io.EOF at the end, a *RowError, or a *files.UnreadableError where the rest
// cannot be read.
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
	for i, cell := range cells {
		if strings.TrimSpace(cell) == "" { // as some people empty a cell
			cells[i] = ""
		} else if !s.inBook {
			cells[i] = unguarded(cell)
		}
	}
	if wrong := s.misplaced(cells); wrong != nil {
		return s.identified(cells), wrong
	}
	for _, i := range s.unnamed {
		if i < len(cells) && strings.TrimSpace(cells[i]) != "" {
			return nil, &HeaderError{[]RowError{{Column: "column " + letters(i), Message: fmt.Sprintf("has no name in the first row, but %s on line %d: name it, or empty it", quoted(cells[i]), s.number)}}}
		}
	}
	cells = s.joined(cells)
	for _, c := range s.root {
		if wide := c.split(cells, false); wide != "" {
			return nil, &RowError{Column: wide, Message: fmt.Sprintf("has more than %d elements", maxElements)}
		}
	}
	if !slices.ContainsFunc(s.root, func(c *column) bool { return !c.empty(cells, -1) }) {
		return append(s.line[:0], "{}"...), nil
	}
	if s.line = s.object(s.line[:0], s.root, cells, -1); len(s.line) > s.limit {
		return nil, &RowError{Message: fmt.Sprintf("says more than a line of %d KiB", s.limit>>10)}
	}
	return s.line, nil
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

// object writes the columns of a row as a JSON object; element is the index in a
// list of objects, -1 outside of one.
func (s *Sheet) object(to []byte, of []*column, cells []string, element int) []byte {
	to = append(to, '{')
	first := len(to)
	for _, c := range of {
		if len(to) > s.limit {
			break // it is refused
		}
		empty := c.empty(cells, element)
		if empty && element >= 0 {
			continue
		}
		if len(to) > first {
			to = append(to, ',')
		}
		to, _ = jsontext.AppendQuote(to, c.name) // it is UTF-8
		to = append(to, ':')
		switch list := c.at < 0 && element < 0 && c.objects; {
		case empty && (list || c.at >= 0):
			to = append(to, "null"...)
		case list:
			to = s.list(to, c, cells)
		case c.at < 0:
			to = s.object(to, c.parts, cells, element)
		case c.holds == jsonl.ListCell:
			to = append(to, '[')
			for i, part := range strings.Split(c.cell(cells, element), "|") {
				if i > 0 {
					to = append(to, ',')
				}
				if part = strings.TrimSpace(part); strings.HasPrefix(part, "{") && jsontext.Value(part).IsValid() {
					to = append(to, part...) // {"headToHead": [...]}
					continue
				}
				to, _ = jsontext.AppendQuote(to, part)
			}
			to = append(to, ']')
		default:
			to = c.value(to, c.cell(cells, element))
		}
	}
	return append(to, '}')
}

// list writes a list of objects, whose columns have one field of all each.
func (s *Sheet) list(to []byte, c *column, cells []string) []byte {
	n := 0
	for _, part := range c.parts {
		if !part.empty(cells, -1) {
			n = max(n, part.longest())
		}
	}
	to = append(to, '[')
	for i := range n {
		if len(to) > s.limit {
			break // it is refused
		}
		if i > 0 {
			to = append(to, ',')
		}
		to = s.object(to, c.parts, cells, i)
	}
	return append(to, ']')
}

// split splits the cells of lists of objects, and returns the path of a list that
// has too many elements.
func (c *column) split(cells []string, inList bool) (wide string) {
	cell := ""
	if c.at >= 0 {
		cell = c.cell(cells, -1)
	}
	list := inList || c.holds == jsonl.ListCell
	if list && strings.Count(cell, "|") >= maxElements {
		return c.path
	}
	c.elements = c.elements[:0]
	if inList && c.at >= 0 {
		for part := range strings.SplitSeq(cell, "|") {
			c.elements = append(c.elements, strings.TrimSpace(part))
		}
	}
	for _, part := range c.parts {
		if wide := part.split(cells, inList || c.objects); wide != "" {
			return wide
		}
	}
	return ""
}

func (c *column) longest() int {
	if c.at >= 0 {
		return len(c.elements)
	}
	n := 0
	for _, part := range c.parts {
		n = max(n, part.longest())
	}
	return n
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

// empty reports whether a row has nothing in a column, or in all of its parts.
func (c *column) empty(cells []string, element int) bool {
	if c.at >= 0 {
		return c.cell(cells, element) == ""
	}
	return !slices.ContainsFunc(c.parts, func(p *column) bool { return !p.empty(cells, element) })
}

// isInteger reports whether a text is an integer of JSON, of at most 19 digits.
func isInteger(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	if len(digits) > 19 || digits == "" || len(digits) > 1 && digits[0] == '0' {
		return false
	}
	return !strings.ContainsFunc(digits, func(c rune) bool { return c < '0' || c > '9' })
}

// value writes a cell as what its field is.
func (c *column) value(to []byte, cell string) []byte {
	plain := strings.TrimSpace(cell)
	whole := strings.TrimSuffix(plain, ".0") // as programs write a column of decimals
	switch truth := truthOf(plain); {
	case c.holds == jsonl.NumberCell && isInteger(whole):
		return append(to, whole...)
	case c.holds == jsonl.TruthCell && (truth == "true" || truth == "false"):
		return append(to, truth...)
	}
	to, _ = jsontext.AppendQuote(to, cell)
	return to
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
