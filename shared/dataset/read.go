package dataset

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"

	"github.com/go-json-experiment/json/jsontext"

	"touchline/shared/sport"
)

// Options say how a dataset is read.
type Options struct {
	// FaultLimit is how many faults, and how many warnings, are kept; the rest is
	// counted. 0 is DefaultFaultLimit.
	FaultLimit int
	// LineLimit is the longest line, in bytes; 0 is 1 MiB (D47). What Append has
	// written of a record may be longer than the record was.
	LineLimit int
	// Progress, where set, is called every thousand lines and at the end of a
	// file.
	Progress func(file string, line int)
}

// reader is what reading a dataset has gathered so far.
type reader struct {
	line      line
	lineLimit int
	entries   map[identity]int // of a competition's season: its teams
	set       *Set
	zones     Zones
	faults    *Faults
	events    map[binaryID]int32 // explicit ids: the line
	current   map[binaryID]int   // competitions with a current season: the line
	seen      map[binaryID]int   // competitions: the first line
}

// Read reads the dataset in a folder.
//
// The error is *Faults where the dataset is faulty: the set then holds the
// records without a fault, of two with one id the first. Their references can
// still be checked, so that every fault of the dataset is told at once; they
// can be loaded as its good part, unless Faults.OfFiles. Any other error means
// that the folder could not be read, or holds no file of a dataset, or that ctx
// ended, and there is no set.
func Read(ctx context.Context, fsys fs.FS, opts Options) (*Set, error) {
	r := newReader(ctx, opts)
	files, err := find(fsys, r.unread)
	if err != nil {
		return nil, err
	}
	for k := range kinds {
		if files[k] == "" {
			continue
		}
		if err := r.file(ctx, fsys, files[k], kind(k), opts.Progress); err != nil {
			return nil, err
		}
	}
	r.line.names.recent = nil // only reading adds
	r.set.dropCircles(r.faults.Add)
	if r.faults.Count() == 0 {
		return r.set, nil
	}
	r.faults.Warnings = r.set.Warnings.With(nil)
	return r.set, r.faults
}

// unread reports a file that is not read, or not to its end. What refers to its
// records is not at fault.
func (r *reader) unread(of kind, fault Fault) {
	r.faults.files++
	r.faults.Add(fault)
	for k := range kinds {
		if of == kind(k) || of == anyKind {
			r.set.unread[k] = true
		}
	}
}

func newReader(ctx context.Context, opts Options) *reader {
	names := newNames()
	r := &reader{
		set: &Set{
			names: names, words: &words{names: names, numbers: map[string]uint64{}}, index: map[identity]presence{},
			seasons: map[binaryID][]*Record[sport.Competition]{}, groups: map[binaryID]binaryID{},
			faultyCompetitions: map[binaryID]struct{}{},
		},
		faults: NewFaults(opts.FaultLimit),
		events: map[binaryID]int32{}, current: map[binaryID]int{}, entries: map[identity]int{}, seen: map[binaryID]int{},
	}
	r.line.ctx, r.lineLimit = ctx, cmp.Or(opts.LineLimit, maxLine)
	r.line.names, r.line.report = names, r.faults.Add
	r.set.Warnings = &Warnings{limit: opts.FaultLimit}
	r.line.warned = r.set.Warnings.Add
	return r
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
func (r *reader) file(ctx context.Context, fsys fs.FS, name string, of kind, progress func(string, int)) (err error) {
	lines, err := open(fsys, name, r.lineLimit)
	var unreadable *unreadableError
	if errors.As(err, &unreadable) {
		r.unread(of, Fault{File: name, Message: unreadable.message})
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lines.Close()) }()
	for {
		text, err := lines.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if lines.number%1000 == 0 && progress != nil {
			progress(name, lines.number)
		}
		at := Origin{File: name, Line: lines.number}
		switch {
		case errors.Is(err, errLineTooLong):
			r.faults.Add(Fault{File: at.File, Line: at.Line, Message: fmt.Sprintf("is longer than %d KiB", r.lineLimit>>10)})
			r.salvage(of, text, at)
		case errors.As(err, &unreadable):
			r.unread(of, Fault{File: name, Message: unreadable.message})
			return nil
		case err != nil:
			return fmt.Errorf("%s %w", name, err)
		case len(bytes.TrimLeft(text, " \t\r")) > 0:
			r.line.start(text, at)
			readers[of](r)
			if r.line.broken {
				r.salvage(of, text, at)
			}
			if err := ctx.Err(); err != nil { // it ends a long line, too
				return err
			}
		}
	}
	if progress != nil {
		progress(name, lines.number)
	}
	return ctx.Err()
}

// anID finds the id of a line whose JSON cannot be read.
var anID = regexp.MustCompile(`"id"\s*:\s*("(?:[^"\\]|\\.)*")`)

// salvage notes whose record a line is that cannot be read, as far as that can be
// made out: what refers to it is not at fault (Set.faulty).
func (r *reader) salvage(of kind, text []byte, at Origin) {
	found := anID.FindSubmatch(text)
	if found == nil || of == standingsKind {
		return
	}
	key, err := jsontext.AppendUnquote(nil, found[1])
	if err != nil {
		return
	}
	id, _ := r.line.names.add(sportKinds[of], composed(key))
	if of == competitions {
		r.set.faultyCompetitions[binaryOf(id)] = struct{}{}
		return
	}
	if who := (identity{kind: of, id: binaryOf(id)}); r.set.index[who] == (presence{}) {
		r.set.index[who] = presence{line: int32(at.Line)} //nolint:gosec // lines are counted in millions
	}
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
