package endpoints_test

import (
	"encoding/base64"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"touchline/shared/endpoints/groups"
	"touchline/shared/gateway"
	"touchline/shared/keys"
	"touchline/shared/limits/dynamo"
	deployment "touchline/shared/service"
	"touchline/shared/signing"
	"touchline/shared/sport"
	"touchline/shared/stack"
	"touchline/shared/store/records/recordstest"
)

// What a worker may hold on to, after a collection: its caches (32 MB of items,
// some 20 MB of credentials and windows at most) and what it runs on. The
// collector lets the heap grow to about twice that, which with 15 MB of code and
// runtime stays below the 128 MB of the smallest function (design.md, Measures).
const heldBytes = 56 << 20

// holdMemory asks one worker for thousands of different things by the keys of many
// organizations, and bounds what it holds on to then, which does not depend on how
// fast it was asked.
func holdMemory(t *testing.T, table *recordstest.Table, size int) {
	t.Helper()
	issued := min(1000*size, 10_000)
	w := newCallers(t, table, size, issued)
	debug.FreeOSMemory()
	before := footprint()
	answers, largest := w.askAround(t, 2*issued)
	most := w.most
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	held := m.HeapAlloc + m.StackInuse
	t.Logf("%d keys; %v; largest answer %d bytes; held %.1f MB, at most %.1f MB in use, %.1f MB before", issued, answers, largest, mb(held), mb(most), mb(before))
	if held > heldBytes {
		t.Errorf("a worker holds on to %d bytes, at most %d are allowed", held, heldBytes)
	}
	runtime.KeepAlive(w)
}

func mb(bytes uint64) float64 { return float64(bytes) / (1 << 20) }

// footprint is the memory that the process has of the system, less what it gave
// back.
func footprint() uint64 {
	of := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(of)
	return of[0].Value.Uint64() - of[1].Value.Uint64()
}

// callers are the keys of many organizations, and the worker that they ask.
type callers struct {
	size   int
	worker *gateway.Handler
	keys   []keys.Issued
	random *rand.Rand
	now    time.Time
	most   uint64 // footprint
	nonces int
}

func newCallers(t *testing.T, table *recordstest.Table, size, issued int) *callers {
	t.Helper()
	w := &callers{size: size, random: rand.New(rand.NewPCG(4, 2)), now: time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC)}
	client := table.Client()
	// A table that is kept from run to run must not keep the quotas too.
	run := strconv.FormatInt(time.Now().UnixNano(), 36)
	tables := stack.Tables{Sports: table.Name, Nonces: "nonces-" + run, Quotas: "quotas-" + run, Keys: "keys-" + run}
	for _, in := range []*dynamodb.CreateTableInput{dynamo.NoncesTable(tables.Nonces), dynamo.QuotasTable(tables.Quotas), keys.KeysTable(tables.Keys)} {
		if _, err := client.CreateTable(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	master, err := keys.ParseMasterKey(base64.StdEncoding.EncodeToString([]byte("32 bytes that no service is with")))
	if err != nil {
		t.Fatal(err)
	}
	sealer, err := keys.NewLocalSealer(master)
	if err != nil {
		t.Fatal(err)
	}
	clock := func() time.Time { return w.now }
	w.worker = deployment.Service{
		Database: client, Tables: tables, Opener: sealer, DefaultPhoto: defaultPhoto, Now: clock, Log: slog.New(slog.DiscardHandler),
	}.Handler(groups.Operations)
	registry := keys.Registry{Store: &keys.DynamoDB{Client: client, Table: tables.Keys}, Sealer: sealer, Now: clock}
	owners := slices.Repeat([]string{"est"}, atLarge)
	for n := range issued - atLarge {
		owner := fmt.Sprint("est.club.", 1+n%(220*size))
		if n%20 == 0 {
			owner = fmt.Sprint("est.association.", 1+n/20%(9*size))
		}
		owners = append(owners, owner)
	}
	for _, owner := range owners {
		request := keys.Request{Organization: sport.IDFor(sport.KindOrganization, owner), Descendants: true}
		for _, s := range keys.AllScopes() {
			request.Scopes = append(request.Scopes, string(s))
		}
		issued, err := registry.Create(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		w.keys = append(w.keys, issued)
	}
	return w
}

// atLarge is how many keys see all there is. A key is used 60 times a minute at
// most.
const atLarge = 20

// askAround sends requests at random, a tenth of a second apart, and counts the
// answers by status. Every second one is by a key that sees all there is, the others
// are by the rest in turn.
func (w *callers) askAround(t *testing.T, requests int) (answers map[int]int, largest int) {
	t.Helper()
	answers = map[int]int{}
	for n := range requests {
		w.now = w.now.Add(100 * time.Millisecond)
		target := w.target()
		by := w.keys[n/2%atLarge]
		if n%2 == 1 {
			by = w.keys[atLarge+n/2%(len(w.keys)-atLarge)]
		}
		answer := w.ask(t, by, target)
		answers[answer.StatusCode]++
		largest = max(largest, len(answer.Body))
		switch answer.StatusCode {
		case 200, 404, 422, 403: // 403: of a club that is not active, or without a plan
		default:
			t.Errorf("%s: %d %s", target, answer.StatusCode, answer.Body)
		}
		w.most = max(w.most, footprint())
	}
	if answers[200] < requests/3 {
		t.Errorf("%v: most find nothing", answers)
	}
	return answers, largest
}

func (w *callers) ask(t *testing.T, by keys.Issued, target string) events.APIGatewayV2HTTPResponse {
	t.Helper()
	w.nonces++
	path, query, _ := strings.Cut(target, "?")
	m := signing.Message{
		Method: "GET", Path: path, Query: query,
		Timestamp: strconv.FormatInt(w.now.Unix(), 10), Nonce: fmt.Sprint("nonce-", w.nonces),
	}
	canonical, err := m.Canonical()
	if err != nil {
		t.Fatal(err)
	}
	answer, err := w.worker.Handle(t.Context(), events.APIGatewayV2HTTPRequest{
		Version: "2.0", RouteKey: "$default", RawPath: path, RawQueryString: query,
		Headers: map[string]string{
			"host": "api.example", "x-service-key": by.Key.ID, "x-service-timestamp": m.Timestamp, "x-service-nonce": m.Nonce,
			"x-service-signature": signing.Sign(by.Secret.Reveal(), canonical),
		},
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			Stage: "$default", DomainName: "api.example",
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{Method: "GET", Path: path, SourceIP: "192.0.2.7"},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// target is a request of any route, of things all over the federation.
func (w *callers) target() string {
	r := w.random
	id := func(kind sport.Kind, format string, numbers ...any) string {
		return string(sport.IDFor(kind, fmt.Sprintf(format, numbers...)))
	}
	club := id(sport.KindOrganization, "est.club.%d", 1+r.IntN(220*w.size))
	association := id(sport.KindOrganization, "est.association.%d", 1+r.IntN(9*w.size))
	name, teams := fmt.Sprintf("est.league.%d", 1+r.IntN(10*w.size)), 20
	if r.IntN(2) == 0 {
		name, teams = fmt.Sprintf("est.tournament.%d", 1+r.IntN(10*w.size)), 30
	}
	competition := id(sport.KindCompetition, "%s", name)
	entry := fmt.Sprintf("%s/2025/%d", name, 1+r.IntN(teams))
	team, player := id(sport.KindTeam, "%s", entry), id(sport.KindPlayer, "%s/%d", entry, 1+r.IntN(20))
	match := id(sport.KindMatch, "%s/2025/%d-%d", name, 1+r.IntN(5), 1+r.IntN(5))
	page := fmt.Sprintf("limit=%d&page=%d", 1+r.IntN(100), 1+r.IntN(5))
	sorted := page + "&sort=" + pick(r, "id", "name", "-id", "-name")
	organization := pick(r, string(sport.IDFor(sport.KindOrganization, "est")), association, club)
	return pick(r,
		"/v1/organizations/"+organization+"?includeDescendants=true",
		"/v1/organizations/"+organization+"/tree?includeDescendants=true&depth=3",
		"/v1/organizations/"+organization+"/associations?includeDescendants=true&"+sorted,
		"/v1/organizations/"+organization+"/clubs?includeDescendants=true&"+sorted,
		"/v1/organizations/"+organization+"/competitions?includeDescendants=true&"+sorted,
		"/v1/organizations/"+association+"/teams?includeDescendants=true&"+sorted,
		"/v1/organizations/"+club+"/players?includeDescendants=true&"+sorted,
		"/v1/organizations/"+association+"/players?includeDescendants=true&teamId="+team+"&"+sorted,
		"/v1/tournaments/"+competition+pick(r, "", "/standings", "/groups", "/statistics", "/cards", "/top-scorers"),
		"/v1/tournaments/"+competition+pick(r, "/matches?", "/teams?", "/players?")+page,
		"/v1/tournaments/"+competition+"/matches?status=finished&from=2025-09-01&"+page,
		"/v1/matches/"+match+pick(r, "", "/lineups", "/events", "/statistics"),
		"/v1/teams/"+team+pick(r, "", "/players", "/matches", "/statistics"),
		"/v1/teams/"+club+"/matches?"+page,
		"/v1/players/"+player+pick(r, "", "/statistics", "/matches?"+page),
	)
}
