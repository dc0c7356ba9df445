package webconsole

import (
	"sync"
	"time"
)

// keptTerm is how long a value is kept, so that whoever clicks through pages reads a table
// once. What other processes change is seen after that time.
const keptTerm = 15 * time.Second

// kept is a value that is kept. The zero value holds none. It is safe for concurrent
// use.
type kept[T any] struct {
	mu    sync.Mutex
	value T
	ends  time.Time
}

// Get is the value, which is read if it is older than keptTerm. Those who ask meanwhile
// wait for the one read. A failure is not kept.
func (v *kept[T]) Get(now time.Time, read func() (T, error)) (T, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if now.Before(v.ends) {
		return v.value, nil
	}
	value, err := read()
	if err == nil {
		v.value, v.ends = value, now.Add(keptTerm)
	}
	return value, err
}

// Forget has the next Get read.
func (v *kept[T]) Forget() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.ends = time.Time{}
}
