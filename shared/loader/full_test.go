package loader_test

import (
	"errors"
	"fmt"
	"testing"
)

// A full load that compares few records at a time leaves the same table, whether it is
// killed and finished by another load or not.
func TestAFullLoadEndsEqual(t *testing.T) {
	seeds, tries := 8, 4
	if testing.Short() {
		seeds, tries = 2, 2
	}
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			f := newFederation(300 + seed)
			f.grow(60)
			s := ofSeed(t, seed)
			load(t, s, f.folder(t, f.records), anything())
			for try := range tries {
				f.grow(1 + f.r.IntN(20))
				f.shrink(f.r.IntN(8))
				writes, spill := 1+f.r.IntN(60), f.r.IntN(2) == 0
				killed := s.dyingAfter(writes)
				killed.Portion(3)
				if _, err := killed.Load(t.Context(), f.folder(t, f.records), replacing()); err != nil && !errors.Is(err, errKilled) {
					t.Fatal(err)
				}
				l, once := s.loader(), inMemory()
				if spill {
					l.Spill()
				}
				if _, err := l.Load(t.Context(), f.folder(t, f.records), replacing()); err != nil {
					t.Fatal(err)
				}
				load(t, once, f.folder(t, f.records), anything())
				if diff := difference(once.dump(t), s.dump(t)); diff != "" {
					t.Fatalf("try %d, at once (-) and killed (+):\n%s", try, diff)
				}
			}
			s.checked(t)
		})
	}
}
