package index

import (
	"cmp"
	"slices"
)

// A Facet is what entries are counted by.
type Facet struct {
	Hidden bool   // of entries that most requests do not see
	Of     string // the caller's bytes
}

// compareFacets puts visible entries before hidden ones.
func compareFacets(a, b Facet) int {
	switch {
	case a.Hidden == b.Hidden:
		return cmp.Compare(a.Of, b.Of)
	case b.Hidden:
		return -1
	}
	return 1
}

// A FacetCount is how many entries have a facet.
type FacetCount struct {
	Facet Facet
	N     int
}

// Counts are ordered by facet, without zeros.
type Counts []FacetCount

// Total counts all entries.
func (c Counts) Total() int {
	n := 0
	for _, fc := range c {
		n += fc.N
	}
	return n
}

// Visible counts those that are not hidden.
func (c Counts) Visible() int {
	n := 0
	for _, fc := range c {
		if !fc.Facet.Hidden {
			n += fc.N
		}
	}
	return n
}

// Add counts n more entries with a facet; c is not used after it.
func (c Counts) Add(f Facet, n int) Counts {
	i, found := slices.BinarySearchFunc(c, f, func(fc FacetCount, f Facet) int { return compareFacets(fc.Facet, f) })
	if found {
		c[i].N += n
		return c
	}
	return slices.Insert(c, i, FacetCount{f, n})
}

// AddAll adds other counts; c is not used after it.
func (c Counts) AddAll(d Counts) Counts {
	for _, fc := range d {
		c = c.Add(fc.Facet, fc.N)
	}
	return c
}
