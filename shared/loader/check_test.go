package loader_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"touchline/shared/loader"
	"touchline/shared/loader/journal"
)

// checked holds that a check finds no difference in the table.
func (s *sports) checked(t testing.TB) {
	t.Helper()
	report, err := s.loader().Check(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Differences) > 0 {
		t.Errorf("a check finds %d differences: %v", len(report.Differences), report.Differences[:min(5, len(report.Differences))])
	}
	if report.Records == 0 || report.Lists == 0 {
		t.Errorf("a check compares nothing: %+v", report)
	}
}

func TestARealSeasonIsAsItsRecordsMakeIt(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 1,200 matches twice: make test-all runs it")
	}
	s := newSports(t)
	load(t, s, os.DirFS(austria(t)), loader.Options{})
	s.checked(t)
}

// A journal that cannot be finished is given up; what its load has written is
// mended.
func TestAnInterruptedLoadIsGivenUp(t *testing.T) {
	for _, kill := range []int{4, 9, 16} {
		f := newFederation(uint64(710 + kill)) //nolint:gosec // small
		s := newSports(t)
		f.grow(60)
		load(t, s, f.folder(t, f.records), anything())
		was := f.copy()
		f.grow(40)
		if _, err := s.dyingAfter(kill).Load(t.Context(), f.folder(t, since(was, f.records)), anything()); !errors.Is(err, errKilled) {
			t.Fatalf("killed after %d writes: %v", kill, err)
		}
		if err := s.loader().Keep(t.Context(), 5); err != nil || !s.journaled(t) {
			t.Errorf("days to keep loads are noted over a journal: %v", err)
		}
		if _, err := s.loader().Check(t.Context(), false); !errors.Is(err, loader.ErrUnfinished) {
			t.Errorf("a check after an interrupted load: %v", err)
		}
		if interrupted, err := s.loader().Interrupted(t.Context()); err != nil || !interrupted {
			t.Errorf("after an interrupted load: %v, %v", interrupted, err)
		}
		if err := s.loader().Alone(t.Context(), func(ctx context.Context, _ *journal.Lock) error { // somebody is at it
			other := s.loader()
			other.Lease.Holder = "another"
			interrupted, err := other.Interrupted(ctx)
			if interrupted {
				t.Error("what another is finishing is interrupted")
			}
			return err
		}); err != nil {
			t.Error(err)
		}
		report, err := s.loader().Abandon(t.Context())
		if err != nil || report.Entries == 0 {
			t.Fatalf("abandon: %+v, %v", report, err)
		}
		if s.journaled(t) {
			t.Error("its journal is still there")
		}
		if _, _, err := s.undo(t); err == nil || !strings.Contains(err.Error(), "given up half-way") {
			t.Errorf("an undo of what was given up: %v", err)
		}
		if _, err := s.loader().Abandon(t.Context()); !errors.Is(err, loader.ErrNothingToAbandon) {
			t.Errorf("abandon without a journal: %v", err)
		}
		if _, err := s.loader().Check(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		s.checked(t)
		if report := load(t, s, f.folder(t, f.records), anything()); report.Finished != nil {
			t.Error("the next load finished what was given up")
		}
		once := newSports(t)
		load(t, once, f.folder(t, f.records), anything())
		if diff := difference(once.dump(t), s.dump(t)); diff != "" {
			t.Errorf("undisturbed (-) and given up (+):\n%s", diff)
		}
	}
}
