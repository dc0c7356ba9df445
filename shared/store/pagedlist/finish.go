package pagedlist

import (
	"bytes"
	"slices"

	"touchline/shared/store"
	"touchline/shared/store/pagedlist/index"
)

// cover numbers the new chunks and pages, and computes the windows of a long list
// that the edit affects.
func (e *editor[T]) cover() ([]store.Key, error) {
	if e.inline() || len(e.pages) == 0 {
		return nil, nil
	}
	long := e.head.directory != nil
	e.number()
	if e.whole {
		return nil, nil
	}
	nums := e.nums()
	lead, trail := e.covering(false), e.covering(true)
	ahead, behind := commonEnds(e.oldNums, nums)
	keepWindow := long && lead <= ahead && within(e.head.window, e.pages[:ahead])
	stored := bytesOf(e.got[tailKey(e.list)], attrWindow)
	keepTail := long && trail <= behind && stored != nil && sum(stored) == e.head.tailSum &&
		within(stored, e.pages[len(e.pages)-behind:])
	var wants []store.Key
	if !keepWindow {
		want, err := e.load(e.pages[:lead]...)
		if err != nil {
			return nil, err
		}
		wants = append(wants, want...)
	}
	if !keepTail {
		want, err := e.load(e.pages[len(e.pages)-trail:]...)
		if err != nil {
			return nil, err
		}
		wants = append(wants, want...)
	}
	if wants != nil {
		return unique(wants), nil
	}
	e.window, e.tail = e.head.window, stored
	if !keepWindow {
		e.window = e.windowOf(e.pages[:lead], false)
	}
	if !keepTail {
		e.tail = e.windowOf(e.pages[len(e.pages)-trail:], true)
	}
	return nil, nil
}

// within reports whether the rows of a stored window are all of the given pages,
// which did not change. A window begins at the end of the list that they are at,
// so it reaches beyond them only where it has more entries than they have.
func within(window []byte, pages []*page) bool {
	rows, err := index.Decode(window)
	if err != nil {
		return false
	}
	entries := 0
	for _, p := range pages {
		entries += p.counts.Total()
	}
	for _, r := range rows {
		entries -= r.Counts.Total()
	}
	return entries >= 0
}

func unique(keys []store.Key) []store.Key {
	var once []store.Key
	for _, k := range keys {
		if !slices.Contains(once, k) {
			once = append(once, k)
		}
	}
	return once
}

// number assigns numbers to new chunks and pages.
func (e *editor[T]) number() {
	for _, p := range e.pages {
		for _, s := range p.slots {
			if s.Num == noChunk {
				s.Num, s.isNew = e.head.nextChunk, true
				e.head.nextChunk++
			}
		}
		if !e.whole && (p.changed || p.num == noPage) && !p.numbered {
			p.num, p.numbered = e.head.nextPage, true
			e.head.nextPage++
		}
	}
}

func (e *editor[T]) nums() []int {
	nums := make([]int, len(e.pages))
	for i, p := range e.pages {
		nums[i] = p.num
	}
	return nums
}

// covering is the number of pages, from an end, that hold the entries of a window.
func (e *editor[T]) covering(fromEnd bool) int {
	c := e.coverage()
	for i := range e.pages {
		p := e.pages[i]
		if fromEnd {
			p = e.pages[len(e.pages)-1-i]
		}
		if c.add(p.counts) {
			return i + 1
		}
	}
	return len(e.pages)
}

// commonShare makes a facet common that at least a third of the visible entries
// have: the window covers as many of these alone, for reads that select by it.
// To reach them takes three times the entries at most, if they are spread evenly,
// so that is how far a window grows.
const commonShare = 3

// A coverage counts entries from an end of a list until a window covers enough:
// layout.window visible entries, and as many of each common facet, or all of its
// entries.
type coverage struct {
	wanted  int
	visible int
	common  index.Counts // how many of each are still to come
}

func (e *editor[T]) coverage() *coverage {
	var all index.Counts
	for _, p := range e.pages {
		all = all.AddAll(p.counts)
	}
	c := &coverage{wanted: e.layout.window}
	for _, fc := range all {
		if !fc.Facet.Hidden && fc.N*commonShare >= all.Visible() {
			c.common = append(c.common, index.FacetCount{Facet: fc.Facet, N: min(fc.N, c.wanted)})
		}
	}
	return c
}

// add reports whether the entries added so far are enough.
func (c *coverage) add(more index.Counts) bool {
	c.visible += more.Visible()
	enough := true
	for i := range c.common {
		for _, fc := range more {
			if fc.Facet == c.common[i].Facet {
				c.common[i].N -= fc.N
			}
		}
		enough = enough && c.common[i].N <= 0
	}
	return c.visible >= c.wanted && (enough || c.visible >= c.wanted*commonShare)
}

// commonEnds is how many pages are the same at either end.
func commonEnds(a, b []int) (ahead, behind int) {
	n := min(len(a), len(b))
	for ahead < n && a[ahead] == b[ahead] {
		ahead++
	}
	for behind < n && a[len(a)-1-behind] == b[len(b)-1-behind] {
		behind++
	}
	return ahead, behind
}

// windowOf is the part of the index that a window covers, from either end.
func (e *editor[T]) windowOf(pages []*page, fromEnd bool) []byte {
	var rows []index.Row
	for _, p := range pages {
		rows = append(rows, rowsOf(p.slots)...)
	}
	if fromEnd {
		slices.Reverse(rows)
	}
	c := e.coverage()
	for i, r := range rows {
		if c.add(r.Counts) {
			rows = rows[:i+1]
			break
		}
	}
	if fromEnd {
		slices.Reverse(rows)
	}
	return index.Encode(rows, index.Columns{})
}

// finish computes the writes.
func (e *editor[T]) finish() ([]store.Key, error) {
	hadTail := e.hadTail || e.head.directory != nil
	e.chunked = len(e.pages) > 0 && !e.inline() || slices.ContainsFunc(e.changes, func(c Change) bool { return c.delete })
	for _, p := range e.pages {
		e.entries += p.counts.Total()
	}
	switch {
	case len(e.pages) == 0:
		if e.existed {
			e.commit = append(e.commit, store.Write{Key: headKey(e.list)})
		}
	case e.inline():
		e.finishInline()
	case e.whole:
		e.putChunks()
		if e.pages[0].changed {
			h := e.head
			h.index, h.directory = e.index(e.pages[0].slots), nil
			e.commit = append(e.commit, store.Write{Key: headKey(e.list), Item: h.item()})
		}
	default:
		e.putChunks()
		e.finishLong()
	}
	if hadTail && (e.whole || len(e.pages) == 0) {
		e.dropped = append(e.dropped, tailKey(e.list))
	}
	nums := e.nums()
	for _, num := range e.oldNums {
		if e.whole || !slices.Contains(nums, num) {
			e.dropped = append(e.dropped, pageKey(e.list, num))
		}
	}
	for _, k := range e.dropped {
		e.last = append(e.last, store.Write{Key: k})
	}
	e.pages, e.got, e.changes, e.head = nil, nil, nil, head{}
	return nil, nil
}

func (e *editor[T]) finishInline() {
	s := e.pages[0].slots[0]
	if !e.pages[0].changed && !s.put || len(s.entries) == 0 {
		return
	}
	e.drop(s)
	e.commit = append(e.commit, store.Write{Key: headKey(e.list), Item: entriesItem(packEntries(s.entries))})
}

// putChunks writes the chunks that are new, and those whose payloads change in
// place: these change what readers see, as the head does.
func (e *editor[T]) putChunks() {
	for _, p := range e.pages {
		for _, s := range p.slots {
			if !s.put {
				continue
			}
			to := &e.commit
			if s.isNew {
				to = &e.first
			}
			*to = append(*to, store.Write{Key: chunkKey(e.list, s.Num), Item: chunkItem(e.head.life, packEntries(s.entries))})
		}
	}
}

// finishLong writes new pages, the head and the tail.
func (e *editor[T]) finishLong() {
	directory := make([]index.Row, len(e.pages))
	for i, p := range e.pages {
		directory[i] = index.Row{Num: p.num, Counts: p.counts, Sep: p.sep}
		if p.numbered {
			block := index.Encode(rowsOf(p.slots), index.Columns{Seps: true, Ticks: e.kind.Ranged})
			e.first = append(e.first, store.Write{Key: pageKey(e.list, p.num), Item: pageItem(e.head.life, block)})
		}
	}
	h := e.head
	h.index, h.directory = nil, index.Encode(directory, index.Columns{Seps: true})
	h.window, h.tailSum = e.window, sum(e.tail)
	if !slices.Equal(e.nums(), e.oldNums) || h.tailSum != e.head.tailSum {
		e.commit = append(e.commit, store.Write{Key: headKey(e.list), Item: h.item()})
	}
	if !bytes.Equal(e.tail, bytesOf(e.got[tailKey(e.list)], attrWindow)) {
		e.commit = append(e.commit, store.Write{Key: tailKey(e.list), Item: tailItem(e.tail)})
	}
}
