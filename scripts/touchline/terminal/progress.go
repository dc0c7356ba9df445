package terminal

import (
	"time"

	"github.com/schollz/progressbar/v3"
)

// Patience is how long a command may be silent; what takes longer shows its
// progress.
const Patience = time.Second

// Progress shows the progress of a command, if standard error is a terminal and
// after a second.
type Progress struct {
	terminal *Terminal
	label    string
	total    int // 0: not known
	begun    time.Time
	bar      *progressbar.ProgressBar
}

// Progress starts showing the progress of total steps.
func (c *Terminal) Progress(label string, total int) *Progress {
	return &Progress{terminal: c, label: label, total: total, begun: c.Now()}
}

// At shows that n steps are done.
func (p *Progress) At(n int) {
	if !p.terminal.ErrTerminal || p.terminal.Now().Sub(p.begun) < Patience {
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
