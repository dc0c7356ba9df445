package world

// index is a set of members per key in both views.
type index[K, M comparable] struct {
	stored  map[K]map[M]struct{} // present: looked up
	added   map[K]map[M]struct{}
	removed map[K]map[M]struct{}
}

func newIndex[K, M comparable]() index[K, M] {
	return index[K, M]{stored: map[K]map[M]struct{}{}, added: map[K]map[M]struct{}{}, removed: map[K]map[M]struct{}{}}
}

func (x *index[K, M]) known(key K) bool {
	_, ok := x.stored[key]
	return ok
}

// put notes a member that the table holds.
func (x *index[K, M]) put(key K, members ...M) {
	set := x.stored[key]
	if set == nil {
		set = make(map[M]struct{}, len(members))
		x.stored[key] = set
	}
	for _, m := range members {
		set[m] = struct{}{}
	}
}

// Add and remove note a change.
func (x *index[K, M]) Add(key K, m M) { note(x.added, x.removed, key, m) }

func (x *index[K, M]) Remove(key K, m M) { note(x.removed, x.added, key, m) }

func note[K, M comparable](to, from map[K]map[M]struct{}, key K, m M) {
	delete(from[key], m)
	set := to[key]
	if set == nil {
		set = map[M]struct{}{}
		to[key] = set
	}
	set[m] = struct{}{}
}

// Each calls f for every member in a view, in no order.
func (x *index[K, M]) Each(v View, key K, f func(M)) {
	for m := range x.stored[key] {
		if v == After {
			if _, gone := x.removed[key][m]; gone {
				continue
			}
		}
		f(m)
	}
	if v == Before {
		return
	}
	for m := range x.added[key] {
		if _, twice := x.stored[key][m]; !twice {
			f(m)
		}
	}
}

// Any reports whether there is a member in a view that f accepts.
func (x *index[K, M]) Any(v View, key K, f func(M) bool) bool {
	found := false
	x.Each(v, key, func(m M) { found = found || f(m) })
	return found
}

// Both calls f for every member of either view.
func (x *index[K, M]) Both(key K, f func(M)) {
	for m := range x.stored[key] {
		f(m)
	}
	for m := range x.added[key] {
		if _, twice := x.stored[key][m]; !twice {
			f(m)
		}
	}
}
