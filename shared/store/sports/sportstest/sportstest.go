// Package sportstest makes Sports tables on an engine of their own, filled from
// datasets, for tests of what reads them.
package sportstest

import (
	"fmt"
	"io/fs"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"touchline/shared/engine/enginetest"
	"touchline/shared/loader"
	"touchline/shared/store"
	"touchline/shared/store/sports"
)

// Table is a Sports table in an engine that ends with the test.
type Table struct {
	*store.Table
	client *dynamodb.Client
	loads  int
}

// New makes an empty table.
func New(t testing.TB) *Table {
	t.Helper()
	const name = "sports"
	client, err := store.NewClient(t.Context(), store.Settings{Endpoint: enginetest.Start(t)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.CreateTable(t.Context(), store.SportsTable(name)); err != nil {
		t.Fatal(err)
	}
	return &Table{Table: &store.Table{DB: client, Name: name}, client: client}
}

// Load brings a dataset into the table.
func (x *Table) Load(t testing.TB, dataset fs.FS) {
	t.Helper()
	x.loads++
	l := loader.Loader{Table: x.Table, Lease: &store.Lease{
		DB: x.client, Table: x.Name, Holder: fmt.Sprint("load ", x.loads), Label: "a test", Now: time.Now,
	}}
	if _, err := l.Load(t.Context(), dataset, loader.Options{}); err != nil {
		t.Fatal(err)
	}
}

// Reader reads the table with cold caches and a clock.
func (x *Table) Reader(now func() time.Time) *sports.Reader {
	return &sports.Reader{Items: &store.Cached{Source: x.Table, Now: now}, Now: now}
}
