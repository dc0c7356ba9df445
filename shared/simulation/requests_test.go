package simulation_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/endpoints/organizations"
	"touchline/shared/gateway"
	"touchline/shared/keys"
	"touchline/shared/service"
	"touchline/shared/signing"
	"touchline/shared/simulation"
	"touchline/shared/sport"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/generation"
	"touchline/shared/store/records"
	"touchline/shared/store/space"
)

const federation = sport.ID("64b7f0c2a1d3e4f5a6b7c8d9")

// request is a request and its outcome.
type request struct {
	number    int
	worker    int
	key       int // of schedule.keys
	nonce     string
	timestamp int64 // Unix seconds, as signed
	path      string
	query     string
	method    string

	sent, answered time.Time
	status         int // 0: the worker was killed
	code           string
	version        int // of the data in the body; 0: none
	charges        int // increments of the counter that its calls made
}

// world is what the requests of a schedule are about.
type world struct {
	*Schedule
	plan
	db      *simulation.Database
	workers [2]*worker
	faulty  bool // the schedule may have faults

	keys     []keys.Issued
	quota    int
	requests []*request
	versions []time.Time // when each version of the organization was stored
	revoked  time.Time   // when the first key was revoked; zero: not yet

	open atomic.Int32 // requests without a response
	mu   sync.Mutex   // guards charges
}

// worker is a process of the service.
type worker struct {
	*Process
	handler *gateway.Handler
}

// play plays a plan and returns the invariants that it broke.
func play(t *testing.T, p plan) (broken []string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := open(t, p)
		w.run(t)
		broken = w.check()
	})
	return broken
}

func open(t *testing.T, p plan) *world {
	t.Helper()
	w := &world{Schedule: New(p.Seed, p.Faults), plan: p, db: simulation.NewDatabase(), faulty: p.Faults > 0}
	w.quota = 2 + w.Random.IntN(6)
	w.store(t)
	for range 2 {
		issued, err := w.registry().Create(t.Context(), keys.Request{
			Organization: federation, Scopes: []string{"organizations:read"}, MonthlyQuota: &w.quota,
		})
		if err != nil {
			t.Fatal(err)
		}
		w.keys = append(w.keys, issued)
	}
	for i := range w.workers {
		w.start(i)
	}
	return w
}

// registry makes the operator's changes of keys, without faults.
func (w *world) registry() *keys.Registry {
	return &keys.Registry{Store: w.db.Keys(), Sealer: unsealed{}, Now: time.Now}
}

// store writes the next version of the organization to the table, as a load
// does.
func (w *world) store(t *testing.T) {
	t.Helper()
	w.versions = append(w.versions, time.Now())
	stored, err := attributevalue.MarshalMap(records.OrganizationRecord{
		Organization: records.Organization{ID: federation, Type: sport.Federation, Name: fmt.Sprint("version ", len(w.versions)), Status: sport.Active},
		Scope:        records.Scope{Owners: records.IDs{federation}, Reach: records.IDs{federation}},
		Visibility:   sport.Public, Plan: sport.PlanPro,
	})
	if err != nil {
		t.Fatal(err)
	}
	w.db.Set("sports", records.OrganizationKey(federation), stored)
	// As a load of this layout leaves it (package generation).
	w.db.Set("sports", records.VersionKey(), store.Item{
		"s": &types.AttributeValueMemberM{Value: store.Item{
			strconv.Itoa(generation.Layout): &types.AttributeValueMemberM{Value: store.Item{
				"n": &types.AttributeValueMemberN{Value: "1"}, "f": &types.AttributeValueMemberS{Value: space.Form},
			}},
		}},
	})
}

// start starts a worker with empty caches and a clock of its own. When it is
// killed, another replaces it.
func (w *world) start(number int) {
	skew, began := time.Duration(w.Random.IntN(2000))*time.Millisecond, time.Now()
	process := w.Start(number, func() { w.start(number) })
	db := Client{Database: w.db, Process: process, Counted: w.charge}
	w.workers[number] = &worker{process, gateway.New(service.Service{
		Sports: &store.Table{DB: db, Name: "sports"}, Keys: db.Keys(), Nonces: db, Quotas: db,
		Opener: unsealed{}, Stage: stack.LocalStage,
		Now: func() time.Time { return time.Now().Add(skew) }, Began: began,
	}.Handler(organizations.Operations))}
}

type requestKey struct{}

// charge records which request was counted.
func (w *world) charge(ctx context.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()
	ctx.Value(requestKey{}).(*request).charges++
}

// run plays the events (a request, a load, a revocation, time that passes,
// nonces that expire) and, between them, the pending calls.
func (w *world) run(t *testing.T) {
	t.Helper()
	for step, settled := 0, false; ; {
		synctest.Wait()
		switch {
		case step < w.Steps && (w.Pending() == 0 || w.Pending() < 6 && w.Random.IntN(3) == 0):
			step++
			w.event(t)
		case w.Pending() > 0:
			w.Step()
		case w.open.Load() > 0 || w.Late(): // a worker waits before a retry
			time.Sleep(10 * time.Millisecond)
		case !settled: // work of a worker that belongs to no request
			settled = true
			time.Sleep(time.Minute)
		default:
			return
		}
	}
}

func (w *world) event(t *testing.T) {
	t.Helper()
	switch w.Random.IntN(12) {
	case 0:
		w.store(t)
	case 1:
		w.Delay(time.Minute)
	case 2:
		w.Delay(20 * time.Minute)
	case 3:
		w.expire()
	case 4:
		w.revoke(t)
	default:
		w.send()
	}
}

// expire deletes what DynamoDB may delete: nonces that have expired. DynamoDB
// may take days to do so; most schedules therefore keep some.
func (w *world) expire() { w.db.Expire(time.Now()) }

// revoke revokes the first key, once.
func (w *world) revoke(t *testing.T) {
	t.Helper()
	if !w.revoked.IsZero() {
		return
	}
	if _, err := w.registry().Revoke(t.Context(), w.keys[0].Key.ID); err != nil {
		t.Fatal(err)
	}
	w.revoked = time.Now()
}

// send sends a request, sometimes with a nonce that was used before.
func (w *world) send() {
	r := &request{
		number: len(w.requests) + 1, worker: w.Random.IntN(len(w.workers)), key: w.Random.IntN(len(w.keys)),
		method: "GET", path: "/v1/federations/" + string(federation), sent: time.Now(),
	}
	r.timestamp = r.sent.Unix()
	r.nonce = "nonce-" + strconv.Itoa(r.number)
	if n := len(w.requests); n > 0 && w.Random.IntN(4) == 0 {
		again := w.requests[w.Random.IntN(n)]
		r.nonce, r.key = again.nonce, again.key
		if w.Random.IntN(2) == 0 { // the very same request
			r.timestamp = again.timestamp
		}
	}
	switch w.Random.IntN(8) {
	case 0:
		r.method = "HEAD"
	case 1:
		r.path = "/v1/clubs/" + string(federation) // 404
	case 2:
		r.query = "limit=1" // 400
	}
	w.requests = append(w.requests, r)
	worker, secret := w.workers[r.worker], w.keys[r.key].Secret.Reveal()
	event := r.event(w.keys[r.key].Key.ID, secret)
	w.open.Add(1)
	go func() {
		defer w.open.Add(-1)
		ctx := WithCaller(context.WithValue(context.Background(), requestKey{}, r), r.number)
		answer, err := worker.handler.Handle(ctx, event)
		if err != nil {
			panic(err) // a handler never returns one
		}
		if !worker.Dead() {
			r.answered = time.Now()
			r.take(answer)
		}
	}()
}

// event signs the request.
func (r *request) event(keyID, secret string) events.APIGatewayV2HTTPRequest {
	timestamp := strconv.FormatInt(r.timestamp, 10)
	canonical, err := signing.Message{Method: r.method, Path: r.path, Query: r.query, Timestamp: timestamp, Nonce: r.nonce}.Canonical()
	if err != nil {
		panic(err)
	}
	return events.APIGatewayV2HTTPRequest{
		RawPath: r.path, RawQueryString: r.query,
		Headers: map[string]string{
			"x-service-key": keyID, "x-service-timestamp": timestamp, "x-service-nonce": r.nonce,
			"x-service-signature": signing.Sign(secret, canonical),
		},
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{Method: r.method, Path: r.path, SourceIP: "192.0.2.7"},
		},
	}
}

// take reads a response.
func (r *request) take(answer events.APIGatewayV2HTTPResponse) {
	r.status = answer.StatusCode
	body := []byte(answer.Body)
	if answer.IsBase64Encoded {
		body, _ = base64.StdEncoding.DecodeString(answer.Body) // an error shows below
	}
	if len(body) == 0 {
		return
	}
	var read struct {
		Data  struct{ Name string }
		Error struct{ Code string }
	}
	if err := json.Unmarshal(body, &read); err != nil {
		r.code = "no JSON: " + err.Error()
		return
	}
	r.code = read.Error.Code
	if version, ok := strings.CutPrefix(read.Data.Name, "version "); ok {
		r.version, _ = strconv.Atoi(version) // 0 fails the check
	}
}

// unsealed is a Sealer that does not encrypt.
type unsealed struct{}

// Seal implements keys.Sealer.
func (unsealed) Seal(_ context.Context, _ string, secret []byte) ([]byte, error) { return secret, nil }

// Open implements keys.Sealer.
func (unsealed) Open(_ context.Context, _ string, sealed []byte) ([]byte, error) { return sealed, nil }
