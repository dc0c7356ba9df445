package store_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"touchline/shared/meter"
	"touchline/shared/store"
)

func TestSizeFollowsDynamoDBsRules(t *testing.T) {
	cases := []struct {
		name string
		item store.Item
		want int
	}{
		{"text is its bytes", text("grün"), 1 + 5},
		{"bytes", store.Item{"v": &types.AttributeValueMemberB{Value: make([]byte, 7)}}, 1 + 7},
		{"a number is half its digits, and one", store.Item{"v": &types.AttributeValueMemberN{Value: "1234567"}}, 1 + 5},
		{"a negative number", store.Item{"v": &types.AttributeValueMemberN{Value: "-12"}}, 1 + 3},
		{"a boolean", store.Item{"v": &types.AttributeValueMemberBOOL{Value: true}}, 1 + 1},
		{"null", store.Item{"v": &types.AttributeValueMemberNULL{Value: true}}, 1 + 1},
		{"a list", store.Item{"v": &types.AttributeValueMemberL{Value: []types.AttributeValue{&types.AttributeValueMemberS{Value: "ab"}}}}, 1 + 3 + 1 + 2},
		{"a map", store.Item{"v": &types.AttributeValueMemberM{Value: text("ab")}}, 1 + 3 + 1 + 1 + 2},
	}
	for _, c := range cases {
		if got := store.Size(c.item); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// What Size says fits a read unit or a write unit must fit it by the engine's
// count.
func TestSizeIsNotBelowWhatIsCharged(t *testing.T) {
	table := &store.Table{DB: onDynamoDB(t), Name: "Things", Meter: &meter.Meter{}}
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++ // an item that is replaced is charged for, too
		key := store.Key{PK: "p", SK: fmt.Sprintf("%06d", n)}
		item := store.Item{
			"n": &types.AttributeValueMemberN{Value: rapid.StringMatching("-?[1-9][0-9]{0,18}").Draw(rt, "n")},
			"l": &types.AttributeValueMemberL{Value: []types.AttributeValue{
				&types.AttributeValueMemberM{Value: store.Item{"a": &types.AttributeValueMemberBOOL{Value: true}}},
			}},
		}
		units := rapid.IntRange(1, 5).Draw(rt, "units")
		rest := 1024*units - store.Size(item) - len("vpkpsk000000")
		item["v"] = &types.AttributeValueMemberS{Value: strings.Repeat("x", rest)}
		table.Meter.Reset()
		if err := table.Write(t.Context(), []store.Write{{Key: key, Item: item}}); err != nil {
			rt.Fatal(err)
		}
		if store.Size(item) != 1024*units {
			rt.Fatalf("size %d", store.Size(item))
		}
		if got := table.Meter.Total().WriteUnits; got > float64(units) {
			rt.Errorf("%d bytes: %.1f units", store.Size(item), got)
		}
	})
}

// TestAMeterCountsWhatIsDoneUnderItsContext, in memory in the units of DynamoDB.
func TestAMeterCountsWhatIsDoneUnderItsContext(t *testing.T) {
	for _, backend := range []string{"memory", "DynamoDB"} {
		t.Run(backend, func(t *testing.T) {
			counts(t, &store.Table{DB: backends[backend](t), Name: "Things", Meter: &meter.Meter{}})
		})
	}
}

func counts(t *testing.T, table *store.Table) {
	all := keys(250)
	count := &meter.Meter{}
	ctx := meter.With(t.Context(), count)
	if err := table.Write(ctx, puts(all, "")); err != nil {
		t.Fatal(err)
	}
	written := count.Reset()
	want := meter.Use{WriteUnits: 250, Trips: 2, ItemsWritten: 250}
	if diff := cmp.Diff(want, written); diff != "" {
		t.Errorf("write (-want +got):\n%s", diff)
	}
	if _, err := table.BatchGet(ctx, all, false); err != nil {
		t.Fatal(err)
	}
	want = meter.Use{ReadUnits: 125, Trips: 1, ItemsRead: 250}
	if diff := cmp.Diff(want, count.Reset()); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	if _, err := table.Query(ctx, store.Query{PK: "p1", From: "s", To: "s0015", Consistent: true}); err != nil {
		t.Fatal(err)
	}
	if u := count.Total(); u.Trips != 1 || u.ItemsRead != 3 || u.ReadUnits != 1 {
		t.Errorf("query: %+v", u)
	}
	if _, err := table.Get(t.Context(), all[0], false); err != nil {
		t.Fatal(err)
	}
	if u := count.Total(); u.Trips != 1 {
		t.Errorf("counted what was not done under its context: %+v", u)
	}
	if u := table.Meter.Total(); u.Trips != 5 || u.ItemsRead != 254 {
		t.Errorf("the table's own: %+v", u)
	}
}
