package serve

import (
	"os"
	"strings"
	"testing"
	"time"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal/terminaltest"
	"touchline/shared/engine/enginetest"
	"touchline/shared/loader"
	"touchline/shared/seed"
)

// TestTheMatchesOfTheDemoArePlayed: loaded before the first kickoff, and at each
// tick as they are then; a tick at which the database cannot be written loses
// nothing.
func TestTheMatchesOfTheDemoArePlayed(t *testing.T) {
	term := terminaltest.New(nil)
	flags := database.Flags{Endpoint: enginetest.Start(t)}
	d, err := flags.Open(t.Context(), &term.Terminal)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	w, err := demo(t.Context(), &term.Terminal, d)
	if err != nil {
		t.Fatal(err)
	}
	p, err := liveFlags{Live: true, Speed: 60}.kickOff(t.Context(), &term.Terminal, d, w)
	if err != nil || w.live == "" {
		t.Fatalf("%v, %q", err, w.live)
	}
	// changed is how much a load of the matches in a minute changes.
	changed := func(minute int) int {
		t.Helper()
		dir := t.TempDir()
		if _, err := p.Changes(dir, 0, minute); err != nil {
			t.Fatal(err)
		}
		report, err := d.Load(t.Context(), &term.Terminal, os.DirFS(dir), LoadPatience, loader.Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return report.Entries
	}
	tick := make(chan time.Time, 4)
	for range cap(tick) {
		tick <- time.Time{}
	}
	sports := d.Tables.Sports
	seconds := []int{30, 30, 40, seed.SaturdayMinutes + 5} // 60 minutes of a match in one of the clock
	term.Now = func() time.Time {
		at := p.Begins.Add(time.Duration(seconds[0]) * time.Second)
		if d.Tables.Sports = sports; len(seconds) == 3 {
			d.Tables.Sports = "missing"
		}
		if len(seconds) > 1 {
			seconds = seconds[1:]
		}
		return at
	}
	p.on(t.Context(), &term.Terminal, tick)
	if n := changed(seed.SaturdayMinutes); n != 0 {
		t.Errorf("the end of the matches still changes %d entries", n)
	}
	if n := changed(60); n == 0 {
		t.Error("nothing tells the middle from the end")
	}
	if said := term.Errors.String(); !strings.Contains(said, "are over") {
		t.Errorf("%s", said)
	}
}

func TestLiveNeedsTheDemo(t *testing.T) {
	for _, tt := range []struct {
		give liveFlags
		demo bool
		want string
	}{
		{liveFlags{Live: true, Speed: 20}, false, "--demo --live"},
		{liveFlags{Live: true}, true, "--speed"},
		{liveFlags{Speed: 5000}, false, "--speed"},
		{liveFlags{Live: true, Speed: 1}, true, ""},
	} {
		if err := tt.give.checkLive(tt.demo); (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v", tt.give, err)
		}
	}
}
