package spool_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"touchline/shared/loader/spool"
)

// What is put comes back in order, whether it is sorted in memory or in runs of a file.
func TestRecordsComeBackInOrder(t *testing.T) {
	for _, size := range []int{0, 7} {
		t.Run(fmt.Sprint("runs of ", size), func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(size))) //nolint:gosec // a test repeats
			s := spool.New(t.Context(), t.TempDir(), size)
			defer s.Close()
			want := map[string]spool.Record{}
			for n := range 500 {
				record := spool.Record{
					Place: spool.Place{
						Phase: "\x00\x01\x02"[r.IntN(3)], Schema: "\x00\x01\x02"[r.IntN(3)], Name: strings.Repeat("a", r.IntN(3)),
						Key: []byte{"\x00\x01\x02"[r.IntN(3)], 0}[:r.IntN(3)],
					},
					Value: fmt.Append(nil, n),
				}
				if _, twice := want[fmt.Sprint(record.Place)]; twice {
					continue
				}
				want[fmt.Sprint(record.Place)] = record
				if err := s.Put(record); err != nil {
					t.Fatal(err)
				}
			}
			if s.Len() != len(want) {
				t.Errorf("%d records, want %d", s.Len(), len(want))
			}
			var got []spool.Record
			for {
				record, err := s.Next()
				if err != nil {
					t.Fatal(err)
				}
				if record == nil {
					break
				}
				got = append(got, *record)
			}
			if len(got) != len(want) {
				t.Errorf("%d places, want %d", len(got), len(want))
			}
			if !slices.IsSortedFunc(got, func(a, b spool.Record) int { return a.Compare(b.Place) }) {
				t.Error("the places are out of order")
			}
			for _, record := range got {
				if put := want[fmt.Sprint(record.Place)]; string(put.Value) != string(record.Value) {
					t.Errorf("%v: %s, want %s", record.Place, record.Value, put.Value)
				}
			}
		})
	}
}

// No place has two records: which of them is written would be chance.
func TestAPlaceIsWrittenOnce(t *testing.T) {
	s := spool.New(t.Context(), "", 0)
	defer s.Close()
	for _, name := range []string{"a", "b", "b"} {
		if err := s.Put(spool.Record{Place: spool.Place{Name: name}}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if r, err := s.Next(); r == nil || err != nil {
			t.Fatal(r, err)
		}
	}
	if r, err := s.Next(); err == nil || !strings.Contains(err.Error(), `b "" is written twice`) {
		t.Errorf("got %v, %v", r, err)
	}
}

// A file that cannot be written is said, with its folder.
func TestAFolderThatTakesNoFileIsNamed(t *testing.T) {
	s := spool.New(t.Context(), "/dev/null/none", 1)
	defer s.Close()
	var err error
	for n := range 10_000 {
		if err = s.Put(spool.Record{Place: spool.Place{Name: fmt.Sprint(n)}}); err != nil {
			break
		}
	}
	if err == nil {
		_, err = s.Next()
	}
	if err == nil || !errors.As(err, new(*spool.FolderError)) || !strings.Contains(err.Error(), "in /dev/null/none, which TMPDIR changes") {
		t.Errorf("%v, want a fault that names the folder", err)
	}
}

// A spool that nobody reads ends with Close.
func TestASpoolEndsUnread(t *testing.T) {
	for _, n := range []int{0, 10} {
		s := spool.New(t.Context(), "", 4)
		for i := range n {
			if err := s.Put(spool.Record{Place: spool.Place{Name: fmt.Sprint(i)}}); err != nil {
				t.Fatal(err)
			}
		}
		s.Close()
		s.Close()
	}
}
