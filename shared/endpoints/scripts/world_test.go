package scripts

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"touchline/shared/endpoints/groups"
	"touchline/shared/engine/enginetest"
	"touchline/shared/gateway"
	"touchline/shared/keys"
	"touchline/shared/limits"
	counters "touchline/shared/limits/dynamo"
	"touchline/shared/loader"
	"touchline/shared/service"
	"touchline/shared/simulation"
	"touchline/shared/sport"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/dynamo"
	"touchline/shared/store/records"
)

// photo is what players without a picture are shown with.
const photo = "https://img.example/nobody.png"

// world is the deployment that all scripts ask: four tables, filled.
type world struct {
	tables   service.Service // with its four stores alone
	sealer   *keys.LocalSealer
	document *Document
	names    *names
}

// fourTables are in an engine, or in memory.
func fourTables(t *testing.T) service.Service {
	t.Helper()
	if enginetest.InMemory() {
		db := simulation.NewDatabase()
		return service.Service{Sports: &store.Table{DB: db, Name: "sports"}, Keys: db.Keys(), Nonces: db, Quotas: db}
	}
	client, err := dynamo.NewClient(t.Context(), dynamo.Settings{Endpoint: enginetest.Start(t)})
	if err != nil {
		t.Fatal(err)
	}
	tables := stack.Tables{Sports: "sports", Nonces: "nonces", Quotas: "quotas", Keys: "keys"}
	for _, table := range []*dynamodb.CreateTableInput{
		dynamo.Table(tables.Sports), counters.Table(tables.Nonces), counters.Table(tables.Quotas), keys.KeysTable(tables.Keys),
	} {
		if _, err := client.CreateTable(t.Context(), table); err != nil {
			t.Fatal(err)
		}
	}
	return service.OnDynamoDB(client, tables)
}

func newWorld(t *testing.T, document *Document, datasets ...fs.FS) *world {
	t.Helper()
	tables := fourTables(t)
	sealer, err := keys.NewLocalSealer(base64.StdEncoding.EncodeToString([]byte("32 bytes that no service is with")))
	if err != nil {
		t.Fatal(err)
	}
	w := &world{tables: tables, sealer: sealer, document: document, names: newNames()}
	for i, dataset := range datasets {
		l := loader.Loader{
			Table: tables.Sports,
			Lease: &store.Lease{DB: tables.Sports.DB.(store.Leases), Table: "sports", Key: records.LockKey(), Holder: fmt.Sprint("load ", i), Label: "a test", Now: time.Now},
		}
		if _, err := l.Load(t.Context(), dataset, loader.Options{}); err != nil {
			t.Fatal(err)
		}
		w.names.learn(t, dataset)
	}
	return w
}

// worker is a process that serves everything; broken is the table that does not
// answer it, or empty.
func (w *world) worker(now func() time.Time, broken string) *gateway.Handler {
	s := w.tables
	switch broken {
	case "sports":
		s.Sports = &store.Table{DB: unreadable{s.Sports.DB}, Name: s.Sports.Name}
	case "nonces":
		s.Nonces = brokenStore{}
	case "quotas":
		s.Quotas = brokenStore{}
	case "keys":
		s.Keys = brokenKeys{s.Keys}
	}
	s.Opener, s.DefaultPhoto = w.sealer, photo
	s.Now = now
	return gateway.New(s.Handler(groups.Operations))
}

// credential is a key and its secret.
type credential struct {
	id, secret string
}

// issue makes the key of a line "key NAME organization=KEY ...".
func (w *world) issue(t *testing.T, l line, now func() time.Time) credential {
	t.Helper()
	request := keys.Request{Descendants: true, Label: l.words[1]}
	for _, s := range keys.AllScopes() {
		request.Scopes = append(request.Scopes, string(s))
	}
	revoked := false
	for _, word := range l.words[2:] {
		name, value, _ := strings.Cut(word, "=")
		var err error
		switch name {
		case "organization":
			request.Organization = sport.IDFor(sport.KindOrganization, value)
		case "alone":
			request.Descendants = false
		case "scopes":
			request.Scopes = strings.FieldsFunc(value, func(r rune) bool { return r == ',' })
		case "allow":
			request.Allowlist = strings.Split(value, ",")
		case "quota":
			request.MonthlyQuota = new(int)
			*request.MonthlyQuota, err = strconv.Atoi(value)
		case "expires":
			var after time.Duration
			after, err = time.ParseDuration(value)
			expiry := now().Add(after)
			request.ExpiresAt = &expiry
		case "revoked":
			revoked = true
		default:
			err = errors.New("unknown")
		}
		if err != nil {
			t.Fatalf("line %d: %s: %v", l.number, word, err)
		}
	}
	registry := keys.Registry{Store: w.tables.Keys, Sealer: w.sealer, Now: now}
	issued, err := registry.Create(t.Context(), request)
	if err == nil && revoked {
		_, err = registry.Revoke(t.Context(), issued.Key.ID)
	}
	if err != nil {
		t.Fatalf("line %d: %v", l.number, err)
	}
	w.names.add(issued.Key.ID, "k:"+l.words[1])
	return credential{issued.Key.ID, issued.Secret.Reveal()}
}

var errBroken = errors.New("the table does not answer")

// unreadable is a table of items that does not answer.
type unreadable struct{ store.DB }

func (unreadable) Get(context.Context, string, []store.Key, bool) (store.Reply, error) {
	return store.Reply{}, errBroken
}

func (unreadable) Query(context.Context, string, store.Query, store.Key) (store.Reply, error) {
	return store.Reply{}, errBroken
}

// brokenStore is a store of nonces, or of quotas, that does not answer.
type brokenStore struct{}

func (brokenStore) Consume(context.Context, limits.Nonce) error { return errBroken }

func (brokenStore) Take(context.Context, limits.Quota) (limits.Decision, error) {
	return limits.Decision{}, errBroken
}

// brokenKeys is a store of keys that does not answer.
type brokenKeys struct{ keys.Store }

func (brokenKeys) Get(context.Context, string) (keys.Key, error) { return keys.Key{}, errBroken }

// datasets are what a script can ask about, by the name that it gives.
func datasets() map[string][]fs.FS {
	return map[string][]fs.FS{
		"norland":  {os.DirFS("testdata/norland"), crowd()},
		"union":    {os.DirFS("testdata/union")},
		"rulebook": {os.DirFS("testdata/rulebook")},
		"stages":   {os.DirFS("testdata/stages")},
		"children": {os.DirFS("testdata/children")},
		"sports":   {os.DirFS("testdata/sports")},
		"guests":   {os.DirFS("testdata/guests")},
	}
}
