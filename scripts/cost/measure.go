package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
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
	"touchline/shared/limits/dynamo"
	"touchline/shared/loader"
	"touchline/shared/meter"
	"touchline/shared/route"
	"touchline/shared/seed"
	"touchline/shared/service"
	"touchline/shared/signing"
	"touchline/shared/sport"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// tables are the names of the tables in the engine that this command starts.
var tables = stack.Tables{Sports: "sports", Nonces: "nonces", Quotas: "quotas", Keys: "keys"}

// plan is what to measure.
type plan struct {
	Seed     seed.Options
	Requests int
	// Every is the time between two requests, to all functions together. It
	// determines the effect of the caches: each function is one worker with its
	// own, which keep lists and keys for 60 seconds (D10).
	Every time.Duration
}

// measured is the result.
type measured struct {
	Requests    int                `json:"requests"`
	PerMinute   float64            `json:"requestsPerMinute"`
	Average     usage              `json:"average"`
	Cold        usage              `json:"coldAverage"` // of the first of each kind
	ByTarget    map[string]average `json:"byTarget"`
	TableBytes  float64            `json:"tableBytes"`
	LoadedWrite float64            `json:"loadWriteUnits"` // of loading all of it, once
}

// average is the average for a kind of request.
type average struct {
	Requests int `json:"requests"`
	usage
}

// runner runs the plan.
type runner struct {
	plan
	database   service.Database
	client     *dynamodb.Client // of the same engine, for what is not measured by request
	now        time.Time
	key        keys.Issued
	opener     *keys.LocalSealer
	federation sport.ID
	log        bytes.Buffer
	count      int
}

// measure loads the federation into an engine and sends the requests.
func measure(ctx context.Context, database service.Database, client *dynamodb.Client, p plan) (measured, error) {
	m := &runner{plan: p, database: database, client: client, now: time.Date(2026, time.March, 14, 15, 0, 0, 0, time.UTC)}
	for _, table := range []*dynamodb.CreateTableInput{
		records.SportsTable(tables.Sports), dynamo.NoncesTable(tables.Nonces), dynamo.QuotasTable(tables.Quotas), keys.KeysTable(tables.Keys),
	} {
		if _, err := client.CreateTable(ctx, table); err != nil {
			return measured{}, err
		}
	}
	loaded, err := m.load(ctx)
	if err != nil {
		return measured{}, fmt.Errorf("load: %w", err)
	}
	if err := m.issue(ctx); err != nil {
		return measured{}, err
	}
	found, err := gather(ctx, string(m.federation), m.ask(m.workers()))
	if err != nil {
		return measured{}, err
	}
	result, err := m.run(ctx, found)
	result.TableBytes, result.LoadedWrite = float64(loaded.BytesWritten), loaded.WriteUnits
	return result, err
}

// load loads the federation into the table of the data.
func (m *runner) load(ctx context.Context) (meter.Use, error) {
	dir, err := os.MkdirTemp("", "touchline-cost-")
	if err != nil {
		return meter.Use{}, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // the system cleans up temporary files
	m.Seed.Now = m.now
	if _, err := seed.Write(dir, m.Seed); err != nil {
		return meter.Use{}, err
	}
	used := &meter.Meter{}
	l := loader.Loader{
		Table: &store.Table{DB: m.client, Name: tables.Sports},
		Lease: &store.Lease{DB: m.client, Table: tables.Sports, Key: records.LockKey(), Holder: "cost", Label: "cost", Now: time.Now},
	}
	_, err = l.Load(meter.With(ctx, used), os.DirFS(dir), loader.Options{})
	return used.Total(), err
}

// issue makes the key for the requests, practically without a monthly quota.
func (m *runner) issue(ctx context.Context) error {
	master, err := keys.ParseMasterKey(base64.StdEncoding.EncodeToString([]byte("32 bytes for an engine in memory")))
	if err != nil {
		return err
	}
	if m.opener, err = keys.NewLocalSealer(master); err != nil {
		return err
	}
	quota := million
	m.federation = sport.IDFor(sport.KindOrganization, "est")
	request := keys.Request{Organization: m.federation, Descendants: true, MonthlyQuota: &quota, Scopes: keys.AllScopeNames()}
	registry := keys.Registry{Store: &keys.DynamoDB{Client: m.client, Table: tables.Keys}, Sealer: m.opener, Now: m.clock}
	m.key, err = registry.Create(ctx, request)
	return err
}

func (m *runner) clock() time.Time { return m.now }

// workers are one worker for each function, as in a deployment.
func (m *runner) workers() map[route.Group]*gateway.Handler {
	all := map[route.Group]*gateway.Handler{}
	for _, g := range route.Groups() {
		s := service.Service{
			Database: m.database, Tables: tables, Opener: m.opener, DefaultPhoto: "https://example.org/player.png",
			Stage: "prod", Function: "touchline-prod-" + string(g), Now: m.clock, Began: m.now, Log: slog.New(slog.NewJSONHandler(&m.log, nil)),
		}
		all[g] = s.Handler(groups.Of(g))
	}
	return all
}

// run sends the requests of the plan and adds up what they consume.
func (m *runner) run(ctx context.Context, found names) (measured, error) {
	workers := m.workers()
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same requests each time, on purpose
	result := measured{Requests: m.Requests, PerMinute: float64(time.Minute) / float64(m.Every), ByTarget: map[string]average{}}
	var all, cold usage
	for range m.Requests {
		k, target := found.draw(random)
		u, _, err := m.send(ctx, workers, target)
		if err != nil {
			return measured{}, err
		}
		all.add(u)
		of, before := result.ByTarget[k.target]
		if !before {
			cold.add(u)
		}
		of.Requests++
		of.add(u)
		result.ByTarget[k.target] = of
		m.now = m.now.Add(m.Every)
	}
	result.Average = all.by(m.Requests)
	result.Cold = cold.by(len(result.ByTarget))
	for target, of := range result.ByTarget {
		result.ByTarget[target] = average{of.Requests, of.by(of.Requests)}
	}
	return result, nil
}

func (u *usage) add(v usage) {
	u.Reads += v.Reads
	u.Writes += v.Writes
	u.Secrets += v.Secrets
	u.LogBytes += v.LogBytes
	u.AnswerBytes += v.AnswerBytes
}

func (u usage) by(n int) usage {
	d := float64(max(n, 1))
	return usage{u.Reads / d, u.Writes / d, u.Secrets / d, u.LogBytes / d, u.AnswerBytes / d}
}

// ask is send, returning the body only.
func (m *runner) ask(workers map[route.Group]*gateway.Handler) func(context.Context, string) ([]byte, error) {
	return func(ctx context.Context, target string) ([]byte, error) {
		_, body, err := m.send(ctx, workers, target)
		m.now = m.now.Add(time.Minute) // for the rate limit of the key
		return body, err
	}
}

// send sends a request to the function for a target, and reads from the log what
// that consumed.
func (m *runner) send(ctx context.Context, workers map[route.Group]*gateway.Handler, target string) (usage, []byte, error) {
	event, err := m.event(target)
	if err != nil {
		return usage{}, nil, err
	}
	m.log.Reset()
	answer, err := workers[groupOf(event.RawPath)].Handle(ctx, event)
	if err != nil {
		return usage{}, nil, err
	}
	if answer.StatusCode != 200 {
		return usage{}, nil, fmt.Errorf("%s: %d %s", target, answer.StatusCode, answer.Body)
	}
	entry, err := accesslog.Parse(m.log.Bytes())
	if err != nil {
		return usage{}, nil, fmt.Errorf("the log of %s: %w", target, err)
	}
	body, err := sent(answer)
	if err != nil {
		return usage{}, nil, fmt.Errorf("%s: %w", target, err)
	}
	u := usage{LogBytes: float64(m.log.Len()), AnswerBytes: float64(len(body)), Secrets: float64(entry.Secrets.Calls)}
	for _, use := range entry.Uses() {
		u.Reads += use.ReadUnits
		u.Writes += use.WriteUnits
	}
	for name, value := range answer.Headers {
		u.AnswerBytes += float64(len(name) + len(value) + len(": \r\n"))
	}
	if body, err = plain(body, answer); err != nil {
		return usage{}, nil, fmt.Errorf("%s: %w", target, err)
	}
	return u, body, nil
}

// sent is the body of a response as the gateway sends it.
func sent(answer events.APIGatewayV2HTTPResponse) ([]byte, error) {
	if answer.IsBase64Encoded {
		return base64.StdEncoding.DecodeString(answer.Body)
	}
	return []byte(answer.Body), nil
}

// plain is the body of a response without compression.
func plain(body []byte, answer events.APIGatewayV2HTTPResponse) ([]byte, error) {
	if answer.Headers["Content-Encoding"] != "gzip" {
		return body, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// groupOf is the function that the gateway sends a path to.
func groupOf(path string) route.Group {
	head, _, _ := strings.Cut(strings.TrimPrefix(path, route.Prefix), "/")
	return route.Group(head)
}

// event is a signed request as an event from the gateway, from a caller that
// accepts compression.
func (m *runner) event(target string) (events.APIGatewayV2HTTPRequest, error) {
	path, query, _ := strings.Cut(target, "?")
	m.count++
	signed, err := signing.Message{
		Method: "GET", Path: path, Query: query, Timestamp: strconv.FormatInt(m.now.Unix(), 10), Nonce: fmt.Sprintf("a-nonce-of-%012d", m.count),
	}.Signed(m.key.Key.ID, m.key.Secret.Reveal())
	headers := map[string]string{"host": "api.example.org", "accept-encoding": "gzip"}
	for _, h := range signed.Headers {
		headers[strings.ToLower(h[0])] = h[1]
	}
	return events.APIGatewayV2HTTPRequest{
		Version: "2.0", RawPath: path, RawQueryString: query, Headers: headers,
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			RequestID: "JKJaXmPLvHcESHA=", Stage: "$default",
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{Method: "GET", Path: path, SourceIP: "192.0.2.7"},
		},
	}, err
}
