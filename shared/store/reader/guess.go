package reader

import (
	"slices"

	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// guess foresees what listOf is going to choose, from the query alone;
// narrowed are the ids of the organizations that narrow the list, empty where
// not sent. A list that two of them narrow has a round trip to itself, so that
// nothing is guessed for it.
func guess[T any](r *Reader, f family[T], v sport.Viewer, q OrganizationQuery, narrowed ...string) []string {
	own, _ := r.root(v.Organization)
	var ahead []string
	for _, list := range guessLists(f, v, q, own, others(q, narrowed)) {
		ahead = append(ahead, string(list))
	}
	return ahead
}

// guessLists takes own, the key's organization, where it is known; else nil.
func guessLists[T any](f family[T], v sport.Viewer, q OrganizationQuery, own *records.OrganizationRecord, narrowed []sport.ID) []records.List[T] {
	addressed := sport.ID(q.ID)
	switch {
	case !q.Descendants:
		return []records.List[T]{f.direct(addressed)}
	case len(narrowed) > 1:
		return nil
	case len(narrowed) == 0 && own != nil && own.ID == addressed && !own.Leaf:
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
func guessRange(v sport.Viewer, q OrganizationQuery, own *records.OrganizationRecord) records.Range {
	addressed := sport.ID(q.ID)
	narrowed := others(q, []string{q.Association, q.Club})
	switch {
	case len(narrowed) == 0 && own != nil && own.ID == addressed && own.Leaf:
		return ""
	case len(narrowed) == 0:
		return records.RangeOf(addressed)
	case len(narrowed) == 1 && v.Organization == addressed:
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
