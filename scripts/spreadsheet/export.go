// Package spreadsheet writes and reads the datasets of people who work with spreadsheets.
// It writes them as CSV, or as a workbook with a sheet for each kind. Package dataset reads
// CSV, and workbooks by [Workbooks], whose library the functions do not carry (D73).
//
// An [Export] takes what shared/loader/export writes, and turns each record into a row.
// A file has the columns of its kind; nested ones, but for the score, and sets only where a
// record uses them. Times are those of the competition's time zone (kickoffLocal) where
// that says the same instant. What a row cannot hold has no column and is counted
// ([Left]): since a load leaves what has no column as it is (D62), an export that is
// loaded again changes nothing.
//
// A [Template] has a column for each field, the values of those that have a set of them
// as a list to choose from, and an example.
package spreadsheet

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"

	"touchline/shared/dataset/files"
	"touchline/shared/dataset/format"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/sheet"
	"touchline/shared/dataset/times"
	"touchline/shared/loader/export"
	"touchline/shared/loader/journal"
	"touchline/shared/loader/projection"
)

// Sink is where rows go, the first of which is the header.
type Sink interface {
	// Sheet begins the sheet of a kind. Rows are given until done is called.
	Sheet(of files.Kind, columns []jsonl.Column) (row func(cells []string) error, done func() error, err error)
	// Limit bounds a cell, in bytes.
	Limit() int
}

// Left says what an export could not write: a field of so many records of a kind.
type Left struct {
	Kind    string `json:"kind"`
	Field   string `json:"field"`
	Records int    `json:"records"`
}

// Export turns the files of an export into sheets.
type Export struct {
	To Sink
	// Left is complete when the last file is closed.
	Left []Left

	zones times.Zones
	zone  map[string]string // of a season
	next  *next             // nil: what is there is written, and not what comes after
}

// Write writes what an exporter finds as CSV, a file for each kind whose cells a sign
// separates, or as a workbook: one file, whose name Create is given.
// With next it is the season after the one that the exporter has of a competition.
func Write(ctx context.Context, from *export.Exporter, asBook, asNext bool, separator rune) (*export.Report, []Left, error) {
	create, e := from.Create, &Export{zone: map[string]string{}}
	if asNext {
		years, err := projection.SeasonsOf(ctx, from.Table, from.Competition) // the newest first
		if err != nil {
			return nil, nil, err
		}
		e.next = &next{competition: from.Competition, season: cmp.Or(append([]int{from.Season}, years...)...), entries: map[string]string{}}
	}
	if !asBook {
		e.To = CSV{create, separator}
	}
	var book *Book
	if asBook {
		var err error
		if book, err = NewBook(); err != nil {
			return nil, nil, err
		}
		_, last, err := journal.Read(ctx, from.Table) // history.Since says what came later
		if err = cmp.Or(err, book.file.SetCustomProps(excelize.CustomProperty{Name: exportedFrom, Value: last.Version()})); err != nil {
			return nil, nil, err
		}
		e.To = book
	}
	sheets := *from
	sheets.Create = e.Create
	report, err := sheets.Write(ctx)
	if e.next != nil {
		report = e.next.report()
	}
	if err != nil || book == nil || report.Total() == 0 {
		return report, e.Left, err
	}
	return report, e.Left, book.save(create)
}

// Create makes a file of the dataset, for export.Exporter: what is written is NDJSON.
func (e *Export) Create(name string) (io.WriteCloser, error) {
	kept, err := os.CreateTemp("", "touchline-sheet-")
	if err != nil {
		return nil, err
	}
	return &lines{Writer: bufio.NewWriter(kept), export: e, of: files.Of(name), kept: kept}, nil
}

// lines is a file whose lines are kept until all its columns are known.
type lines struct {
	*bufio.Writer
	export *Export
	of     files.Kind
	kept   *os.File
}

// Close writes the sheet.
func (l *lines) Close() error {
	err := cmp.Or(l.Flush(), l.export.sheet(l.of, l.kept))
	return errors.Join(err, l.kept.Close(), os.Remove(l.kept.Name()))
}

// sheet reads the lines twice: which columns there are, then the rows. Events and line-ups
// of matches are lines of files of their own, which become sheets behind it.
func (e *Export) sheet(of files.Kind, from io.ReadSeeker) (err error) {
	if e.next != nil && !slices.Contains([]files.Kind{files.Competitions, files.Teams, files.Players}, of) {
		return nil
	}
	parts := &partFiles{export: e}
	defer func() { err = cmp.Or(err, parts.close()) }()
	rows := sheet.NewRows(format.Columns(of))
	used, lost := make([]bool, len(rows.Columns())), map[string]int{}
	err = e.each(of, from, func(record jsonl.Object) error {
		record, err := parts.take(of, record)
		if err != nil {
			return err
		}
		cells, gone := rows.Cells(record, e.To.Limit())
		for i, cell := range cells {
			used[i] = used[i] || cell != ""
		}
		for _, field := range gone {
			lost[field]++
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, field := range slices.Sorted(maps.Keys(lost)) {
		e.Left = append(e.Left, Left{of.String(), field, lost[field]})
	}
	var columns []jsonl.Column
	var at []int
	for i, c := range rows.Columns() {
		head, _, nested := strings.Cut(c.Path, ".")
		switch {
		case slices.ContainsFunc(slices.Collect(maps.Keys(lost)), func(field string) bool { return sheet.InField(c.Path, field) }):
		case !used[i] && (nested && head != "score" || slices.Contains([]string{"kickoffAt", "timezone", "kickoffTimeOpen", "sets"}, c.Path)):
		default:
			columns, at = append(columns, c), append(at, i)
		}
	}
	row, done, err := e.To.Sheet(of, columns)
	if err != nil {
		return err
	}
	picked := make([]string, len(at))
	return cmp.Or(e.each(of, from, func(record jsonl.Object) error {
		cells, _ := rows.Cells(record, e.To.Limit())
		for i, column := range at {
			picked[i] = cells[column]
		}
		return row(picked)
	}), done())
}

// each calls do for each line.
func (e *Export) each(of files.Kind, from io.ReadSeeker, do func(jsonl.Object) error) error {
	if _, err := from.Seek(0, io.SeekStart); err != nil {
		return err
	}
	for in := bufio.NewReader(from); ; {
		text, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(text)) > 0 {
			record, ok := jsonl.Split(text)
			if !ok {
				return errors.New("the export has a line that is no record")
			}
			record, ok = e.local(of, record), true
			if e.next != nil {
				record, ok = e.next.record(of, record)
			}
			if ok {
				if err := do(record); err != nil {
					return err
				}
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// local gives the times of a record in the zone of its competition, and notes that zone.
func (e *Export) local(of files.Kind, record jsonl.Object) jsonl.Object {
	season := func(id string) string { return jsonl.TextOf(record.Of(id)) + " " + string(record.Of("season")) }
	if of != files.Competitions && of != files.Matches {
		return record
	}
	zone := cmp.Or(jsonl.TextOf(record.Of("timezone")), "UTC")
	if of == files.Competitions {
		e.zone[season("id")] = zone
		if record = slices.Clone(record); record.Of("timezone") == nil { // of local times without one a load warns
			record = append(record, jsonl.Member{Name: "timezone", Value: jsonl.Quoted(zone)})
		}
	} else {
		zone = cmp.Or(e.zone[season("competitionId")], "UTC")
	}
	record = slices.Clone(record)
	for i, f := range record {
		switch f.Name {
		case "kickoffAt":
			if local, ok := e.kickoff(jsonl.TextOf(record.Of(f.Name)), zone); ok {
				record[i] = jsonl.Member{Name: "kickoffLocal", Value: jsonl.Quoted(local)}
				if jsonl.TextOf(record.Of("competitionId")) == "" {
					record = append(record, jsonl.Member{Name: "timezone", Value: jsonl.Quoted(zone)})
				}
			}
		case "endsAt":
			record[i].Value = jsonl.Quoted(e.end(jsonl.TextOf(record.Of(f.Name)), zone))
		}
	}
	return record
}

// kickoff is an instant as kickoffLocal; false where that would be another.
func (e *Export) kickoff(at, zone string) (string, bool) {
	t, err := time.Parse(time.RFC3339, at)
	loc, err2 := e.zones.Load(zone)
	if cmp.Or(err, err2) != nil {
		return "", false
	}
	local := clock(t.In(loc))
	again, _, err := e.zones.Kickoff(local, zone)
	return local, err == nil && again.Equal(t)
}

// end is the end of a competition in its zone, a date alone for the end of a day.
func (e *Export) end(at, zone string) string {
	t, err := time.Parse(time.RFC3339, at)
	loc, err2 := e.zones.Load(zone)
	if cmp.Or(err, err2) != nil {
		return at
	}
	for _, local := range []string{t.In(loc).Format(time.DateOnly), clock(t.In(loc))} {
		if again, err := times.ParseEnd(local, loc); err == nil && again.Equal(t) {
			return local
		}
	}
	return at
}

// clock is a time of day as people write it, and leaves out seconds of zero.
func clock(t time.Time) string {
	if t.Second() != 0 || t.Nanosecond() != 0 {
		return t.Format("2006-01-02 15:04:05.999")
	}
	return t.Format("2006-01-02 15:04")
}
