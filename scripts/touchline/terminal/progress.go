package terminal

import (
	"cmp"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
)

// Patience is how long a command may be silent; what takes longer shows its
// progress.
const Patience = time.Second

// How often a long command says how far it is where nobody watches, in the log of a service
// or of a job, and when for the first time.
const (
	lineEvery = 30 * time.Second
	firstLine = 8 * time.Second
)

// againEvery is how often it is looked whether to show what has not said anything since.
const againEvery = 2 * time.Second

// Steps shows the progress of several things, one after another, until End: of each after a
// second if standard error is a terminal, else with a line after 8 seconds, and then every 30.
type Steps struct {
	Terminal *Terminal

	mu        sync.Mutex
	ended     chan struct{} // closed by End; nil: nothing has begun
	what      string        // is being done
	done, all int
	begun     time.Time
	said      time.Time // when the last line was written
	bar       *progressbar.ProgressBar
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
		s.clear()
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
	if !s.Terminal.ErrTerminal {
		s.line(now, done, all)
		return
	}
	if now.Sub(s.begun) < Patience {
		return
	}
	if s.bar == nil {
		s.bar = progressbar.NewOptions(cmp.Or(all, -1),
			progressbar.OptionSetWriter(s.Terminal.Err),
			progressbar.OptionSetDescription(s.what),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionShowCount(),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionClearOnFinish(),
			// Otherwise a progress of unknown total would spin forever, over
			// what is printed after it.
			progressbar.OptionSetSpinnerChangeInterval(0),
		)
	}
	_ = s.bar.Set(done) // only shown
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

// End removes the progress from the terminal.
func (s *Steps) End() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended != nil {
		close(s.ended)
		s.ended = nil
	}
	s.clear()
}

func (s *Steps) clear() {
	if s.bar != nil {
		_ = s.bar.Clear()
		s.bar = nil
	}
}
