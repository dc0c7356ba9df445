package world

import (
	"maps"
	"slices"
)

type Set[K comparable] map[K]struct{}

func (s Set[K]) Add(keys ...K) {
	for _, k := range keys {
		s[k] = struct{}{}
	}
}

func (s Set[K]) Keys() []K { return slices.Collect(maps.Keys(s)) }
