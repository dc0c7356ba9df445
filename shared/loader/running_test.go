package loader_test

import (
	"errors"
	"testing"
	"time"

	"touchline/shared/loader"
	"touchline/shared/loader/conduct"
	"touchline/shared/store"
)

// A Map that has failed leaves items running. Those of an execution that another one has
// followed end well: a merge that is under way keeps its bucket to itself and is finished
// by whichever of the two has the lease, the other one writes nothing.
func TestItemsThatRunOnAfterTheirMapHasFailed(t *testing.T) {
	for name, sleeps := range map[string]bool{"working": false, "asleep longer than their lease": true} {
		t.Run(name, func(t *testing.T) {
			s := inMemory()
			f := newFederation(77)
			f.grow(60)
			files := f.folder(t, f.records)
			c := s.conduct(t, files)
			now := time.Now()
			c.NewLease = func() *store.Lease {
				l := c.newLease()
				l.Now = func() time.Time { return now }
				return l
			}
			p := c.upToMerge(t, f.r)
			second := *c.Load
			second.Number = 2
			meanwhile := func() {
				must(t, conduct.Hold(t.Context(), s.table, second.NewLease(), func(h *conduct.Held) error { return h.Again(t.Context(), execution(h.Head.Conducted.Number+1)) }))
				if _, err := second.Merge(t.Context(), 0, nil); !errors.As(err, new(*conduct.BusyError)) {
					t.Errorf("a bucket that another execution writes: %v", err)
				}
				if !sleeps {
					return
				}
				now = now.Add(2 * store.LeaseTerm)
				if again, err := second.Merge(t.Context(), 0, nil); again || err != nil {
					t.Fatalf("a bucket that nobody writes any more: %v, %v", again, err)
				}
			}
			asked := 0
			_, err := c.Merge(t.Context(), 0, func() bool {
				if asked++; asked == 2 {
					meanwhile()
				}
				return false
			})
			if asked < 2 || errors.Is(err, store.ErrLeaseLost) != sleeps || err != nil && !sleeps {
				t.Errorf("asked %d times: %v", asked, err)
			}
			late := map[string]error{"project": c.Project(t.Context(), 0), "decide": c.Decide(t.Context()), "finish": c.finish(t.Context())}
			_, late["merge"] = c.Merge(t.Context(), 1, nil)
			for step, err := range late {
				if !errors.As(err, new(*conduct.StoppedError)) {
					t.Errorf("%s of the first execution: %v", step, err)
				}
			}
			c.Load = &second
			for bucket := range p.Buckets {
				c.merge(t, bucket, nil)
			}
			must(t, c.finish(t.Context()))
			c.endsLike(t, files, loader.Options{})
		})
	}
}
