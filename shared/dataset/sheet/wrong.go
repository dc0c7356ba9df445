package sheet

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"touchline/shared/dataset/jsonl"
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
	var filled []int // columns
	texts := 0       // cells that are no number, beside the first
	for i, cell := range cells {
		switch {
		case !utf8.ValidString(cell) && i < s.width:
			return &RowError{Column: jsonl.Shown(s.repeated[i]), Message: notUTF8 + fmt.Sprintf(", not %.60q", cell)}
		case !utf8.ValidString(cell):
			return &RowError{Message: notUTF8}
		case i >= s.width && strings.TrimSpace(cell) != "":
			return &RowError{Message: fmt.Sprintf("has more cells than the header, which has %d: the first of them is %s. Is the row a column to the right, or a separator in a cell that is not quoted?", s.width, quoted(cell))}
		case strings.TrimSpace(cell) != "":
			if filled = append(filled, i); len(filled) > 1 && strings.Trim(cell, " -+.,%0123456789") != "" {
				texts++
			}
		}
	}
	if len(filled) == 0 || s.width < 2 {
		return nil
	}
	return s.noRecord(cells, filled, texts)
}

// noRecord is what is wrong with a row that holds something else than a record.
func (s *Sheet) noRecord(cells []string, filled []int, texts int) error {
	first, needs, has := cells[filled[0]], 0, false
	for i, column := range s.repeated {
		if c := named(s.known, canonical(s.known, column)); c != nil && c.Needed {
			needs++
			has = has || slices.Contains(filled, i)
		}
		if slices.ContainsFunc(Control, func(c string) bool { return strings.EqualFold(c, column) }) && slices.Contains(filled, i) {
			return nil
		}
	}
	switch {
	case s.width < fewest:
	case len(filled) > 1 && texts == 0 && slices.Contains(Totals, strings.ToLower(strings.Trim(first, " :="))):
		return &RowError{Message: "is a row of totals (" + quoted(first) + "), which is no record: take it out"}
	case len(filled) == 1 && (needs > 0 || !strings.EqualFold(s.repeated[filled[0]], "id")):
		return &RowError{Message: "has only " + quoted(first) + ": a heading or a remark is no record; take the row out, or fill it in"}
	case needs > 1 && !has && 2*len(filled) <= s.width:
		return &RowError{Message: fmt.Sprintf("has %s and %d of %d other cells, and none that every record has: totals, a heading or a remark are no record; take the row out, or fill it in", quoted(first), len(filled)-1, s.width-1)}
	}
	return nil
}

// fewest are the columns of a sheet in which no record has a single cell.
const fewest = 3

// Totals are what people call a row of sums, in lower case.
var Totals = []string{
	"total", "totals", "sum", "sums", "average", "count", "summe", "summen", "gesamt", "insgesamt", "gesamtsumme", "durchschnitt", "anzahl",
	"totaal", "totale", "totali", "totaux", "totales", "somme", "somma", "suma", "soma", "summa", "razem", "celkem", "spolu", "összesen", "ukupno", "skupaj",
	"toplam", "yhteensä", "i alt", "samtals", "итого", "всего", "разом", "σύνολο", "合計", "合计", "总计", "합계", "Σ", "σ", "ø",
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
