package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/kms"

	"touchline/scripts/touchline/protocol"
	"touchline/shared/engine/enginetest"
	"touchline/shared/keys"
	counters "touchline/shared/limits/dynamo"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/dynamo"
)

// backedUp is DynamoDB: an engine, and in front of it what AWS has besides. A table that is
// deleted leaves a backup, and comes back from that alone.
type backedUp struct {
	t      *testing.T
	engine *dynamodb.Client
	kept   map[string][]store.Item
	proxy  http.Handler
}

// newBackedUp has the SDK of this process use one.
func newBackedUp(t *testing.T) *backedUp {
	t.Helper()
	endpoint := enginetest.Start(t)
	address, err := url.Parse(endpoint)
	must(t, err)
	b := &backedUp{t: t, engine: dynamoDB(t, endpoint).Client, kept: map[string][]store.Item{}, proxy: httputil.NewSingleHostReverseProxy(address)}
	server := httptest.NewServer(b)
	t.Cleanup(server.Close)
	t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", server.URL)
	return b
}

// remove deletes a table.
func (b *backedUp) remove(name string) {
	b.t.Helper()
	if !strings.HasSuffix(name, "nonces") {
		b.kept[name] = b.items(name)
	}
	_, err := b.engine.DeleteTable(b.t.Context(), &dynamodb.DeleteTableInput{TableName: &name})
	must(b.t, err)
}

func (b *backedUp) items(name string) []store.Item {
	out, err := b.engine.Scan(b.t.Context(), &dynamodb.ScanInput{TableName: &name})
	must(b.t, err)
	return append([]store.Item{}, out.Items...)
}

// restore makes a table like another, with items.
func (b *backedUp) restore(from, name string, items []store.Item) {
	of := map[string]*dynamodb.CreateTableInput{"touchline-sports": dynamo.Table(""), "touchline-keys": keys.KeysTable(""), "touchline-quotas": counters.Table("")}[from]
	of.TableName = &name
	_, err := b.engine.CreateTable(b.t.Context(), of)
	must(b.t, err)
	for _, item := range items {
		_, err := b.engine.PutItem(b.t.Context(), &dynamodb.PutItemInput{TableName: &name, Item: item})
		must(b.t, err)
	}
}

func (b *backedUp) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	body, _ := io.ReadAll(r.Body)
	var in struct{ TableName, TargetTableName, BackupArn, SourceTableArn string }
	_ = json.Unmarshal(body, &in)
	out := map[string]any{}
	switch operation {
	case "ListBackups":
		if b.kept[in.TableName] != nil {
			out["BackupSummaries"] = []map[string]any{{"BackupArn": "arn:" + in.TableName, "BackupStatus": types.BackupStatusAvailable, "BackupCreationDateTime": time.Now().Unix()}}
		}
	case "RestoreTableFromBackup":
		name := strings.TrimPrefix(in.BackupArn, "arn:")
		b.restore(name, in.TargetTableName, b.kept[name])
	case "RestoreTableToPointInTime":
		name := in.SourceTableArn[strings.LastIndexByte(in.SourceTableArn, '/')+1:]
		if b.kept[name] == nil { // as it was at that second
			b.kept[name] = b.items(name)
		}
		b.restore(name, in.TargetTableName, b.kept[name])
	case "DescribeContinuousBackups":
		out["ContinuousBackupsDescription"] = map[string]any{"ContinuousBackupsStatus": "ENABLED", "PointInTimeRecoveryDescription": map[string]any{
			"PointInTimeRecoveryStatus": "ENABLED", "EarliestRestorableDateTime": 1, "LatestRestorableDateTime": time.Now().Unix(),
		}}
	case "DescribeTimeToLive":
		out["TimeToLiveDescription"] = map[string]string{"TimeToLiveStatus": "ENABLED"}
	case "UpdateContinuousBackups", "TagResource", "UpdateTable":
	default:
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		b.proxy.ServeHTTP(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	_ = json.NewEncoder(w).Encode(out)
}

// entries are the runbook's chapters, and what comes before them, by name.
func entries(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, chapter := range strings.Split(string(bytesOf(t, filepath.Join("..", "..", "infra", "runbook.md"))), "\n## ") {
		name, body, _ := strings.Cut(chapter, "\n")
		all[name] = body
	}
	return all
}

func TestTheCommandsOfTheRunbookAreThere(t *testing.T) {
	all := ""
	for _, body := range entries(t) {
		all += body
	}
	areAWSs(t, all, map[string]any{
		"dynamodb update-table":   dynamodb.UpdateTableInput{},
		"kms cancel-key-deletion": kms.CancelKeyDeletionInput{}, "kms enable-key": kms.EnableKeyInput{},
	})
}

// TestEachEntryOfTheRunbookIsRun runs each command of touchline. Of an entry about a lost table
// that is deleted first, which doctor says with the command that mends it; at the end of each
// all works. What make does there is tested where it is made (scripts/deploy).
func TestEachEntryOfTheRunbookIsRun(t *testing.T) {
	lost := map[string]string{"data": "touchline-sports", "key-store": "touchline-keys", "nonce-store": "touchline-nonces", "quota-store": "touchline-quotas"}
	for name, body := range entries(t) {
		if !strings.Contains(body, "`touchline ") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			a := newCloud(t)
			a.stack = "touchline-prod"
			b := newBackedUp(t)
			found := dynamoDB(t, os.Getenv("AWS_ENDPOINT_URL_DYNAMODB"))
			logs := httptest.NewServer(http.HandlerFunc((&cloudLogs{cloud: a, statuses: []string{"Complete"}, lines: []string{refused}, looked: func() {}}).serve))
			t.Cleanup(logs.Close)
			t.Setenv("AWS_ENDPOINT_URL_CLOUDWATCH_LOGS", logs.URL)
			a.outputs[stack.OutputBaseURL] = serveKeys(t, a, found.Client, "touchline-keys")
			dir := filepath.Join(t.TempDir(), "set")
			writeFile(t, filepath.Join(dir, "organizations.ndjson"), `{"id":"est","type":"federation","name":"Small"}`+"\n")
			term := newTerminal(map[string]string{})
			term.Now = time.Now
			term.succeed(t, "import", "--stack", "prod", dir)
			key := create(t, term, "--stack", "prod", "--all-scopes", "--descendants")
			other := create(t, term, "--stack", "prod", "--all-scopes")
			term.Env[protocol.SecretVariable] = key.Secret
			t.Setenv("TOUCHLINE_KEY_ID", key.ID)

			if table := lost[name]; table != "" {
				b.remove(table)
				term.run("doctor", "--stack", "prod", "--json")
				if said := examined(t, term.Output.String())["tables"]; said.State == fine || !strings.Contains(said.Message, "`touchline restore --stack prod` brings it back") {
					t.Errorf("of a lost table doctor says %+v", said)
				}
			}
			for _, call := range commandsOf(t, body) {
				if call[0] != "touchline" {
					continue
				}
				words := call[1:]
				for i, word := range words {
					words[i] = strings.NewReplacer("REQUEST_ID", someRequest, "KEY", other.ID, "DIR", dir).Replace(word)
				}
				if words[0] != "doctor" {
					term.succeed(t, words...)
				} else if term.run(words...) == exitUsage { // it may find what is wrong
					t.Errorf("%q: %s", words, term.Errors.String())
				}
			}
			term.run("doctor", "--stack", "prod", "--json")
			for check, said := range examined(t, term.Output.String()) {
				if (check == "tables" || check == "data" || check == "keys" || check == "service") && said.State != fine && said.State != "unknown" {
					t.Errorf("at the end: %s: %+v", check, said)
				}
			}
			if out := term.succeed(t, "get", "--stack", "prod", "/v1/ping"); !strings.Contains(out, `"apiVersion"`) {
				t.Errorf("at the end: %s", out)
			}
		})
	}
}

// A table that was restored to a second has who was erased and hidden since as they are now.
func TestARestoredTableKeepsWhatWasDecidedSince(t *testing.T) {
	a, b := newCloud(t), newBackedUp(t)
	set, term := small(t), newTerminal(nil)
	players := filepath.Join(set, "players.ndjson")
	writeFile(t, filepath.Join(set, "teams.ndjson"), `{"id":"t","name":"FC","shortName":"FC","organizationId":"club"}`)
	writeFile(t, players, `{"id":"ann","name":"Ann","teamId":"t"}`+"\n"+`{"id":"bob","name":"Bob","teamId":"t"}`+"\n"+`{"id":"eve","name":"Eve","teamId":"t"}`)
	term.succeed(t, "import", "--stack", "dev", set)
	b.kept["touchline-sports"] = b.items("touchline-sports")
	writeFile(t, players, `{"id":"ann","erase":true}`+"\n"+`{"id":"bob","patch":true,"visibility":"hidden"}`+"\n"+`{"id":"eve","deleted":true}`)
	term.succeed(t, "import", "--stack", "dev", "--yes", "--allow-deletes=9", set)
	second := time.Now().UTC()
	said := term.succeed(t, "restore", "--stack", "dev", "--sports", "--to", second.Format(time.RFC3339)) + term.Errors.String()
	name := "touchline-sports-at-" + second.Format("20060102T150405Z")
	for _, want := range []string{"erased since, and not brought back: 1 record", "hidden since, and hidden again: players: 1 (bob)", "loads since, which are lost: 1", "players: 1 (eve) deleted since, which come back", `"sportsTable": "` + name + `"`} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not say %q: %s", want, said)
		}
	}
	a.outputs[stack.OutputSportsTable] = name // by the setting, and make deploy
	out := filepath.Join(t.TempDir(), "out")
	term.succeed(t, "export", "--stack", "dev", out)
	if got := string(bytesOf(t, filepath.Join(out, "players.ndjson"))); strings.Contains(got, "ann") || !strings.Contains(got, `"hidden"`) || !strings.Contains(got, "eve") {
		t.Errorf("restored are %s", got)
	}
}

// A table that is no stack's is loaded as the manual says, and no other is made beside it.
func TestATableWithoutAStackIsLoaded(t *testing.T) {
	_, page, _ := strings.Cut(string(bytesOf(t, filepath.Join("..", "..", "infra", "README.md"))), "\n## A table without a stack\n")
	line := regexp.MustCompile(`TABLE=(\S+)\n    touchline (\S+) (\S+) https:/(/\S+\.amazonaws\.com) DIR\n`).FindStringSubmatch(page)
	newCloud(t)
	endpoint := enginetest.Start(t)
	client := dynamoDB(t, endpoint).Client
	engine, err := url.Parse(endpoint)
	must(t, err)
	server := httptest.NewServer(http.StripPrefix(line[4], httputil.NewSingleHostReverseProxy(engine)))
	t.Cleanup(server.Close)
	term := newTerminal(map[string]string{stack.VariableSportsTable: line[1]})
	words := []string{line[2], line[3], server.URL + line[4], small(t)}
	term.fails(t, exitFailed, "there is no table "+line[1], words...)
	_, err = client.CreateTable(t.Context(), dynamo.Table(line[1]))
	must(t, err)
	before, err := client.ListTables(t.Context(), nil)
	must(t, err)
	term.succeed(t, words...)
	if after, err := client.ListTables(t.Context(), nil); err != nil || len(after.TableNames) != len(before.TableNames) {
		t.Errorf("%v: %v", after, err)
	}
}
