package pagedlist

import (
	"context"
	"slices"
	"strings"

	"touchline/shared/store"
	"touchline/shared/store/pagedlist/index"
	"touchline/shared/store/pagedlist/stored"
)

// PartList is the name of the list of a part of another (Schema.Part).
func PartList(list, part string) string { return list + part }

// PartsOf divides the entries that changes put, by the part that they are of.
func (k Schema[T]) PartsOf(list Changes) []Changes {
	d := division[T]{schema: k}
	for i := range list.All {
		if !list.All[i].delete {
			d.swap(nil, &list.All[i].entry)
		}
	}
	return d.lists(list.List)
}

// part is the part that an entry is of; empty: none.
func (k Schema[T]) part(f index.Facet) string {
	if f.Hidden || k.Part == nil {
		return ""
	}
	return k.Part(Facet(f.Of))
}

// A division collects what changes of a list are to its parts.
type division[T any] struct {
	schema Schema[T]
	parts  map[string][]Change
}

// swap takes an entry that took the place of another; nil: no other was there.
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
func (e *editor[T]) divide() ([]store.Key, error) {
	if !e.parts {
		return nil, nil
	}
	inHead := len(e.pages) == 0 || e.inline()
	switch {
	case inHead:
		for _, fc := range e.hadParts {
			if part := e.schema.part(fc.Facet); part != "" {
				e.gone = append(e.gone, PartList(e.list, part))
			}
		}
		e.division.parts = nil
	case e.hadParts == nil: // all of it is loaded
		e.division.parts = nil
		for _, p := range e.pages {
			for _, s := range p.slots {
				for i := range s.entries {
					e.division.swap(nil, &s.entries[i])
				}
			}
		}
	}
	return nil, nil
}

// partLists are the names of the lists of the parts that the list has or had.
func (e *editor[T]) partLists() []string {
	if !e.parts {
		return nil
	}
	counts := e.hadParts
	for _, p := range e.pages {
		counts = counts.AddAll(p.counts)
	}
	var names []string
	for _, fc := range counts {
		if part := e.schema.part(fc.Facet); part != "" {
			names = append(names, PartList(e.list, part))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// partEditors are the editors of the parts of lists, and what deletes the parts
// of those that are now in their heads.
func partEditors[T any](ctx context.Context, table *store.Table, editors []*editor[T], options Options) (parts []*editor[T], gone []store.Write, err error) {
	for _, e := range editors {
		for _, l := range e.division.lists(e.list) {
			parts = append(parts, newEditor(e.schema, l, options))
		}
		for _, list := range e.gone {
			items, err := table.Query(ctx, store.Query{PK: stored.Partition(list), Consistent: true})
			if err != nil {
				return nil, nil, err
			}
			for _, item := range items {
				gone = append(gone, store.Write{Key: store.KeyOf(item)})
			}
		}
	}
	return parts, gone, run(ctx, table, parts, options)
}

// fromBase reads a part that has no list of its own from the list that it is part
// of.
func (p *Planned[T]) fromBase(items map[store.Key]store.Item) (entries []T, total int, err error) {
	if p.base == nil {
		req := p.req
		part := strings.TrimPrefix(req.List, req.Base)
		req.List, req.Base, req.WithHidden = req.Base, "", false
		req.Match = func(f Facet) bool { return p.schema.Part(f) == part && (p.req.Match == nil || p.req.Match(f)) }
		if p.base, err = Plan(p.schema, items, req); err != nil {
			return nil, 0, err
		}
		if len(p.base.Keys()) > 0 {
			return nil, 0, ErrMore
		}
	}
	return p.base.Page(items)
}
