package pagedlist

import (
	"cmp"
	"slices"
)

// Facet is what filters select entries by, in bytes of the caller's own. The
// index counts the entries of a chunk by facet, so that totals and places are
// known without reading them: facets are few, and the fewer the better.
type Facet string

// A facet is a Facet and whether it is one of hidden entries.
type facet struct {
	hidden bool
	of     Facet
}

// compareFacets puts visible entries before hidden ones.
func compareFacets(a, b facet) int {
	switch {
	case a.hidden == b.hidden:
		return cmp.Compare(a.of, b.of)
	case b.hidden:
		return -1
	}
	return 1
}

// A facetCount is how many entries have a facet.
type facetCount struct {
	facet facet
	n     int
}

// counts are ordered by facet, without zeros.
type counts []facetCount

func (c counts) total() int {
	n := 0
	for _, fc := range c {
		n += fc.n
	}
	return n
}

func (c counts) visible() int {
	n := 0
	for _, fc := range c {
		if !fc.facet.hidden {
			n += fc.n
		}
	}
	return n
}

func (c counts) add(f facet, n int) counts {
	i, found := slices.BinarySearchFunc(c, f, func(fc facetCount, f facet) int { return compareFacets(fc.facet, f) })
	if found {
		c[i].n += n
		return c
	}
	return slices.Insert(c, i, facetCount{f, n})
}

func (c counts) addAll(d counts) counts {
	for _, fc := range d {
		c = c.add(fc.facet, fc.n)
	}
	return c
}
