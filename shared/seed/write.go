package seed

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// MaxSize bounds Options.Size: ten million players.
const MaxSize = 1000

// defaultNow is the default of Options.Now for a synthetic federation: a
// Saturday afternoon in the spring of the season 2025.
var defaultNow = time.Date(2026, time.March, 14, 15, 0, 0, 0, time.UTC)

// Options determine the federation.
type Options struct {
	// Size is a multiple of the size S of the budgets, from 1 to MaxSize.
	Size int
	// Demo makes the demo federation instead; Size is then 0.
	Demo bool
	// Live makes a federation of leagues instead with this many live matches, a
	// multiple of ten; Size is then 0.
	Live int
	// Now is the time at which the federation is looked at: earlier matches are
	// finished, later ones upcoming. The default is 14 March 2026, 15:00 UTC.
	Now time.Time
	// Details is the percentage of finished matches with line-ups, events and
	// statistics. In the demo all matches of the current season have them,
	// whatever this says.
	Details int
	// Progress, if not nil, is called from time to time with the number of
	// records written so far, and at the end.
	Progress func(records int)
}

// Counts are the records of a dataset.
type Counts struct {
	Organizations int `json:"organizations"`
	Competitions  int `json:"competitions"`
	Teams         int `json:"teams"`
	Players       int `json:"players"`
	Matches       int `json:"matches"`
}

// Total is the number of all records.
func (c Counts) Total() int {
	return c.Organizations + c.Competitions + c.Teams + c.Players + c.Matches
}

// Expected returns the counts of a synthetic federation of a size.
func Expected(size int) Counts {
	return Counts{
		Organizations: 1 + size*(9+220), Competitions: size * 20, Teams: size * 500,
		Players: size * 10_000, Matches: size * 2_500,
	}
}

// Write writes the files of the dataset to a folder, which it creates if it is
// missing. A folder that already has files of a dataset is an error: two
// datasets in one folder make a broken one.
func Write(dir string, o Options) (Counts, error) {
	if o.Live < 0 || o.Live%leagueMatches != 0 || o.Live > 0 && (o.Demo || o.Size != 0) {
		return Counts{}, fmt.Errorf("%d live matches: want a multiple of %d, and no size", o.Live, leagueMatches)
	}
	if o.Live == 0 && (o.Demo != (o.Size == 0) || o.Size < 0 || o.Size > MaxSize) {
		return Counts{}, fmt.Errorf("size %d: want 1 to %d, or the demo", o.Size, MaxSize)
	}
	if o.Details < 0 || o.Details > 100 {
		return Counts{}, fmt.Errorf("details %d: want 0 to 100", o.Details)
	}
	if o.Now.IsZero() {
		o.Now = defaultNow
	}
	switch w := (&writer{dir: dir, progress: o.Progress}); {
	case o.Demo:
		return w.made(func() { writeDemo(w, o.Now) })
	case o.Live > 0:
		return w.made(func() { writeLive(w, o) })
	default:
		return w.made(func() { writeSize(w, o) })
	}
}

// made creates the folder and its files, and has write fill them.
func (w *writer) made(write func()) (Counts, error) {
	dir := w.dir
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return Counts{}, fmt.Errorf("make the dataset's folder: %w", err)
	}
	old, err := os.ReadDir(dir)
	if err != nil {
		return Counts{}, fmt.Errorf("read the dataset's folder: %w", err)
	}
	for _, f := range old {
		if strings.HasSuffix(strings.TrimSuffix(f.Name(), ".gz"), ".ndjson") {
			return Counts{}, fmt.Errorf("%s holds a dataset already (%s): remove it, or name another folder", dir, f.Name())
		}
	}
	write()
	if err := w.close(); err != nil {
		return Counts{}, fmt.Errorf("write the dataset: %w", err)
	}
	return w.counts, nil
}

// writer writes records to the files of their kinds. After the first error it
// writes nothing more, and close returns that error.
type writer struct {
	dir      string
	progress func(int)
	kinds    []string // of files to write; nil: all
	counts   Counts
	files    map[string]*file
	err      error
}

type file struct {
	json    *json.Encoder
	closers []func() error // in closing order
}

// progressStep is the number of records between two calls of progress.
const progressStep = 5000

func (w *writer) organization(r organization) {
	w.write("organizations.ndjson", r, &w.counts.Organizations)
}
func (w *writer) competition(r competition) {
	w.write("competitions.ndjson", r, &w.counts.Competitions)
}
func (w *writer) team(r team)     { w.write("teams.ndjson", r, &w.counts.Teams) }
func (w *writer) player(r player) { w.write("players.ndjson", r, &w.counts.Players) }
func (w *writer) match(r match)   { w.write(matchesFile, r, &w.counts.Matches) }

const matchesFile = "matches.ndjson.gz"

func (w *writer) write(name string, record any, count *int) {
	if w.err != nil || w.kinds != nil && !slices.Contains(w.kinds, name) {
		return
	}
	f := w.files[name]
	if f == nil {
		f = w.open(name)
		if w.err != nil {
			return
		}
	}
	w.err = f.json.Encode(record)
	*count++
	if total := w.counts.Total(); w.progress != nil && total%progressStep == 0 {
		w.progress(total)
	}
}

func (w *writer) open(name string) *file {
	out, err := os.Create(filepath.Join(w.dir, name)) //nolint:gosec // the operator names the folder
	if err != nil {
		w.err = err
		return nil
	}
	buffer := bufio.NewWriterSize(out, 1<<16)
	f := &file{closers: []func() error{buffer.Flush, out.Close}}
	var sink io.Writer = buffer
	if strings.HasSuffix(name, ".gz") {
		z := gzip.NewWriter(buffer)
		f.closers = append([]func() error{z.Close}, f.closers...)
		sink = z
	}
	f.json = json.NewEncoder(sink)
	f.json.SetEscapeHTML(false)
	if w.files == nil {
		w.files = map[string]*file{}
	}
	w.files[name] = f
	return f
}

func (w *writer) close() error {
	for _, f := range w.files {
		for _, c := range f.closers {
			if err := c(); w.err == nil {
				w.err = err
			}
		}
	}
	if w.progress != nil {
		w.progress(w.counts.Total())
	}
	return w.err
}
