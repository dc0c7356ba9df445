package dataset

import (
	"iter"
	"slices"

	"touchline/shared/sport"
)

// Records are the records of a file in the order of their lines, each packed
// until it is asked for.
type Records[T Entity] struct {
	all []Record[T]
}

// Len is the number of records, deletions included.
func (r *Records[T]) Len() int { return len(r.all) }

// At is the record with an index. It is a copy: the caller may change it, and
// that changes nothing in the set.
func (r *Records[T]) At(i int) *Record[T] {
	rec := r.all[i]
	return &rec
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

// add puts a record behind the others.
func (r *Records[T]) add(rec *Record[T]) { r.all = append(r.all, *rec) }

// keep drops the records that are gone.
func (r *Records[T]) keep(s *Set, gone func(Origin) bool) {
	var kept Records[T]
	for _, rec := range r.All() {
		if gone(rec.Origin) {
			s.leaveOut(rec.ID, identityOf(rec))
			continue
		}
		kept.add(rec)
	}
	*r = kept
}

// list are records of a kind of which there are few: they are not packed.
type list[T Entity] []*Record[T]

func (l *list[T]) add(rec *Record[T]) { *l = append(*l, rec) }

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

// Whole unpacks the set.
func (s *Set) Whole() *Part {
	return &Part{
		Organizations: slices.Clip(s.Organizations), Competitions: slices.Clip(s.Competitions), Teams: slices.Clip(s.Teams),
		Players: s.Players.unpacked(), Matches: s.Matches.unpacked(), Standings: slices.Clip(s.Standings),
	}
}

func (r *Records[T]) unpacked() []*Record[T] {
	all := make([]*Record[T], 0, r.Len())
	for _, rec := range r.All() {
		all = append(all, rec)
	}
	return all
}
