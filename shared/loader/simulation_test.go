package loader_test

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"touchline/shared/loader"
	"touchline/shared/simulation"
	"touchline/shared/store"
)

var (
	loadSchedules = flag.Int("schedules", 60, "how many schedules of loads to play")
	loadSeed      = flag.Uint64("seed", 1, "the first seed")
)

// Whatever becomes of the calls of loads, alone or two at once, killed between
// any two of them: the next load that comes through leaves the table of one
// undisturbed load.
func TestSchedulesOfLoads(t *testing.T) {
	n := *loadSchedules
	if testing.Short() {
		n /= 4
	}
	for i := range n {
		seed := *loadSeed + uint64(i)
		if diff := playLoads(t, seed, 1+int(seed%9)); diff != "" {
			t.Fatalf("seed %d: undisturbed (-) and after the schedule (+):\n%s", seed, diff)
		}
	}
}

// playLoads plays loads of a growing and shrinking federation and returns how
// the table differs in the end.
func playLoads(t *testing.T, seed uint64, faults int) (diff string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f := newFederation(seed)
		db := simulation.NewDatabase()
		s := simulation.New(seed, faults)
		f.grow(12)
		var open atomic.Int32
		for left := 2 + s.Random.IntN(3); ; {
			synctest.Wait()
			switch {
			case left > 0 && open.Load() < 2 && (s.Pending() == 0 || s.Random.IntN(30) == 0):
				left--
				run := simulated(db, s.Start(left, func() {}), fmt.Sprint("load ", left))
				files := f.folder(t, f.records)
				f.grow(s.Random.IntN(8))
				f.shrink(s.Random.IntN(4))
				open.Add(1)
				go func() {
					defer open.Add(-1)
					// What it returns depends on the schedule; what counts is the table.
					_, _ = run.loader().Load(simulation.WithCaller(context.Background(), left), files, replacing())
				}()
			case s.Pending() > 0:
				s.Step()
			case open.Load() > 0 || s.Late(): // for a lease, or before it tries a call again
				time.Sleep(50 * time.Millisecond)
			default:
				diff = undisturbed(t, db, f.folder(t, f.records))
				return
			}
		}
	})
	return diff
}

// undisturbed loads a dataset without faults and compares the table with that of
// the same load into an empty one.
func undisturbed(t *testing.T, db *simulation.Database, files fs.FS) string {
	t.Helper()
	time.Sleep(store.LeaseTerm + time.Second) // of a load that was killed
	after, once := simulated(db, nil, "last"), simulated(simulation.NewDatabase(), nil, "only")
	load(t, after, files, replacing())
	load(t, once, files, replacing())
	return difference(once.dump(t), after.dump(t))
}

// simulated is a table in memory, as one process sees it.
func simulated(db *simulation.Database, p *simulation.Process, holder string) *sports {
	c := simulation.Client{Database: db, Process: p}
	return &sports{table: &store.Table{DB: c, Name: "sports"}, client: c, holder: holder}
}

// replacing are the options of a full load that may delete whatever it likes.
func replacing() loader.Options {
	deletes := 1000
	return loader.Options{Replace: true, AllowDeletes: &deletes}
}
