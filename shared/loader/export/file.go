package export

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"touchline/shared/dataset/files"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/sport"
)

// sortedLines is how many records of a kind at most are held in memory, to be
// written in an order in which a person finds them: some 50 MB of matches with
// all their details.
const sortedLines = 20_000

// order are the fields that the lines of each kind are sorted by, numbers as such.
var order = [files.Kinds][]string{
	files.Organizations: {"type", "name", "id"},
	files.Competitions:  {"name", "id", "season"},
	files.Teams:         {"competitionId", "season", "group", "name", "id"},
	files.Players:       {"teamId", "number", "name", "id"},
	files.Matches:       {"competitionId", "season", "kickoffAt", "id"},
	files.Standings:     {"competitionId", "season", "table"},
}

type file struct {
	kind  files.Kind
	to    io.WriteCloser
	out   *bufio.Writer
	lines []sortedLine // that wait, where all are sorted
	all   int
	done  int
}

// sortedLine is a line that waits to be written.
type sortedLine struct{ by, text string }

// create makes the file of a kind, of so many records.
func (r *run) create(kind sport.Kind, records int) (*file, error) {
	f := &file{kind: files.Holding(kind), all: records}
	var err error
	if f.to, err = r.Create(files.Names()[f.kind]); err != nil {
		return nil, err
	}
	f.out = bufio.NewWriterSize(f.to, 1<<16)
	return f, nil
}

func (f *file) put(line []byte) error {
	if f.done++; f.all > sortedLines {
		_, err := f.out.Write(line)
		return err
	}
	fields, _ := jsonl.Split(line)
	var by []string
	for _, name := range order[f.kind] {
		value := fields.Of(name)
		if value == nil && name == "kickoffAt" {
			value = fields.Of("kickoffLocal")
		}
		text := jsonl.TextOf(value)
		if value.Kind() != '"' { // none, or a number
			text = fmt.Sprintf("%9s", value)
		}
		by = append(by, text)
	}
	f.lines = append(f.lines, sortedLine{strings.Join(by, "\x00"), string(line)})
	return nil
}

// end writes the lines that wait.
func (f *file) end() error {
	slices.SortFunc(f.lines, func(a, b sortedLine) int { return cmp.Or(cmp.Compare(a.by, b.by), cmp.Compare(a.text, b.text)) })
	for _, l := range f.lines {
		_, _ = f.out.WriteString(l.text) // Flush says what failed
	}
	return f.out.Flush()
}
