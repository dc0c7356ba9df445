package format

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/names"
	"touchline/shared/dataset/sheet"
	"touchline/shared/dataset/slips"
	"touchline/shared/sport"
)

// sheetRow is a row of a CSV file: a field that has no column is left out, and one whose
// cell is empty is null.
type sheetRow struct {
	fields  jsonl.Object
	at      dataset.Origin
	from    *sheet.Sheet
	wrong   []dataset.Fault // found before it is read
	unsure  bool            // it names what a file that was not read may have
	follows names.Fixture   // what it follows from, if it waits for an id
	made    string          // the key that was made for it
}

// fault notes what is wrong, for when the row is read.
func (x *sheetRow) fault(field, format string, args ...any) {
	x.wrong = append(x.wrong, dataset.Fault{Field: field, Message: fmt.Sprintf(format, args...)})
}

// How many rows, and how many bytes of them, are completed by one Lookup.
const (
	rowsAtOnce  = 500
	bytesAtOnce = 1 << 20
)

// sheet reads a CSV file. A row leaves the stored values of the fields that have no
// column as they are, and gives those of empty cells their defaults (D62).
func (r *reader) sheet(ctx context.Context, name string, of files.Kind, from io.Reader, progress func(string, int)) error {
	var rules []sheet.Rule
	if r.books != nil {
		rules = r.books.Rules(name, of)
	}
	above := 1
	if rules != nil {
		above = rules[0].From
	}
	misheaded := func(err error) bool {
		header, ok := errors.AsType[*sheet.HeaderError](err)
		for i := 0; ok && i < len(header.Wrong); i++ {
			r.unread(of, dataset.Fault{File: name, Line: above, Field: header.Wrong[i].Column, Message: header.Wrong[i].Message})
		}
		return ok
	}
	rows, err := sheet.New(from, Columns(of), rules, files.IsInBook(name), r.lineLimit)
	if misheaded(err) {
		return nil
	}
	r.headings[name] = append(r.headings[name], rows)
	var some []sheetRow
	size := 0
	for err == nil {
		var line []byte
		line, err = rows.Next()
		at := dataset.Origin{File: name, Line: rows.Number()}
		if misheaded(err) {
			return nil
		}
		if wrong, ok := errors.AsType[*sheet.RowError](err); ok {
			r.faults.Add(r.place(dataset.Fault{File: at.File, Line: at.Line, Field: wrong.Column, Message: wrong.Message}))
			r.salvage(of, line, at)
			err = nil
			continue
		}
		if err == nil && string(line) != "{}" { // a row of empty cells is an empty line
			row, _ := jsonl.Split(line) // it was written so
			some = append(some, sheetRow{fields: row, at: at, from: rows})
			size += len(line)
		}
		if len(some) == rowsAtOnce || size >= bytesAtOnce || err != nil {
			if progress != nil {
				progress(name, at.Line)
			}
			err = cmp.Or(r.rows(ctx, of, some, true), ctx.Err(), err)
			some, size = nil, 0
		}
		err = cmp.Or(err, ctx.Err())
	}
	if unreadable, ok := errors.AsType[*files.UnreadableError](err); ok {
		r.unread(of, dataset.Fault{File: name, Message: unreadable.Error()})
		return nil
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	if n := rows.Passed(); n > 0 {
		r.set.Warnings.Add(dataset.Fault{File: name, Message: fmt.Sprintf("passes over rows (%d) that have none of the fields that %s need", n, of), Note: true})
	}
	return nil
}

// rows reads rows, each over the stored record. Those that have to wait do, where they may.
func (r *reader) rows(ctx context.Context, of files.Kind, some []sheetRow, mayWait bool) error {
	if !of.HasRecords() {
		for _, x := range some {
			r.part(of, x.fields, x.at)
		}
		return nil
	}
	stored, err := r.storedRows(ctx, of, some)
	if err != nil {
		return err
	}
	for i := range some {
		x := &some[i]
		var base jsonl.Object
		if stored[i] != nil {
			base, _ = jsonl.Split(stored[i])
		}
		waits := false
		if mayWait {
			waits, err = r.waits(ctx, of, x, base)
		} else {
			err = r.lookUp(ctx, of, x, base)
		}
		if err == nil && !waits {
			err = r.row(ctx, of, x, base)
		}
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}

// row reads a row over the stored record, nil for none.
func (r *reader) row(ctx context.Context, of files.Kind, x *sheetRow, stored jsonl.Object) error {
	if x.made != "" && stored != nil {
		x.fault("id", "is missing, and %s, which follows from the row, is stored with another %s: give that id, or one of its own", x.made,
			map[files.Kind]string{files.Teams: "name", files.Matches: "round, or other teams"}[of])
	}
	var err error
	if x.fields, err = r.withParts(ctx, of, x.fields, x.at, len(x.wrong) > 0 || x.unsure); err != nil {
		return err
	}
	if status := x.fields.Of("status"); of == files.Matches && x.from.IsMapped() && (status == nil || status.Kind() == 'n') {
		x.fields = append(x.fields.Without("status"), statusOf(x.fields, stored)...)
	}
	record := x.fields.Given()
	r.wrong = x.wrong
	asked := x.fields.Of("patch").Kind()
	switch whole := x.fields.Of("deleted").Kind() == 't' || x.fields.Of("erase").Kind() == 't' || of == files.Standings; {
	case whole, asked == 't', asked == '"': // what is no truth is reported
		return r.record(ctx, of, record.Text(), x.at)
	case stored != nil:
		record = jsonl.Over(lessWinner(of, stored, x.fields), x.fields).Given().Without("patch")
		r.over = x.fields
	case asked == 'f':
		record = record.Without("patch")
	}
	r.note(of, record)
	if r.read(of, record.Text(), x.at); of == files.Players && r.line.Faults() > 0 {
		for _, field := range []string{"id", "name", "number"} {
			r.lost[slips.Folded(strings.Trim(string(record.Of(field)), `"`))] = true
		}
	}
	return nil
}

// statusOf is the status of a match that gives none: finished with a score, else upcoming,
// unless there is no column for it and it is stored as postponed.
func statusOf(row, stored jsonl.Object) jsonl.Object {
	status := sport.Upcoming
	score, _ := jsonl.Split(row.Of("score"))
	if len(score.Given()) > 0 || row.Of("sets").Kind() == '[' {
		status = sport.Finished
	} else if row.Of("status") == nil && jsonl.TextOf(stored.Of("status")) == string(sport.Postponed) {
		return nil
	}
	return jsonl.Object{{Name: "status", Value: jsonl.Quoted(status)}}
}

// storedRows gives the lines of the stored records of rows, nil where there isn't one.
func (r *reader) storedRows(ctx context.Context, of files.Kind, some []sheetRow) ([][]byte, error) {
	lines := make([][]byte, len(some))
	if of == files.Standings {
		return lines, nil
	}
	var wanted []Wanted
	var at []int
	for i, x := range some {
		if w, known := wantedBy(of, x.fields); known { // else the fault is found when the row is read
			wanted, at = append(wanted, w), append(at, i)
		}
	}
	found, err := r.stored(ctx, of.Holds(), wanted)
	if err != nil {
		return nil, err
	}
	for j, line := range found {
		lines[at[j]] = line
	}
	return lines, nil
}
