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

	"touchline/shared/dataset/files"
	"touchline/shared/dataset/format"
	"touchline/shared/dataset/jsonl"
)

// examples are the rows of the forms, and of a whole season, which has the columns that it
// needs. Dated says what is in the place of a year.
//
//go:embed forms season
var examples embed.FS

// The folders of examples: a form has all columns but some, a season those that it names.
const (
	forms  = "forms"
	season = "season"
)

// Template writes the sheets of kinds, as CSV or as a workbook. In a form each has all columns
// but erase, patch, kickoffAt and kickoffTimeOpen, those of the example first; else it is the
// example of a season. All together are a dataset without faults.
func Template(create func(name string) (io.WriteCloser, error), asBook, form bool, kinds []files.Kind, now time.Time) error {
	folder := season
	if form {
		folder = forms
	}
	if !asBook {
		return sheets(CSV{create, ','}, folder, kinds, now)
	}
	book, err := NewBook()
	if err != nil {
		return err
	}
	return cmp.Or(sheets(book, folder, kinds, now), book.save(create))
}

// sheets writes the examples of a folder, which need not have one of each kind.
func sheets(to Sink, folder string, kinds []files.Kind, now time.Time) error {
	for _, kind := range kinds {
		f, err := examples.Open(folder + "/" + kind.String() + ".csv")
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		rows, err := csv.NewReader(f).ReadAll()
		if err != nil {
			return err
		}
		columns := columnsOf(kind, rows[0], folder == forms)
		row, done, err := to.Sheet(kind, columns)
		if err != nil {
			return err
		}
		for _, example := range rows[1:] {
			cells := make([]string, len(columns))
			for i, c := range columns {
				if at := slices.Index(rows[0], c.Path); at >= 0 {
					cells[i] = Dated(example[at], now)
				}
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

// columnsOf are the columns of an example in its order, and behind them in a form the others:
// those last that nobody types.
func columnsOf(kind files.Kind, example []string, all bool) []jsonl.Column {
	known := slices.Clone(format.Columns(kind))
	place := func(c jsonl.Column) int {
		head, _, _ := strings.Cut(c.Path, ".")
		switch at := slices.Index(example, c.Path); {
		case at >= 0:
			return at
		case slices.Contains([]string{"formerNumbers", "plan", "additionalParentIds"}, head):
			return len(example) + 1
		}
		return len(example)
	}
	known = slices.DeleteFunc(known, func(c jsonl.Column) bool {
		return place(c) >= len(example) && (!all || c.LookedUp) || slices.Contains([]string{"erase", "patch", "kickoffAt", "kickoffTimeOpen"}, c.Path)
	})
	slices.SortStableFunc(known, func(a, b jsonl.Column) int { return place(a) - place(b) })
	return known
}

// distance matches a day of an example, relative to today.
var distance = regexp.MustCompile(`DAY([-+][0-9]+)`)

// Dated makes an example's season and its days relative to today.
func Dated(text string, now time.Time) string {
	text = strings.ReplaceAll(text, "SEASON", strconv.Itoa(now.Year()))
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
