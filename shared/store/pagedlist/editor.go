package pagedlist

import (
	"bytes"
	"fmt"
	"slices"

	"touchline/shared/store"
)

// An editor computes the writes that changes to one list need, from the items that it
// has got. Where it lacks some, it wants them, and begins again with them: so edit is
// a function of the items, and nothing stays between its attempts.
type editor[T any] struct {
	Changes
	schema Schema[T]
	sizes  sizes

	got   map[store.Key]store.Item // items read; nil where there isn't one
	wants []store.Key              // read these and edit again; none: done

	// Once nothing is wanted: the items that the list is to have, of those that were read
	// or are new, and the writes that make them so, those before the head, with it, after it.
	want   map[store.Key]store.Item
	stages [3][]store.Write
}

// A node is a chunk, or an index page whose rows were not read.
type node struct {
	row
	page    bool
	entries []entry // of a chunk; nil where it was not read
}

func newEditor[T any](schema Schema[T], changes Changes, options Options) *editor[T] {
	e := &editor[T]{schema: schema, Changes: changes, sizes: options.sizes, got: map[store.Key]store.Item{}}
	if e.sizes == (sizes{}) {
		e.sizes = defaultSizes()
	}
	if options.Fresh {
		e.got[HeadKey(e.List)] = nil
	}
	return e
}

// edit computes the writes, or what it wants to read before that.
func (e *editor[T]) edit() error {
	e.wants, e.want = nil, map[store.Key]store.Item{}
	before, err := e.open()
	if err != nil || e.wants != nil {
		return err
	}
	after, err := e.merge(before)
	if err != nil || e.wants != nil {
		return err
	}
	if err := e.arrange(after); err != nil || e.wants != nil {
		return err
	}
	for _, w := range differing(e.got, e.want) {
		stage := 0
		switch {
		case IsHead(w.Key) || w.Item != nil && e.got[w.Key] != nil: // what readers see changes
			stage = 1
		case w.Item == nil:
			stage = 2
		}
		e.stages[stage] = append(e.stages[stage], w)
	}
	e.got = nil
	return nil
}

// item is an item that was read; where it was not, the editor wants it.
func (e *editor[T]) item(key store.Key) (item store.Item, read bool) {
	if item, read = e.got[key]; !read {
		e.wants = append(e.wants, key)
	}
	return item, read
}

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// open are the nodes of the list as it is, one at least. A list in its head is one node.
func (e *editor[T]) open() (nodes []*node, err error) {
	head, read := e.item(HeadKey(e.List))
	switch {
	case !read:
		return nil, nil
	case head == nil:
		return []*node{{entries: []entry{}}}, nil
	case head[attrIndex] != nil:
		return nodesIn(head, attrIndex)
	case head[attrDirectory] == nil:
		entries, err := e.schema.unpackEntries(bytesOf(head, attrEntries))
		if err != nil {
			return nil, damaged("head: %v", err)
		}
		return []*node{{entries: entries}}, nil
	}
	pages, err := nodesIn(head, attrDirectory)
	for _, p := range pages {
		p.page = true
		within := []*node{p}
		if item, read := e.got[pageKey(e.List, p.name)]; read {
			if within, err = nodesIn(item, attrIndex); err != nil {
				return nil, err
			}
		}
		nodes = append(nodes, within...)
	}
	return nodes, err
}

func nodesIn(item store.Item, attribute string) ([]*node, error) {
	rows, err := decode(bytesOf(item, attribute))
	if err != nil {
		return nil, damaged("%v", err)
	}
	nodes := make([]*node, len(rows))
	for i, r := range rows {
		nodes[i] = &node{row: r}
	}
	return nodes, nil
}

// load reads the entries of a chunk, and reports whether it has them. The editor wants
// what was not read.
func (e *editor[T]) load(n *node) (loaded bool, err error) {
	switch {
	case n.entries != nil:
		return true, nil
	case n.page:
		e.item(pageKey(e.List, n.name))
		return false, nil
	}
	item, read := e.item(chunkKey(e.List, n.name))
	if !read {
		return false, nil
	}
	if n.entries, err = e.schema.unpackEntries(bytesOf(item, attrEntries)); err != nil {
		return false, damaged("chunk %x: %v", n.name, err)
	}
	return true, nil
}

// merge puts the changes into the chunks that they fall in, and cuts again what they
// reach: such a chunk, those after it until one ends with the cut where it ended, and the
// separator of one before which another entry comes.
func (e *editor[T]) merge(nodes []*node) (all []*node, err error) {
	var (
		rest  = e.All
		run   []entry // not cut yet
		sep   []byte  // of the run, where it begins as a chunk began
		moved bool    // what comes before the node ends with another entry
	)
	for i, n := range nodes {
		mine, last := len(rest), i+1 == len(nodes)
		if !last {
			mine, _ = slices.BinarySearchFunc(rest, nodes[i+1].sep, func(c Change, sep []byte) int { return bytes.Compare(c.key, sep) })
		}
		changes := rest[:mine]
		if rest = rest[mine:]; mine == 0 && len(run) == 0 && !moved {
			all = append(all, n)
			continue
		}
		loaded, err := e.load(n)
		if err != nil {
			return nil, err
		}
		if !loaded { // how far the edit reaches is seen once it is
			run, moved = nil, false
			all = append(all, n)
			continue
		}
		merged := merge(n.entries, changes)
		if len(run) == 0 {
			if sep = nil; !moved && beginAlike(merged, n.entries) {
				sep = n.sep
			}
		}
		run = append(run, merged...)
		chunks, closed := e.sizes.cutEntries(run)
		if run = nil; !closed && !last {
			run, chunks = chunks[len(chunks)-1], chunks[:len(chunks)-1]
		}
		for _, entries := range chunks {
			if sep, err = e.separate(all, sep, entries); err != nil {
				return nil, err
			}
			all = append(all, &node{row: rowOf(entries, sep), entries: entries})
			sep = nil
		}
		moved = !endAlike(merged, n.entries)
	}
	return all, nil
}

// beginAlike reports whether two runs of entries begin with the same key.
func beginAlike(a, b []entry) bool {
	return len(a) > 0 && len(b) > 0 && bytes.Equal(a[0].key, b[0].key)
}

// endAlike reports whether two runs of entries end with the same key.
func endAlike(a, b []entry) bool {
	return len(a) > 0 && len(b) > 0 && bytes.Equal(a[len(a)-1].key, b[len(b)-1].key)
}

// separate is the separator of a chunk after others: sep, or another where that is nil.
func (e *editor[T]) separate(before []*node, sep []byte, entries []entry) ([]byte, error) {
	if len(before) == 0 || sep != nil || e.wants != nil {
		return sep, nil
	}
	n := before[len(before)-1]
	if loaded, err := e.load(n); err != nil || !loaded {
		return nil, err
	}
	return separator(n.entries[len(n.entries)-1].key, entries[0].key), nil
}

// arrange makes the items of a list of nodes.
func (e *editor[T]) arrange(nodes []*node) error {
	if len(nodes) <= fewChunks {
		size, all := 0, []entry{}
		for _, n := range nodes {
			if _, err := e.load(n); err != nil {
				return err
			}
			for _, entry := range n.entries {
				size, all = size+entry.size(), append(all, entry)
			}
		}
		switch {
		case e.wants != nil || size == 0:
			return nil
		case size <= e.sizes.full:
			e.want[HeadKey(e.List)] = itemOf(attrEntries, packEntries(all))
			return nil
		}
	}
	weight, paged := 0, false
	for _, n := range nodes {
		weight, paged = weight+n.weight(), paged || n.page
		if e.got[chunkKey(e.List, n.name)] != nil { // an earlier attempt read it: unless it is in want, it is deleted
			if _, err := e.load(n); err != nil {
				return err
			}
		}
		if n.entries != nil {
			e.want[chunkKey(e.List, n.name)] = itemOf(attrEntries, packEntries(n.entries))
		}
	}
	if !paged && weight <= e.sizes.index {
		e.want[HeadKey(e.List)] = itemOf(attrIndex, encode(rowsOf(nodes)))
		return nil
	}
	directory := e.cutIndex(nodes)
	if len(directory) <= fewPages {
		for _, n := range nodes {
			if n.page {
				e.item(pageKey(e.List, n.name)) // the rows may go into the head
			}
		}
	}
	e.want[HeadKey(e.List)] = itemOf(attrDirectory, encode(directory))
	return nil
}

// cutIndex divides the rows of nodes into index pages, and is the rows of these. Where the
// page after some rows is not to begin where it did, the editor wants it.
func (e *editor[T]) cutIndex(nodes []*node) (directory []row) {
	for from := 0; from < len(nodes); {
		if p := nodes[from]; p.page {
			directory = append(directory, p.row)
			from++
			continue
		}
		to := from
		for to < len(nodes) && !nodes[to].page {
			to++
		}
		cuts, closed := e.sizes.cutRows(rowsOf(nodes[from:to]))
		if !closed && to < len(nodes) {
			e.item(pageKey(e.List, nodes[to].name))
		}
		for _, rows := range cuts {
			b := encode(rows)
			r := pageRow(rows, b)
			directory = append(directory, r)
			e.want[pageKey(e.List, r.name)] = itemOf(attrIndex, b)
		}
		from = to
	}
	return directory
}

func rowsOf(nodes []*node) []row {
	rows := make([]row, len(nodes))
	for i, n := range nodes {
		rows[i] = n.row
	}
	return rows
}
