package pagedlist

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"touchline/shared/store"
	"touchline/shared/store/pagedlist/index"
	"touchline/shared/store/pagedlist/stored"
)

// An editor computes the writes that changes to one list need. It goes through
// its steps. A step that needs items returns their keys, and is called again once
// they have been read.
type editor[T any] struct {
	schema  Schema[T]
	list    string
	changes []Change
	layout  layout
	newLife func() uint32
	room    int // bytes of a chunk that its entries may take

	got     map[store.Key]store.Item // items read, by key; nil where there isn't one
	head    stored.Head
	existed bool // there is a head
	// pages hold the index: those of the directory, or one without a number where
	// the index is in the head or there isn't one yet.
	pages   []*page
	oldNums []int // of the pages as they were
	whole   bool  // the index will be in the head, or there will be none
	dropped []store.Key
	hadTail bool        // there is a T
	free    stored.Head // numbers that no stored item has
	window  []byte      // of a long list
	tail    []byte

	parts    bool         // the list has parts
	hadParts index.Counts // of a list that had chunks; nil: it had none
	division division[T]
	gone     []string // lists of parts that are no longer

	steps []func() ([]store.Key, error)

	put, deleted        int
	entries             int  // of the list after the edit
	chunked             bool // has chunks, or may have had some
	first, commit, last []store.Write
}

// A page is a part of the index.
type page struct {
	num      int // noPage: none yet
	sep      []byte
	counts   index.Counts
	slots    []*slot
	loaded   bool
	changed  bool // the rows differ from those stored
	numbered bool // num is new
	changes  []Change
}

const noPage = -1

// A slot is a chunk.
type slot struct {
	index.Row
	entries []entry // where loaded
	loaded  bool
	moved   bool // keys or facets change: new chunks take its place
	put     bool // payloads change
	isNew   bool // Num is new
	changes []Change
}

func newEditor[T any](schema Schema[T], changes Changes, options Options) *editor[T] {
	list := changes.List
	e := &editor[T]{
		schema: schema, list: list, changes: changes.All, parts: changes.Parts, layout: options.layout, newLife: options.life,
		division: division[T]{schema: schema},
	}
	e.room = e.layout.chunk - countBytes - stored.SizeOf(stored.ChunkKey(list, 0), stored.ChunkItem(math.MaxUint32, packEntries(nil)))
	e.got = map[store.Key]store.Item{}
	if options.Fresh {
		e.got[stored.HeadKey(list)] = nil
	}
	e.steps = []func() ([]store.Key, error){e.open, e.route, e.edit, e.balance, e.arrange, e.cover, e.divide, e.finish}
	return e
}

// countBytes is how many bytes more the number of entries takes in a full chunk than in
// an empty one. A varint of two bytes is enough: an entry takes a byte at least, so that
// a chunk has fewer than 2^14.
const countBytes = 1

// next runs steps until one needs items, and returns their keys; none at the end.
func (e *editor[T]) next() ([]store.Key, error) {
	for len(e.steps) > 0 {
		wants, err := e.steps[0]()
		if err != nil || len(wants) > 0 {
			for _, k := range wants {
				e.got[k] = nil
			}
			return wants, err
		}
		e.steps = e.steps[1:]
	}
	return nil, nil
}

// take receives the items that were read.
func (e *editor[T]) take(items map[store.Key]store.Item) {
	for k := range e.got {
		if item, ok := items[k]; ok {
			e.got[k] = item
		}
	}
}

// missing are those of keys that have not been read.
func (e *editor[T]) missing(keys ...store.Key) []store.Key {
	var wants []store.Key
	for _, k := range keys {
		if _, asked := e.got[k]; !asked {
			wants = append(wants, k)
		}
	}
	return wants
}

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// open reads the head, and the tail of a long list.
func (e *editor[T]) open() ([]store.Key, error) {
	if wants := e.missing(stored.HeadKey(e.list)); wants != nil {
		return wants, nil
	}
	item := e.got[stored.HeadKey(e.list)]
	if e.existed = item != nil; e.existed {
		e.head = stored.ParseHead(item)
	}
	block := e.head.Index
	if block == nil {
		block = e.head.Directory
	}
	if block == nil {
		return nil, e.openEntries()
	}
	rows, err := index.Decode(block)
	if err != nil {
		return nil, damaged("head: %v", err)
	}
	for _, r := range rows {
		e.hadParts = e.hadParts.AddAll(r.Counts)
	}
	if e.head.Index != nil {
		e.pages = []*page{newPage(rows)}
		return nil, nil
	}
	if wants := e.missing(stored.TailKey(e.list)); wants != nil {
		return wants, nil
	}
	for _, r := range rows {
		e.pages = append(e.pages, &page{num: r.Num, sep: r.Sep, counts: r.Counts})
		e.oldNums = append(e.oldNums, r.Num)
	}
	return nil, nil
}

// openEntries makes one chunk, which is not stored yet, of a list in its head or a
// list that does not exist.
func (e *editor[T]) openEntries() error {
	var entries []entry
	if e.existed {
		var err error
		if entries, err = e.schema.unpackEntries(e.head.Entries); err != nil {
			return damaged("head: %v", err)
		}
	}
	e.head = e.free // used where the list outgrows the head
	e.head.Life = e.newLife()
	s := &slot{Row: index.Row{Num: noChunk}, entries: entries, loaded: true}
	p := newPage(nil)
	p.slots = []*slot{s}
	e.pages = []*page{p}
	return nil
}

const noChunk = -1

func newPage(rows []index.Row) *page {
	p := &page{num: noPage, loaded: true}
	for _, r := range rows {
		p.slots = append(p.slots, &slot{Row: r})
	}
	p.describe()
	return p
}

// describe sets the page's separator and counts to those of its slots.
func (p *page) describe() {
	p.counts, p.sep = nil, nil
	for i, s := range p.slots {
		if i == 0 {
			p.sep = s.Sep
		}
		p.counts = p.counts.AddAll(s.Counts)
	}
}

// load decodes index pages. It returns the keys of those that must be read first.
func (e *editor[T]) load(pages ...*page) ([]store.Key, error) {
	var wants []store.Key
	for _, p := range pages {
		if p.loaded {
			continue
		}
		key := stored.PageKey(e.list, p.num)
		item, asked := e.got[key]
		if !asked {
			wants = append(wants, key)
			continue
		}
		if item == nil || stored.Life(item) != e.head.Life {
			return nil, damaged("index page %d is missing", p.num)
		}
		rows, err := index.Decode(stored.Index(item))
		if err != nil {
			return nil, damaged("index page %d: %v", p.num, err)
		}
		for _, r := range rows {
			p.slots = append(p.slots, &slot{Row: r})
		}
		p.loaded = true
	}
	return wants, nil
}

// route assigns the changes to the pages that they fall in.
func (e *editor[T]) route() ([]store.Key, error) {
	var touched []*page
	rest := e.changes
	for i, p := range e.pages {
		n := len(rest)
		if i+1 < len(e.pages) {
			n = below(rest, e.pages[i+1].sep)
		}
		if p.changes, rest = rest[:n], rest[n:]; n > 0 {
			touched = append(touched, p)
		}
	}
	return e.load(touched...)
}

// below is how many changes, which are in key order, have keys below sep.
func below(changes []Change, sep []byte) int {
	n := 0
	for n < len(changes) && bytes.Compare(changes[n].key, sep) < 0 {
		n++
	}
	return n
}

// edit merges the changes into the chunks that they fall in.
func (e *editor[T]) edit() ([]store.Key, error) {
	var wants []store.Key
	var touched []*slot
	for _, p := range e.pages {
		rest := p.changes
		for i, s := range p.slots {
			n := len(rest)
			if i+1 < len(p.slots) {
				n = below(rest, p.slots[i+1].Sep)
			}
			if s.changes, rest = rest[:n], rest[n:]; n == 0 {
				continue
			}
			touched = append(touched, s)
			want, err := e.loadChunk(s)
			if err != nil {
				return nil, err
			}
			wants = append(wants, want...)
		}
	}
	if wants != nil {
		return wants, nil
	}
	for _, s := range touched {
		entries, o := merge(s.entries, s.changes, e.swapped)
		e.put += o.put
		e.deleted += o.deleted
		s.entries = entries
		s.moved = s.moved || o.moved || o.changed() && len(entries) > 1 && sizeOfEntries(entries) > e.room
		s.put = o.changed()
	}
	return nil, nil
}

// swapped notes that an entry took the place of another.
func (e *editor[T]) swapped(old, by *entry) {
	if e.parts {
		e.division.swap(old, by)
	}
}

// loadChunk decodes a chunk. It returns its key where it must be read first. A
// chunk that does not agree with the index moves.
func (e *editor[T]) loadChunk(s *slot) ([]store.Key, error) {
	if s.loaded {
		return nil, nil
	}
	key := stored.ChunkKey(e.list, s.Num)
	item, asked := e.got[key]
	if !asked {
		return []store.Key{key}, nil
	}
	if item == nil || stored.Life(item) != e.head.Life {
		return nil, damaged("chunk %d is missing", s.Num)
	}
	entries, err := e.schema.unpackEntries(stored.Entries(item))
	if err != nil {
		return nil, damaged("chunk %d: %v", s.Num, err)
	}
	s.entries, s.loaded = entries, true
	s.moved = s.moved || !slices.Equal(s.Counts, rowOf(s.Num, nil, entries, false).Counts)
	return nil, nil
}
