// Package recordstest makes Sports tables, filled from datasets, for tests of what reads
// them: in memory, or in an engine of their own.
package recordstest

import (
	"fmt"
	"io/fs"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"touchline/shared/engine/enginetest"
	"touchline/shared/loader"
	"touchline/shared/simulation"
	"touchline/shared/store"
	"touchline/shared/store/dynamo"
	"touchline/shared/store/reader"
	"touchline/shared/store/records"
)

// Table is a Sports table that ends with the test.
type Table struct {
	*store.Table
	// Leases are those of the database.
	Leases store.Leases
	// Endpoint is the URL of the engine, and Client is how it is reached; both are
	// empty without one.
	Endpoint string
	Client   *dynamodb.Client

	loads int
}

const name = "sports"

// New makes an empty table: in memory, unless the environment names an engine.
func New(t testing.TB) *Table {
	t.Helper()
	if !enginetest.InMemory() {
		return InEngine(t)
	}
	db := simulation.NewDatabase()
	return &Table{Table: &store.Table{DB: db, Name: name}, Leases: db}
}

// InEngine makes an empty table in an engine.
func InEngine(t testing.TB) *Table {
	t.Helper()
	return At(t, enginetest.Start(t), true)
}

// At gives the table of the engine at an endpoint; fresh says that the table is not made yet.
func At(t testing.TB, endpoint string, fresh bool) *Table {
	t.Helper()
	client, err := dynamo.NewClient(t.Context(), dynamo.Settings{Endpoint: endpoint})
	if err == nil && fresh {
		_, err = client.CreateTable(t.Context(), dynamo.Table(name))
	}
	if err != nil {
		t.Fatal(err)
	}
	db := dynamo.DB{Client: client}
	return &Table{Table: &store.Table{DB: db, Name: name}, Leases: db, Endpoint: endpoint, Client: client}
}

// Load brings a dataset into the table.
func (x *Table) Load(t testing.TB, dataset fs.FS) {
	t.Helper()
	if _, err := x.Loader().Load(t.Context(), dataset, loader.Options{}); err != nil {
		t.Fatal(err)
	}
}

// Loader is another loader of the table.
func (x *Table) Loader() *loader.Loader {
	x.loads++
	return &loader.Loader{Table: x.Table, Lease: &store.Lease{
		DB: x.Leases, Table: x.Name, Key: records.LockKey(), Holder: fmt.Sprint("load ", x.loads), Label: "a test", Now: time.Now,
	}}
}

// Reader reads the table with cold caches and a clock.
func (x *Table) Reader(now func() time.Time) *reader.Reader {
	return &reader.Reader{Items: &store.Cached{Source: x.Table, Now: now}}
}
