package pagedlist

import "slices"

// The dictionary of a block: its facets in order, each told by what differs
// from the one before, since a list of many competitions has as many end dates.
//
//	byte    1: hidden; 2: season, gender and status are those of the one before
//	varint, string, string    season, gender, status, unless 2
//	varint  end, less that of the one before where 2
const (
	facetHidden = 1 << iota
	facetSame
)

func appendFacets(b []byte, facets []Facet) []byte {
	b = appendNumber(b, len(facets))
	var last Facet
	for i, f := range facets {
		var flags byte
		if f.Hidden {
			flags |= facetHidden
		}
		same := i > 0 && f.Season == last.Season && f.Gender == last.Gender && f.Status == last.Status
		ends := f.Ends
		if same {
			flags |= facetSame
			ends -= last.Ends
		}
		b = append(b, flags)
		if !same {
			b = appendSigned(b, int64(f.Season))
			b = appendString(b, f.Gender)
			b = appendString(b, f.Status)
		}
		b = appendSigned(b, ends)
		last = f
	}
	return b
}

func readFacets(r *reader) []Facet {
	n := r.count()
	facets := make([]Facet, 0, min(n, 64))
	var last Facet
	for range n {
		flags := r.byte()
		f := Facet{Hidden: flags&facetHidden != 0}
		if flags&facetSame != 0 {
			f.Season, f.Gender, f.Status = last.Season, last.Gender, last.Status
			f.Ends = last.Ends + r.signed()
		} else {
			f.Season, f.Gender, f.Status = int(r.signed()), r.string(), r.string()
			f.Ends = r.signed()
		}
		if r.fault {
			return nil
		}
		facets = append(facets, f)
		last = f
	}
	return facets
}

// A facetCount is how many entries have a facet.
type facetCount struct {
	facet Facet
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
		if !fc.facet.Hidden {
			n += fc.n
		}
	}
	return n
}

func (c counts) add(f Facet, n int) counts {
	i, found := slices.BinarySearchFunc(c, f, func(fc facetCount, f Facet) int { return compareFacets(fc.facet, f) })
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
