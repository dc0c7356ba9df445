package reader

import (
	"slices"

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// guess foresees what listOf is going to choose, from the query alone;
// narrowed are the ids of the organizations that narrow the list, empty where
// not sent. A list that two of them narrow has a round trip to itself, so that
// nothing is guessed for it. It returns the heads of lists.
func guess[T any](r *Reader, f family[T], v sport.Viewer, q OrganizationQuery, narrowed ...string) (heads []store.Key) {
	for _, list := range guessLists(r, f, v, q, others(q, narrowed)) {
		heads = append(heads, headOf(list))
	}
	return heads
}

func guessLists[T any](r *Reader, f family[T], v sport.Viewer, q OrganizationQuery, narrowed []sport.ID) []records.List[T] {
	addressed := sport.ID(q.ID)
	leaf, known := r.isLeaf(v, addressed)
	switch {
	case !q.Descendants:
		return []records.List[T]{f.direct(addressed)}
	case len(narrowed) > 1:
		return nil
	case len(narrowed) == 0 && known && !leaf:
		return []records.List[T]{f.below(records.RangeOf(addressed))}
	case len(narrowed) == 0:
		return f.whole(addressed)
	}
	other := narrowed[0]
	both := records.RangeOf(min(addressed, other), max(addressed, other))
	switch {
	case v.Organization == addressed:
		return f.whole(other) // what is in the scope is below the addressed organization
	case q.Type == sport.Club:
		return append(f.whole(addressed), f.below(both)) // rather below the other than above it
	}
	return append(f.whole(other), f.below(both))
}

// guessRange foresees what a list with descendants ranges over; empty: it is one
// organization alone, or cannot be known yet.
func (r *Reader) guessRange(v sport.Viewer, q OrganizationQuery) records.Range {
	narrowed := others(q, []string{q.Association, q.Club})
	leaf, _ := r.isLeaf(v, sport.ID(q.ID))
	switch {
	case len(narrowed) == 0 && leaf:
		return ""
	case len(narrowed) == 0:
		return records.RangeOf(sport.ID(q.ID))
	case len(narrowed) == 1 && v.Organization == sport.ID(q.ID):
		return records.RangeOf(narrowed[0])
	}
	return ""
}

// others are the organizations that narrow a list, without the addressed one.
func others(q OrganizationQuery, narrowed []string) []sport.ID {
	var ids []sport.ID
	for _, id := range narrowed {
		if id != "" && id != q.ID && !slices.Contains(ids, sport.ID(id)) {
			ids = append(ids, sport.ID(id))
		}
	}
	return ids
}

// whole are the lists of everything below an organization, of which one exists.
func (f family[T]) whole(id sport.ID) []records.List[T] {
	below := f.below(records.RangeOf(id))
	if f.leaf == nil || f.leaf(id) == below {
		return []records.List[T]{below}
	}
	return []records.List[T]{below, f.leaf(id)}
}
