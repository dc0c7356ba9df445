package pagedlist

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/store"
)

// history is the versions of a list of which the last may be under way.
type history struct {
	mu       sync.Mutex
	versions []model
	done     int // versions that are complete
}

func (h *history) begin(m model) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.versions = append(h.versions, m)
}

func (h *history) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.done = len(h.versions)
}

func (h *history) now() (versions []model, done int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.versions, h.done
}

// A page read during edits is a page of one version of the list: one that was
// current while it was read, or, from a cache, one before. Payloads change in
// place, so that each may be of another version.
func TestAReaderNeverSeesTwoListsAtOnce(t *testing.T) {
	ts := newTables(t)
	table, schema := ts.table(t), things(true)
	var h history
	h.begin(nil)
	h.end()
	cache := &store.Cached{Source: table, Now: time.Now}
	forever := func(store.Key, store.Item) time.Duration { return time.Hour }
	through := func(ctx context.Context, keys []store.Key, fresh bool) (map[store.Key]store.Item, error) {
		if fresh {
			return cache.Refresh(ctx, keys, forever)
		}
		return cache.Get(ctx, keys, forever)
	}
	readers := []struct {
		name   string
		get    Getter
		cached bool
	}{
		{"from the table", table.BatchGet, false},
		{"from the table too", table.BatchGet, false},
		{"through a cache that never expires", through, true},
	}
	stop := make(chan struct{})
	var wait sync.WaitGroup
	for seed, reader := range readers {
		wait.Go(func() {
			r := rand.New(rand.NewPCG(uint64(seed), 5)) //nolint:gosec // small
			for reads := 0; ; reads++ {
				select {
				case <-stop:
					if reads < 10 {
						t.Errorf("%s: only %d reads", reader.name, reads)
					}
					return
				default:
				}
				if err := readDuring(t, &h, reader.get, schema, reader.cached, r); err != nil {
					t.Errorf("%s: %v", reader.name, err)
					return
				}
			}
		})
	}
	edits(t, table, schema, &h)
	close(stop)
	wait.Wait()
}

func edits(t *testing.T, table *store.Table, schema Schema[thing], h *history) {
	t.Helper()
	r := rand.New(rand.NewPCG(4, 4))
	for range 60 {
		versions, _ := h.now()
		m := versions[len(versions)-1]
		ops := randomOps(r, m, 300)
		h.begin(m.apply(ops))
		if _, err := applyOps(t.Context(), table, schema, "l", ops, Options{layout: small()}); err != nil {
			t.Error(err)
			return
		}
		h.end()
	}
}

func readDuring(t *testing.T, h *history, get Getter, schema Schema[thing], cached bool, r *rand.Rand) error {
	versions, first := h.now()
	req := randomRequest(r, "l", versions[len(versions)-1])
	got, total, err := Read(t.Context(), get, schema, req)
	if err != nil {
		return fmt.Errorf("%s: %w", describe(req), err)
	}
	versions, _ = h.now()
	if first--; cached {
		first = 0
	}
	var diff string
	for i := len(versions) - 1; i >= first; i-- {
		want, wantTotal := versions[i].read(schema, req)
		if slices.EqualFunc(want, got, sameButText) && total == wantTotal {
			return nil
		}
		diff = fmt.Sprintf("version %d: total %d, want %d (-want +got)\n%s", i, total, wantTotal, cmp.Diff(want, got))
	}
	return fmt.Errorf("%s: page of no version; %s", describe(req), diff)
}
