package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/engine/enginetest"
	front "touchline/shared/gateway"
	"touchline/shared/keys"
	counters "touchline/shared/limits/dynamo"
	"touchline/shared/loader"
	"touchline/shared/route"
	"touchline/shared/seed"
	"touchline/shared/service"
	"touchline/shared/signing"
	"touchline/shared/sport"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/dynamo"
	"touchline/shared/store/records"
)

// calls are the calls made, with their tables: "dynamodb:Query sports".
type calls map[string]bool

// world is an engine with the tables and the demo federation, and a proxy in
// front of it that records the calls.
type world struct {
	client  *dynamodb.Client
	service service.Service
	key     keys.Issued
	nonces  int

	mu     sync.Mutex
	made   calls
	writes int // how many more bulk writes are let through; negative: all
}

func masterKey() string {
	return base64.StdEncoding.EncodeToString([]byte("32 bytes that no service is with"))
}

func sealer(t *testing.T) keys.Sealer {
	t.Helper()
	s, err := keys.NewLocalSealer(masterKey())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func keyRequest() keys.Request {
	request := keys.Request{Organization: sport.IDFor(sport.KindOrganization, "est"), Descendants: true}
	for _, s := range keys.AllScopes() {
		request.Scopes = append(request.Scopes, string(s))
	}
	return request
}

// newWorld builds the worker as functions do, from an environment.
func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{made: calls{}, writes: -1}
	wire := httptest.NewServer(w.wire(t, enginetest.Start(t)))
	t.Cleanup(wire.Close)
	environment := map[string]string{
		stack.VariableSportsTable: "sports", stack.VariableNoncesTable: "nonces", stack.VariableQuotasTable: "quotas",
		stack.VariableKeysTable: "keys", stack.VariableDefaultPhoto: "https://img.example/nobody.png",
		stack.VariableMasterKey: masterKey(), stack.VariableDynamoDBEndpoint: wire.URL,
	}
	made, err := service.FromEnvironment(t.Context(), func(name string) string { return environment[name] })
	if err != nil {
		t.Fatal(err)
	}
	client, err := dynamo.NewClient(t.Context(), dynamo.Settings{Endpoint: wire.URL})
	if err != nil {
		t.Fatal(err)
	}
	made.Log = nil
	w.client, w.service = client, made
	for _, table := range []*dynamodb.CreateTableInput{
		dynamo.Table("sports"), counters.Table("nonces"), counters.Table("quotas"), keys.KeysTable("keys"),
	} {
		if _, err := client.CreateTable(t.Context(), table); err != nil {
			t.Fatal(err)
		}
	}
	w.load(t, federation(t), loader.Options{})
	registry := keys.Registry{Store: &keys.DynamoDB{Client: client, Table: "keys"}, Sealer: sealer(t), Now: time.Now}
	if w.key, err = registry.Create(t.Context(), keyRequest()); err != nil {
		t.Fatal(err)
	}
	return w
}

// wire forwards requests to the engine, and records the operation of DynamoDB
// and the tables of each.
func (w *world) wire(t *testing.T, engine string) http.Handler {
	t.Helper()
	to, err := url.Parse(engine)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.ErrorLog = log.New(io.Discard, "", 0) // about reads ahead that are cancelled
	return http.HandlerFunc(func(answer http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(answer, err.Error(), http.StatusBadGateway)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
		if !w.note(operation, body) {
			answer.Header().Set("Content-Type", "application/x-amz-json-1.0")
			answer.WriteHeader(http.StatusBadRequest)
			_, _ = answer.Write([]byte(`{"__type":"com.amazonaws.dynamodb.v20120810#AccessDeniedException","message":"as the test wants it"}`))
			return
		}
		proxy.ServeHTTP(answer, r)
	})
}

// note records a call and reports whether to let it through.
func (w *world) note(operation string, body []byte) bool {
	var input struct {
		TableName    string
		RequestItems map[string]json.RawMessage
	}
	if err := json.Unmarshal(body, &input); err != nil {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if input.TableName != "" {
		w.made["dynamodb:"+operation+" "+input.TableName] = true
	}
	for table := range input.RequestItems {
		w.made["dynamodb:"+operation+" "+table] = true
	}
	if operation != "BatchWriteItem" || w.writes < 0 {
		return true
	}
	w.writes--
	return w.writes >= 0
}

// during returns the calls that f makes. A read ahead that is no longer needed
// may be recorded later; it is of the same kind as others.
func (w *world) during(f func()) calls {
	w.take()
	f()
	return w.take()
}

// take returns the calls recorded so far, and starts over.
func (w *world) take() calls {
	w.mu.Lock()
	defer w.mu.Unlock()
	made := w.made
	w.made = calls{}
	return made
}

// serve requests every operation of a group, with every parameter, each time
// from a worker that has just started.
func (w *world) serve(t *testing.T, group route.Group) calls {
	t.Helper()
	return w.during(func() {
		for _, operation := range groups.Of(group)(endpoints.Deps{}) {
			good := 0
			for _, target := range targets(operation) {
				event := w.signed(t, target)
				if w.ask(t, group, event) == http.StatusOK {
					good++
				}
				if again := w.ask(t, group, event); again != http.StatusUnauthorized {
					t.Errorf("%s, sent twice: %d", target, again)
				}
			}
			if good == 0 {
				t.Errorf("%s answered nothing", operation.Path)
			}
		}
	})
}

func (w *world) ask(t *testing.T, group route.Group, e events.APIGatewayV2HTTPRequest) int {
	t.Helper()
	worker := front.New(w.service.Handler(groups.Of(group)))
	answer, err := worker.Handle(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode >= 500 {
		t.Errorf("%s: %d", e.RawPath, answer.StatusCode)
	}
	return answer.StatusCode
}

func (w *world) signed(t *testing.T, target string) events.APIGatewayV2HTTPRequest {
	t.Helper()
	w.nonces++
	path, query, _ := strings.Cut(target, "?")
	m := signing.Message{
		Method: "GET", Path: path, Query: query,
		Timestamp: strconv.FormatInt(time.Now().Unix(), 10), Nonce: fmt.Sprint("nonce-", w.nonces),
	}
	canonical, err := m.Canonical()
	if err != nil {
		t.Fatal(err)
	}
	return events.APIGatewayV2HTTPRequest{
		Version: "2.0", RawPath: path, RawQueryString: query,
		Headers: map[string]string{
			"x-service-key": w.key.Key.ID, "x-service-timestamp": m.Timestamp, "x-service-nonce": m.Nonce,
			"x-service-signature": signing.Sign(w.key.Secret.Reveal(), canonical),
		},
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{Method: "GET", Path: path, SourceIP: "192.0.2.7"},
		},
	}
}

// federation is a folder with the demo's dataset.
func federation(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if _, err := seed.Write(dir, seed.Options{Demo: true}); err != nil {
		t.Fatal(err)
	}
	return dir
}

func (w *world) load(t *testing.T, dir string, o loader.Options) {
	t.Helper()
	if _, err := w.loader().Load(t.Context(), os.DirFS(dir), o); err != nil {
		t.Fatal(err)
	}
}

func (w *world) loader() *loader.Loader {
	return &loader.Loader{
		Table: &store.Table{DB: dynamo.DB{Client: w.client}, Name: "sports"},
		Lease: &store.Lease{DB: dynamo.DB{Client: w.client}, Table: "sports", Key: records.LockKey(), Holder: "test", Label: "a test", Now: time.Now},
	}
}
