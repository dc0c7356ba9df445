package dataset

import "slices"

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
