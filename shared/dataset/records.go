package dataset

import (
	"iter"
	"maps"
	"slices"
	"time"

	"touchline/shared/dataset/files"
	"touchline/shared/packed"
	"touchline/shared/sport"
)

// Records are the records of a file in the order of their lines, each packed
// until it is asked for. They may be read concurrently.
type Records[T Entity] struct {
	set  *Set
	kind files.Kind
	rows [][]byte

	row  row[T] // as it is packed, and
	text []byte // packed: kept for the next
}

// row is what is packed of a record. What the ids and the files of the set say is left
// out; what packed does not write has a field of its own.
type row[T Entity] struct {
	Record  Record[T] // without the key, the origin and the ID of the value
	ByID    bool      // the record was given by its id
	File    int       // of those of its kind
	Line    int
	Kickoff int64 // of a match, in milliseconds since the year 1
}

// yearOne is when row.Kickoff counts from: the zero time.
var yearOne = time.Time{}.UnixMilli()

// Len is the number of records, deletions included.
func (r *Records[T]) Len() int { return len(r.rows) }

// At is the record with an index. It is a copy: the caller may change it, and
// that changes nothing in the set.
func (r *Records[T]) At(i int) *Record[T] {
	row := new(row[T])
	if err := packed.Value(r.rows[i], row); err != nil {
		panic(err) // add wrote it, and it has not left memory
	}
	rec := &row.Record
	if rec.Key = string(rec.ID); !row.ByID {
		rec.Key = r.set.Given(rec.ID)
	}
	rec.Origin = Origin{File: r.set.names[r.kind][row.File], Line: row.Line}
	switch v := any(&rec.Value).(type) {
	case *sport.Player:
		v.ID = rec.ID
	case *Match:
		v.Base.ID = rec.ID
		if row.Kickoff != 0 {
			v.Base.Kickoff = time.UnixMilli(row.Kickoff + yearOne).UTC()
		}
	}
	return rec
}

// add puts a record behind the others.
func (r *Records[T]) add(rec *Record[T]) {
	r.row = row[T]{Record: *rec, ByID: rec.Key == string(rec.ID), File: r.set.file(r.kind, rec.Origin.File), Line: rec.Origin.Line}
	r.row.Record.Key, r.row.Record.Origin = "", Origin{}
	switch v := any(&r.row.Record.Value).(type) {
	case *sport.Player:
		v.ID = ""
	case *Match:
		if !v.Base.Kickoff.IsZero() {
			r.row.Kickoff = v.Base.Kickoff.UnixMilli() - yearOne
		}
		v.Base.ID, v.Base.Kickoff = "", time.Time{}
	}
	r.text = packed.Append(r.text[:0], &r.row)
	r.rows = append(r.rows, slices.Clone(r.text))
}

// All yields the index of each record and the record, as At does.
func (r *Records[T]) All() iter.Seq2[int, *Record[T]] {
	return func(yield func(int, *Record[T]) bool) {
		for i := range r.Len() {
			if !yield(i, r.At(i)) {
				return
			}
		}
	}
}

// keep drops the records that are gone.
func (r *Records[T]) keep(gone map[Origin]bool) {
	of := func(o Origin) bool { return slices.Contains(r.set.names[r.kind], o.File) }
	if !slices.ContainsFunc(slices.Collect(maps.Keys(gone)), of) {
		return
	}
	kept := Records[T]{set: r.set, kind: r.kind}
	for _, rec := range r.All() {
		if gone[rec.Origin] {
			r.set.takeOut(IdentityOf(rec), rec.Origin, false)
			continue
		}
		kept.add(rec)
	}
	*r = kept
}

// Part is a part of a set, unpacked: what a load works on at a time. Its
// organizations, competitions, teams and given tables are those of the set, not
// copies; players and matches are copies. Records that are added to it are not
// in the set.
type Part struct {
	Organizations []*Record[sport.Organization]
	Competitions  []*Record[sport.Competition]
	Teams         []*Record[sport.Team]
	Players       []*Record[sport.Player]
	Matches       []*Record[Match]
	Standings     []*Record[sport.GivenTable]
}

// Len is the number of records, deletions included.
func (p *Part) Len() int {
	return len(p.Organizations) + len(p.Competitions) + len(p.Teams) + len(p.Players) + len(p.Matches) + len(p.Standings)
}
