package loader_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"touchline/shared/loader"
	"touchline/shared/store"
)

// A load that needs more memory than the process may take says how much, and writes
// nothing.
func TestWhatMemoryCannotHoldIsRefused(t *testing.T) {
	const inUse = 100 << 20
	f := newFederation(5)
	f.grow(40)
	first := f.folder(t, f.records)
	f.grow(40)
	for name, tt := range map[string]struct {
		limit int64
		fits  bool
	}{
		"too little for what is to be computed": {inUse*100/85 + 100, false},
		"enough":                                {2 * inUse, true},
		"no limit":                              {math.MaxInt64, true},
	} {
		for _, kind := range []string{"a first load", "a change"} {
			t.Run(name+"/"+kind, func(t *testing.T) {
				s, files := inMemory(), first
				if kind == "a change" {
					load(t, s, first, loader.Options{})
					files = f.folder(t, f.records)
				}
				was := s.dump(t)
				l := s.loader()
				l.Has(tt.limit, func() int64 { return inUse })
				_, err := l.Load(t.Context(), files, anything())
				if tt.fits {
					if err != nil {
						t.Error(err)
					}
					return
				}
				refusedForMemory(t, err)
				if diff := difference(was, s.dump(t)); diff != "" {
					t.Errorf("it has written: %s", diff)
				}
			})
		}
	}
}

// What takes more memory than was expected ends wherever it is: while it reads, compares or
// computes.
func TestALoadThatHasTakenAllMemoryEnds(t *testing.T) {
	f := newFederation(5)
	f.grow(40)
	refused := 0
	for fits := 0; ; fits++ {
		s, asked := inMemory(), 0
		l := s.loader()
		l.Has(1<<40, func() int64 {
			if asked++; asked > fits {
				return 1 << 40
			}
			return 0
		})
		_, err := l.Load(t.Context(), f.folder(t, f.records), anything())
		if err == nil {
			break
		}
		refusedForMemory(t, err)
		if written := s.dump(t); len(written) > 0 {
			t.Errorf("ended when asked for the %d. time, it has written: %v", asked, written)
		}
		refused++
	}
	if refused < 10 { // six files, some parts of a dataset, and the writes
		t.Errorf("memory was looked at %d times", refused)
	}
}

// The load that finishes a first one has written nothing itself, and the first one has.
func TestWhatMemoryCannotFinishHasBegun(t *testing.T) {
	f := newFederation(5)
	f.grow(40)
	files := f.folder(t, f.records)
	s := inMemory()
	d := &dying{client: s.client}
	d.left.Store(4)
	l := s.loader()
	l.Table = &store.Table{DB: d, Name: s.table.Name, Meter: s.table.Meter, Parallel: 1}
	if _, err := l.Load(t.Context(), files, anything()); !errors.As(err, new(*loader.BegunError)) {
		t.Fatal(err)
	}
	l = s.loader()
	l.Has(1<<30, func() int64 { return 1 << 30 })
	_, err := l.Load(t.Context(), files, anything())
	refusedForMemory(t, err)
	if !errors.As(err, new(*loader.BegunError)) || strings.Contains(err.Error(), "nothing was written") {
		t.Error(err)
	}
}

func refusedForMemory(t *testing.T, err error) {
	t.Helper()
	var short *loader.MemoryError
	if !errors.As(err, &short) || short.Needs <= short.Has || !strings.Contains(err.Error(), "MB of memory") {
		t.Fatalf("%v", err)
	}
}
