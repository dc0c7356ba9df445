package records

import (
	"touchline/shared/packed"
	"touchline/shared/store/pagedlist"
)

// Facet is what filters select the entries of a list by, as far as they have it.
type Facet struct {
	Season int
	Gender string
	Status string
	Level  int   // of a tree
	Ends   int64 // Unix seconds, 0: none
}

// pack is the facet as lists hold it.
func (f Facet) pack() pagedlist.Facet { return pagedlist.Facet(packed.Append(nil, &f)) }

// FacetOf is a facet that a schema has packed; zero where none has.
func FacetOf(f pagedlist.Facet) Facet {
	var facet Facet
	if err := packed.Value([]byte(f), &facet); err != nil {
		return Facet{}
	}
	return facet
}

// ByFacet is the Match of a request that selects by facet; nil selects all.
func ByFacet(selects func(Facet) bool) func(pagedlist.Facet) bool {
	if selects == nil {
		return nil
	}
	return func(f pagedlist.Facet) bool { return selects(FacetOf(f)) }
}
