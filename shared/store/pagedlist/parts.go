package pagedlist

import (
	"bytes"
	"maps"
	"slices"
)

// PartList is the name of the list of a part of another (Schema.Part).
func PartList(list, part string) string { return list + part }

// part is the part that an entry is of; empty: none.
func (k Schema[T]) part(f facet) string {
	if f.hidden || k.Part == nil {
		return ""
	}
	return k.Part(Facet(f.of))
}

// partChanges are the changes of the parts of a list in which some entries take the place
// of others, both in order.
func (k Schema[T]) partChanges(list string, old, now []entry) (all []Changes) {
	parts := map[string][]Change{}
	for len(old) > 0 || len(now) > 0 {
		order := -1 // of the next ones: old before now
		switch {
		case len(old) == 0:
			order = 1
		case len(now) > 0:
			order = compareEntries(old[0], now[0])
		}
		var from, to string
		var was, is entry
		if order <= 0 {
			was, old = old[0], old[1:]
			from = k.part(was.facet)
		}
		if order >= 0 {
			is, now = now[0], now[1:]
			to = k.part(is.facet)
		}
		if order == 0 && bytes.Equal(was.value, is.value) {
			continue
		}
		if from != "" && from != to {
			parts[from] = append(parts[from], Deletion(was.key))
		}
		if to != "" {
			parts[to] = append(parts[to], Change{entry: is})
		}
	}
	for _, part := range slices.Sorted(maps.Keys(parts)) {
		all = append(all, Changes{List: PartList(list, part), All: parts[part]})
	}
	return all
}
