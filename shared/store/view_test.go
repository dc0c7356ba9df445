package store_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/store"
)

func aViewHasItsKeysElsewhere(t *testing.T, table *store.Table) {
	view := *table
	view.DB = &store.View{
		DB:  table.DB,
		Out: func(k store.Key) store.Key { return store.Key{PK: "x#" + k.PK, SK: k.SK} },
		In:  func(k store.Key) store.Key { return store.Key{PK: strings.TrimPrefix(k.PK, "x#"), SK: k.SK} },
		Has: func(k store.Key) bool { return strings.HasPrefix(k.PK, "x#") },
	}
	a, b, c := store.Key{PK: "p", SK: "1"}, store.Key{PK: "p", SK: "2"}, store.Key{PK: "q", SK: "1"}
	item := func(text string) store.Item {
		return store.Item{"v": &types.AttributeValueMemberS{Value: text}}
	}
	if err := view.Write(t.Context(), []store.Write{{Key: a, Item: item("a")}, {Key: b, Item: item("b")}, {Key: c, Item: item("c")}}); err != nil {
		t.Fatal(err)
	}
	if err := table.Write(t.Context(), []store.Write{{Key: a, Item: item("its own")}, {Key: store.Key{PK: "x#q", SK: "1"}}}); err != nil {
		t.Fatal(err)
	}
	if own, err := table.Get(t.Context(), a, true); err != nil || own["v"].(*types.AttributeValueMemberS).Value != "its own" {
		t.Fatal(own, err)
	}
	texts := func(items []store.Item, err error) map[store.Key]string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		all := map[store.Key]string{}
		for _, item := range items {
			all[store.KeyOf(item)] = item["v"].(*types.AttributeValueMemberS).Value
		}
		return all
	}
	want := map[store.Key]string{a: "a", b: "b"}
	if diff := cmp.Diff(want, texts(view.Query(t.Context(), store.Query{PK: "p"}))); diff != "" {
		t.Error(diff)
	}
	got, err := view.BatchGet(t.Context(), []store.Key{a, b, c}, true)
	if err != nil || len(got) != 2 || store.KeyOf(got[a]) != a || store.KeyOf(got[b]) != b {
		t.Error(got, err)
	}
	var all []store.Item
	err = view.Scan(t.Context(), func(item store.Item) error { all = append(all, item); return nil })
	if diff := cmp.Diff(want, texts(all, err)); diff != "" {
		t.Error(diff)
	}
}
