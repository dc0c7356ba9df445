package functions

import (
	"encoding/base64"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"touchline/shared/demo"
	"touchline/shared/endpoints/groups"
	"touchline/shared/engine/enginetest"
	"touchline/shared/gateway"
	"touchline/shared/keys"
	counters "touchline/shared/limits/dynamo"
	"touchline/shared/loader"
	"touchline/shared/service"
	"touchline/shared/signing"
	"touchline/shared/sport"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/dynamo"
	"touchline/shared/store/records"
)

const (
	photo = "https://img.example/nobody.png"
	// caller is where the events come from.
	caller = "192.0.2.7"
)

// world is a deployment: tables with the demo federation, and its key.
type world struct {
	bootstraps
	environment []string
	service     service.Service
	client      *dynamodb.Client
	whole       *gateway.Handler // a worker of all groups
	key         keys.Issued
	nonces      int
}

func newWorld(t testing.TB) *world {
	t.Helper()
	endpoint := enginetest.Start(t)
	client, err := dynamo.NewClient(t.Context(), dynamo.Settings{Endpoint: endpoint})
	if err == nil {
		_, err = client.CreateTable(t.Context(), dynamo.Table("sports"))
	}
	if err != nil {
		t.Fatal(err)
	}
	load(t, client, "sports", demoDataset(t))
	w := worldOn(t, client, endpoint, "sports", "")
	w.key = w.issue(t)
	return w
}

// worldOn is a deployment on data that are loaded, whose other tables have names that end
// with run.
func worldOn(t testing.TB, client *dynamodb.Client, endpoint, sports, run string) *world {
	t.Helper()
	master := base64.StdEncoding.EncodeToString([]byte("32 bytes that no service is with"))
	w := &world{client: client, bootstraps: build(t), environment: []string{
		"AWS_REGION=eu-central-1", "AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test", // as Lambda sets them
		stack.VariableSportsTable + "=" + sports, stack.VariableNoncesTable + "=nonces" + run,
		stack.VariableQuotasTable + "=quotas" + run, stack.VariableKeysTable + "=keys" + run,
		stack.VariableDefaultPhoto + "=" + photo, stack.VariableMasterKey + "=" + master,
		stack.VariableDynamoDBEndpoint + "=" + endpoint, stack.VariableStage + "=test",
		"AWS_LAMBDA_FUNCTION_NAME=touchline-test", // as Lambda sets it
	}}
	for _, table := range []*dynamodb.CreateTableInput{counters.Table("nonces" + run), counters.Table("quotas" + run), keys.KeysTable("keys" + run)} {
		if _, err := client.CreateTable(t.Context(), table); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	if w.service, err = service.FromEnvironment(t.Context(), lookup(w.environment)); err != nil {
		t.Fatal(err)
	}
	w.service.Log = nil
	w.whole = gateway.New(w.service.Handler(groups.Operations))
	return w
}

// demoDataset is the demo federation.
func demoDataset(t testing.TB) fs.FS {
	t.Helper()
	dir := t.TempDir()
	if err := demo.Write(dir, time.Date(2026, time.March, 14, 15, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	return os.DirFS(dir)
}

// load brings a dataset into a table.
func load(t testing.TB, client *dynamodb.Client, table string, dataset fs.FS) {
	t.Helper()
	db := dynamo.DB{Client: client}
	l := loader.Loader{
		Table: &store.Table{DB: db, Name: table},
		Lease: &store.Lease{DB: db, Table: table, Key: records.LockKey(), Holder: "test", Label: "a test", Now: time.Now},
	}
	if _, err := l.Load(t.Context(), dataset, loader.Options{}); err != nil {
		t.Fatal(err)
	}
}

// issue makes a key of the federation's with all scopes, and what change says.
func (w *world) issue(t testing.TB, change ...func(*keys.Request)) keys.Issued {
	t.Helper()
	sealer, ok := w.service.Opener.(keys.Sealer)
	if !ok {
		t.Fatalf("the opener is a %T", w.service.Opener)
	}
	request := keys.Request{Organization: sport.IDFor(sport.KindOrganization, "est"), Descendants: true}
	for _, s := range keys.AllScopes() {
		request.Scopes = append(request.Scopes, string(s))
	}
	for _, c := range change {
		c(&request)
	}
	registry := keys.Registry{Store: &keys.DynamoDB{Client: w.client, Table: lookup(w.environment)(stack.VariableKeysTable)}, Sealer: sealer, Now: time.Now}
	issued, err := registry.Create(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	return issued
}

// lookup reads an environment as os.Getenv does.
func lookup(environment []string) func(string) string {
	return func(name string) string {
		for _, entry := range environment {
			if value, ok := strings.CutPrefix(entry, name+"="); ok {
				return value
			}
		}
		return ""
	}
}

// sign gives an event a new signature.
func (w *world) sign(t testing.TB, e events.APIGatewayV2HTTPRequest) events.APIGatewayV2HTTPRequest {
	t.Helper()
	w.nonces++
	m := signing.Message{
		Method: e.RequestContext.HTTP.Method, Path: e.RawPath, Query: e.RawQueryString,
		Timestamp: strconv.FormatInt(time.Now().Unix(), 10), Nonce: fmt.Sprint("nonce-", w.nonces),
	}
	canonical, err := m.Canonical()
	if err != nil {
		t.Fatal(err)
	}
	e.Headers = maps.Clone(e.Headers)
	maps.Copy(e.Headers, map[string]string{
		"x-service-key": w.key.Key.ID, "x-service-timestamp": m.Timestamp, "x-service-nonce": m.Nonce,
		"x-service-signature": signing.Sign(w.key.Secret.Reveal(), canonical),
	})
	return e
}
