package loader_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"touchline/shared/engine/enginetest"
	"touchline/shared/loader"
	"touchline/shared/store"
)

// sports is a Sports table of an engine, with a loader.
type sports struct {
	table  *store.Table
	client *dynamodb.Client
}

func newSports(t testing.TB) *sports {
	t.Helper()
	endpoint := enginetest.Start(t)
	client, err := store.NewClient(t.Context(), store.Settings{Endpoint: endpoint})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.CreateTable(t.Context(), store.SportsTable("sports")); err != nil {
		t.Fatal(err)
	}
	return &sports{table: &store.Table{DB: client, Name: "sports", Meter: &store.Meter{}}, client: client}
}

func (s *sports) loader() *loader.Loader {
	return &loader.Loader{
		Table: s.table,
		Lease: &store.Lease{DB: s.client, Table: s.table.Name, Holder: "test", Label: "a test", Now: time.Now},
	}
}

// shared is a folder of real data beside the checkout; without it the test is
// skipped, on a CI machine it fails.
func shared(t testing.TB, name string) string {
	t.Helper()
	root := os.Getenv("TOUCHLINE_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	dir := filepath.Join(root, "data", name)
	if _, err := os.Stat(dir); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return dir
}

func TestLoadingTheSameTwiceChangesNothing(t *testing.T) {
	s := newSports(t)
	files := os.DirFS(shared(t, "austria"))
	st := time.Now()
	report, err := s.loader().Load(context.Background(), files, loader.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%v %+v %+v", time.Since(st), *report, s.table.Meter.Usage())
	st = time.Now()
	*s.table.Meter = store.Meter{}
	report, err = s.loader().Load(context.Background(), files, loader.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%v %+v %+v", time.Since(st), *report, s.table.Meter.Usage())
}
