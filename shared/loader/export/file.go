package export

import (
	"bufio"
	"cmp"
	"io"
	"slices"
	"strings"

	"touchline/shared/dataset"
)

// sortedLines is how many records of a kind at most are held in memory, to be
// written in an order in which a person finds them: some 50 MB of matches with
// all their details.
const sortedLines = 20_000

// file is a file that is being written.
type file struct {
	name      string
	to        io.WriteCloser
	out       *bufio.Writer
	sorted    bool
	lines     []sortedLine
	done, all int
	buffer    []byte
}

// sortedLine is a line that waits to be written.
type sortedLine struct {
	by   string
	text string
}

// begin begins the file of a kind, unless it has no records, and counts them.
func (r *run) begin(kind string, records int, count *int) error {
	if *count = records; records == 0 {
		return nil
	}
	name := kind + ".ndjson"
	to, err := r.Create(name)
	if err != nil {
		return err
	}
	r.open = &file{name: name, to: to, out: bufio.NewWriterSize(to, 1<<16), sorted: records <= sortedLines, all: records}
	return nil
}

// put writes a record; by are what it is sorted by, before its key.
func put[T dataset.Entity](r *run, rec *dataset.Record[T], by ...string) error {
	f := r.open
	f.buffer = dataset.Append(f.buffer[:0], rec)
	if f.done++; r.Progress != nil {
		r.Progress("writing "+f.name, f.done, f.all)
	}
	if f.sorted {
		f.lines = append(f.lines, sortedLine{strings.Join(append(by, cmp.Or(rec.Key, string(rec.ID))), "\x00"), string(f.buffer)})
		return nil
	}
	_, err := f.out.Write(f.buffer)
	return err
}

// close ends the open file, if there is one.
func (r *run) close() error {
	f := r.open
	if f == nil {
		return nil
	}
	r.open = nil
	slices.SortFunc(f.lines, func(a, b sortedLine) int { return cmp.Or(cmp.Compare(a.by, b.by), cmp.Compare(a.text, b.text)) })
	for _, l := range f.lines {
		if _, err := f.out.WriteString(l.text); err != nil {
			_ = f.to.Close() // the first error says it
			return err
		}
	}
	if err := f.out.Flush(); err != nil {
		_ = f.to.Close() // likewise
		return err
	}
	return f.to.Close()
}
