package loader_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"touchline/shared/loader"
	"touchline/shared/loader/history"
)

// After a load A, a load B and an undo the table is as after A, item by item,
// whether anything was interrupted on the way or not; undone again, nothing more
// happens.
func TestUndoMakesTheTableWhatItWas(t *testing.T) {
	seeds := 8
	if testing.Short() {
		seeds = 4
	}
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			f := newFederation(700 + seed)
			s := newSports(t)
			f.grow(50)
			load(t, s, f.folder(t, f.records), anything())
			was, before := s.dump(t), f.copy()
			f.grow(25)
			f.shrink(12)
			files, opts := f.folder(t, since(before, f.records)), anything()
			if seed%4 == 1 {
				files, opts = f.folder(t, f.records), loader.Options{Replace: true, AllowDeletes: new(1000)}
			}
			if seed%3 == 2 {
				if _, err := s.dyingAfter(int(4+seed)).Load(t.Context(), files, opts); !errors.Is(err, errKilled) { //nolint:gosec // small
					t.Fatal(err)
				}
			}
			load(t, s, files, opts)
			loaded := s.dump(t)
			if _, _, err := s.loader().Undo(t.Context(), loader.Options{DryRun: true, AllowDeletes: new(1000)}); err != nil {
				t.Fatal(err)
			}
			if diff := difference(loaded, s.dump(t)); diff != "" {
				t.Fatalf("a dry run changed:\n%s", diff)
			}
			if seed%2 == 1 {
				if _, _, err := s.dyingAfter(int(3+seed)).Undo(t.Context(), anything()); err != nil && !errors.Is(err, errKilled) { //nolint:gosec // small
					t.Fatal(err)
				}
			}
			if _, past, err := s.loader().Undo(t.Context(), anything()); err != nil && !errors.As(err, new(*history.UndoneError)) || past == nil {
				t.Fatal(past, err)
			}
			if diff := difference(was, s.dump(t)); diff != "" {
				t.Errorf("before (-) and after the undo (+):\n%s", diff)
			}
			var undone *history.UndoneError
			if _, _, err := s.loader().Undo(t.Context(), anything()); !errors.As(err, &undone) {
				t.Errorf("a second undo ends with %v", err)
			}
			if diff := difference(was, s.dump(t)); diff != "" {
				t.Errorf("before (-) and after the second undo (+):\n%s", diff)
			}
			s.checked(t)
		})
	}
}

func (s *sports) undo(t testing.TB) (*loader.Report, *history.Past, error) {
	t.Helper()
	return s.loader().Undo(t.Context(), loader.Options{Diff: true})
}

func organization(line string) fstest.MapFS {
	return fstest.MapFS{"organizations.ndjson": &fstest.MapFile{Data: []byte(line)}}
}

func TestTheLastLoadsAreKept(t *testing.T) {
	s := newSports(t)
	for n := range 13 {
		load(t, s, organization(fmt.Sprintf(`{"id":"liga","type":"federation","name":"Liga %d"}`, n)), loader.Options{})
	}
	load(t, s, organization(`{"id":"liga","type":"federation","name":"Liga 12"}`), loader.Options{}) // nothing new
	loads, err := loader.Loads(t.Context(), s.table, history.Range{Limit: 10})
	if err != nil || len(loads) != 10 {
		t.Fatalf("%d loads, %v", len(loads), err)
	}
	for i, l := range loads {
		if l.Number != 13-i || l.By != "a test" || l.Report.Organizations.Changed != 1 || len(l.Report.Changes) != 1 || l.Report.Changes[0].String() != "~ organization liga: name changed" {
			t.Errorf("load %d: %+v", i, l.Report.Changes)
		}
	}
	if loads, err = loader.Loads(t.Context(), s.table, history.Range{From: 3, To: 4}); err != nil || len(loads) != 2 || loads[1].Number != 3 {
		t.Errorf("from 3 to 4: %+v, %v", loads, err)
	}
	if _, _, err := s.undo(t); err != nil {
		t.Fatal(err)
	}
	if loads, err = loader.Loads(t.Context(), s.table, history.Range{}); err != nil || len(loads) != 14 || loads[0].Undoes != 13 {
		t.Errorf("after an undo: %+v, %v", loads[0], err)
	}
}

// A load is undone also when others came after it, as long as they left its records
// alone: one that they changed is named, and nothing is undone.
func TestAnEarlierLoadIsUndoneWholeOrNotAtAll(t *testing.T) {
	s := newSports(t)
	club := func(id, name string) string {
		return fmt.Sprintf(`{"id":"%s","type":"federation","name":"%s"}`, id, name)
	}
	both := func(a, b string) { load(t, s, organization(club("a", a)+"\n"+club("b", b)), loader.Options{}) }
	both("A", "B")
	both("A2", "B2")
	load(t, s, organization(club("c", "C")), loader.Options{})
	load(t, s, organization(club("a", "A3")), loader.Options{})
	was := s.dump(t)
	var changed *history.ChangedError
	_, _, err := s.loader().Undo(t.Context(), loader.Options{Load: 2})
	if want := "load 2 cannot be undone: changed since: organization a"; !errors.As(err, &changed) || err.Error() != want || changed.Records[0].Name != "A3" {
		t.Errorf("got %v, want %s", err, want)
	}
	if diff := difference(was, s.dump(t)); diff != "" {
		t.Errorf("a refused undo changed:\n%s", diff)
	}
	for _, number := range []int{4, 2} { // the later one out of the way
		if _, past, err := s.loader().Undo(t.Context(), loader.Options{Load: number}); err != nil || past.Number != number {
			t.Fatal(number, past, err)
		}
	}
	loads, err := loader.Loads(t.Context(), s.table, history.Range{})
	if err != nil || loads[0].Number != 6 || loads[0].Undoes != 2 || loads[0].Report.Organizations.Changed != 2 {
		t.Errorf("%+v, %v", loads[0], err)
	}
	load(t, s, organization(club("c", "C2")), loader.Options{})
	var undone *history.UndoneError
	if _, _, err := s.loader().Undo(t.Context(), loader.Options{Load: 2}); !errors.As(err, &undone) || undone.By != 6 {
		t.Errorf("a second time: %v", err)
	}
	if _, _, err := s.loader().Undo(t.Context(), loader.Options{Load: 6}); !errors.As(err, &undone) || undone.Number != 2 {
		t.Errorf("the undo itself: %v", err)
	}
	if _, _, err := s.loader().Undo(t.Context(), loader.Options{Load: 99}); !errors.Is(err, history.ErrNotKept) {
		t.Errorf("a load that never was: %v", err)
	}
	if _, _, err := s.loader().Undo(t.Context(), loader.Options{Load: 3}); !errors.As(err, &changed) {
		t.Errorf("one whose record was changed: %v", err)
	}
}

// A load that changes more than is kept says so, and so does its undo.
func TestALoadThatIsTooLargeToKeepIsNotUndone(t *testing.T) {
	s := inMemory()
	l := s.loader()
	l.KeepUndo(2 << 10)
	if _, err := l.Load(t.Context(), organization(strings.Join(clubs(400), "\n")+"\n"+`{"id":"fed","type":"federation","name":"F"}`), anything()); err != nil {
		t.Fatal(err)
	}
	_, _, err := s.loader().Undo(t.Context(), loader.Options{})
	if want := "load 1 cannot be undone: what that takes is not kept: it changed too much"; !errors.Is(err, history.ErrNoWayBack) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if loads, err := loader.Loads(t.Context(), s.table, history.Range{}); err != nil || loads[0].Report.Organizations.Created != 401 || loads[0].More != 301 {
		t.Errorf("%+v, %v", loads, err)
	}
}
