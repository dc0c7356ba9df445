package terminal

import (
	"sync"
	"time"
)

// How often a long command says how far it is, and when for the first time.
const (
	lineEvery = 30 * time.Second
	firstLine = 8 * time.Second
)

// againEvery is how often it is looked whether to show what has not said anything since.
const againEvery = 2 * time.Second

// Steps shows the progress of several things, one after another, until End: with a line after
// 8 seconds, and then every 30.
type Steps struct {
	Terminal *Terminal

	mu        sync.Mutex
	ended     chan struct{} // closed by End; nil: nothing has begun
	what      string        // is being done
	done, all int
	begun     time.Time
	said      time.Time // when the last line was written
}

// Steps shows progress at this terminal.
func (c *Terminal) Steps() *Steps { return &Steps{Terminal: c} }

// Say shows how far a thing is; all is 0 if unknown.
func (s *Steps) Say(what string, done, all int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.Terminal.Now()
	if s.ended == nil {
		s.ended, s.said, s.what = make(chan struct{}), now.Add(firstLine-lineEvery), ""
		go s.again(s.ended)
	}
	if what != s.what {
		s.what, s.begun = what, now
	}
	s.done, s.all = done, all
	s.show(now)
}

// again shows what goes on for long without a word.
func (s *Steps) again(ended <-chan struct{}) {
	ticker := time.NewTicker(againEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			s.mu.Lock()
			if s.ended == ended {
				s.show(s.Terminal.Now())
			}
			s.mu.Unlock()
		case <-ended:
			return
		}
	}
}

// show is for who holds mu.
func (s *Steps) show(now time.Time) {
	done, all := s.done, s.all
	if s.Terminal.Busy != nil {
		s.Terminal.Busy()
	}
	s.line(now, done, all)
}

// line writes what is done, how far it is and how long it will take, if it is time
// for it.
func (s *Steps) line(now time.Time, done, all int) {
	if now.Sub(s.said) < lineEvery {
		return
	}
	s.said = now
	begun := now.Sub(s.begun)
	switch {
	case done <= 0:
		s.Terminal.Sayf("%s, for %v so far", s.what, begun.Round(time.Second))
		return
	case done >= all:
		s.Terminal.Sayf("%s: %d, for %v so far", s.what, done, begun.Round(time.Second))
		return
	}
	left := time.Duration(float64(begun) / float64(done) * float64(all-done))
	s.Terminal.Sayf("%s: %d of %d, some %v left", s.what, done, all, left.Round(time.Second))
}

// End ends the lines.
func (s *Steps) End() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended != nil {
		close(s.ended)
		s.ended = nil
	}
}
