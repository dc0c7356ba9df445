package loader_test

import (
	"errors"
	"fmt"
	"testing"

	"touchline/shared/loader"
)

// A full load that is computed in as many parts as there can be leaves the same
// table, whether it is killed and finished by another load or not.
func TestAFullLoadInParts(t *testing.T) {
	seeds, tries := 8, 4
	if testing.Short() {
		seeds, tries = 2, 2
	}
	full := loader.Options{Replace: true, AllowDeletes: new(1000)}
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			f := newFederation(300 + seed)
			f.grow(60)
			s := ofSeed(t, seed)
			load(t, s, f.folder(t, f.records), loader.Options{})
			for try := range tries {
				f.grow(1 + f.r.IntN(20))
				f.shrink(f.r.IntN(8))
				killed := s.dyingAfter(1 + f.r.IntN(60))
				killed.Portion(3, 5)
				_, err := killed.Load(t.Context(), f.folder(t, f.records), full)
				if err != nil && !errors.Is(err, errKilled) {
					t.Fatal(err)
				}
				l := s.loader()
				if f.r.IntN(2) == 0 {
					l.Spill()
				}
				if _, err := l.Load(t.Context(), f.folder(t, f.records), full); err != nil {
					t.Fatal(err)
				}
				once := inMemory()
				load(t, once, f.folder(t, f.records), loader.Options{})
				if diff := difference(once.dump(t), s.dump(t)); diff != "" {
					t.Fatalf("try %d, once (-) and in parts (+):\n%s", try, diff)
				}
			}
			s.checked(t)
		})
	}
}
