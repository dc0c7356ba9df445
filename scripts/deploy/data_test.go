package main

import (
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/engine/enginetest"
	"touchline/shared/store"
	"touchline/shared/store/generation"
	"touchline/shared/store/records"
)

func TestTheDataIsLookedAtBeforeADeployment(t *testing.T) {
	w := newWorld(t, anywhere)
	w.status, w.sports = "UPDATE_COMPLETE", "sports"
	endpoint := enginetest.Start(t)
	t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", endpoint)
	db, err := store.NewClient(t.Context(), store.Settings{Endpoint: endpoint})
	if err != nil {
		t.Fatal(err)
	}
	deploys := 0
	deploy := func(want string, words ...string) {
		t.Helper()
		calls, out, err := w.run(append(words, "deploy")...)
		if deploys++; err != nil || len(calls) != deploys || !strings.Contains(out, want) {
			t.Errorf("%q, %v: %s", calls, err, out)
		}
	}
	deploy("note: could not look at table sports")
	if _, err := db.CreateTable(t.Context(), records.SportsTable("sports")); err != nil {
		t.Fatal(err)
	}
	deploy("table sports is empty: load a dataset after this.")
	table := &store.Table{DB: db, Name: "sports"}
	if err := generation.End(t.Context(), table, 1, time.Now()); err != nil {
		t.Fatal(err)
	}
	deploy("table sports has data of layout 9, version 1: nothing has to be loaded.")

	of := func(layout string) {
		t.Helper()
		item := store.Item{"v": &types.AttributeValueMemberN{Value: layout}}
		if err := table.Write(t.Context(), []store.Write{{Key: records.VersionKey(), Item: item}}); err != nil {
			t.Fatal(err)
		}
	}
	of("8")
	deploy("they are upgraded first, while the version that is deployed serves. Loading as much takes")
	deploy("table sports has data of layout 9, version 1: nothing has to be loaded.")

	of("12")
	calls, _, err := w.run("deploy")
	if err == nil || len(calls) != deploys {
		t.Fatalf("%q, %v", calls, err)
	}
	for _, part := range []string{"table sports has data of layout 12", "responds with 503", "USD, and 1 min", "make deploy LAYOUT=any"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q is not in %v", part, err)
		}
	}
	deploy("Deployed nevertheless (LAYOUT=any).", "-layout", "any")
	if _, _, err := w.run("-layout", "8", "deploy"); err == nil || !strings.Contains(err.Error(), "want any") {
		t.Errorf("%v", err)
	}
}
