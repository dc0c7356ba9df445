package service_test

import (
	"context"
	"encoding/base64"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"touchline/shared/endpoints/groups"
	"touchline/shared/engine/enginetest"
	"touchline/shared/keys"
	"touchline/shared/limits/dynamo"
	"touchline/shared/loader"
	"touchline/shared/route"
	"touchline/shared/service"
	"touchline/shared/signing"
	"touchline/shared/sport"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// followed is a database, and what a log is written to, that notes the files of this
// module through which it is called.
type followed struct {
	*dynamodb.Client
	mu    sync.Mutex
	files map[string]bool
}

func (f *followed) note() {
	callers := make([]uintptr, 100)
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers)])
	f.mu.Lock()
	defer f.mu.Unlock()
	for more := true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		if i := strings.LastIndex(frame.File, "/shared/"); i >= 0 && strings.HasPrefix(frame.Function, "touchline/") && !strings.HasSuffix(frame.File, "_test.go") {
			f.files[frame.File[i+1:]] = true
		}
	}
}

func (f *followed) GetItem(ctx context.Context, in *dynamodb.GetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	f.note()
	return f.Client.GetItem(ctx, in, o...)
}

func (f *followed) PutItem(ctx context.Context, in *dynamodb.PutItemInput, o ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	f.note()
	return f.Client.PutItem(ctx, in, o...)
}

func (f *followed) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	f.note()
	return f.Client.UpdateItem(ctx, in, o...)
}

func (f *followed) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	f.note()
	return f.Client.BatchGetItem(ctx, in, o...)
}

func (f *followed) Write(line []byte) (int, error) {
	f.note()
	return len(line), nil
}

// TestTheFilesOfARequestAreOnThePage follows GET standings from the event to every
// call of the database, of the clock and of the log: CONTRIBUTING names each file on
// the way.
func TestTheFilesOfARequestAreOnThePage(t *testing.T) {
	client, err := store.NewClient(t.Context(), store.Settings{Endpoint: enginetest.Start(t)})
	must(t, err)
	tables := stack.Tables{Sports: "sports", Nonces: "nonces", Quotas: "quotas", Keys: "keys"}
	for _, table := range []*dynamodb.CreateTableInput{
		records.SportsTable(tables.Sports), dynamo.NoncesTable(tables.Nonces), dynamo.QuotasTable(tables.Quotas), keys.KeysTable(tables.Keys),
	} {
		_, err := client.CreateTable(t.Context(), table)
		must(t, err)
	}
	now := time.Date(2026, time.March, 14, 15, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	master, err := keys.ParseMasterKey(base64.StdEncoding.EncodeToString([]byte("32 bytes for an engine in memory")))
	must(t, err)
	sealer, err := keys.NewLocalSealer(master)
	must(t, err)
	organization := sport.IDFor(sport.KindOrganization, "fed")
	_, err = (&loader.Loader{
		Table: &store.Table{DB: client, Name: tables.Sports},
		Lease: &store.Lease{DB: client, Table: tables.Sports, Key: records.LockKey(), Holder: "a test", Label: "a test", Now: clock},
	}).Load(t.Context(), fstest.MapFS{
		"organizations.ndjson": {Data: []byte(`{"id": "fed", "type": "federation", "name": "Federation"}`)},
		"competitions.ndjson":  {Data: []byte(`{"id": "league", "organizationId": "fed", "name": "League", "type": "league", "season": 2025}`)},
	}, loader.Options{})
	must(t, err)
	registry := keys.Registry{Store: &keys.DynamoDB{Client: client, Table: tables.Keys}, Sealer: sealer, Now: clock}
	key, err := registry.Create(t.Context(), keys.Request{Organization: organization, Scopes: []string{string(keys.StandingsRead)}})
	must(t, err)

	database := &followed{Client: client, files: map[string]bool{}}
	handler := (&service.Service{
		Database: database, Tables: tables, Opener: sealer, Stage: "dev", Began: now, Log: slog.New(slog.NewJSONHandler(database, nil)),
		Now: func() time.Time {
			database.note()
			return now
		},
	}).Handler(groups.Of(route.GroupTournaments))
	message := signing.Message{Method: "GET", Path: "/v1/tournaments/" + string(sport.IDFor(sport.KindCompetition, "league")) + "/standings", Timestamp: strconv.FormatInt(now.Unix(), 10), Nonce: "a-nonce-of-a-test"}
	canonical, err := message.Canonical()
	must(t, err)
	event := events.APIGatewayV2HTTPRequest{RawPath: message.Path, Headers: map[string]string{
		"x-service-key": key.Key.ID, "x-service-timestamp": message.Timestamp, "x-service-nonce": message.Nonce,
		"x-service-signature": signing.Sign(key.Secret.Reveal(), canonical),
	}}
	event.RequestContext.HTTP.Method, event.RequestContext.HTTP.SourceIP = "GET", "192.0.2.7"
	answer, err := handler.Handle(t.Context(), event)
	if err != nil || answer.StatusCode != 200 {
		t.Fatalf("%+v, %v", answer, err)
	}
	page, err := os.ReadFile("../../.github/CONTRIBUTING.md")
	must(t, err)
	_, after, _ := strings.Cut(string(page), "## Follow a request\n")
	way, _, _ := strings.Cut(after, "\n## ")
	var missing []string
	for file := range database.files {
		if !strings.Contains(way, "`"+file+"`") {
			missing = append(missing, file)
		}
	}
	slices.Sort(missing)
	if len(missing) > 0 || len(database.files) < 10 {
		t.Errorf("of %d files on the way CONTRIBUTING leaves out\n%s", len(database.files), strings.Join(missing, "\n"))
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
