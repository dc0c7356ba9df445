package functions

import (
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/endpoints/groups"
	"touchline/shared/gateway"
	"touchline/shared/route"
	"touchline/shared/store"
	"touchline/shared/store/dynamo"
	"touchline/shared/store/generation"
	"touchline/shared/store/records"
)

// refuseDataOfAnotherLayout has every operation called by a function, and by a worker
// under which the table is exchanged: 200 with wrong data is impossible (D63).
func (w *world) refuseDataOfAnotherLayout(t *testing.T) {
	sports := &store.Table{DB: dynamo.DB{Client: w.client}, Name: "sports"}
	was, err := sports.Get(t.Context(), records.VersionKey(), true)
	if err != nil {
		t.Fatal(err)
	}
	put := func(item store.Item) {
		t.Helper()
		if err := sports.Write(t.Context(), []store.Write{{Key: records.VersionKey(), Item: item}}); err != nil {
			t.Fatal(err)
		}
	}
	defer put(was)
	now := time.Now()
	running := w.service
	running.Now = func() time.Time { return now }
	worker := gateway.New(running.Handler(groups.Operations))
	ask := func(e events.APIGatewayV2HTTPRequest) events.APIGatewayV2HTTPResponse {
		t.Helper()
		r, err := worker.Handle(t.Context(), w.sign(t, e))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	targets := map[route.Group][]string{}
	for _, g := range route.Groups() {
		targets[g] = w.targets(t, g) // looked up while the data are there
	}
	player := event("GET", "/v1/players/"+w.idFor(t, route.GroupPlayers)+"/statistics")
	if r := ask(player); r.StatusCode != 200 || r.Headers["X-Service-Data-Version"] == "" || r.Headers["Last-Modified"] == "" {
		t.Fatalf("%d %v %s", r.StatusCode, r.Headers, r.Body)
	}
	for name, item := range map[string]store.Item{"of a build before the first release": {"v": &types.AttributeValueMemberN{Value: "8"}}, "empty": nil} {
		t.Run(name, func(t *testing.T) {
			put(item)
			for _, g := range route.Groups() {
				f := start(t, w.of(g), w.environment...)
				for _, target := range targets[g] {
					w.refused(t, g, call(t, f, w.sign(t, event("GET", target))))
				}
				f.terminate(t)
				f.wait(t)
				if said := f.output.String(); g != route.GroupPing && !strings.Contains(said, `"DataFaults"`) {
					t.Errorf("%s: no alarm: %s", g, said)
				}
			}
			now = now.Add(generation.Life)
			w.refused(t, route.GroupPlayers, ask(player))
			w.refused(t, route.GroupPing, ask(event("GET", "/v1/ping")))
			put(was)
			now = now.Add(generation.Life)
			if r := ask(player); r.StatusCode != 200 {
				t.Errorf("back in its place: %d", r.StatusCode)
			}
		})
	}
}

// refused checks a response for data that are not there in this layout.
func (w *world) refused(t *testing.T, g route.Group, r events.APIGatewayV2HTTPResponse) {
	t.Helper()
	status, code := 503, `"code":"serviceUnavailable"`
	if g == route.GroupPing {
		status, code = 200, `"apiVersion":1`
	}
	if r.StatusCode != status || !strings.Contains(r.Body, code) {
		t.Errorf("%s: %d %s", g, r.StatusCode, r.Body)
	}
	if _, there := r.Headers["X-Service-Data-Version"]; there {
		t.Errorf("%s: a data version is known", g)
	}
	if _, charged := r.Headers["X-RateLimit-Remaining"]; charged != (status == 200) {
		t.Errorf("%s: charged: %t", g, charged)
	}
}
