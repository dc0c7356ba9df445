// Package recordstest makes Sports tables on an engine of their own, filled from
// datasets, for tests of what reads them.
package recordstest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"touchline/shared/engine"
	"touchline/shared/engine/enginetest"
	"touchline/shared/loader"
	"touchline/shared/store"
	"touchline/shared/store/reader"
	"touchline/shared/store/records"
)

// Table is a Sports table in an engine that ends with the test.
type Table struct {
	*store.Table
	// Endpoint is the URL of the engine.
	Endpoint string

	client *dynamodb.Client
	loads  int
}

const name = "sports"

// New makes an empty table.
func New(t testing.TB) *Table {
	t.Helper()
	endpoint := enginetest.Start(t)
	client := connect(t, endpoint)
	if _, err := client.CreateTable(t.Context(), records.SportsTable(name)); err != nil {
		t.Fatal(err)
	}
	return &Table{Table: &store.Table{DB: client, Name: name}, Endpoint: endpoint, client: client}
}

// Keep gives a table in a file, which outlives the test: what is too large for
// memory, or takes long to load. fresh says that there was none.
func Keep(t testing.TB, file string) (x *Table, fresh bool) {
	t.Helper()
	_, err := os.Stat(file)
	fresh = errors.Is(err, fs.ErrNotExist)
	e, err := engine.Start(t.Context(), engine.Options{DBPath: file})
	if errors.Is(err, engine.ErrNotFound) && os.Getenv("CI") == "" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Stop(); err != nil {
			t.Error(err)
		}
	})
	client := connect(t, e.Endpoint)
	if fresh {
		if _, err := client.CreateTable(t.Context(), records.SportsTable(name)); err != nil {
			t.Fatal(err)
		}
	}
	return &Table{Table: &store.Table{DB: store.Atomic{Transactor: client}, Name: name}, Endpoint: e.Endpoint, client: client}, fresh
}

func connect(t testing.TB, endpoint string) *dynamodb.Client {
	t.Helper()
	client, err := store.NewClient(t.Context(), store.Settings{Endpoint: endpoint})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// Client is how the engine is reached.
func (x *Table) Client() *dynamodb.Client { return x.client }

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
		DB: x.client, Table: x.Name, Key: records.LockKey(), Holder: fmt.Sprint("load ", x.loads), Label: "a test", Now: time.Now,
	}}
}

// Reader reads the table with cold caches and a clock.
func (x *Table) Reader(now func() time.Time) *reader.Reader {
	return &reader.Reader{Items: &store.Cached{Source: x.Table, Now: now}, Now: now}
}
