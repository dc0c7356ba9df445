// Package kept keeps what many pages of the console need, and what is dear to read, for
// a short while: the keys, what organizations are called, and what they have used.
package kept

import (
	"sync"
	"time"
)

// Term is how long a value is kept, so that whoever clicks through pages reads a table
// once. What other processes change is seen after that time.
const Term = 15 * time.Second

// Value is a value that is kept. The zero value holds none. It is safe for concurrent
// use.
type Value[T any] struct {
	mu    sync.Mutex
	value T
	ends  time.Time
}

// Get is the value, which is read if it is older than Term. Those who ask meanwhile
// wait for the one read. A failure is not kept.
func (v *Value[T]) Get(now time.Time, read func() (T, error)) (T, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if now.Before(v.ends) {
		return v.value, nil
	}
	value, err := read()
	if err == nil {
		v.value, v.ends = value, now.Add(Term)
	}
	return value, err
}

// Forget has the next Get read.
func (v *Value[T]) Forget() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.ends = time.Time{}
}
