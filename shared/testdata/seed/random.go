package seed

import "hash/fnv"

// random is SplitMix64 (Steele, Lea and Flood, 2014): eight bytes of state and
// a sequence that no Go release changes.
type random uint64

// draw returns a generator seeded with name.
func draw(name string) *random {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // never fails
	r := random(h.Sum64())
	return &r
}

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number from 0 to n-1. n is small enough for the bias not to
// matter.
func (r *random) below(n int) int { return int(r.next()>>33) % n }

// between returns a number from low to high, both included.
func (r *random) between(low, high int) int { return low + r.below(high-low+1) }

// chance is true with a probability in percent.
func (r *random) chance(percent int) bool { return r.below(100) < percent }

// pick returns one of the words.
func (r *random) pick(words []string) string { return words[r.below(len(words))] }
