package generation_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/store"
	"touchline/shared/store/generation"
	"touchline/shared/store/records"
	"touchline/shared/store/records/recordstest"
	"touchline/shared/store/space"
)

var start = time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC)

func newTable(t *testing.T) *store.Table {
	t.Helper()
	return recordstest.New(t).Table
}

// put writes the item as some build does.
func put(t *testing.T, table *store.Table, item map[string]any) {
	t.Helper()
	encoded, err := attributevalue.MarshalMap(item)
	if err == nil {
		err = table.Write(t.Context(), []store.Write{{Key: records.VersionKey(), Item: encoded}})
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestLoadsRaiseTheVersion(t *testing.T) {
	table := newTable(t)
	if _, err := generation.Read(t.Context(), table); !generation.IsEmpty(err) || !strings.Contains(err.Error(), "table sports is empty") {
		t.Fatalf("an empty table: %v", err)
	}
	now := start
	begin := func() {
		t.Helper()
		if err := generation.Begin(t.Context(), table); err != nil {
			t.Fatal(err)
		}
	}
	end := func(load int) {
		t.Helper()
		if err := generation.End(t.Context(), table, load, now); err != nil {
			t.Fatal(err)
		}
	}
	shows := func(want string, ended time.Time) {
		t.Helper()
		state, err := generation.Read(t.Context(), table)
		if err != nil {
			t.Fatal(err)
		}
		if got := state.Label(now); got != want || !state.Ended.Equal(ended) {
			t.Errorf("%s, ended %v; want %s, %v", got, state.Ended, want, ended)
		}
	}
	begin()
	shows("0+", time.Time{})
	now = now.Add(time.Minute)
	end(1)
	first := now
	shows("1+", first)
	now = now.Add(generation.Settle - time.Millisecond)
	shows("1+", first)
	now = now.Add(time.Millisecond)
	shows("1", first)

	begin()
	shows("1+", first)
	begin() // by the next load, which finishes it
	end(2)
	second := now
	begin() // it was killed before it said so
	end(2)
	shows("2+", second)

	now = now.Add(time.Hour)
	begin()
	end(0) // a mend
	begin()
	end(0)
	shows("4+", now)
}

func TestDataOfAnotherLayoutIsRefused(t *testing.T) {
	reads := fmt.Sprintf("this version reads and writes layout %d", generation.Layout)
	tests := map[string]struct {
		item map[string]any
		want []int
		says string
	}{
		"of a build before there were forms": {map[string]any{"v": 9, "s": map[string]any{"9": map[string]any{"n": 3}}}, []int{9}, "from before layout 1 was settled, which this version does not read: export"},
		"of one whose layout had our number": {map[string]any{"o": generation.Layout, "s": map[string]any{strconv.Itoa(generation.Layout): map[string]any{"n": 3, "f": "another"}}}, []int{generation.Layout}, "do not come along"},
		"of a later build":                   {map[string]any{"o": 12, "s": map[string]any{"12": map[string]any{"n": 3}}}, []int{12}, reads},
		"of two":                             {map[string]any{"o": 12, "s": map[string]any{"12": map[string]any{"n": 3}, "11": map[string]any{"n": 9}}}, []int{11, 12}, reads},
		"of which ours are not whole":        {map[string]any{"o": 12, "s": map[string]any{"12": map[string]any{"n": 3}, strconv.Itoa(generation.Layout): map[string]any{"n": 9, "p": true}}}, []int{12}, reads},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			table := newTable(t)
			put(t, table, tt.item)
			_, read := generation.Read(t.Context(), table)
			begin := generation.Begin(t.Context(), table)
			end := generation.End(t.Context(), table, 1, start)
			for _, err := range []error{read, begin, end} {
				other, ok := errors.AsType[*generation.OtherError](err)
				if !ok || other.Empty() || generation.IsEmpty(err) || cmp.Diff(tt.want, other.Layouts) != "" || !strings.Contains(err.Error(), tt.says) {
					t.Errorf("%v", err)
				}
			}
			if all, err := generation.List(t.Context(), table); err != nil || all[0].Unreleased != (tt.says != reads) {
				t.Errorf("%+v, %v", all, err)
			}
			item, err := table.Get(t.Context(), records.VersionKey(), true)
			if err != nil {
				t.Fatal(err)
			}
			if own, err := generation.Of(item); err == nil {
				t.Errorf("it was written: %+v", own)
			}
		})
	}
}

// What another layout has there stays.
func TestALoadChangesItsOwnLayoutAlone(t *testing.T) {
	table := newTable(t)
	own := strconv.Itoa(generation.Layout)
	put(t, table, map[string]any{"o": generation.Layout, "s": map[string]any{own: map[string]any{"n": 3, "f": space.Form}, "10": map[string]any{"n": 5}}})
	if err := generation.End(t.Context(), table, 7, start); err != nil {
		t.Fatal(err)
	}
	item, err := table.Get(t.Context(), records.VersionKey(), true)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Layouts map[string]map[string]any `dynamodbav:"s"`
	}
	if err := attributevalue.UnmarshalMap(item, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]map[string]any{own: {"n": 4.0, "l": 7.0, "e": float64(start.UnixMilli()), "f": space.Form}, "10": {"n": 5.0}}
	if diff := cmp.Diff(want, got.Layouts); diff != "" {
		t.Error(diff)
	}
}

// A build is told apart by layout and form, and reads an empty table.
func TestABuildReadsTheDataOfItsForm(t *testing.T) {
	table := newTable(t)
	reads := func(of string, want bool) {
		t.Helper()
		if got, err := generation.Readable(t.Context(), table, of); err != nil || got != want {
			t.Errorf("a build of %q: %t, %v", of, got, err)
		}
	}
	reads("1#form", true)
	put(t, table, map[string]any{"o": 2, "s": map[string]any{
		"1": map[string]any{"n": 3, "f": "form"}, "2": map[string]any{"n": 3, "f": "later"}, "3": map[string]any{"f": "begun", "p": true},
	}})
	for of, want := range map[string]bool{"1#form": true, "2#later": true, "1#later": false, "3#begun": false, "": false} {
		reads(of, want)
	}
}
