package workbook

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"touchline/shared/dataset/files"
)

// The bounds of a sheet, which are those of spreadsheet programs.
const (
	maxRows    = 1 << 20
	maxColumns = 1 << 14
)

// rows reads the rows of a sheet, an empty one where the sheet leaves rows out.
type rows struct {
	book   *book
	xml    *xmlReader
	number int // of the row given last, from 1
	ahead  int // number of the row in cells, if it was not given yet
	cells  []string
	ended  bool

	hidden, firstHidden int // rows that have a cell, and the number of the first
	hiddenColumns       bool
}

func (b *book) rows(s sheet) (*rows, error) {
	from, err := b.part(s.part)
	return &rows{book: b, xml: from}, err
}

// next gives the cells of the next row, valid until the next call; some is false for a
// row without any. The error is io.EOF at the end.
func (r *rows) next() (cells []string, some bool, err error) {
	if r.ahead <= r.number {
		if r.ended {
			return nil, false, io.EOF
		}
		if err := r.read(); err != nil {
			r.ended = true
			return nil, false, err
		}
	}
	r.number++
	if r.number < r.ahead {
		return nil, false, nil
	}
	return r.cells, true, nil
}

// read reads up to the next row that has a cell.
func (r *rows) read() error {
	number := r.ahead
	for {
		x, err := r.xml.next()
		switch {
		case err != nil:
			return err
		case x.end == "sheetData":
			return io.EOF
		case x.start == "col" && truth(x.attribute("hidden")):
			r.hiddenColumns = true
			continue
		case x.start != "row":
			continue
		}
		at := number + 1
		if given := x.attribute("r"); given != "" {
			if at, err = strconv.Atoi(given); err != nil || at <= number || at > maxRows {
				return files.Unreadable(damaged)
			}
		}
		number = at
		hidden := x.attribute("hidden") // x is valid until the row is read
		if err := r.row(); err != nil {
			return err
		}
		if len(r.cells) > 0 {
			if r.ahead = number; truth(hidden) {
				if r.hidden++; r.hidden == 1 {
					r.firstHidden = number
				}
			}
			return nil
		}
	}
}

// truth reads a truth of XML.
func truth(text string) bool { return text == "1" || text == "true" }

// merged names the first cells that are merged; empty: none are. It reads the rest of a
// sheet whose rows have ended.
func (r *rows) merged() string {
	for {
		x, err := r.xml.next()
		if err != nil {
			return ""
		}
		if x.start == "mergeCell" {
			return x.attribute("ref")
		}
	}
}

// row reads the cells of a row that has begun.
func (r *rows) row() error {
	r.cells = r.cells[:0]
	column := -1
	for {
		x, err := r.xml.next()
		switch {
		case errors.Is(err, io.EOF):
			return files.Unreadable(damaged)
		case err != nil:
			return err
		case x.end == "row":
			return nil
		case x.start != "c":
			continue
		}
		column++
		if at := x.attribute("r"); at != "" {
			column = columnOf(at)
		}
		if column < 0 || column >= maxColumns {
			return files.Unreadable(damaged)
		}
		text, err := r.cell(x.attribute("t"), x.attribute("s"))
		if err != nil {
			return err
		}
		if text == "" {
			continue
		}
		for len(r.cells) <= column {
			r.cells = append(r.cells, "")
		}
		r.cells[column] = text
	}
}

// columnOf is the index of a cell's column, such as 27 of AB7; -1 if it has none.
func columnOf(at string) int {
	n := 0
	for _, c := range at {
		if c < 'A' || c > 'Z' || n > maxColumns {
			break
		}
		n = n*26 + int(c-'A') + 1
	}
	return n - 1
}

// cell reads a cell that has begun. A formula whose result was not saved is shown as
// itself, which is a fault in any field.
func (r *rows) cell(kind, style string) (string, error) {
	var value, inline, formula []byte
	computed := false
	for depth := 1; depth > 0; {
		x, err := r.xml.next()
		switch {
		case errors.Is(err, io.EOF):
			return "", files.Unreadable(damaged)
		case err != nil:
			return "", err
		case x.start != "":
			depth++
			computed = computed || x.start == "f"
		case x.end != "":
			depth--
		case len(r.xml.in) > 0:
			switch last := r.xml.in[len(r.xml.in)-1]; {
			case last == "v":
				value = append(value, x.text...)
			case last == "f":
				formula = append(formula, x.text...)
			case last == "t" && !slices.Contains(r.xml.in, "rPh"):
				inline = append(inline, x.text...)
			}
		}
	}
	if computed && len(value) == 0 && kind != "str" {
		return "=" + string(formula), nil
	}
	return r.book.shown(kind, style, string(value), string(inline))
}

// shown is the text of a cell.
func (b *book) shown(kind, style, value, inline string) (string, error) {
	switch kind {
	case "inlineStr":
		return inline, nil
	case "str", "e", "d":
		return value, nil
	case "b":
		return map[bool]string{true: "true", false: "false"}[value == "1" || value == "true"], nil
	case "s":
		i, err := strconv.Atoi(value)
		if value == "" {
			return "", nil
		}
		if err != nil || i < 0 || i >= len(b.texts) {
			return "", files.Unreadable(damaged)
		}
		return b.texts[i], nil
	}
	if value == "" {
		return "", nil
	}
	f := format{}
	if i, err := strconv.Atoi(style); err == nil && i >= 0 && i < len(b.formats) {
		f = b.formats[i]
	}
	return f.text(value, b.from1904), nil
}

// csv appends a row as a record of CSV.
func (r *rows) csv(to []byte, cells []string) ([]byte, error) {
	if len(cells) == 0 {
		cells = []string{""}
	}
	for i, cell := range cells {
		if len(to)+len(cell) > 2*files.MaxLine {
			return nil, files.Unreadable(fmt.Sprintf("has a row %d that is longer than %d KiB", r.number, files.MaxLine>>10))
		}
		if i > 0 {
			to = append(to, ',')
		}
		to = append(to, '"')
		for _, c := range []byte(cell) {
			if c == '"' {
				to = append(to, '"')
			}
			to = append(to, c)
		}
		to = append(to, '"')
	}
	to = append(to, '\n')
	return to, r.book.take(len(to))
}
