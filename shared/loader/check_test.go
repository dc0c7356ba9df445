package loader_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/loader"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
	"touchline/shared/store/space"
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

// edit makes ops on a list.
func edit[T any](t *testing.T, s *sports, schema pagedlist.Schema[T], list string, ops ...pagedlist.Op[T]) {
	t.Helper()
	changes, err := schema.Changes(list, ops)
	if err == nil {
		err = pagedlist.Apply(t.Context(), s.table, schema, []pagedlist.Changes{changes}, pagedlist.Options{})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Whatever is wrong in what follows from the records is found, and mended.
func TestACheckFindsAndMendsWhatIsWrong(t *testing.T) {
	f := newFederation(701)
	f.grow(150)
	s := newSports(t)
	load(t, s, f.folder(t, f.records), anything())
	s.checked(t)
	right := s.dump(t)

	team := s.some(t, "T#", "-")
	everything := string(records.Everything(sport.KindTeam))
	nobody := string(records.Everything(sport.Kind("nobody")))
	ids := records.IDSchema()
	edit(t, s, ids, everything,
		pagedlist.Op[records.IDEntry]{Key: records.IDKey(sport.ID(strings.TrimPrefix(team.PK, space.Prefix+"T#")))},
		pagedlist.Op[records.IDEntry]{Key: records.IDKey("ffffffffffffffffffffffff"), Put: &records.IDEntry{ID: "ffffffffffffffffffffffff"}},
	)
	edit(t, s, ids, nobody, pagedlist.Op[records.IDEntry]{Key: records.IDKey("a"), Put: &records.IDEntry{ID: "a"}})
	missing, changed, extra := s.some(t, "C#", "#T"), s.some(t, "C#", "#V"), store.Key{PK: team.PK, SK: "S#000001999"}
	if err := s.table.Write(t.Context(), []store.Write{
		{Key: missing},
		{Key: changed, Item: store.Item{"Teams": &types.AttributeValueMemberN{Value: "99"}}},
		{Key: extra, Item: store.Item{"x": &types.AttributeValueMemberS{Value: "y"}}},
	}); err != nil {
		t.Fatal(err)
	}

	place := func(k store.Key) string { return "item " + k.PK + " " + k.SK }
	want := []loader.Difference{
		{Place: place(missing), Problem: "is missing"},
		{Place: place(changed), Problem: "is not what the records make of it"},
		{Place: place(extra), Problem: "should not be there"},
		{Place: "list " + everything, Problem: "1 entries missing, 0 different, 1 too many"},
		{Place: "list " + nobody, Problem: "should not be there, with 1 entries"},
	}
	slices.SortFunc(want, func(a, b loader.Difference) int { return strings.Compare(a.Place, b.Place) })
	for _, mend := range []bool{false, true} {
		report, err := s.loader().Check(t.Context(), mend)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, report.Differences); diff != "" {
			t.Errorf("differences, want (-) and got (+), mended %v:\n%s", mend, diff)
		}
	}
	s.checked(t)
	if diff := difference(right, s.dump(t)); diff != "" {
		t.Errorf("before it was damaged (-) and mended (+):\n%s", diff)
	}
}

// some is the key of some item whose partition and sort keys begin and end so.
func (s *sports) some(t testing.TB, pk, sk string) store.Key {
	t.Helper()
	var found []store.Key
	err := s.table.Scan(t.Context(), func(item store.Item) error {
		if k := store.KeyOf(item); strings.HasPrefix(k.PK, space.Prefix+pk) && strings.HasSuffix(k.SK, sk) {
			found = append(found, k)
		}
		return nil
	})
	if err != nil || len(found) == 0 {
		t.Fatalf("no item %s %s: %v", pk, sk, err)
	}
	return slices.MinFunc(found, func(a, b store.Key) int { return strings.Compare(a.PK, b.PK) })
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
		if _, err := s.loader().Check(t.Context(), false); !errors.Is(err, loader.ErrUnfinished) {
			t.Errorf("a check after an interrupted load: %v", err)
		}
		if interrupted, err := s.loader().Interrupted(t.Context()); err != nil || !interrupted {
			t.Errorf("after an interrupted load: %v, %v", interrupted, err)
		}
		if err := s.loader().Alone(t.Context(), func(ctx context.Context) error { // somebody is at it
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
