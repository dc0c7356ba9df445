package pagedlist

import (
	"bytes"
	"slices"

	"touchline/shared/store"
	"touchline/shared/store/pagedlist/index"
	"touchline/shared/store/pagedlist/stored"
)

// cover numbers the new chunks and pages, and computes the windows of a long list
// that the edit affects.
func (e *editor[T]) cover() ([]store.Key, error) {
	if e.inline() || len(e.pages) == 0 {
		return nil, nil
	}
	long := e.head.Directory != nil
	e.number()
	if e.whole {
		return nil, nil
	}
	nums := e.nums()
	lead, trail := e.covering(false), e.covering(true)
	ahead, behind := commonEnds(e.oldNums, nums)
	keepWindow := long && lead <= ahead && within(e.head.Window, e.pages[:ahead])
	was := stored.Window(e.got[stored.TailKey(e.list)])
	keepTail := long && trail <= behind && was != nil && stored.Sum(was) == e.head.TailSum &&
		within(was, e.pages[len(e.pages)-behind:])
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
	e.window, e.tail = e.head.Window, was
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
				s.Num, s.isNew = e.head.NextChunk, true
				e.head.NextChunk++
			}
		}
		if !e.whole && (p.changed || p.num == noPage) && !p.numbered {
			p.num, p.numbered = e.head.NextPage, true
			e.head.NextPage++
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
		if c.Add(p.counts) {
			return i + 1
		}
	}
	return len(e.pages)
}

// coverage begins to count what a window covers.
func (e *editor[T]) coverage() *index.Coverage {
	var all index.Counts
	for _, p := range e.pages {
		all = all.AddAll(p.counts)
	}
	return index.NewCoverage(e.layout.window, all)
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
	return index.Encode(e.coverage().Window(rows, fromEnd), index.Columns{})
}

// finish computes the writes.
func (e *editor[T]) finish() ([]store.Key, error) {
	hadTail := e.hadTail || e.head.Directory != nil
	e.chunked = len(e.pages) > 0 && !e.inline() || slices.ContainsFunc(e.changes, func(c Change) bool { return c.delete })
	for _, p := range e.pages {
		e.entries += p.counts.Total()
	}
	switch {
	case len(e.pages) == 0:
		if e.existed {
			e.commit = append(e.commit, store.Write{Key: stored.HeadKey(e.list)})
		}
	case e.inline():
		e.finishInline()
	case e.whole:
		e.putChunks()
		if e.pages[0].changed {
			h := e.head
			h.Index, h.Directory = e.index(e.pages[0].slots), nil
			e.commit = append(e.commit, store.Write{Key: stored.HeadKey(e.list), Item: h.Item()})
		}
	default:
		e.putChunks()
		e.finishLong()
	}
	if hadTail && (e.whole || len(e.pages) == 0) {
		e.dropped = append(e.dropped, stored.TailKey(e.list))
	}
	nums := e.nums()
	for _, num := range e.oldNums {
		if e.whole || !slices.Contains(nums, num) {
			e.dropped = append(e.dropped, stored.PageKey(e.list, num))
		}
	}
	for _, k := range e.dropped {
		e.last = append(e.last, store.Write{Key: k})
	}
	e.pages, e.got, e.changes, e.head = nil, nil, nil, stored.Head{}
	return nil, nil
}

func (e *editor[T]) finishInline() {
	s := e.pages[0].slots[0]
	if !e.pages[0].changed && !s.put || len(s.entries) == 0 {
		return
	}
	e.drop(s)
	e.commit = append(e.commit, store.Write{Key: stored.HeadKey(e.list), Item: stored.EntriesItem(packEntries(s.entries))})
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
			*to = append(*to, store.Write{Key: stored.ChunkKey(e.list, s.Num), Item: stored.ChunkItem(e.head.Life, packEntries(s.entries))})
		}
	}
}

// finishLong writes new pages, the head and the tail.
func (e *editor[T]) finishLong() {
	directory := make([]index.Row, len(e.pages))
	for i, p := range e.pages {
		directory[i] = index.Row{Num: p.num, Counts: p.counts, Sep: p.sep}
		if p.numbered {
			block := index.Encode(rowsOf(p.slots), index.Columns{Seps: true, Ticks: e.schema.Ranged})
			e.first = append(e.first, store.Write{Key: stored.PageKey(e.list, p.num), Item: stored.PageItem(e.head.Life, block)})
		}
	}
	h := e.head
	h.Index, h.Directory = nil, index.Encode(directory, index.Columns{Seps: true})
	h.Window, h.TailSum = e.window, stored.Sum(e.tail)
	if !slices.Equal(e.nums(), e.oldNums) || h.TailSum != e.head.TailSum {
		e.commit = append(e.commit, store.Write{Key: stored.HeadKey(e.list), Item: h.Item()})
	}
	if !bytes.Equal(e.tail, stored.Window(e.got[stored.TailKey(e.list)])) {
		e.commit = append(e.commit, store.Write{Key: stored.TailKey(e.list), Item: stored.TailItem(e.tail)})
	}
}
