package spreadsheet

import (
	"cmp"
	"embed"
	"encoding/csv"
	"errors"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/dataset/jsonl"
)

// examples are the rows of the forms, and of a whole season, which has the columns that it
// needs. Dated says what is in the place of a year.
//
//go:embed forms season
var examples embed.FS

// rows are those of a sheet, by column; used says which columns it has.
type rows struct {
	used  func(column string) bool
	cells []map[string]string
}

// Template writes the sheets of kinds, as CSV or as a workbook, each with all columns but
// erase, patch and kickoffAt, and an example; all together are a dataset without faults.
func Template(create func(name string) (io.WriteCloser, error), asBook bool, kinds []files.Kind, now time.Time) error {
	return write(create, asBook, kinds, now, func(kind files.Kind) (*rows, error) {
		form, err := exampleOf("forms", kind)
		if form != nil {
			form.used = func(column string) bool { return column != "erase" && column != "patch" && column != "kickoffAt" }
		}
		return form, err
	})
}

// Season writes the example of a season.
func Season(create func(name string) (io.WriteCloser, error), asBook bool, now time.Time) error {
	return write(create, asBook, Kinds(), now, func(kind files.Kind) (*rows, error) { return exampleOf("season", kind) })
}

// exampleOf reads a sheet of a folder of examples; nil: it has none of the kind.
func exampleOf(folder string, kind files.Kind) (*rows, error) {
	f, err := examples.Open(folder + "/" + kind.String() + ".csv")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // there are no rows
	}
	if err != nil {
		return nil, err
	}
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	of := &rows{used: func(column string) bool { return slices.Contains(all[0], column) }}
	for _, row := range all[1:] {
		cells := map[string]string{}
		for i, column := range all[0] {
			cells[column] = row[i]
		}
		of.cells = append(of.cells, cells)
	}
	return of, nil
}

func write(create func(name string) (io.WriteCloser, error), asBook bool, kinds []files.Kind, now time.Time, of func(files.Kind) (*rows, error)) error {
	if !asBook {
		return sheets(CSV{create}, kinds, now, of)
	}
	book, err := NewBook()
	if err != nil {
		return err
	}
	return cmp.Or(sheets(book, kinds, now, of), book.save(create))
}

func sheets(to Sink, kinds []files.Kind, now time.Time, of func(files.Kind) (*rows, error)) error {
	for _, kind := range kinds {
		sheet, err := of(kind)
		if err != nil {
			return err
		}
		if sheet == nil {
			continue
		}
		var columns []jsonl.Column
		for _, c := range dataset.Columns(kind) {
			if sheet.used(c.Path) {
				columns = append(columns, c)
			}
		}
		row, done, err := to.Sheet(kind, columns)
		if err != nil {
			return err
		}
		cells := make([]string, len(columns))
		for _, example := range sheet.cells {
			for i, c := range columns {
				cells[i] = Dated(example[c.Path], now)
			}
			if err := row(cells); err != nil {
				return err
			}
		}
		if err := done(); err != nil {
			return err
		}
	}
	return nil
}

// distance matches a day of an example, relative to today.
var distance = regexp.MustCompile(`DAY([-+][0-9]+)`)

// Dated makes an example's season, the next one and its days relative to today.
func Dated(text string, now time.Time) string {
	text = strings.NewReplacer("SEASON", strconv.Itoa(now.Year()), "NEXT", strconv.Itoa(now.Year()+1)).Replace(text)
	return distance.ReplaceAllStringFunc(text, func(found string) string {
		days, _ := strconv.Atoi(found[len("DAY"):]) // digits
		return now.AddDate(0, 0, days).Format(time.DateOnly)
	})
}

// Kinds are all kinds of records.
func Kinds() []files.Kind {
	all := make([]files.Kind, files.Kinds)
	for i := range all {
		all[i] = files.Kind(i)
	}
	return all
}
