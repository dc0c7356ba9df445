package cost

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"touchline/shared/accesslog"
	"touchline/shared/endpoints/groups"
	"touchline/shared/gateway"
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
)

// perMinute is how many requests a minute all functions together get. The more, the
// more their caches save, which keep lists and keys for 60 seconds (D10).
const perMinute = 30

// tables are the names of the tables in the engine that this command starts.
var tables = stack.Tables{Sports: "sports", Nonces: "nonces", Quotas: "quotas", Keys: "keys"}

// usage is what one request consumed, on average.
type usage struct{ reads, writes, secrets, logBytes, answerBytes float64 }

func (u usage) plus(v usage) usage {
	return usage{u.reads + v.reads, u.writes + v.writes, u.secrets + v.secrets, u.logBytes + v.logBytes, u.answerBytes + v.answerBytes}
}

func (u usage) by(n float64) usage {
	return usage{u.reads / n, u.writes / n, u.secrets / n, u.logBytes / n, u.answerBytes / n}
}

// measured is the result.
type measured struct {
	requests   int
	average    usage
	of         map[string]usage // by the mix's target
	tableBytes float64
	loadUnits  float64 // write units of loading all of it, once
}

// runner sends requests to functions that have a federation in the engine.
type runner struct {
	client     *dynamodb.Client
	now        time.Time
	key        keys.Issued
	opener     *keys.LocalSealer
	federation sport.ID
	log        bytes.Buffer
	count      int
}

// measure loads a federation into an engine and sends a number of requests.
func measure(ctx context.Context, client *dynamodb.Client, folder string, requests int) (measured, error) {
	m := &runner{
		client: client, now: time.Date(2026, time.March, 14, 15, 0, 0, 0, time.UTC),
		federation: sport.IDFor(sport.KindOrganization, "est"),
	}
	for _, table := range []*dynamodb.CreateTableInput{
		dynamo.Table(tables.Sports), counters.Table(tables.Nonces), counters.Table(tables.Quotas), keys.KeysTable(tables.Keys),
	} {
		if _, err := client.CreateTable(ctx, table); err != nil {
			return measured{}, err
		}
	}
	loaded, bytes, err := m.load(ctx, folder)
	if err != nil {
		return measured{}, fmt.Errorf("load: %w", err)
	}
	if err := m.issue(ctx); err != nil {
		return measured{}, err
	}
	ids, err := m.gather(ctx)
	if err != nil {
		return measured{}, err
	}
	workers, random := m.workers(), rand.New(rand.NewPCG(1, 2)) // the same requests each time
	out := measured{requests: requests, of: map[string]usage{}, tableBytes: bytes, loadUnits: loaded.WriteUnits}
	sent := map[string]float64{}
	for range requests {
		k, target := draw(random, ids)
		u, _, err := m.send(ctx, workers, target, "gzip")
		if err != nil {
			return measured{}, err
		}
		out.average, out.of[k.target] = out.average.plus(u), out.of[k.target].plus(u)
		sent[k.target]++
		m.now = m.now.Add(time.Minute / perMinute)
	}
	for target, n := range sent {
		out.of[target] = out.of[target].by(n)
	}
	out.average = out.average.by(float64(requests))
	return out, nil
}

// load loads the federation into the table of the data, whose size in bytes it gives.
func (m *runner) load(ctx context.Context, folder string) (used meter.Use, bytes float64, err error) {
	db, count := dynamo.DB{Client: m.client}, &meter.Meter{}
	table := &store.Table{DB: db, Name: tables.Sports}
	l := loader.Loader{
		Table: table,
		Lease: &store.Lease{DB: db, Table: tables.Sports, Key: records.LockKey(), Holder: "cost", Label: "cost", Now: time.Now},
	}
	if _, err := l.Load(meter.With(ctx, count), os.DirFS(folder), loader.Options{}); err != nil {
		return used, 0, err
	}
	err = table.Scan(ctx, func(item store.Item) error {
		bytes += float64(store.Size(item))
		return nil
	})
	return count.Total(), bytes, err
}

// issue makes the key for the requests, practically without a monthly quota.
func (m *runner) issue(ctx context.Context) error {
	opener, err := keys.NewLocalSealer(base64.StdEncoding.EncodeToString([]byte("32 bytes for an engine in memory")))
	if err != nil {
		return err
	}
	m.opener = opener
	quota := million
	request := keys.Request{Organization: m.federation, Descendants: true, MonthlyQuota: &quota, Scopes: keys.AllScopeNames()}
	registry := keys.Registry{Store: &keys.DynamoDB{Client: m.client, Table: tables.Keys}, Sealer: m.opener, Now: m.clock}
	m.key, err = registry.Create(ctx, request)
	return err
}

func (m *runner) clock() time.Time { return m.now }

// gather asks for the ids that replace the words of the mix: more of each than there
// are requests in the lifetime of a cache.
func (m *runner) gather(ctx context.Context) (map[string][]string, error) {
	ids, workers := map[string][]string{"FEDERATION": {string(m.federation)}}, m.workers()
	for _, l := range []struct{ word, from, path string }{
		{"COMPETITION", "FEDERATION", "/v1/organizations/%s/competitions?includeDescendants=true&limit=100"},
		{"TEAM", "COMPETITION", "/v1/tournaments/%s/teams?limit=100"},
		{"MATCH", "COMPETITION", "/v1/tournaments/%s/matches?limit=100"},
		{"PLAYER", "COMPETITION", "/v1/tournaments/%s/players?limit=100"},
	} {
		for _, id := range ids[l.from] {
			_, body, err := m.send(ctx, workers, fmt.Sprintf(l.path, id), "identity")
			if err != nil {
				return nil, err
			}
			var page struct{ Data []struct{ ID string } }
			if err := json.Unmarshal(body, &page); err != nil {
				return nil, err
			}
			for _, entry := range page.Data {
				ids[l.word] = append(ids[l.word], entry.ID)
			}
			m.now = m.now.Add(time.Minute) // for the rate limit of the key
		}
	}
	return ids, nil
}

// workers are one worker for each function, as in a deployment.
func (m *runner) workers() map[route.Group]*gateway.Handler {
	all := map[route.Group]*gateway.Handler{}
	for _, g := range route.Groups() {
		s := service.OnDynamoDB(m.client, tables)
		s.Opener, s.DefaultPhoto = m.opener, "https://example.org/player.png"
		s.Stage, s.Function = "prod", "touchline-prod-"+string(g)
		s.Now, s.Began, s.Log = m.clock, m.now, &m.log
		all[g] = gateway.New(s.Handler(groups.Of(g)))
	}
	return all
}

// groupOf is the function that the gateway sends a path to.
func groupOf(path string) route.Group {
	head, _, _ := strings.Cut(strings.TrimPrefix(path, route.Prefix), "/")
	return route.Group(head)
}

// send sends a signed request to the function for a target, from a caller that accepts
// an encoding. It returns the body as sent, and what the request consumed by the log.
func (m *runner) send(ctx context.Context, workers map[route.Group]*gateway.Handler, target, accepts string) (usage, []byte, error) {
	path, query, _ := strings.Cut(target, "?")
	m.count++
	signed, err := signing.Message{
		Method: "GET", Path: path, Query: query, Timestamp: strconv.FormatInt(m.now.Unix(), 10), Nonce: fmt.Sprintf("a-nonce-of-%012d", m.count),
	}.Signed(m.key.Key.ID, m.key.Secret.Reveal())
	if err != nil {
		return usage{}, nil, err
	}
	headers := map[string]string{"host": "api.example.org", "accept-encoding": accepts}
	for _, h := range signed.Headers {
		headers[strings.ToLower(h[0])] = h[1]
	}
	m.log.Reset()
	answer, err := workers[groupOf(path)].Handle(ctx, events.APIGatewayV2HTTPRequest{
		Version: "2.0", RawPath: path, RawQueryString: query, Headers: headers,
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			RequestID: "JKJaXmPLvHcESHA=", Stage: "$default",
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{Method: "GET", Path: path, SourceIP: "192.0.2.7"},
		},
	})
	if err != nil {
		return usage{}, nil, err
	}
	if answer.StatusCode != 200 {
		return usage{}, nil, fmt.Errorf("%s: %d %s", target, answer.StatusCode, answer.Body)
	}
	body := []byte(answer.Body)
	if answer.IsBase64Encoded {
		if body, err = base64.StdEncoding.DecodeString(answer.Body); err != nil {
			return usage{}, nil, err
		}
	}
	entry, err := accesslog.Parse(m.log.Bytes())
	if err != nil {
		return usage{}, nil, fmt.Errorf("the log of %s: %w", target, err)
	}
	u := usage{secrets: float64(entry.Secrets.Calls), logBytes: float64(m.log.Len()), answerBytes: float64(len(body))}
	for _, s := range meter.Stores() {
		use := entry.Use(s)
		u.reads, u.writes = u.reads+use.ReadUnits, u.writes+use.WriteUnits
	}
	for name, value := range answer.Headers {
		u.answerBytes += float64(len(name) + len(value) + len(": \r\n"))
	}
	return u, body, nil
}
