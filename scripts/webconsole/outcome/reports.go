package outcome

import (
	"sync"

	"touchline/shared/sport"
)

// Reports are the numbers of the loads that somebody has made at the touchline, by their
// matches, so that the last of them can be undone and nothing else. It is safe for
// concurrent use.
type Reports struct {
	mu sync.Mutex
	of map[sport.ID][]int
}

// Add notes the number of a load with a report of a match; 0: none was made.
func (r *Reports) Add(match sport.ID, number int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of == nil {
		r.of = map[sport.ID][]int{}
	}
	if number != 0 {
		r.of[match] = append(r.of[match], number)
	}
}

// Last is the number of the last load with a report of a match; 0: there isn't one.
func (r *Reports) Last(match sport.ID) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if all := r.of[match]; len(all) > 0 {
		return all[len(all)-1]
	}
	return 0
}

// Drop forgets the last report of a match.
func (r *Reports) Drop(match sport.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if all := r.of[match]; len(all) > 0 {
		r.of[match] = all[:len(all)-1]
	}
}
