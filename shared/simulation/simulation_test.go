package simulation_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

var (
	schedules = flag.Int("schedules", 2000, "how many schedules to play")
	seed      = flag.Uint64("seed", 1, "the first seed; 0: a fresh one")
	duration  = flag.Duration("for", 0, "play for so long, instead of a number")
)

// plan is what a schedule is made from: everything that is drawn follows from
// it.
type plan struct {
	Seed   uint64
	Faults int // calls that fail or are late
	Steps  int // events played
}

func (p plan) String() string {
	return fmt.Sprintf("seed %d with %d events and %d faults", p.Seed, p.Steps, p.Faults)
}

// TestSchedules plays schedules and shrinks the first that breaks an invariant.
func TestSchedules(t *testing.T) {
	first := *seed
	if first == 0 {
		first = rand.Uint64()
	}
	began := time.Now()
	played := 0
	for more(played, time.Since(began)) {
		p := planOf(first + uint64(played))
		if broken := play(t, p); broken != nil {
			p, broken = shrink(t, p, broken)
			t.Fatalf("%s:\n%s", p, lines(broken))
		}
		played++
	}
	t.Logf("%d schedules from seed %d, %.0f a second", played, first, float64(played)/time.Since(began).Seconds())
}

func more(played int, passed time.Duration) bool {
	if *duration > 0 {
		return passed < *duration
	}
	return played < *schedules
}

// planOf is the plan for a seed; every fifth has no faults.
func planOf(seed uint64) plan {
	random := rand.New(rand.NewPCG(seed, 1))
	p := plan{Seed: seed, Steps: 2 + random.IntN(24)}
	if random.IntN(5) > 0 {
		p.Faults = 1 + random.IntN(12)
	}
	return p
}

// shrink looks for a smaller plan with the same seed that breaks an invariant,
// too.
func shrink(t *testing.T, p plan, broken []string) (plan, []string) {
	t.Helper()
	for smaller := true; smaller; {
		smaller = false
		for _, try := range []plan{{p.Seed, p.Faults - 1, p.Steps}, {p.Seed, p.Faults, p.Steps - 1}, {p.Seed, p.Faults - 1, p.Steps - 1}} {
			if try.Faults < 0 || try.Steps < 1 {
				continue
			}
			if found := play(t, try); found != nil {
				p, broken, smaller = try, found, true
				break
			}
		}
	}
	return p, broken
}

func lines(all []string) string {
	text := ""
	for _, line := range all {
		text += "  " + line + "\n"
	}
	return text
}
