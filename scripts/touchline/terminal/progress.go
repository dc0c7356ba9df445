package terminal

import (
	"cmp"
	"time"

	"github.com/schollz/progressbar/v3"
)

// Patience is how long a command may be silent; what takes longer shows its
// progress.
const Patience = time.Second

// lineEvery is how often a long command says how far it is where nobody watches:
// in the log of a service or of a job.
const lineEvery = 30 * time.Second

// Steps shows the progress of several things, one after another: of each after a second
// if standard error is a terminal, else with a line every 30 seconds.
type Steps struct {
	Terminal *Terminal

	what  string    // is being done
	begun time.Time // zero: nothing was yet
	said  time.Time // when the last line was written
	bar   *progressbar.ProgressBar
}

// Steps shows progress at this terminal.
func (c *Terminal) Steps() *Steps { return &Steps{Terminal: c} }

// Say shows how far a thing is; all is 0 if unknown.
func (s *Steps) Say(what string, done, all int) {
	now := s.Terminal.Now()
	if what != s.what || s.begun.IsZero() {
		s.End()
		s.what, s.begun, s.said = what, now, now
	}
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
			progressbar.OptionSetDescription(what),
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
	if done <= 0 || done >= all {
		s.Terminal.Sayf("%s: %d, for %v so far", s.what, done, now.Sub(s.begun).Round(time.Second))
		return
	}
	left := time.Duration(float64(now.Sub(s.begun)) / float64(done) * float64(all-done))
	s.Terminal.Sayf("%s: %d of %d, some %v left", s.what, done, all, left.Round(time.Second))
}

// End removes the progress from the terminal.
func (s *Steps) End() {
	if s.bar != nil {
		_ = s.bar.Clear()
		s.bar = nil
	}
}
