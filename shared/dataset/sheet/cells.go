package sheet

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"touchline/shared/dataset/files"
	"touchline/shared/dataset/jsonl"
)

// control are the columns of what is done with a record, which no export has.
var control = []string{"deleted", "erase", "patch"}

// Rows gives records as rows of a sheet: what New reads.
type Rows struct {
	columns []jsonl.Column
	sheet   Sheet
}

// NewRows gives records as rows with columns but control, those that are looked up, and
// rules.like: a table does not keep that name.
func NewRows(columns []jsonl.Column) *Rows {
	r := &Rows{sheet: Sheet{limit: files.MaxLine}}
	for _, c := range columns {
		if c.Path != "rules.like" && !c.LookedUp && !slices.Contains(control, c.Path) {
			r.sheet.columns = append(r.sheet.columns, column{Column: c, at: len(r.columns)})
			r.columns = append(r.columns, c)
		}
	}
	return r
}

// Columns are the columns.
func (r *Rows) Columns() []jsonl.Column { return r.columns }

// Cells is the row of a record: a cell for each column, empty for a field that the
// record does not have. Lost are fields that a row cannot hold, or would change; their
// cells are empty. A cell may have limit bytes.
func (r *Rows) Cells(record jsonl.Object, limit int) (cells, lost []string) {
	cells = make([]string, len(r.columns))
	for _, f := range record {
		r.fill(cells, f.Name, f.Value)
	}
	r.sheet.split(cells)
	read, _ := jsonl.Split(r.sheet.object(nil, r.sheet.columns, 0, cells, -1)) // it was written so
	read = read.Given()
	for _, f := range record {
		keeps := same(f.Value, read.Of(f.Name))
		for i, c := range r.columns {
			keeps = keeps && (len(cells[i]) <= limit || !InField(c.Path, f.Name))
		}
		if keeps {
			continue
		}
		lost = append(lost, f.Name)
		for i, c := range r.columns {
			if InField(c.Path, f.Name) {
				cells[i] = ""
			}
		}
	}
	return cells, lost
}

// Guarded is a cell of CSV that no spreadsheet program takes for a formula: it puts an
// apostrophe before text that begins like one. Reading takes the apostrophe off. Numbers
// stay as they are.
func Guarded(column *jsonl.Column, cell string) string {
	if column.IsNumber() || !formula(cell) {
		return cell
	}
	return "'" + cell
}

// unguarded is a cell before Guarded.
func unguarded(cell string) string {
	if bare, ok := strings.CutPrefix(cell, "'"); ok && formula(bare) {
		return bare
	}
	return cell
}

// formula reports whether a text begins like a formula, behind apostrophes of Guarded.
func formula(cell string) bool {
	bare := strings.TrimLeft(cell, "'")
	return bare != "" && strings.IndexByte("=+-@\t\r\n", bare[0]) >= 0
}

// InField reports whether a column holds a field, or a part of it.
func InField(column, field string) bool {
	return column == field || strings.HasPrefix(column, field+".")
}

// fill puts a value into the cells that hold it, as far as there are any.
func (r *Rows) fill(cells []string, path string, value jsontext.Value) {
	if i := slices.IndexFunc(r.columns, func(c jsonl.Column) bool { return c.Path == path }); i >= 0 {
		cells[i] = cellOf(value)
		return
	}
	switch value.Kind() {
	case '{':
		inside, _ := jsonl.Split(value) // a part of what was read
		for _, f := range inside {
			r.fill(cells, path+"."+f.Name, f.Value)
		}
	case '[':
		elements, _ := jsonl.Items(value)
		for i, c := range r.columns {
			part, ok := strings.CutPrefix(c.Path, path+".")
			if !ok {
				continue
			}
			parts := make([]string, len(elements))
			for j, element := range elements {
				inside, _ := jsonl.Split(element)
				parts[j] = cellOf(inside.Of(part))
			}
			if cells[i] = strings.Join(parts, "|"); strings.Trim(cells[i], "|") == "" {
				cells[i] = ""
			}
		}
	}
}

// cellOf is a value as a cell: of a list its elements.
func cellOf(value jsontext.Value) string {
	switch value.Kind() {
	case 0, 'n':
		return ""
	case '"':
		return jsonl.TextOf(value)
	case '[':
		var parts []string
		elements, _ := jsonl.Items(value)
		for _, element := range elements {
			parts = append(parts, cellOf(element))
		}
		return strings.Join(parts, "|")
	}
	return string(value)
}

// same reports whether two values say the same.
func same(a, b jsontext.Value) bool {
	a, b = a.Clone(), b.Clone()
	if a.Canonicalize() != nil || b.Canonicalize() != nil {
		return false
	}
	return bytes.Equal(a, b)
}
