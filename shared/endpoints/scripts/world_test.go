package scripts

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
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
	"touchline/shared/limits/dynamo"
	"touchline/shared/loader"
	"touchline/shared/service"
	"touchline/shared/simulation"
	"touchline/shared/sport"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// photo is what players without a picture are shown with.
const photo = "https://img.example/nobody.png"

// world is the deployment that all scripts ask: four tables, filled.
type world struct {
	client   service.Database
	sealer   *keys.LocalSealer
	document *Document
	names    *names
}

// fourTables are in an engine, or in memory.
func fourTables(t *testing.T) service.Database {
	t.Helper()
	if enginetest.InMemory() {
		return simulation.Client{Database: simulation.NewDatabase()}
	}
	client, err := store.NewClient(t.Context(), store.Settings{Endpoint: enginetest.Start(t)})
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []*dynamodb.CreateTableInput{
		records.SportsTable("sports"), dynamo.NoncesTable("nonces"), dynamo.QuotasTable("quotas"), keys.KeysTable("keys"),
	} {
		if _, err := client.CreateTable(t.Context(), table); err != nil {
			t.Fatal(err)
		}
	}
	return client
}

func newWorld(t *testing.T, document *Document, datasets ...fs.FS) *world {
	t.Helper()
	client := fourTables(t)
	master, err := keys.ParseMasterKey(base64.StdEncoding.EncodeToString([]byte("32 bytes that no service is with")))
	if err != nil {
		t.Fatal(err)
	}
	sealer, err := keys.NewLocalSealer(master)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{client: client, sealer: sealer, document: document, names: newNames()}
	for i, dataset := range datasets {
		l := loader.Loader{
			Table: &store.Table{DB: client, Name: "sports"},
			Lease: &store.Lease{DB: client, Table: "sports", Key: records.LockKey(), Holder: fmt.Sprint("load ", i), Label: "a test", Now: time.Now},
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
	return gateway.New(service.Service{
		Database:     database{w.client, broken},
		Tables:       stack.Tables{Sports: "sports", Nonces: "nonces", Quotas: "quotas", Keys: "keys"},
		Opener:       w.sealer,
		DefaultPhoto: photo,
		Now:          now,
		Log:          slog.New(slog.DiscardHandler),
	}.Handler(groups.Operations))
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
	registry := keys.Registry{Store: &keys.DynamoDB{Client: w.client, Table: "keys"}, Sealer: w.sealer, Now: now}
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

// database is DynamoDB with a table that may not answer.
type database struct {
	service.Database
	broken string
}

var errBroken = errors.New("the table does not answer")

func (d database) check(tables ...string) error {
	for _, table := range tables {
		if table == d.broken {
			return errBroken
		}
	}
	return nil
}

func (d database) GetItem(ctx context.Context, in *dynamodb.GetItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	if err := d.check(*in.TableName); err != nil {
		return nil, err
	}
	return d.Database.GetItem(ctx, in, opts...)
}

func (d database) PutItem(ctx context.Context, in *dynamodb.PutItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	if err := d.check(*in.TableName); err != nil {
		return nil, err
	}
	return d.Database.PutItem(ctx, in, opts...)
}

func (d database) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	if err := d.check(*in.TableName); err != nil {
		return nil, err
	}
	return d.Database.UpdateItem(ctx, in, opts...)
}

func (d database) Query(ctx context.Context, in *dynamodb.QueryInput, opts ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	if err := d.check(*in.TableName); err != nil {
		return nil, err
	}
	return d.Database.Query(ctx, in, opts...)
}

func (d database) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	for table := range in.RequestItems {
		if err := d.check(table); err != nil {
			return nil, err
		}
	}
	return d.Database.BatchGetItem(ctx, in, opts...)
}

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
