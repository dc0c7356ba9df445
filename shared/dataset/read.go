package dataset

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"

	"touchline/shared/sport"
)

// Options say how a dataset is read.
type Options struct {
	// GoodPart leaves faulty records out instead of refusing the whole: Read
	// then gives the rest and *Faults beside it. Of two records with one id the
	// first is kept.
	GoodPart bool
	// FaultLimit is how many faults are kept; the rest is counted. 0 is
	// DefaultFaultLimit.
	FaultLimit int
	// Progress, where set, is called every thousand lines and at the end of a
	// file.
	Progress func(file string, line int)
}

// reader is what reading a dataset has gathered so far.
type reader struct {
	line    line
	set     *Set
	zones   Zones
	faults  *Faults
	events  map[binaryID]int32 // explicit ids: the line
	current map[binaryID]int   // competitions with a current season: the line
	seen    map[binaryID]int   // competitions: the first line
}

// Read reads the dataset in a folder.
//
// The error is *Faults where the dataset is faulty; the set is nil then, unless
// GoodPart is asked for. Any other error means that the folder could not be
// read (no file of a dataset in it, a file under a wrong name, damaged gzip) or
// that ctx ended, and there is no set.
func Read(ctx context.Context, fsys fs.FS, opts Options) (*Set, error) {
	files, err := find(fsys)
	if err != nil {
		return nil, err
	}
	names := newNames()
	r := &reader{
		set: &Set{
			names: names, index: map[identity]presence{},
			seasons: map[binaryID][]*Record[sport.Competition]{}, groups: map[binaryID]binaryID{},
		},
		faults: NewFaults(opts.FaultLimit),
		events: map[binaryID]int32{}, current: map[binaryID]int{}, seen: map[binaryID]int{},
	}
	r.line.names, r.line.report = names, r.faults.Add
	for k, read := range readers {
		if files[k] == "" {
			continue
		}
		if err := r.file(ctx, fsys, files[k], read, opts.Progress); err != nil {
			return nil, err
		}
	}
	names.recent = nil // only reading adds
	r.set.dropCircles(r.faults.Add)
	switch {
	case r.faults.Count() == 0:
		return r.set, nil
	case opts.GoodPart:
		return r.set, r.faults
	}
	return nil, r.faults
}

// readers read a line of each kind.
var readers = [...]func(*reader){
	organizations: readOrganization,
	competitions:  readCompetition,
	teams:         readTeam,
	players:       readPlayer,
	matches:       readMatch,
	standingsKind: readTable,
}

// file reads one file.
func (r *reader) file(ctx context.Context, fsys fs.FS, name string, read func(*reader), progress func(string, int)) (err error) {
	lines, err := open(fsys, name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lines.Close()) }()
	for {
		text, err := lines.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if lines.number%1000 == 0 {
			if progress != nil {
				progress(name, lines.number)
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		at := Origin{File: name, Line: lines.number}
		switch {
		case errors.Is(err, errLineTooLong):
			r.faults.Add(Fault{File: at.File, Line: at.Line, Message: "is longer than 16 MiB"})
		case err != nil:
			return err
		case len(bytes.TrimLeft(text, " \t\r")) > 0:
			r.line.start(text, at)
			read(r)
		}
	}
	if progress != nil {
		progress(name, lines.number)
	}
	return ctx.Err()
}

// claim refuses a second record of an id.
func (r *reader) claim(who identity, kind sport.Kind, id sport.ID) {
	if id != "" {
		r.claimAs(who, "id", quoted(kind, r.set.Given(id)))
	}
}

// claimAs notes the line of a record, or reports field where an earlier line
// has a record of the same identity. A faulty record counts too.
func (r *reader) claimAs(who identity, field, what string) {
	if first, taken := r.set.index[who]; taken {
		r.line.faultf(field, "%s is on line %d already", what, first.line)
		return
	}
	r.set.index[who] = presence{line: int32(r.line.origin.Line)} //nolint:gosec // lines are counted in millions
}

// enter puts a record into the set, if its line is without fault to its end.
func enter[T Entity](r *reader, records *[]*Record[T], rec *Record[T], who identity) {
	r.line.end()
	if r.line.faults > 0 {
		return
	}
	*records = append(*records, rec)
	p := r.set.index[who]
	p.state = held
	if rec.Deleted {
		p.state = deleted
	}
	r.set.index[who] = p
}
