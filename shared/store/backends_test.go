package store_test

import (
	"maps"
	"path/filepath"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/engine/enginetest"
	"touchline/shared/meter"
	"touchline/shared/simulation"
	"touchline/shared/store"
	"touchline/shared/store/dynamo"
	"touchline/shared/store/file"
)

// backends make an empty database each, with a table Things.
var backends = map[string]func(*testing.T) store.DB{
	"memory":   func(*testing.T) store.DB { return simulation.NewDatabase() },
	"file":     func(t *testing.T) store.DB { return onFile(t) },
	"DynamoDB": func(t *testing.T) store.DB { return onDynamoDB(t) },
}

func onFile(t *testing.T) *file.File {
	t.Helper()
	f, err := file.Open(filepath.Join(t.TempDir(), "data.db"), file.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
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
	keep(t, backends, map[string]func(*testing.T, *store.Table){
		"what was written is read":              whatWasWrittenIsRead,
		"a query reads its part of a partition": aQueryReadsItsPart,
		"a query of nothing is empty":           aQueryOfNothing,
		"a scan reads each item once":           aScanReadsEachItemOnce,
		"a writer writes all":                   aWriterWritesAll,
		"an item may have 400 KB":               theLargestItem,
		"of 16 writers of a key one is read":    oneOfManyWriters,
		"of 16 who take a lease one has it":     oneOfManyTakers,
		"a mark stays":                          aMarkStays,
	})
}

// TestLeasesRunOut where they have an end. On the file they have none (package file).
func TestLeasesRunOut(t *testing.T) {
	timed := maps.Clone(backends)
	delete(timed, "file")
	keep(t, timed, map[string]func(*testing.T, *store.Table){
		"a lease is one's":                               aLeaseIsOnes,
		"a lease that ran out may be taken":              aLeaseThatRanOut,
		"the payload is the holder's":                    thePayloadIsTheHolders,
		"a guarded table takes no write without a lease": guarded,
	})
}

func keep(t *testing.T, backends map[string]func(*testing.T) store.DB, contract map[string]func(*testing.T, *store.Table)) {
	t.Helper()
	for backend, open := range backends {
		for name, test := range contract {
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
