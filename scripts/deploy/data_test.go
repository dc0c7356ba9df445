package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/engine/enginetest"
	"touchline/shared/store"
	"touchline/shared/store/dynamo"
	"touchline/shared/store/generation"
	"touchline/shared/store/records"
	"touchline/shared/store/space"
)

// Nothing is deployed in front of a table that cannot be looked at, or whose data this
// version does not read; what it says helps.
func TestTheDataIsLookedAtBeforeADeployment(t *testing.T) {
	number := func(n int) types.AttributeValue { return &types.AttributeValueMemberN{Value: strconv.Itoa(n)} }
	of := func(open int, others ...int) func(*testing.T, *store.Table) {
		layouts := store.Item{}
		for _, layout := range append(others, open) {
			layouts[strconv.Itoa(layout)] = &types.AttributeValueMemberM{Value: store.Item{"n": number(1), "f": &types.AttributeValueMemberS{Value: space.Form}}}
		}
		version := store.Item{"o": number(open), "s": &types.AttributeValueMemberM{Value: layouts}}
		return func(t *testing.T, table *store.Table) { write(t, table, version) }
	}
	loaded := func(t *testing.T, table *store.Table) {
		must(t, generation.End(t.Context(), table, 1, time.Now()))
	}
	tests := map[string]struct {
		prepare func(*testing.T, *store.Table)
		says    string
		refused bool
	}{
		"empty":               {nil, "table sports is empty: load a dataset after this.", false},
		"loaded":              {loaded, fmt.Sprintf("table sports has data of layout %d, version 1: nothing has to be loaded.", generation.Layout), false},
		"of a later one":      {of(12), "table sports has data of layout 12", true},
		"upgraded to a later": {of(12, generation.Layout), "upgrade --stack touchline-prod --back` of that version", true},
	}
	if former := generation.Layout - 1; former > 0 {
		upgradable := tests["of a later one"]
		upgradable.prepare, upgradable.says = of(former), "touchline upgrade --stack touchline-prod, with this version, and deploy again"
		tests["of the one before"] = upgradable
		upgradable.prepare = of(former, generation.Layout)
		tests["back at the one before"] = upgradable
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, anywhere)
			w.status, w.sports = "UPDATE_COMPLETE", "sports"
			if table := w.table(t); tt.prepare != nil {
				tt.prepare(t, table)
			}
			calls, out, err := w.run("deploy")
			if err != nil {
				out += err.Error()
			}
			if !strings.Contains(out, tt.says) || (err != nil) != tt.refused || (len(calls) == 0) != tt.refused {
				t.Errorf("%q, %v: %s", calls, err, out)
			}
		})
	}
	w := newWorld(t, anywhere)
	w.status, w.sports = "UPDATE_COMPLETE", "sports"
	t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", enginetest.Start(t)) // which has no such table
	w.refuses(t, "could not look at the layout of table sports (dynamodb:BatchGetItem", "deploy")
}

func write(t *testing.T, table *store.Table, version store.Item) {
	t.Helper()
	must(t, table.Write(t.Context(), []store.Write{{Key: records.VersionKey(), Item: version}}))
}

// table is the stage's table of data, on an engine that a deployment may call as the
// role of the workflow deploy may.
func (w world) table(t *testing.T) *store.Table {
	t.Helper()
	endpoint := enginetest.Start(t)
	engine, err := url.Parse(endpoint)
	must(t, err)
	role, err := os.ReadFile("../github-roles.yml")
	must(t, err)
	proxy := httputil.NewSingleHostReverseProxy(engine)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
		if !strings.Contains(string(role), "dynamodb:"+operation) {
			t.Errorf("github-roles.yml lacks dynamodb:%s", operation)
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", server.URL)
	db, err := dynamo.NewClient(t.Context(), dynamo.Settings{Endpoint: endpoint})
	must(t, err)
	if _, err := db.CreateTable(t.Context(), dynamo.Table("sports")); err != nil {
		t.Fatal(err)
	}
	return &store.Table{DB: dynamo.DB{Client: db}, Name: "sports"}
}
