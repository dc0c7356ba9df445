package world

import (
	"iter"
	"maps"
	"slices"

	"touchline/shared/sport"
)

// Set is a set of keys. The zero value is empty.
type Set[K comparable] map[K]struct{}

func (s Set[K]) Has(k K) bool { _, ok := s[k]; return ok }

func (s *Set[K]) Add(keys ...K) {
	s.AddAll(slices.Values(keys))
}

// AddAll adds what a sequence yields.
func (s *Set[K]) AddAll(keys iter.Seq[K]) {
	for k := range keys {
		assign((*map[K]struct{})(s), k, struct{}{})
	}
}

func (s Set[K]) Keys() []K { return slices.Collect(maps.Keys(s)) }

// New adds what a sequence yields, and returns what the set did not hold before.
func (s *Set[K]) New(keys iter.Seq[K]) []K {
	var added []K
	for k := range keys {
		if !s.Has(k) {
			s.Add(k)
			added = append(added, k)
		}
	}
	return added
}

// CompetitionsIn are the competitions that the seasons are of.
func CompetitionsIn(seasons []SeasonID) Set[sport.ID] {
	ids := Set[sport.ID]{}
	for _, s := range seasons {
		ids.Add(s.ID)
	}
	return ids
}
