package sheet

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

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
	if slices.EqualFunc(cells, s.repeated, strings.EqualFold) {
		return &RowError{Message: "repeats the header: take the row out"}
	}
	filled, only, column := 0, "", ""
	for i, cell := range cells {
		switch {
		case !utf8.ValidString(cell) && i < s.width:
			return &RowError{Column: shown(s.repeated[i]), Message: notUTF8 + fmt.Sprintf(", not %.60q", cell)}
		case !utf8.ValidString(cell):
			return &RowError{Message: notUTF8}
		case i >= s.width && strings.TrimSpace(cell) != "":
			return &RowError{Message: fmt.Sprintf("has more cells than the header, which has %d: the first of them is %s. Is the row a column to the right, or a separator in a cell that is not quoted?", s.width, quoted(cell))}
		case strings.TrimSpace(cell) != "":
			filled++
			only, column = cell, s.repeated[i]
		}
	}
	if filled != 1 || s.width < 2 {
		return nil
	}
	for _, other := range ",;\t" {
		switch {
		case strings.Count(only, string(other)) != s.width-1:
		case other == s.rows.Comma:
			return &RowError{Message: "is a single cell: quotation marks are for a cell, not for a row"}
		default:
			return &RowError{Message: fmt.Sprintf("is separated by %q, and the header by %q", other, s.rows.Comma)}
		}
	}
	if s.width < fewest || strings.EqualFold(column, "id") && !slices.ContainsFunc(s.repeated, needed) {
		return nil
	}
	return &RowError{Message: "has only " + quoted(only) + ": a heading or a remark is no record; take the row out, or fill it in"}
}

// fewest are the columns of a sheet in which no record has a single cell.
const fewest = 3

// needed reports whether every record of a kind that has the column needs a value there.
// In a sheet without such a column a row with nothing but an id is a record that takes
// defaults (D62).
func needed(column string) bool {
	return strings.EqualFold(column, "name") || strings.EqualFold(column, "homeTeamId")
}

// identified is a line with the id of a row alone, if it has one: what refers to the
// record of a faulty row is not at fault.
func (s *Sheet) identified(cells []string) []byte {
	for _, c := range s.root {
		if id := c.cell(cells, -1); c.name == "id" && c.at >= 0 && utf8.ValidString(id) {
			return s.object(s.line[:0], []*column{c}, cells, -1)
		}
	}
	return nil
}
