package serve

import (
	"context"
	"os"
	"time"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/loader"
	"touchline/shared/seed"
	"touchline/shared/sport"
)

// liveFlags have matches of the demo played while it is served.
type liveFlags struct {
	Live  bool `help:"With --demo: play twelve matches from now on, in fast time, for trying a ticker."`
	Speed int  `default:"20" placeholder:"N" help:"With --live: minutes of a match that pass in a minute (default: ${default})."`
}

// maxSpeed plays a match in two seconds.
const maxSpeed = 3600

// playEvery is how often the matches are loaded that have changed.
const playEvery = time.Second

// checkLive refuses flags that say nothing together.
func (l liveFlags) checkLive(demo bool) error {
	switch {
	case l.Live && !demo:
		return terminal.Usagef("--live plays matches of the demo: start with --demo --live")
	case l.Speed < 1 || l.Speed > maxSpeed:
		return terminal.Usagef("--speed must be from 1 to %d", maxSpeed)
	}
	return nil
}

// play is an afternoon that is being played.
type play struct {
	seed.Saturday
	database *database.Database
	minute   int // that the database shows
}

// kickOff loads the matches as they are before they begin; nil if none are to be
// played.
func (l liveFlags) kickOff(ctx context.Context, c *terminal.Terminal, d *database.Database, w *welcome) (*play, error) {
	if !l.Live || !w.demo {
		return nil, nil //nolint:nilnil // none were asked for
	}
	p := &play{Saturday: seed.Saturday{Begins: c.Now(), Speed: l.Speed}, database: d}
	w.live = sport.IDFor(sport.KindCompetition, seed.SaturdayCompetition)
	return p, p.load(ctx, c, p.Write)
}

// begin plays until the function that it returns is called.
func (p *play) begin(ctx context.Context, c *terminal.Terminal) (end func()) {
	if p == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	ticker, ended := time.NewTicker(playEvery), make(chan struct{})
	go func() {
		defer close(ended)
		p.on(ctx, c, ticker.C)
	}()
	return func() {
		ticker.Stop()
		cancel()
		<-ended
	}
}

// on loads at each tick what has happened since the last one, until the matches are
// over or ctx ends. What cannot be loaded is, with what comes after it, at the next
// tick.
func (p *play) on(ctx context.Context, c *terminal.Terminal, tick <-chan time.Time) {
	for p.minute < seed.SaturdayMinutes {
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
		now := min(p.Minute(c.Now()), seed.SaturdayMinutes)
		if now <= p.minute {
			continue
		}
		err := p.load(ctx, c, func(dir string) (seed.Counts, error) { return p.Changes(dir, p.minute, now) })
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			c.Sayf("note: the matches stand still: %v", err)
		default:
			p.minute = now
		}
	}
	c.Sayf("the matches of --live are over; start again to have them played once more")
}

// load loads what write makes, if that is anything.
func (p *play) load(ctx context.Context, c *terminal.Terminal, write func(dir string) (seed.Counts, error)) error {
	dir, err := os.MkdirTemp("", "touchline-live-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a leftover of the system's to clean
	counts, err := write(dir)
	if err != nil || counts.Total() == 0 {
		return err
	}
	_, err = p.database.Load(ctx, c, os.DirFS(dir), LoadPatience, loader.Options{}, nil)
	return p.database.Explain(err)
}
