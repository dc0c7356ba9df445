package pagedlist

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"touchline/shared/store"
)

// An editor computes the writes that changes to one list need, from the items that it
// has got. Where it lacks some, it wants them, and begins again with them: so edit is
// a function of the items, and holds no state between its attempts.
type editor[T any] struct {
	schema  Schema[T]
	list    string
	changes []Change
	parts   bool // the list has parts
	sizes   sizes

	got   map[store.Key]store.Item // items read; nil where there isn't one
	wants []store.Key              // read these and edit again; nil: done

	// What the list has now.
	head   store.Item
	chunks map[string][]byte // entries by the chunk's name, as far as they were read
	pages  map[string]bool   // the names of index pages whose rows were read
	had    counts            // of a list that has chunks; nil: it has none

	// What it is to have, where wants is nil.
	ahead, commit, behind []store.Write // before the head, with it, after it
	size                  int           // of the entries of a list in its head; else -1
	deletes               bool          // the changes delete something
	headChanges           bool          // the head is among commit
	changed               division[T]   // what the edit is to the list's parts
	goneParts             []string      // lists of parts that are no longer
}

// A node is a chunk, or an index page whose rows were not read.
type node struct {
	row
	page        bool
	entries     []entry // of a chunk that was read: as they are to be
	read        bool
	first, last []byte // keys of a stored chunk that was read, as they are
	touched     bool   // it is to be cut again
	changes     []Change
}

func newEditor[T any](schema Schema[T], changes Changes, options Options) *editor[T] {
	e := &editor[T]{schema: schema, list: changes.List, changes: changes.All, parts: changes.Parts, sizes: options.sizes}
	if e.sizes == (sizes{}) {
		e.sizes = defaultSizes()
	}
	e.got = map[store.Key]store.Item{}
	if options.Fresh {
		e.got[HeadKey(e.list)] = nil
	}
	return e
}

// edit computes the writes, or what it wants to read before that.
func (e *editor[T]) edit() error {
	e.wants, e.had, e.chunks, e.pages = nil, nil, map[string][]byte{}, map[string]bool{}
	e.changed = division[T]{schema: e.schema}
	nodes, err := e.open()
	if err != nil || e.wants != nil {
		return err
	}
	if err := e.route(nodes); err != nil || e.wants != nil {
		return err
	}
	if err := e.grow(nodes); err != nil || e.wants != nil {
		return err
	}
	nodes = e.replace(nodes)
	head, pages, err := e.arrange(nodes)
	if err != nil || e.wants != nil {
		return err
	}
	e.finish(nodes, head, pages)
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

// open are the nodes of the list as it is: one at least.
func (e *editor[T]) open() (nodes []*node, err error) {
	head, read := e.item(HeadKey(e.list))
	if !read {
		return nil, nil
	}
	e.head = head
	switch {
	case head == nil:
		return []*node{{read: true}}, nil
	case head[attrIndex] != nil:
		nodes, err = nodesOf(bytesOf(head, attrIndex), false)
	case head[attrDirectory] != nil:
		nodes, err = e.openPages(bytesOf(head, attrDirectory))
	default:
		entries, err := e.schema.unpackEntries(bytesOf(head, attrEntries))
		if err != nil {
			return nil, damaged("head: %v", err)
		}
		return []*node{{read: true, entries: entries}}, nil
	}
	for _, n := range nodes {
		if e.had = e.had.addAll(n.counts); !n.page {
			e.chunks[n.name] = nil
		}
	}
	return nodes, err
}

func nodesOf(rows []byte, pages bool) ([]*node, error) {
	all, err := decode(rows)
	if err != nil {
		return nil, damaged("%v", err)
	}
	nodes := make([]*node, len(all))
	for i, r := range all {
		nodes[i] = &node{row: r, page: pages}
	}
	return nodes, nil
}

// openPages puts, for each index page that was read, its chunks in its place.
func (e *editor[T]) openPages(directory []byte) (nodes []*node, err error) {
	pages, err := nodesOf(directory, true)
	if err != nil {
		return nil, err
	}
	for _, p := range pages {
		item, read := e.got[pageKey(e.list, p.name)]
		if !read {
			nodes = append(nodes, p)
			continue
		}
		chunks, err := nodesOf(bytesOf(item, attrIndex), false)
		if err != nil {
			return nil, err
		}
		e.pages[p.name] = true
		nodes = append(nodes, chunks...)
	}
	return nodes, nil
}

// route gives the changes to the nodes that they fall in, and touches these.
func (e *editor[T]) route(nodes []*node) error {
	rest := e.changes
	for i, n := range nodes {
		mine := len(rest)
		if i+1 < len(nodes) {
			mine, _ = slices.BinarySearchFunc(rest, nodes[i+1].sep, func(c Change, sep []byte) int { return bytes.Compare(c.key, sep) })
		}
		if n.changes, rest = rest[:mine], rest[mine:]; mine == 0 {
			continue
		}
		if err := e.touch(n); err != nil {
			return err
		}
	}
	return nil
}

// touch merges the changes of a node into its entries.
func (e *editor[T]) touch(n *node) error {
	n.touched = true
	if err := e.load(n); err != nil || !n.read {
		return err
	}
	n.entries = merge(n.entries, n.changes, e.swapped)
	return nil
}

// swapped notes that an entry takes the place of another.
func (e *editor[T]) swapped(old, by *entry) {
	if e.parts {
		e.changed.swap(old, by)
	}
}

// load reads the entries of a chunk. The editor wants what was not read.
func (e *editor[T]) load(n *node) error {
	if n.page {
		e.item(pageKey(e.list, n.name))
		return nil
	}
	if n.read {
		return nil
	}
	item, read := e.item(chunkKey(e.list, n.name))
	if !read {
		return nil
	}
	b := bytesOf(item, attrEntries)
	entries, err := e.schema.unpackEntries(b)
	if err != nil {
		return damaged("chunk %x: %v", n.name, err)
	}
	n.read, n.entries = true, entries
	n.first, n.last = entries[0].key, entries[len(entries)-1].key
	e.chunks[n.name] = b
	return nil
}

// grow touches the neighbours of touched chunks that the edit reaches. What is cut
// again begins where it began, so that its separator stays, and ends with a cut where it
// ended, so that what follows is cut as it was.
func (e *editor[T]) grow(nodes []*node) error {
	for grown := true; grown && e.wants == nil; {
		grown = false
		for from, to := range touchedRuns(nodes) {
			entries := entriesOf(nodes[from:to])
			_, closed := e.sizes.cutEntries(entries)
			var reached []*node
			if from > 0 && (len(entries) == 0 || !bytes.Equal(entries[0].key, nodes[from].first)) {
				reached = append(reached, nodes[from-1])
			}
			if to < len(nodes) && (len(entries) == 0 || !closed || !bytes.Equal(entries[len(entries)-1].key, nodes[to-1].last)) {
				reached = append(reached, nodes[to])
			}
			for _, n := range reached {
				if grown = true; !n.touched {
					if err := e.touch(n); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// touchedRuns yields where runs of touched nodes begin and end.
func touchedRuns(nodes []*node) func(yield func(from, to int) bool) {
	return func(yield func(from, to int) bool) {
		for from := 0; from < len(nodes); from++ {
			to := from
			for to < len(nodes) && nodes[to].touched {
				to++
			}
			if to > from && !yield(from, to) {
				return
			}
			from = to
		}
	}
}

func entriesOf(nodes []*node) []entry {
	if len(nodes) == 1 {
		return nodes[0].entries
	}
	var all []entry
	for _, n := range nodes {
		all = append(all, n.entries...)
	}
	return all
}

// replace puts new chunks in the place of touched ones.
func (e *editor[T]) replace(nodes []*node) (all []*node) {
	done := 0
	for from, to := range touchedRuns(nodes) {
		all = append(all, nodes[done:from]...)
		done = to
		sep := nodes[from].sep
		if from == 0 {
			sep = nil
		}
		chunks, _ := e.sizes.cutEntries(entriesOf(nodes[from:to]))
		for i, entries := range chunks {
			if i > 0 {
				before := chunks[i-1]
				sep = separator(before[len(before)-1].key, entries[0].key)
			}
			all = append(all, &node{row: rowOf(entries, sep, e.schema.Ranged), entries: entries, read: true})
		}
	}
	return append(all, nodes[done:]...)
}

// arrange is the new head of a list of nodes, nil where it has none, and its index
// pages by name, nil for those that stay.
func (e *editor[T]) arrange(nodes []*node) (head store.Item, pages map[string]store.Item, err error) {
	e.size = -1
	if len(nodes) <= fewChunks {
		size := 0
		for _, n := range nodes {
			if err := e.load(n); err != nil {
				return nil, nil, err
			}
			size += sizeOfEntries(n.entries)
		}
		switch {
		case e.wants != nil:
			return nil, nil, nil
		case size == 0:
			e.size = 0
			return nil, nil, nil
		case size <= e.sizes.full:
			e.size = size
			return itemOf(attrEntries, packEntries(entriesOf(nodes))), nil, nil
		}
	}
	directory, pages := e.cutIndex(nodes)
	weight := 0
	for _, n := range nodes {
		if weight += n.weight(); n.page && len(directory) <= fewPages {
			e.item(pageKey(e.list, n.name)) // the rows may go into the head
		}
	}
	switch {
	case e.wants != nil:
		return nil, nil, nil
	case weight <= e.sizes.index && !slices.ContainsFunc(nodes, func(n *node) bool { return n.page }):
		return itemOf(attrIndex, encode(rowsOf(nodes))), nil, nil
	}
	return itemOf(attrDirectory, encode(directory)), pages, nil
}

// cutIndex divides the rows of nodes into index pages: the rows of these, and the items
// of those that are not as they were. Where the page after some rows is not to begin
// where it did, the editor wants it.
func (e *editor[T]) cutIndex(nodes []*node) (directory []row, pages map[string]store.Item) {
	pages = map[string]store.Item{}
	for from := 0; from < len(nodes); {
		if p := nodes[from]; p.page {
			directory, pages[p.name] = append(directory, p.row), nil
			from++
			continue
		}
		to := from
		for to < len(nodes) && !nodes[to].page {
			to++
		}
		cuts, closed := e.sizes.cutRows(rowsOf(nodes[from:to]))
		if !closed && to < len(nodes) {
			e.item(pageKey(e.list, nodes[to].name))
		}
		for _, rows := range cuts {
			b := encode(rows)
			r := pageRow(rows, b)
			directory, pages[r.name] = append(directory, r), itemOf(attrIndex, b)
		}
		from = to
	}
	return directory, pages
}

func rowsOf(nodes []*node) []row {
	rows := make([]row, len(nodes))
	for i, n := range nodes {
		rows[i] = n.row
	}
	return rows
}

// finish computes the writes.
func (e *editor[T]) finish(nodes []*node, head store.Item, pages map[string]store.Item) {
	stay := map[string]bool{}
	for _, n := range nodes {
		if n.page || e.size >= 0 {
			continue
		}
		was, stored := e.chunks[n.name]
		stay[n.name] = true
		if !n.read {
			continue
		}
		b := packEntries(n.entries)
		w := store.Write{Key: chunkKey(e.list, n.name), Item: itemOf(attrEntries, b)}
		switch {
		case !stored:
			e.ahead = append(e.ahead, w)
		case !bytes.Equal(was, b): // what readers see changes, as with the head
			e.commit = append(e.commit, w)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		if item := pages[name]; item != nil && !e.pages[name] {
			e.ahead = append(e.ahead, store.Write{Key: pageKey(e.list, name), Item: item})
		}
	}
	e.headChanges = (e.head != nil || head != nil) && (e.head == nil || head == nil || !same(e.head, head))
	if e.headChanges {
		e.commit = append(e.commit, store.Write{Key: HeadKey(e.list), Item: head})
	}
	for _, name := range slices.Sorted(maps.Keys(e.chunks)) {
		if !stay[name] {
			e.behind = append(e.behind, store.Write{Key: chunkKey(e.list, name)})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.pages)) {
		if _, stays := pages[name]; !stays {
			e.behind = append(e.behind, store.Write{Key: pageKey(e.list, name)})
		}
	}
	e.divide(nodes)
	e.deletes = slices.ContainsFunc(e.changes, func(c Change) bool { return c.delete })
	e.got, e.changes, e.chunks, e.pages = nil, nil, nil, nil
}
