package loader_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/store"
	"touchline/shared/store/records"
)

// difference says how got is not want, "" where it is. It asks the quick way first:
// nearly all tables are equal, and cmp.Diff takes a hundred times as long to say so.
func difference(want, got any) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return cmp.Diff(want, got)
}

// dump is all that a Sports table says: its items, but for those about loads.
func (s *sports) dump(t testing.TB) map[string]any {
	t.Helper()
	said := map[string]any{}
	for _, item := range s.scanned(t) {
		key := store.KeyOf(item)
		if strings.HasPrefix(key.SK, records.JournalPrefix) {
			continue // a piece without a header is nothing
		}
		if key.PK == records.JournalPK && (strings.HasPrefix(key.SK, "load#") || strings.HasPrefix(key.SK, "undo#") || strings.HasPrefix(key.SK, records.ErasedPrefix)) {
			continue // what loads there were, and what they erased
		}
		if key == records.LockKey() {
			if store.FreeLease(item); item["payload"] == nil {
				continue // who loaded last says nothing
			}
		}
		var values map[string]any
		if err := attributevalue.UnmarshalMap(item, &values); err != nil {
			t.Fatal(err)
		}
		if key == records.VersionKey() {
			layouts, _ := values["s"].(map[string]any)
			for _, layout := range layouts { // which loads there were, and when
				for _, name := range []string{"n", "l", "e"} {
					delete(layout.(map[string]any), name)
				}
			}
		}
		said[key.PK+" "+key.SK] = values
	}
	return said
}

// record reads one record, which must be there.
func (s *sports) record(t testing.TB, key store.Key, into any) {
	t.Helper()
	item, err := s.table.Get(t.Context(), key, true)
	if err != nil {
		t.Fatal(err)
	}
	if item == nil {
		t.Fatalf("no record at %+v", key)
	}
	if err := attributevalue.UnmarshalMap(item, into); err != nil {
		t.Fatal(err)
	}
}
