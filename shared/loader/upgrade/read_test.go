package upgrade

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/simulation"
	"touchline/shared/store"
	"touchline/shared/store/space"
)

// byOne is a database whose pages have one item.
type byOne struct{ *simulation.Database }

func first(out store.Reply, err error) (store.Reply, error) {
	if len(out.Items) > 1 {
		out.Items = out.Items[:1]
		out.Next = store.KeyOf(out.Items[0])
	}
	return out, err
}

func (d byOne) Scan(ctx context.Context, table string, after store.Key) (store.Reply, error) {
	return first(d.Database.Scan(ctx, table, after))
}

func (d byOne) Query(ctx context.Context, table string, q store.Query, after store.Key) (store.Reply, error) {
	return first(d.Database.Query(ctx, table, q, after))
}

// Former data are read by the keys of this build, whatever lies between their pages, and
// not written.
func TestFormerDataAreReadByTheKeysOfThisBuild(t *testing.T) {
	table := &store.Table{DB: byOne{simulation.NewDatabase()}, Name: "sports"}
	item := func(text string) store.Item {
		return store.Item{"v": &types.AttributeValueMemberS{Value: text}}
	}
	own := space.Prefix
	for _, key := range []store.Key{{PK: own + "A", SK: "1"}, {PK: "7#A", SK: "1"}, {PK: "7#A", SK: "2"}, {PK: "7#B", SK: "1"}, {PK: "75#A", SK: "1"}, {PK: "8#A", SK: "1"}} {
		if err := table.Write(t.Context(), []store.Write{{Key: key, Item: item(key.PK + key.SK)}}); err != nil {
			t.Fatal(err)
		}
	}
	former := formerOf(table, 7)
	texts := func(items []store.Item) map[store.Key]string {
		all := map[store.Key]string{}
		for _, item := range items {
			all[store.KeyOf(item)] = item["v"].(*types.AttributeValueMemberS).Value
		}
		return all
	}
	a1, a2, b := store.Key{PK: own + "A", SK: "1"}, store.Key{PK: own + "A", SK: "2"}, store.Key{PK: own + "B", SK: "1"}
	var scanned []store.Item
	err := former.Scan(t.Context(), func(item store.Item) error { scanned = append(scanned, item); return nil })
	if diff := cmp.Diff(map[store.Key]string{a1: "7#A1", a2: "7#A2", b: "7#B1"}, texts(scanned)); diff != "" || len(scanned) != 3 || err != nil {
		t.Error(diff, len(scanned), err)
	}
	found, err := former.Query(t.Context(), store.Query{PK: own + "A"})
	if diff := cmp.Diff(map[store.Key]string{a1: "7#A1", a2: "7#A2"}, texts(found)); diff != "" || err != nil {
		t.Error(diff, err)
	}
	got, err := former.BatchGet(t.Context(), []store.Key{a1, b, {PK: own + "C", SK: "1"}}, true)
	if err != nil || len(got) != 2 || texts([]store.Item{got[b]})[b] != "7#B1" {
		t.Error(got, err)
	}
	if err := former.Write(t.Context(), []store.Write{{Key: b}}); err == nil {
		t.Error("former data were written")
	}
}
