package cost

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"touchline/shared/accesslog"
	"touchline/shared/endpoints/groups"
	"touchline/shared/engine/enginetest"
	"touchline/shared/keys"
	counters "touchline/shared/limits/dynamo"
	"touchline/shared/loader"
	"touchline/shared/meter"
	"touchline/shared/route"
	"touchline/shared/service"
	"touchline/shared/signing"
	"touchline/shared/sport"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/dynamo"
	"touchline/shared/store/records"
	"touchline/shared/testdata/seed"
)

const (
	// perMinute is how many requests a minute all functions together get. The more, the
	// more their caches save, which keep lists and keys for 60 seconds (D10).
	perMinute = 30
	requests  = 1000
)

// mix is the requests of the portal and the apps of a federation, on a weekend, with their
// shares in percent. A word in capitals is replaced by the id of such a record. Ids are drawn
// evenly, which is the worst case for caches: a real audience is interested in a few
// competitions and clubs most of the time.
var mix = []struct {
	percent int
	target  string
}{
	{20, "/v1/tournaments/COMPETITION/standings"},
	{10, "/v1/tournaments/COMPETITION/matches?status=upcoming&limit=25"},
	{5, "/v1/tournaments/COMPETITION/matches?status=finished&limit=25&page=2"},
	{4, "/v1/tournaments/COMPETITION/top-scorers?limit=20"},
	{3, "/v1/tournaments/COMPETITION"},
	{10, "/v1/matches/MATCH"},
	{5, "/v1/matches/MATCH/events"},
	{4, "/v1/matches/MATCH/lineups"},
	{2, "/v1/matches/MATCH/statistics"},
	{10, "/v1/teams/TEAM/matches?limit=25"},
	{4, "/v1/teams/TEAM"},
	{4, "/v1/teams/TEAM/players"},
	{3, "/v1/players/PLAYER"},
	{1, "/v1/players/PLAYER/statistics"},
	{5, "/v1/organizations/FEDERATION/clubs?includeDescendants=true&limit=50"},
	{4, "/v1/organizations/FEDERATION/players?includeDescendants=true&competitionId=COMPETITION&limit=50"},
	{3, "/v1/organizations/FEDERATION/teams?includeDescendants=true&limit=50&sort=name"},
	{2, "/v1/organizations/FEDERATION"},
	{1, "/v1/organizations/FEDERATION/tree"},
}

// usage is what a request consumes, on average.
type usage struct{ reads, writes, secrets, logBytes, answerBytes float64 }

// runner sends requests to functions that have a federation in the engine.
type runner struct {
	t       *testing.T
	service service.Service
	workers map[route.Group]http.Handler // as in a deployment; one is made when it is asked
	now     time.Time
	key     keys.Issued
	log     bytes.Buffer
	count   int
	used    usage // by all requests
}

// measure loads a federation into an engine, sends the mix, and says what a request of it
// consumes, and how many bytes the data have.
func measure(t *testing.T) (average usage, size float64) {
	t.Helper()
	client, err := dynamo.NewClient(t.Context(), dynamo.Settings{Endpoint: enginetest.Start(t)})
	must(t, err)
	tables := stack.Tables{Sports: "sports", Nonces: "nonces", Quotas: "quotas", Keys: "keys"}
	for _, table := range []*dynamodb.CreateTableInput{
		dynamo.Table(tables.Sports), counters.Table(tables.Nonces), counters.Table(tables.Quotas), keys.KeysTable(tables.Keys),
	} {
		_, err := client.CreateTable(t.Context(), table)
		must(t, err)
	}
	r := &runner{t: t, workers: map[route.Group]http.Handler{}, now: time.Date(2026, time.March, 14, 15, 0, 0, 0, time.UTC)}
	dir := seed.Write(t, seed.Options{Size: 1, Details: 50})
	db := dynamo.DB{Client: client}
	table := &store.Table{DB: db, Name: tables.Sports}
	lease := &store.Lease{DB: db, Table: tables.Sports, Key: records.LockKey(), Holder: "cost", Label: "cost", Now: time.Now}
	_, err = (&loader.Loader{Table: table, Lease: lease}).Load(t.Context(), os.DirFS(dir), loader.Options{})
	must(t, err)
	must(t, table.Scan(t.Context(), func(item store.Item) error { size += float64(store.Size(item)); return nil }))

	clock := func() time.Time { return r.now }
	sealer, err := keys.NewLocalSealer(base64.StdEncoding.EncodeToString([]byte("32 bytes for an engine in memory")))
	must(t, err)
	federation, quota := sport.IDFor(sport.KindOrganization, "est"), million
	registry := keys.Registry{Store: &keys.DynamoDB{Client: client, Table: tables.Keys}, Sealer: sealer, Now: clock}
	r.key, err = registry.Create(t.Context(), keys.Request{Organization: federation, Descendants: true, MonthlyQuota: &quota, Scopes: keys.AllScopeNames()})
	must(t, err)
	r.service = service.OnDynamoDB(client, tables)
	r.service.Opener, r.service.DefaultPhoto, r.service.Stage, r.service.Function = sealer, "https://example.org/player.png", "prod", "touchline-prod-teams"
	r.service.Now, r.service.Log = clock, &r.log

	ids := r.gather(string(federation))
	r.used, r.workers = usage{}, map[route.Group]http.Handler{}
	var deck []string // a hundred targets
	for _, k := range mix {
		deck = append(deck, slices.Repeat([]string{k.target}, k.percent)...)
	}
	random := rand.New(rand.NewPCG(1, 2)) // the same requests each time
	for range requests {
		target := deck[random.IntN(len(deck))]
		for _, word := range slices.Sorted(maps.Keys(ids)) {
			if of := ids[word]; strings.Contains(target, word) {
				target = strings.ReplaceAll(target, word, of[random.IntN(len(of))])
			}
		}
		r.send(target, "gzip")
		r.now = r.now.Add(time.Minute / perMinute)
	}
	u := r.used
	return usage{u.reads / requests, u.writes / requests, u.secrets / requests, u.logBytes / requests, u.answerBytes / requests}, size
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// gather asks for the ids that replace the words of the mix: more of each than there
// are requests in the lifetime of a cache.
func (r *runner) gather(federation string) map[string][]string {
	ids := map[string][]string{"FEDERATION": {federation}}
	for _, l := range []struct{ word, from, path string }{
		{"COMPETITION", "FEDERATION", "/v1/organizations/%s/competitions?includeDescendants=true&limit=100"},
		{"TEAM", "COMPETITION", "/v1/tournaments/%s/teams?limit=100"},
		{"MATCH", "COMPETITION", "/v1/tournaments/%s/matches?limit=100"},
		{"PLAYER", "COMPETITION", "/v1/tournaments/%s/players?limit=100"},
	} {
		for _, id := range ids[l.from] {
			var page struct{ Data []struct{ ID string } }
			must(r.t, json.Unmarshal(r.send(fmt.Sprintf(l.path, id), "identity"), &page))
			for _, entry := range page.Data {
				ids[l.word] = append(ids[l.word], entry.ID)
			}
			r.now = r.now.Add(time.Minute) // for the rate limit of the key
		}
	}
	return ids
}

// send sends a signed request to the function for a target, from a caller that accepts
// an encoding, adds what it consumed, and returns the body as sent.
func (r *runner) send(target, accepts string) []byte {
	r.t.Helper()
	path, query, _ := strings.Cut(target, "?")
	r.count++
	signed, err := signing.Message{
		Method: "GET", Path: path, Query: query, Timestamp: strconv.FormatInt(r.now.Unix(), 10), Nonce: fmt.Sprintf("a-nonce-of-%012d", r.count),
	}.Signed(r.key.Key.ID, r.key.Secret.Reveal())
	must(r.t, err)
	request := httptest.NewRequestWithContext(r.t.Context(), http.MethodGet, target, nil)
	request.Header.Set("Accept-Encoding", accepts)
	for _, h := range signed.Headers {
		request.Header.Set(h[0], h[1])
	}
	head, _, _ := strings.Cut(strings.TrimPrefix(path, route.Prefix), "/")
	group := route.Group(head)
	if r.workers[group] == nil {
		r.service.Began = r.now
		r.workers[group] = r.service.Handler(groups.Of(group))
	}
	r.log.Reset()
	answer := httptest.NewRecorder()
	r.workers[group].ServeHTTP(answer, request)
	if answer.Code != http.StatusOK {
		r.t.Fatalf("%s: %d %s", target, answer.Code, answer.Body)
	}
	entry, err := accesslog.Parse(r.log.Bytes())
	must(r.t, err)
	u := &r.used
	for _, s := range meter.Stores() {
		u.reads, u.writes = u.reads+entry.Use(s).ReadUnits, u.writes+entry.Use(s).WriteUnits
	}
	u.secrets, u.logBytes, u.answerBytes = u.secrets+float64(entry.Secrets.Calls), u.logBytes+float64(r.log.Len()), u.answerBytes+float64(answer.Body.Len())
	for name, values := range answer.Header() {
		u.answerBytes += float64(len(name) + len(values[0]) + len(": \r\n"))
	}
	return answer.Body.Bytes()
}
