package journal

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"touchline/shared/loader/history"
	"touchline/shared/loader/spool"
	"touchline/shared/simulation"
	"touchline/shared/store"
)

// source gives records one after the other.
type source []spool.Record

func (s *source) Len() int { return len(*s) }

func (s *source) Next() (*spool.Record, error) {
	if len(*s) == 0 {
		return nil, nil
	}
	r := (*s)[0]
	*s = (*s)[1:]
	return &r, nil
}

// writesOf are so many that compress to more than so many bytes each.
func writesOf(n, size int) source {
	random := rand.NewChaCha8([32]byte{})
	var all source
	for i := range n {
		r := spool.Record{Place: spool.Place{Phase: 1, Schema: 2, Name: fmt.Sprintf("list %04d", i), Key: []byte{0}}, Value: make([]byte, size)}
		_, _ = random.Read(r.Value)
		all = append(all, r)
	}
	return all
}

func all(t *testing.T, s Source) source {
	t.Helper()
	var got source
	for {
		r, err := s.Next()
		if err != nil {
			t.Fatal(err)
		}
		if r == nil {
			return got
		}
		got = append(got, *r)
	}
}

// What a journal keeps is read from the table as it was kept, in the load that keeps
// it and in the one that finishes it.
func TestAJournalKeepsWrites(t *testing.T) {
	for _, tt := range []struct {
		name         string
		writes, size int
		pieces       int
	}{
		{"in the entry", 10, 100, 0},
		{"just in the entry", 1, 8100, 0},
		{"just not in the entry", 1, 8200, 1},
		{"in pieces", 1000, 1000, 4},
		{"little more than a piece", 1, 308_000, 2},
		{"a write that is larger than a piece", 2, 350_000, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			table := &store.Table{DB: simulation.NewDatabase(), Name: "sports"}
			want, given := writesOf(tt.writes, tt.size), writesOf(tt.writes, tt.size)
			h := Header{Load: history.Mark{ID: "load", Number: 7}}
			err := h.KeepWrites(t.Context(), table, &given)
			if err != nil {
				t.Fatal(err)
			}
			e := &history.Past{Number: 7, ID: "load"}
			if h.Pieces == 0 {
				e.Journal = h.short
			}
			entry, err := e.Writes(nil)
			if err == nil {
				err = table.Write(t.Context(), entry)
			}
			if err != nil {
				t.Fatal(err)
			}
			if h.Pieces != tt.pieces || h.Writes != tt.writes {
				t.Errorf("%d writes in %d pieces", h.Writes, h.Pieces)
			}
			found := Header{Load: h.Load, Pieces: h.Pieces, Writes: h.Writes, Version: h.Version}
			for _, header := range []Header{h, found} {
				s, err := header.JournalWrites(t.Context(), table)
				if err != nil {
					t.Fatal(err)
				}
				if s.Len() != tt.writes {
					t.Errorf("it has %d", s.Len())
				}
				if got := all(t, s); !reflect.DeepEqual(want, got) { // cmp takes seconds for so many bytes
					t.Errorf("%d writes were kept, and %d others are read", len(want), len(got))
				}
			}
			found.Version++
			if _, err := found.JournalWrites(t.Context(), table); !errors.Is(err, ErrOtherVersion) {
				t.Errorf("of another version: %v", err)
			}
		})
	}
}

// A journal that another load has written over, or a piece of which is missing, is not
// taken for one that ends there.
func TestAJournalThatIsNotWholeIsAnError(t *testing.T) {
	for _, size := range []int{100, 4000, 400_000} {
		table := &store.Table{DB: simulation.NewDatabase(), Name: "sports"}
		for _, id := range []string{"load", "another"} {
			given := writesOf(2, size)
			h := Header{Load: history.Mark{ID: id, Number: 7}}
			err := h.KeepWrites(t.Context(), table, &given)
			if err != nil {
				t.Fatal(err)
			}
			entry, err := (&history.Past{Number: 7, ID: id, Journal: h.short}).Writes(nil)
			if err == nil {
				err = table.Write(t.Context(), entry)
			}
			if err != nil {
				t.Fatal(err)
			}
			if id == "load" {
				continue
			}
			for _, h := range []Header{
				{Load: history.Mark{ID: "load", Number: 7}, Pieces: h.Pieces, Writes: 2, Version: h.Version},
				{Load: history.Mark{ID: "another", Number: 7}, Pieces: h.Pieces, Writes: 3, Version: h.Version},
				{Load: history.Mark{ID: "another", Number: 7}, Pieces: h.Pieces + 1, Writes: 3, Version: h.Version},
			} {
				s, err := h.JournalWrites(t.Context(), table)
				for range h.Writes {
					if err == nil {
						_, err = s.Next()
					}
				}
				if err == nil {
					t.Errorf("%d writes of %d bytes were read, of %q in %d pieces", h.Writes, size, h.Load.ID, h.Pieces)
				}
			}
		}
	}
}
