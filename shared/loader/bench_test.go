package loader_test

import (
	"path/filepath"
	"testing"
	"time"

	"touchline/shared/loader"
	"touchline/shared/store"
	"touchline/shared/store/file"
	"touchline/shared/store/records"
)

// benchSize is the size of the federation that is loaded: 100,000 players.
const benchSize = 10

// BenchmarkLoad is the load of 100,000 players with 25,000 matches into the file, as
// touchline import does it (design.md, Measures: 60 s), and the load of the same once
// more, with --replace. `make bench-load` also prints where the processor time goes.
func BenchmarkLoad(b *testing.B) {
	files := seeded(b, benchSize)
	for name, again := range map[string]bool{"first": false, "unchanged": true} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				l := onFile(b)
				if again {
					if _, err := l.Load(b.Context(), files, loader.Options{}); err != nil {
						b.Fatal(err)
					}
				}
				b.StartTimer()
				if _, err := l.Load(b.Context(), files, loader.Options{Replace: again}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// onFile is a loader into the file of touchline serve.
func onFile(b *testing.B) *loader.Loader {
	b.Helper()
	db, err := file.Open(filepath.Join(b.TempDir(), "data", "touchline.db"), file.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	return &loader.Loader{
		Table: &store.Table{DB: db, Name: "sports"},
		Lease: &store.Lease{DB: db, Table: "sports", Key: records.LockKey(), Holder: "bench", Label: "a benchmark", Now: time.Now},
	}
}
