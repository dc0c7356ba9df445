package pagedlist

import (
	"math"
	"slices"

	"touchline/shared/store"
	"touchline/shared/store/pagedlist/index"
	"touchline/shared/store/pagedlist/stored"
)

// balance puts the entries of chunks that moved into new chunks. A chunk that
// would end up below lowPercent is merged with a neighbour.
func (e *editor[T]) balance() ([]store.Key, error) {
	var wants []store.Key
	for _, p := range e.pages {
		want, err := e.gather(p)
		if err != nil {
			return nil, err
		}
		wants = append(wants, want...)
	}
	if wants != nil {
		return wants, nil
	}
	for _, p := range e.pages {
		e.repack(p)
	}
	return nil, nil
}

// groups yields the runs of neighbouring chunks that moved.
func (p *page) groups(yield func(from, to int) bool) {
	for from := 0; from < len(p.slots); from++ {
		to := from
		for to < len(p.slots) && p.slots[to].moved {
			to++
		}
		if to > from && !yield(from, to) {
			return
		}
		from = to
	}
}

func entriesOfSlots(slots []*slot) []entry {
	if len(slots) == 1 {
		return slots[0].entries
	}
	var entries []entry
	for _, s := range slots {
		entries = append(entries, s.entries...)
	}
	return entries
}

// gather adds a neighbour to each group that is small. It returns the keys of
// neighbours that must be read first.
func (e *editor[T]) gather(p *page) (wants []store.Key, err error) {
	for again := true; again; {
		again = false
		p.groups(func(from, to int) bool {
			size := 0
			for _, s := range p.slots[from:to] {
				size += sizeOfEntries(s.entries)
			}
			if size == 0 || size >= e.room*lowPercent/100 || to-from == len(p.slots) {
				return true
			}
			neighbour := p.slots[max(from-1, 0)]
			if to < len(p.slots) {
				neighbour = p.slots[to]
			}
			var want []store.Key
			if want, err = e.loadChunk(neighbour); err != nil {
				return false
			}
			wants = append(wants, want...)
			if want == nil && neighbour.loaded {
				neighbour.moved, again = true, true
				return false
			}
			return true
		})
		if err != nil {
			return nil, err
		}
	}
	return wants, nil
}

// repack replaces the groups of a page by new chunks. The first one keeps the
// group's separator, which is still below its keys and above all keys before.
func (e *editor[T]) repack(p *page) {
	var slots []*slot
	done := 0
	p.groups(func(from, to int) bool {
		slots = append(slots, p.slots[done:from]...)
		done = to
		e.drop(p.slots[from:to]...)
		sep := p.slots[from].Sep
		pieces := cut(entriesOfSlots(p.slots[from:to]), e.room, to-from)
		for i, entries := range pieces {
			if i > 0 {
				before := pieces[i-1]
				sep = index.Separator(before[len(before)-1].key, entries[0].key)
			}
			slots = append(slots, &slot{
				Row:     rowOf(noChunk, sep, entries, e.schema.Ranged),
				entries: entries,
				loaded:  true,
				put:     true,
			})
		}
		p.changed = true
		return true
	})
	if !p.changed {
		return
	}
	p.slots = append(slots, p.slots[done:]...)
	p.describe()
}

// drop deletes the chunks of slots, where they are stored.
func (e *editor[T]) drop(slots ...*slot) {
	for _, s := range slots {
		if s.Num != noChunk {
			e.dropped = append(e.dropped, stored.ChunkKey(e.list, s.Num))
		}
	}
}

// arrange chooses one of the three layouts and divides the index into pages.
func (e *editor[T]) arrange() ([]store.Key, error) {
	e.whole = e.head.Directory == nil
	e.pages = slices.DeleteFunc(e.pages, func(p *page) bool { return p.changed && len(p.slots) == 0 })
	if len(e.pages) == 0 {
		e.whole = true
		return nil, nil
	}
	if !e.whole {
		if wants, err := e.joinPages(); wants != nil || err != nil {
			return wants, err
		}
	}
	if e.whole {
		p := e.pages[0]
		if len(p.slots) == 1 && p.changed {
			if wants, err := e.loadChunk(p.slots[0]); wants != nil || err != nil {
				return wants, err
			}
		}
		e.whole = e.inline() || !p.changed || e.fits(p.slots, 100)
	}
	if !e.whole {
		e.splitPages()
	}
	return nil, nil
}

// inline reports whether the list goes into its head.
func (e *editor[T]) inline() bool {
	if !e.whole || len(e.pages) != 1 || len(e.pages[0].slots) != 1 {
		return false
	}
	s := e.pages[0].slots[0]
	return s.loaded && sizeOfEntries(s.entries) <= e.room
}

// index is the whole index as a block.
func (e *editor[T]) index(slots []*slot) []byte {
	return index.Encode(rowsOf(slots), index.Columns{Seps: true, Ticks: e.schema.Ranged})
}

func (e *editor[T]) headSize(block []byte) int {
	h := stored.Head{Life: math.MaxUint32, NextChunk: index.MaxNum, Index: block}
	return stored.SizeOf(stored.HeadKey(e.list), h.Item())
}

// fits reports whether the index of slots goes into a share of the head.
func (e *editor[T]) fits(slots []*slot, percent int) bool {
	limit := e.layout.head * percent / 100
	return len(slots) <= limit && e.headSize(e.index(slots)) <= limit
}

func rowsOf(slots []*slot) []index.Row {
	rows := make([]index.Row, len(slots))
	for i, s := range slots {
		rows[i] = s.Row
	}
	return rows
}

// wholePercent is how full, in percent of its bound, a head may be when the index
// of a long list moves back into it. A head that is full then takes a third more
// before the list is long again.
const wholePercent = 75

// joinPages joins pages below lowPercent with a neighbour, and makes one index of
// the last two pages where it fits the head.
func (e *editor[T]) joinPages() ([]store.Key, error) {
	for i := 0; i < len(e.pages) && len(e.pages) > 1; {
		p := e.pages[i]
		if !p.changed || len(p.slots) >= e.layout.page*lowPercent/100 {
			i++
			continue
		}
		from := min(i, len(e.pages)-2)
		if wants, err := e.load(e.pages[from : from+2]...); wants != nil || err != nil {
			return wants, err
		}
		e.pages = slices.Replace(e.pages, from, from+2, joined(e.pages[from:from+2]...))
		i = from
	}
	if same := slices.Equal(e.nums(), e.oldNums) && !slices.ContainsFunc(e.pages, func(p *page) bool { return p.changed }); same || len(e.pages) > 2 {
		return nil, nil
	}
	if wants, err := e.load(e.pages...); wants != nil || err != nil {
		return wants, err
	}
	if one := joined(e.pages...); e.fits(one.slots, wholePercent) {
		e.pages, e.whole = []*page{one}, true
	}
	return nil, nil
}

func joined(pages ...*page) *page {
	one := &page{num: noPage, loaded: true, changed: true}
	for _, p := range pages {
		one.slots = append(one.slots, p.slots...)
	}
	one.describe()
	return one
}

// splitPages divides pages that are new, or exceed the bound, evenly.
func (e *editor[T]) splitPages() {
	var pages []*page
	for _, p := range e.pages {
		if len(p.slots) <= e.layout.page && (p.num != noPage || p.changed && len(e.pages) > 1) {
			pages = append(pages, p)
			continue
		}
		fill := e.layout.page * fillPercent / 100
		n := (len(p.slots) + fill - 1) / fill
		for i := range n {
			from, to := len(p.slots)*i/n, len(p.slots)*(i+1)/n
			part := &page{num: noPage, loaded: true, changed: true, slots: p.slots[from:to]}
			part.describe()
			pages = append(pages, part)
		}
	}
	e.pages = pages
}
