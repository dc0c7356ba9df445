package store_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/engine/enginetest"
	"touchline/shared/meter"
	"touchline/shared/simulation"
	"touchline/shared/store"
	"touchline/shared/store/dynamo"
)

// backends make an empty database each, with a table Things.
var backends = map[string]func(*testing.T) store.DB{
	"memory":   func(*testing.T) store.DB { return simulation.NewDatabase() },
	"DynamoDB": func(t *testing.T) store.DB { return onDynamoDB(t) },
}

func onDynamoDB(t *testing.T) dynamo.DB {
	t.Helper()
	client, err := dynamo.NewClient(t.Context(), dynamo.Settings{Endpoint: enginetest.Start(t)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.CreateTable(t.Context(), dynamo.Table("Things")); err != nil {
		t.Fatal(err)
	}
	return dynamo.DB{Client: client}
}

// TestTheBackendsKeepTheContract of store.DB and of store.Leases, as a Table and a Lease
// ask for it.
func TestTheBackendsKeepTheContract(t *testing.T) {
	for backend, open := range backends {
		for name, test := range map[string]func(*testing.T, *store.Table){
			"what was written is read":                       whatWasWrittenIsRead,
			"a query reads its part of a partition":          aQueryReadsItsPart,
			"a query of nothing is empty":                    aQueryOfNothing,
			"a scan reads each item once":                    aScanReadsEachItemOnce,
			"a writer writes all":                            aWriterWritesAll,
			"an item may have 400 KB":                        theLargestItem,
			"a view has its keys elsewhere":                  aViewHasItsKeysElsewhere,
			"of 16 writers of a key one is read":             oneOfManyWriters,
			"a lease is one's":                               aLeaseIsOnes,
			"of 16 who take a lease one has it":              oneOfManyTakers,
			"a lease that ran out may be taken":              aLeaseThatRanOut,
			"the payload is the holder's":                    thePayloadIsTheHolders,
			"a mark stays":                                   aMarkStays,
			"a guarded table takes no write without a lease": guarded,
		} {
			t.Run(backend+"/"+name, func(t *testing.T) {
				t.Parallel()
				test(t, &store.Table{DB: open(t), Name: "Things", Meter: &meter.Meter{}})
			})
		}
	}
}

func text(s string) store.Item {
	return store.Item{"v": &types.AttributeValueMemberS{Value: s}}
}

func textOf(item store.Item) string {
	v, _ := item["v"].(*types.AttributeValueMemberS)
	if v == nil {
		return ""
	}
	return v.Value
}
