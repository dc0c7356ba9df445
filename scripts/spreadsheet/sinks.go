package spreadsheet

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"

	"touchline/shared/dataset/files"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/sheet"
	"touchline/shared/regulations"
)

// CSV writes a file for each kind, which Create makes. Each begins with a byte order
// mark, by which spreadsheet programs know UTF-8. No line "sep=;" stands in front: Excel
// would pass over the mark then.
type CSV struct {
	Create    func(name string) (io.WriteCloser, error)
	Separator rune
}

// Limit implements Sink.
func (CSV) Limit() int { return math.MaxInt }

// Sheet implements Sink.
func (c CSV) Sheet(of files.Kind, columns []jsonl.Column) (func([]string) error, func() error, error) {
	to, err := c.Create(of.String() + ".csv")
	if err != nil {
		return nil, nil, err
	}
	_, err = io.WriteString(to, "\ufeff")
	w := csv.NewWriter(to)
	w.Comma = c.Separator
	done := func() error {
		w.Flush()
		return errors.Join(w.Error(), to.Close())
	}
	row := func(cells []string) error {
		for i := range columns {
			cells[i] = sheet.Guarded(&columns[i], cells[i])
		}
		return w.Write(cells)
	}
	names := make([]string, len(columns))
	for i, column := range columns {
		names[i] = column.Path
	}
	return row, done, cmp.Or(err, w.Write(names))
}

// Book is a workbook with a sheet for each kind.
type Book struct {
	file                 *excelize.File
	head, day, time, txt int // styles of cells
	sheets               int
}

// NewBook begins a workbook.
func NewBook() (*Book, error) {
	b := &Book{file: excelize.NewFile()}
	var err error
	style := func(format string, bold bool) int {
		s := &excelize.Style{CustomNumFmt: &format}
		if bold {
			s.Font = &excelize.Font{Bold: true}
		}
		id, failed := b.file.NewStyle(s)
		err = cmp.Or(err, failed)
		return id
	}
	b.head, b.day, b.time, b.txt = style("@", true), style("yyyy-mm-dd", false), style("yyyy-mm-dd hh:mm", false), style("@", false)
	return b, err
}

// The bounds of a workbook: rows of a sheet, and UTF-16 units of a cell, which are at
// most as many as its bytes.
const (
	lastRow   = 1 << 20
	longCell  = 32_767
	spareRows = 5000 // rows that have lists to choose from, behind those that are filled
)

// Limit implements Sink.
func (*Book) Limit() int { return longCell }

// Sheet implements Sink.
func (b *Book) Sheet(of files.Kind, columns []jsonl.Column) (func([]string) error, func() error, error) {
	name := of.String()
	err := error(nil)
	if b.sheets++; b.sheets == 1 {
		err = b.file.SetSheetName(b.file.GetSheetName(0), name)
	} else {
		_, err = b.file.NewSheet(name)
	}
	if err != nil {
		return nil, nil, err
	}
	w, err := b.file.NewStreamWriter(name)
	if err != nil {
		return nil, nil, err
	}
	head := make([]any, len(columns))
	for i, column := range columns {
		head[i] = excelize.Cell{StyleID: b.head, Value: column.Path}
		width := float64(min(max(len(column.Path)+3, 12), 30))
		err = cmp.Or(err, w.SetColWidth(i+1, i+1, width))
		if style := b.styleOf(&column); style != 0 {
			err = cmp.Or(err, w.SetColStyle(i+1, i+1, style))
		}
	}
	err = cmp.Or(err, w.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}), w.SetRow("A1", head))
	number := 1
	row := func(cells []string) error {
		if number++; number > lastRow {
			return fmt.Errorf("there are more %s than a sheet has rows (%d): write CSV", name, lastRow)
		}
		values := make([]any, len(cells))
		for i, cell := range cells {
			values[i] = b.cell(&columns[i], cell)
		}
		at, err := excelize.CoordinatesToCellName(1, number)
		return cmp.Or(err, w.SetRow(at, values))
	}
	done := func() error {
		return cmp.Or(b.lists(of, columns, min(number+spareRows, lastRow)), w.Flush())
	}
	return row, done, err
}

// styleOf is the style of the cells of a column: text, so that nothing becomes a date
// or loses its zeros while somebody types.
func (b *Book) styleOf(column *jsonl.Column) int {
	switch {
	case column.Path == "kickoffLocal":
		return b.time
	case column.IsNumber():
		return 0
	}
	return b.txt
}

// cell is a value of a column, as the kind of cell that it is.
func (b *Book) cell(column *jsonl.Column, value string) any {
	switch {
	case value == "":
		return nil
	case column.IsNumber():
		if n, err := strconv.Atoi(value); err == nil {
			return n
		}
	case column.Path == "kickoffLocal" || column.Path == "endsAt":
		if t, err := time.Parse("2006-01-02 15:04", value); err == nil && t.Year() > 1900 {
			return excelize.Cell{StyleID: b.time, Value: t}
		}
		if t, err := time.Parse(time.DateOnly, value); err == nil && t.Year() > 1900 {
			return excelize.Cell{StyleID: b.day, Value: t}
		}
	}
	return excelize.Cell{StyleID: b.txt, Value: value}
}

// lists gives columns with a set of values a list to choose from.
func (b *Book) lists(of files.Kind, columns []jsonl.Column, last int) error {
	for i, column := range columns {
		values := column.Choices()
		if column.Path == "rules.like" {
			values = regulations.Names()
		}
		if values == nil {
			continue
		}
		letter, err := excelize.ColumnNumberToName(i + 1)
		v := excelize.NewDataValidation(true)
		v.SetSqref(fmt.Sprintf("%s2:%s%d", letter, letter, last))
		v.SetError(excelize.DataValidationErrorStyleStop, column.Path, "One of "+strings.Join(values[:min(len(values), 12)], ", "))
		if shows := map[string]string{"visibility": "public", "rules.hidePlayers": "false"}[column.Path]; shows != "" { // D74
			v.SetInput(column.Path, "Empty: as it is stored, else "+shows+". Only "+shows+" shows again who is hidden.")
		}
		if column.Path == "rules.like" {
			err = cmp.Or(err, b.long(v, "#"+column.Path, values))
		} else {
			err = cmp.Or(err, v.SetDropList(values))
		}
		if err := cmp.Or(err, b.file.AddDataValidation(of.String(), v)); err != nil {
			return err
		}
	}
	return nil
}

// long gives cells a list that is too long for its own text: it stands in a hidden sheet,
// which is left alone when the workbook is read.
func (b *Book) long(v *excelize.DataValidation, sheet string, values []string) error {
	_, err := b.file.NewSheet(sheet)
	err = cmp.Or(err, b.file.SetSheetCol(sheet, "A1", &values), b.file.SetSheetVisible(sheet, false))
	v.SetSqrefDropList(fmt.Sprintf("'%s'!$A$1:$A$%d", sheet, len(values)))
	return err
}

// save writes the workbook to a file.
func (b *Book) save(create func(name string) (io.WriteCloser, error)) error {
	to, err := create("dataset.xlsx")
	if err != nil {
		return err
	}
	_, err = b.file.WriteTo(to)
	return errors.Join(err, to.Close(), b.file.Close())
}
