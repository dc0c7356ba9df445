// Package seed makes up federations of any size in the dataset format, for tests that
// measure. Country, towns, clubs and people are invented.
//
// The records depend on the options alone: the same options give the same bytes on
// every machine, now and later. So nothing here reads a clock or a system source of
// randomness; every random choice is drawn from a generator of our own, seeded with the
// name of what the choice is for.
//
// A federation is written record by record, in the same amount of memory whatever its
// size. Size 1 is the size S of the design's budgets; size n has n times of everything
// but the federation:
//
//	associations   9 n   the first has a fifth of the clubs, so that the lists of
//	                     one organization grow with the size
//	clubs        220 n
//	competitions  20 n   10 n leagues of the federation, 20 teams each, and
//	                     10 n tournaments of the associations, 30 teams each
//	                     in 6 groups of 5
//	teams        500 n   each club enters 2 or 3
//	players   10,000 n   20 a team
//	matches    2,500 n   190 a league, 60 a tournament: each team plays each other
//	                     of its league or group once
//
// The keys are est, est.association.1, est.club.1, est.league.1, est.tournament.1, with
// teams, players and matches below the key of their competition.
package seed

import (
	"bufio"
	"os"
	"path/filepath"
	"testing"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/dataset/format"
	"touchline/shared/sport"
)

// now is when a federation is looked at: earlier matches are finished, later ones
// upcoming. It is a Saturday afternoon in the spring of the season 2025.
var now = time.Date(2026, time.March, 14, 15, 0, 0, 0, time.UTC)

// Options determine the federation.
type Options struct {
	// Size is a multiple of the size S of the budgets, from 1.
	Size int
	// Live makes a federation of leagues instead whose matches of this week, so many
	// (a multiple of ten), are all live; Size is then 0.
	Live int
	// Goals writes nothing but the live matches, after another goal in each, with its
	// event, its score and its effect on the figures.
	Goals bool
	// Details is the percentage of finished matches with line-ups, events and
	// statistics. Live ones always have them.
	Details int
}

// Write writes a dataset, and gives its folder.
func Write(t testing.TB, o Options) string {
	t.Helper()
	f := newFederation(t, o)
	if !o.Goals {
		f.organizations()
	}
	f.competitions()
	for _, file := range f.files {
		f.must(file.to.Flush())
		f.must(file.Close())
	}
	return f.dir
}

// file is that of a kind of record.
type file struct {
	*os.File
	to *bufio.Writer
}

// put writes a record to the file of its kind.
func put[T dataset.Entity](f *federation, kind string, id sport.ID, value T) {
	out, open := f.files[kind]
	if !open {
		made, err := os.Create(filepath.Join(f.dir, kind+".ndjson"))
		f.must(err)
		out = file{made, bufio.NewWriterSize(made, 1<<16)}
		f.files[kind] = out
	}
	_, err := out.to.Write(format.Append(nil, &dataset.Record[T]{ID: id, Value: value}))
	f.must(err)
}

func (f *federation) must(err error) {
	if err != nil {
		f.t.Fatal(err)
	}
}
