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
	"touchline/shared/route"
	"touchline/shared/stack"
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
	if calls, _, err := w.run("deploy"); err == nil || len(calls) > 0 || !strings.Contains(err.Error(), "could not look at the layout of table sports (dynamodb:BatchGetItem") {
		t.Errorf("%q, %v", calls, err)
	}
	deploy("Deployed nevertheless (LAYOUT=any).", "-layout", "any")
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
	deploy("they are upgraded while the version that is deployed serves. Loading as much takes")
	deploy("table sports has data of layout 9, version 1: nothing has to be loaded.")
	if err := generation.Back(t.Context(), table, 8, 0, time.Now()); err != nil {
		t.Fatal(err)
	}
	deploy("has data of layout 8, this version reads layout 9") // again
	closed(t, table, 10)
	if _, _, err := w.run("deploy"); err == nil || !strings.Contains(err.Error(), "was moved to layout 10") || !strings.Contains(err.Error(), "upgrade --stack touchline-prod --back") {
		t.Error(err)
	}

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

// closed makes the data of this layout those that were upgraded to another.
func closed(t *testing.T, table *store.Table, to int) {
	t.Helper()
	number := func(n int) types.AttributeValue { return &types.AttributeValueMemberN{Value: strconv.Itoa(n)} }
	own := &types.AttributeValueMemberM{Value: store.Item{"n": number(1), "m": number(to)}}
	item := store.Item{"v": number(to), "s": &types.AttributeValueMemberM{Value: store.Item{strconv.Itoa(generation.Layout): own}}}
	if err := table.Write(t.Context(), []store.Write{{Key: records.VersionKey(), Item: item}}); err != nil {
		t.Fatal(err)
	}
}

// A version with another layout is published while the aliases stay, and they move alone
// once the data are upgraded: drops wait from the one to the other.
func TestAliasesMoveRightAfterAnUpgrade(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*world)
		want   []string // calls of the CDK
		layout int      // of the table after that
		words  []string
	}{
		"as it should be":                    {nil, []string{"Hold=3,3,3,3,3,3,3,3", "Hold=,,,,,,,"}, 9, nil},
		"after a rollback of one":            {func(w *world) { w.served["touchline-prod-ping"] = 2 }, []string{"Hold=2,3,3,3,3,3,3,3", "Hold=,,,,,,,"}, 9, nil},
		"a version that cannot be published": {nil, []string{"Hold=3,3,3,3,3,3,3,3"}, 8, []string{"--fails"}},
		"aliases that cannot be read":        {func(w *world) { delete(w.releases, "touchline-prod-bulk") }, []string{"Hold=,,,,,,,"}, 9, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, anywhere)
			w.write(t, "out/touchline-prod.template.json", `{"Metadata": {"Touchline": {"terminationProtection": true}}, "Parameters": {"Hold": {"Default": ",,,,,,,"}}}`)
			w.status, w.sports, w.alarms = "UPDATE_COMPLETE", "sports", "arn:a"
			w.publish()
			if tt.change != nil {
				tt.change(&w)
			}
			table := w.table(t)
			if err := table.Write(t.Context(), []store.Write{{Key: records.VersionKey(), Item: store.Item{"v": &types.AttributeValueMemberN{Value: "8"}}}}); err != nil {
				t.Fatal(err)
			}
			calls, out, err := w.run(append([]string{"deploy"}, tt.words...)...)
			if (err == nil) != (len(tt.words) == 0) {
				t.Fatalf("%v: %s", err, out)
			}
			if len(calls) != len(tt.want) {
				t.Fatalf("%q: %s", calls, out)
			}
			for n, want := range tt.want {
				watched := rollbackOption + " arn:a --monitoring-time-minutes 10 "
				if strings.Contains(want, "3") { // What moves no alias needs no watching.
					watched = rollbackOption + " none touchline-prod "
				}
				if !strings.Contains(calls[n], "--parameters touchline-prod:"+want+" "+watched) {
					t.Errorf("call %d is %s, want %s", n, calls[n], want)
				}
			}
			if _, err := generation.Read(t.Context(), table); (err == nil) != (tt.layout == generation.Layout) {
				t.Errorf("the table after that: %v", err)
			}
		})
	}
}

// Data of the layout before are removed as many days after the upgrade as the stage says,
// unless functions may still show them.
func TestKeptDataAreRemovedWhenTheyAreOld(t *testing.T) {
	const day, unknown = 24 * time.Hour, -1
	for name, tt := range map[string]struct {
		days   int
		age    time.Duration
		change func(*world)
		words  []string
		gone   bool
		says   string
	}{
		"old enough":                  {14, 15 * day, nil, nil, true, "they are removed (dropLayoutsAfterDays is 14)"},
		"too young":                   {14, 13 * day, nil, nil, false, "`touchline upgrade --stack touchline-prod --drop 8` removes them"},
		"no setting":                  {0, 1000 * day, nil, nil, false, "removes them, once nobody goes back"},
		"after a rollback":            {14, 15 * day, func(w *world) { w.served["touchline-prod-ping"] = 2 }, nil, false, "removes them"},
		"aliases that cannot be read": {14, 15 * day, func(w *world) { delete(w.releases, "touchline-prod-bulk") }, nil, false, "removes them"},
		"a removal that was killed":   {0, day, nil, nil, true, "the removal of the data of layout 8 was interrupted: it goes on."},
		"when is not known":           {1, unknown, nil, nil, false, "are kept since an upgrade before that was noted: `touchline upgrade"},
		"a deployment that fails":     {14, 15 * day, nil, []string{"--fails"}, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, anywhere)
			w.write(t, "out/touchline-prod.template.json", fmt.Sprintf(`{"Metadata": {"Touchline": {"dropLayoutsAfterDays": %d}}}`, tt.days))
			w.status, w.sports = "UPDATE_COMPLETE", "sports"
			w.publish()
			if tt.change != nil {
				tt.change(&w)
			}
			table := w.table(t)
			former := store.Key{PK: "T#0123456789abcdef01234567", SK: "-"}
			// What there is of later layouts only their versions remove: data of 10 that were
			// closed long ago, and those of 11, whose removal was interrupted.
			number := func(n int) types.AttributeValue { return &types.AttributeValueMemberN{Value: strconv.Itoa(n)} }
			closed := &types.AttributeValueMemberM{Value: store.Item{"m": number(generation.Layout), "c": number(1)}}
			version := store.Item{
				"v": number(8), "s": &types.AttributeValueMemberM{Value: store.Item{"10": closed}}, "r": &types.AttributeValueMemberL{Value: []types.AttributeValue{number(11)}},
			}
			if err := table.Write(t.Context(), []store.Write{{Key: former, Item: store.Item{}}, {Key: records.VersionKey(), Item: version}}); err != nil {
				t.Fatal(err)
			}
			upgraded := time.Now().Add(-tt.age)
			if tt.age == unknown {
				upgraded = time.UnixMilli(0) // as it is where none is stored
			}
			if err := generation.Finish(t.Context(), table, 8, 1, upgraded); err != nil {
				t.Fatal(err)
			}
			if tt.gone && tt.days == 0 {
				if err := generation.Forget(t.Context(), table, 8); err != nil {
					t.Fatal(err)
				}
			}
			_, out, err := w.run(append([]string{"deploy"}, tt.words...)...)
			if (err == nil) != (len(tt.words) == 0) || !strings.Contains(out, tt.says) || strings.Contains(out, "the data of layout 9") {
				t.Fatalf("%v: %s", err, out)
			}
			item, err := table.Get(t.Context(), former, true)
			if err != nil || (item == nil) != tt.gone {
				t.Errorf("an item of before: %v, %v", item, err)
			}
			if s, err := generation.Read(t.Context(), table); err != nil || s.Moved != 0 {
				t.Errorf("the data of this layout: %+v, %v", s, err)
			}
			if all, err := generation.List(t.Context(), table); err != nil || len(all) < 3 || all[len(all)-2].Layout != 10 || !all[len(all)-1].Removing {
				t.Errorf("the data of later layouts: %+v, %v", all, err)
			}
		})
	}
}

// publish has every function serve the last of three versions.
func (w *world) publish() {
	w.aliases = aliases{releases: map[string][]string{}, served: map[string]int{}}
	for _, group := range append(route.Groups(), stack.Ingest, stack.Bulk) {
		w.releases[stack.FunctionName("prod", string(group))] = []string{"a", "b", "c"}
	}
	w.serve(3)
}

// table is the stage's table of data, on an engine that a deployment may call as the
// role of the workflow deploy may.
func (w world) table(t *testing.T) *store.Table {
	t.Helper()
	endpoint := enginetest.Start(t)
	engine, err := url.Parse(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	role, err := os.ReadFile("../github-roles.yml")
	if err != nil {
		t.Fatal(err)
	}
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
	db, err := store.NewClient(t.Context(), store.Settings{Endpoint: endpoint})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.CreateTable(t.Context(), records.SportsTable("sports")); err != nil {
		t.Fatal(err)
	}
	return &store.Table{DB: db, Name: "sports"}
}
