package format

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/dataset/ids"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/names"
	"touchline/shared/dataset/sheet"
	"touchline/shared/dataset/times"
	"touchline/shared/sport"
)

// Options say how a dataset is read.
type Options struct {
	// LineLimit is the longest line, in bytes; 0 is 1 MiB (D47). What Append has
	// written of a record may be longer than the record was.
	LineLimit int
	// Stored gives the stored record that a record with "patch": true changes, and
	// what a row of CSV leaves as it is. nil: nothing is stored.
	Stored Lookup
	// Listing gives what is stored and a row may name, or be without its id. nil: nothing.
	Listing Listing
	// Workbooks shows the workbooks in a folder as their sheets. nil: they are not read,
	// which is a fault.
	Workbooks Workbooks
	// Progress, where set, is called every thousand lines and at the end of a
	// file.
	Progress func(file string, line int)
}

// Workbooks shows the workbooks in a folder as their sheets, which are files of the
// dataset (files.Sheet), and CSV as a columns.csv says. It calls fault for what cannot be
// read, and warn for what is not as it looks; that message is read after the name.
type Workbooks func(ctx context.Context, fsys fs.FS, fault func(dataset.Fault), warn func(name, message string)) (Books, error)

// Books is a folder with sheets in the place of its workbooks; Close ends these.
type Books interface {
	fs.FS
	io.Closer
	// Versions are those of the data that workbooks were exported from, by their names.
	Versions() map[string]string
	// Rules say how a sheet is read as one of a kind; nil: as the format has it.
	Rules(name string, of files.Kind) []sheet.Rule
}

// reader is what reading a dataset has gathered so far.
type reader struct {
	line      *jsonl.Line
	stored    Lookup
	lineLimit int
	entries   map[dataset.Identity]int // of a competition's season: its teams
	set       *dataset.Builder
	ids       *ids.Table
	zones     times.Zones
	faults    *dataset.Faults
	events    ids.Lines       // those that were given
	current   ids.Lines       // of competitions with a current season
	seen      ids.Lines       // of competitions
	text      []byte          // of the record, made whole
	over      jsonl.Object    // what a patch, or a row of CSV, gives of a stored record; nil: it is whole
	wrong     []dataset.Fault // what was found of a row before it is read

	parts        map[sport.ID]*parts
	partsInOrder []*parts
	placed       map[dataset.Origin]*parts // by the records of their matches
	headings     map[string][]*sheet.Sheet // of the files that are sheets

	books       Books // nil: no workbooks
	listing     Listing
	directories map[Scope]*names.Directory
	named       bool                         // there are sheets, whose rows may name records
	noted       map[Scope][]*names.Candidate // that are read, or wait
	squads      bool                         // players are noted, too
	lost        map[string]bool              // names, keys and numbers of players whose rows are at fault
	waiting     []sheetRow                   // of the kind that is read
	fresh       []sheetRow                   // matches with ids that are not stored
}

// Read reads the dataset in a folder.
//
// The error is *Faults where the dataset is faulty: the set then holds the
// records without a fault, of two with one id the first. Their references can
// still be checked, so that every fault of the dataset is reported at once;
// they can be loaded as its good part, unless Faults.OfFiles. Any other error
// means that the folder could not be read, or holds no file of a dataset, or
// that ctx ended, and there is no set.
func Read(ctx context.Context, fsys fs.FS, opts Options) (_ *dataset.Set, err error) {
	r := newReader(opts)
	if opts.Workbooks != nil {
		books, err := opts.Workbooks(ctx, fsys, func(f dataset.Fault) { r.unread(files.Any, f) },
			func(name, message string) { r.set.Warnings.Add(dataset.Fault{File: name, Message: message}) })
		if err != nil {
			return nil, err
		}
		defer func() { err = cmp.Or(err, books.Close()) }()
		fsys, r.set.Versions, r.books = books, books.Versions(), books
	}
	found, erased, err := files.Find(fsys, func(unread files.Kind, name, message string) {
		r.unread(unread, dataset.Fault{File: name, Message: message})
	})
	if err != nil && r.faults.OfFiles() {
		return r.set.Set, r.faults // a workbook that cannot be read is all there is
	}
	if err != nil {
		return nil, err
	}
	for of, some := range found {
		r.set.Read(files.Kind(of), some...)
		r.named = r.named || slices.ContainsFunc(some, files.IsSheet)
	}
	for _, k := range readOrder {
		for _, name := range found[k] {
			if err := r.file(ctx, fsys, name, k, opts.Progress); err != nil {
				return nil, err
			}
		}
		if err := r.rest(ctx, k); err != nil {
			return nil, err
		}
	}
	if err := r.restOfParts(ctx); err != nil {
		return nil, err
	}
	if erased != "" {
		if err := r.file(ctx, fsys, erased, files.Any, opts.Progress); err != nil {
			return nil, err
		}
	}
	r.set.DropCircles(r.faults.Add)
	if r.faults.Count() == 0 {
		return r.set.Set, nil
	}
	r.faults.Warnings = r.set.Warnings.With(nil)
	return r.set.Set, r.faults
}

// unread reports a file that is not read, or not to its end. What refers to its
// records is not at fault.
func (r *reader) unread(of files.Kind, fault dataset.Fault) {
	r.faults.AddFile(fault)
	for k := range files.Kinds {
		if of == k || of == files.Any {
			r.set.Unread(k)
		}
	}
}

func newReader(opts Options) *reader {
	r := &reader{
		stored: opts.Stored, lineLimit: cmp.Or(opts.LineLimit, files.MaxLine), ids: ids.NewTable(), faults: &jsonl.Faults{},
		entries: map[dataset.Identity]int{}, events: ids.Lines{}, current: ids.Lines{}, seen: ids.Lines{},
		parts: map[sport.ID]*parts{}, placed: map[dataset.Origin]*parts{}, headings: map[string][]*sheet.Sheet{},
		listing: opts.Listing, directories: map[Scope]*names.Directory{}, noted: map[Scope][]*names.Candidate{}, lost: map[string]bool{},
	}
	if r.stored == nil {
		r.stored = func(_ context.Context, _ sport.Kind, wanted []Wanted) ([][]byte, error) {
			return make([][]byte, len(wanted)), nil
		}
	}
	if r.listing == nil {
		r.listing = func(context.Context, Scope) (*dataset.Part, error) { return &dataset.Part{}, nil }
	}
	r.set = dataset.NewBuilder(r.ids, r.place)
	r.line = jsonl.New(r.ids, func(f dataset.Fault) { r.faults.Add(r.place(f)) }, func(f dataset.Fault) { r.set.Warnings.Add(r.place(f)) })
	return r
}

// readOrder has what a record takes up before it.
var readOrder = [...]files.Kind{files.Organizations, files.Competitions, files.Teams, files.Players, files.Events, files.Lineups, files.Matches, files.Standings}

// readers read a line of each kind.
var readers = [files.Kinds]func(*reader){
	files.Organizations: readOrganization,
	files.Competitions:  readCompetition,
	files.Teams:         readTeam,
	files.Players:       readPlayer,
	files.Matches:       readMatch,
	files.Standings:     readTable,
}

// file reads one file.
func (r *reader) file(ctx context.Context, fsys fs.FS, name string, of files.Kind, progress func(string, int)) (err error) {
	lines, err := files.Open(ctx, fsys, name, r.lineLimit)
	var unreadable *files.UnreadableError
	if errors.As(err, &unreadable) {
		r.unread(of, dataset.Fault{File: name, Message: unreadable.Error()})
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lines.Close()) }()
	if files.IsSheet(name) {
		return r.sheet(ctx, name, of, lines, progress)
	}
	for {
		text, err := lines.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if lines.Number()%1000 == 0 && progress != nil {
			progress(name, lines.Number())
		}
		at := dataset.Origin{File: name, Line: lines.Number()}
		switch {
		case errors.Is(err, files.ErrLineTooLong):
			r.faults.Add(dataset.Fault{File: at.File, Line: at.Line, Message: fmt.Sprintf("is longer than %d KiB", r.lineLimit>>10)})
			r.salvage(of, text, at)
		case errors.As(err, &unreadable):
			r.unread(of, dataset.Fault{File: name, Message: unreadable.Error()})
			return nil
		case err != nil:
			return fmt.Errorf("%s %w", name, err)
		case len(bytes.TrimLeft(text, " \t\r")) == 0:
		case of == files.Any:
			r.erasure(text, at)
		default:
			if err := r.record(ctx, of, text, at); err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil { // it ends a long line, too
			return err
		}
	}
	if progress != nil {
		progress(name, lines.Number())
	}
	return ctx.Err()
}

// record reads a line. One that leaves something as it is stored is completed first.
func (r *reader) record(ctx context.Context, of files.Kind, text []byte, at dataset.Origin) error {
	if of == files.Matches && len(r.parts) > 0 {
		if record, isObject := jsonl.Split(text); isObject {
			record, err := r.withParts(ctx, of, record, at, false)
			if err != nil {
				return err
			}
			text = record.Text()
		}
	}
	r.line.Start(text, at)
	r.over = nil
	whole, ok, err := r.complete(ctx, of, text)
	if err != nil {
		return err
	}
	if !ok {
		r.salvage(of, text, at)
		return nil
	}
	if r.named && of <= files.Teams {
		row, _ := jsonl.Split(whole)
		r.note(of, row)
	}
	r.read(of, whole, at)
	if r.line.Broken() {
		r.salvage(of, text, at)
	}
	return nil
}

// read reads the line of a record.
func (r *reader) read(of files.Kind, line []byte, at dataset.Origin) {
	r.line.Start(line, at)
	r.text = line
	for _, w := range r.wrong {
		r.line.Fault(w.Field, w.Message)
	}
	readers[of](r)
	r.over, r.wrong = nil, nil
}

// kept are those of some fields that the stored record has given.
func (r *reader) kept(fields ...string) (kept []string) {
	for _, f := range fields {
		if r.over != nil && r.over.Of(f) == nil {
			kept = append(kept, f)
		}
	}
	return kept
}

// given is what a line says itself, and its rules.
func (r *reader) given() (all, rules jsonl.Object) {
	if all = r.over; all == nil {
		all, _ = jsonl.Split(r.text)
	}
	rules, _ = jsonl.Split(all.Of("rules"))
	return all, rules
}

// hides reports whether a line says that it hides something, or tries to.
func (r *reader) hides() bool {
	given, rules := r.given()
	visibility, hiding := given.Of("visibility"), rules.Of("hidePlayers")
	return visibility != nil && visibility.Kind() != 'n' && string(visibility) != `"public"` ||
		hiding != nil && hiding.Kind() != 'n' && hiding.Kind() != 'f'
}

// salvage notes the record of a line that cannot be read, by the id in what can: records that
// refer to it are not at fault.
func (r *reader) salvage(of files.Kind, text []byte, at dataset.Origin) {
	row, _ := jsonl.Split(text)
	id := names.KeyIn(of.Holds(), row.Of("id"))
	who := dataset.Identity{Kind: of, ID: ids.Pack(id)}
	switch {
	case id == "" || of >= files.Standings:
	case of == files.Competitions:
		r.set.LeaveOut(who, at, false)
	default:
		r.set.Claim(who, at)
	}
}

// enterID puts a record that its id alone identifies into the set; id points to that of
// its value.
func enterID[T dataset.Entity](r *reader, rec *dataset.Record[T], id *sport.ID) {
	if rec.Deleted {
		rec.Value = *new(T)
	}
	if *id = rec.ID; rec.ID != "" {
		who := dataset.IdentityOf(rec)
		r.claim(who, "id", dataset.Quoted(who.Kind.Holds(), r.set.Given(rec.ID)))
	}
	enter(r, rec)
}

// claim notes the line of a record, or reports field where an earlier line
// has a record of the same identity. A faulty record counts too.
func (r *reader) claim(who dataset.Identity, field, what string) {
	at := r.line.Origin()
	first := r.set.Claim(who, at)
	switch {
	case first == dataset.Origin{}:
	case first.File != at.File:
		r.line.Faultf(field, "%s is on line %d of %s already", what, first.Line, first.File)
	default:
		r.line.Faultf(field, "%s is on line %d already", what, first.Line)
	}
}

// enter puts a record into the set, if its line is without fault to its end.
func enter[T dataset.Entity](r *reader, rec *dataset.Record[T]) {
	if r.line.End(); r.line.Faults() > 0 {
		who := dataset.IdentityOf(rec)
		r.set.LeaveOut(who, rec.Origin, who.Kind <= files.Teams && r.hides())
	} else {
		dataset.Enter(r.set, rec)
	}
}
