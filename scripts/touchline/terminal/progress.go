package terminal

import (
	"time"

	"github.com/schollz/progressbar/v3"
)

// Patience is how long a command may be silent; what takes longer shows its
// progress.
const Patience = time.Second

// lineEvery is how often a long command says how far it is where nobody watches:
// in the log of a unit or of a job.
const lineEvery = 30 * time.Second

// Progress shows the progress of a command: after a second if standard error is a
// terminal, else with a line every 30 seconds.
type Progress struct {
	terminal *Terminal
	label    string
	total    int // 0: not known
	begun    time.Time
	said     time.Time // when the last line was written
	bar      *progressbar.ProgressBar
}

// Progress starts showing the progress of total steps.
func (c *Terminal) Progress(label string, total int) *Progress {
	now := c.Now()
	return &Progress{terminal: c, label: label, total: total, begun: now, said: now}
}

// At shows that n steps are done.
func (p *Progress) At(n int) {
	if p.terminal.Busy != nil {
		p.terminal.Busy()
	}
	if !p.terminal.ErrTerminal {
		p.line(n)
		return
	}
	if p.terminal.Now().Sub(p.begun) < Patience {
		return
	}
	if p.bar == nil {
		total := p.total
		if total == 0 {
			total = -1
		}
		p.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(p.terminal.Err),
			progressbar.OptionSetDescription(p.label),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionShowCount(),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionClearOnFinish(),
			// Otherwise a progress of unknown total would spin forever, over
			// what is printed after it.
			progressbar.OptionSetSpinnerChangeInterval(0),
		)
	}
	_ = p.bar.Set(n) // only shown
}

// line writes what is done, how far it is and how long it will take, if it is time
// for it.
func (p *Progress) line(n int) {
	now := p.terminal.Now()
	if now.Sub(p.said) < lineEvery {
		return
	}
	p.said = now
	if n <= 0 || n >= p.total {
		p.terminal.Sayf("%s: %d, for %v so far", p.label, n, now.Sub(p.begun).Round(time.Second))
		return
	}
	left := time.Duration(float64(now.Sub(p.begun)) / float64(n) * float64(p.total-n))
	p.terminal.Sayf("%s: %d of %d, some %v left", p.label, n, p.total, left.Round(time.Second))
}

// End removes the progress from the terminal.
func (p *Progress) End() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

// Steps is the progress of several things, one after another.
type Steps struct {
	Terminal *Terminal
	what     string
	bar      *Progress
}

// Say shows how far a thing is; all is 0 if unknown.
func (s *Steps) Say(what string, done, all int) {
	if what != s.what || s.bar == nil {
		s.End()
		s.what, s.bar = what, s.Terminal.Progress(what, all)
	}
	s.bar.At(done)
}

// End removes the progress from the terminal.
func (s *Steps) End() {
	if s.bar != nil {
		s.bar.End()
	}
}
