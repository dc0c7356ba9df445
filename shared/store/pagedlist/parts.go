package pagedlist

import (
	"slices"
	"strings"
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

// A division collects what changes of a list are to its parts.
type division[T any] struct {
	schema Schema[T]
	parts  map[string][]Change
}

// swap takes an entry that takes the place of another; nil: none is there before, or
// after.
func (d *division[T]) swap(old, by *entry) {
	var from, to string
	if old != nil {
		from = d.schema.part(old.facet)
	}
	if by != nil {
		to = d.schema.part(by.facet)
	}
	if from != "" && from != to {
		d.add(from, Deletion(old.key))
	}
	if to != "" {
		d.add(to, Change{entry: *by})
	}
}

func (d *division[T]) add(part string, c Change) {
	if d.parts == nil {
		d.parts = map[string][]Change{}
	}
	d.parts[part] = append(d.parts[part], c)
}

// lists are the changes of the lists of the parts.
func (d *division[T]) lists(list string) []Changes {
	var all []Changes
	for part, changes := range d.parts {
		all = append(all, Changes{List: PartList(list, part), All: changes})
	}
	slices.SortFunc(all, func(a, b Changes) int { return strings.Compare(a.List, b.List) })
	return all
}

// divide finds what the edit is to the parts of the list. They have lists only
// while the list has chunks.
func (e *editor[T]) divide(nodes []*node) {
	if !e.parts {
		return
	}
	if e.size >= 0 {
		e.goneParts, e.changed.parts = e.partsIn(e.had), nil
		return
	}
	if e.had == nil { // all of it was read
		e.changed.parts = nil
		for i, all := 0, entriesOf(nodes); i < len(all); i++ {
			e.changed.swap(nil, &all[i])
		}
	}
}

// partsIn are the lists of the parts that counted entries are of.
func (e *editor[T]) partsIn(c counts) (lists []string) {
	for _, of := range c {
		if part := e.schema.part(of.facet); part != "" && !slices.Contains(lists, PartList(e.list, part)) {
			lists = append(lists, PartList(e.list, part))
		}
	}
	return lists
}
