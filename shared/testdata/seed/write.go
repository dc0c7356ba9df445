package seed

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/sport"
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
}

// Counts are the records of a dataset.
type Counts struct {
	Organizations int `json:"organizations"`
	Competitions  int `json:"competitions"`
	Teams         int `json:"teams"`
	Players       int `json:"players"`
	Matches       int `json:"matches"`
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
	w := &writer{dir: dir}
	return w.made(func() {
		if o.Demo {
			writeDemo(w, o.Now)
			return
		}
		f := newFederation(w, o)
		f.organizations()
		f.competitions()
	})
}

// WriteGoals writes the live matches of the federation that Write makes with the
// same options, Live among them, as they are after another goal in each, with its
// event, its score and its effect on the figures.
func WriteGoals(dir string, o Options) (Counts, error) {
	if o.Now.IsZero() {
		o.Now = defaultNow
	}
	w := &writer{dir: dir, matchesOnly: true}
	f := newFederation(w, o)
	f.goals = true
	return w.made(f.competitions)
}

// writer writes records to the files of their kinds. After the first error it
// writes nothing more, and close returns that error.
type writer struct {
	dir         string
	matchesOnly bool
	counts      Counts
	files       map[string]*file
	line        []byte // the last
	err         error
}

type file struct {
	to      io.Writer
	closers []func() error // in closing order
}

// made creates the folder and its files, and has write fill them.
func (w *writer) made(write func()) (Counts, error) {
	if err := os.MkdirAll(w.dir, 0o750); err != nil {
		return Counts{}, fmt.Errorf("make the dataset's folder: %w", err)
	}
	old, err := os.ReadDir(w.dir)
	if err != nil {
		return Counts{}, fmt.Errorf("read the dataset's folder: %w", err)
	}
	for _, f := range old {
		if strings.HasSuffix(strings.TrimSuffix(f.Name(), ".gz"), ".ndjson") {
			return Counts{}, fmt.Errorf("%s holds a dataset already (%s): remove it, or name another folder", w.dir, f.Name())
		}
	}
	write()
	if err := w.close(); err != nil {
		return Counts{}, fmt.Errorf("write the dataset: %w", err)
	}
	return w.counts, nil
}

// put writes a record to the file of its kind.
func (w *writer) put(record any) {
	switch r := record.(type) {
	case sport.Organization:
		put(w, "organizations.ndjson", &w.counts.Organizations, r.ID, r)
	case sport.Competition:
		put(w, "competitions.ndjson", &w.counts.Competitions, r.ID, r)
	case sport.Team:
		put(w, "teams.ndjson", &w.counts.Teams, r.ID, r)
	case sport.Player:
		put(w, "players.ndjson", &w.counts.Players, r.ID, r)
	case dataset.Match:
		put(w, "matches.ndjson.gz", &w.counts.Matches, r.Base.ID, r)
	}
}

func put[T dataset.Entity](w *writer, name string, count *int, id sport.ID, value T) {
	if w.err != nil || w.matchesOnly && count != &w.counts.Matches {
		return
	}
	if w.files[name] == nil {
		if w.err = w.open(name); w.err != nil {
			return
		}
	}
	w.line = dataset.Append(w.line[:0], &dataset.Record[T]{ID: id, Value: value})
	_, w.err = w.files[name].to.Write(w.line)
	*count++
}

func (w *writer) open(name string) error {
	out, err := os.Create(filepath.Join(w.dir, name)) //nolint:gosec // the operator names the folder
	if err != nil {
		return err
	}
	buffer := bufio.NewWriterSize(out, 1<<16)
	f := &file{to: buffer, closers: []func() error{buffer.Flush, out.Close}}
	if strings.HasSuffix(name, ".gz") {
		z := gzip.NewWriter(buffer)
		f.closers = append([]func() error{z.Close}, f.closers...)
		f.to = z
	}
	if w.files == nil {
		w.files = map[string]*file{}
	}
	w.files[name] = f
	return nil
}

func (w *writer) close() error {
	for _, f := range w.files {
		for _, c := range f.closers {
			w.err = errors.Join(w.err, c())
		}
	}
	return w.err
}
