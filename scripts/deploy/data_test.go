package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/engine/enginetest"
	"touchline/shared/keys"
	"touchline/shared/store"
	"touchline/shared/store/dynamo"
	"touchline/shared/store/generation"
	"touchline/shared/store/records"
	"touchline/shared/store/space"
)

// Nothing is deployed in front of a table that cannot be looked at, or whose data this
// version does not read; what it says helps.
func TestTheDataIsLookedAtBeforeADeployment(t *testing.T) {
	number := func(n int) types.AttributeValue { return &types.AttributeValueMemberN{Value: strconv.Itoa(n)} }
	of := func(open int, others ...int) func(*testing.T, *store.Table) {
		layouts := store.Item{}
		for _, layout := range append(others, open) {
			layouts[strconv.Itoa(layout)] = &types.AttributeValueMemberM{Value: store.Item{"n": number(1), "f": &types.AttributeValueMemberS{Value: space.Form}}}
		}
		version := store.Item{"o": number(open), "s": &types.AttributeValueMemberM{Value: layouts}}
		return func(t *testing.T, table *store.Table) { write(t, table, version) }
	}
	loaded := func(t *testing.T, table *store.Table) {
		must(t, generation.End(t.Context(), table, 1, time.Now()))
	}
	tests := map[string]struct {
		prepare func(*testing.T, *store.Table)
		says    string
		refused bool
	}{
		"empty":               {nil, "table sports is empty: load a dataset after this.", false},
		"loaded":              {loaded, fmt.Sprintf("table sports has data of layout %d, version 1: nothing has to be loaded.", generation.Layout), false},
		"of a later one":      {of(12), "table sports has data of layout 12", true},
		"of an earlier one":   {of(-1), "touchline upgrade --stack touchline-prod, with this version, and deploy again", true},
		"back at an earlier":  {of(-1, generation.Layout), "touchline upgrade --stack touchline-prod, with this version, and deploy again", true},
		"upgraded to a later": {of(12, generation.Layout), "upgrade --stack touchline-prod --back` of that version", true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, anywhere)
			w.status, w.outputs = "UPDATE_COMPLETE", map[string]string{"Own": "sports,keys,key"}
			if table := w.table(t); tt.prepare != nil {
				tt.prepare(t, table)
			}
			calls, out, err := w.run("deploy")
			if err != nil {
				out += err.Error()
			}
			if !strings.Contains(out, tt.says) || (err != nil) != tt.refused || (len(calls) == 0) != tt.refused {
				t.Errorf("%q, %v: %s", calls, err, out)
			}
		})
	}
}

// What is looked at are the tables that the new release will read.
func TestTheTablesOfTheNewReleaseAreLookedAt(t *testing.T) {
	for name, tt := range map[string]struct {
		named, own string
		first      bool
		refused    string // what it says; empty: it is deployed
	}{
		"the stack's own":                     {"{}", "sports,keys,key", false, ""},
		"the stack's own, lost":               {"{}", "lost,keys,key", false, "no table lost, which would be read (SportsTable). One that was deleted: `touchline restore --stack touchline-prod`"},
		"what a stack of before uses, lost":   {"{}", "", false, "no table unsaid, which would be read (SportsTable)"},
		"the stack's own, of keys, lost":      {"{}", "sports,lost,key", false, "no table lost, which would be read (KeysTable)"},
		"named, in place of one that is lost": {`{"TOUCHLINE_SPORTS_TABLE": "sports", "TOUCHLINE_KEYS_TABLE": "keys"}`, "lost,lost,key", false, ""},
		"named, and not there":                {`{"TOUCHLINE_SPORTS_TABLE": "typo"}`, "sports,keys,key", false, "no table typo"},
		"a KMS key, not there":                {`{"TOUCHLINE_KMS_KEY": "typo"}`, "sports,keys,key", false, "KMS key typo, which secretsKey names, opens no secret (infra/runbook.md, key-store): operation error KMS: DescribeKey"},
		"a KMS key, to be deleted":            {`{"TOUCHLINE_KMS_KEY": "PendingDeletion"}`, "sports,keys,key", false, "KMS key PendingDeletion, which secretsKey names, opens no secret (infra/runbook.md, key-store): it is PendingDeletion"},
		"a KMS key, not to be looked at":      {`{"TOUCHLINE_KMS_KEY": "AccessDeniedException"}`, "sports,keys,key", false, ""},
		"a KMS key":                           {`{"TOUCHLINE_KMS_KEY": "Enabled"}`, "sports,keys,key", false, ""},
		"named by a new stage":                {`{"TOUCHLINE_SPORTS_TABLE": "sports"}`, "", true, ""},
		"named by a new stage, and not there": {`{"TOUCHLINE_SPORTS_TABLE": "typo"}`, "", true, "no table typo"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, anywhere)
			w.table(t)
			keysOf(t)
			if !tt.first {
				w.status, w.outputs = "UPDATE_COMPLETE", map[string]string{"Own": tt.own, "SportsTable": "unsaid"}
			}
			w.template(t, `{"release": "", "named": `+tt.named+`}`)
			if tt.refused != "" {
				w.refuses(t, tt.refused, "deploy")
			} else if calls, out, err := w.run("deploy"); err != nil || len(calls) == 0 {
				t.Errorf("%q, %v: %s", calls, err, out)
			}
		})
	}
}

// keysOf is a KMS with keys that are named for their states, or for what is refused of them.
func keysOf(t *testing.T) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			KeyID string `json:"KeyId"`
		}
		_ = json.NewDecoder(r.Body).Decode(&in)
		w.Header().Set("Content-Type", "application/x-amz-json-1.1")
		switch in.KeyID {
		case "Enabled", "PendingDeletion":
			_, _ = fmt.Fprintf(w, `{"KeyMetadata": {"KeyId": "k", "KeyState": %q, "Enabled": %t}}`, in.KeyID, in.KeyID == "Enabled")
		default:
			w.WriteHeader(http.StatusBadRequest)
			_, _ = fmt.Fprintf(w, `{"__type": %q}`, strings.Replace(in.KeyID, "typo", "NotFoundException", 1))
		}
	}))
	t.Cleanup(server.Close)
	t.Setenv("AWS_ENDPOINT_URL_KMS", server.URL)
}

// Roles keep their rights to what the live release reads, until another one is deployed.
func TestWhatIsReadBeforeAndAfterIsGranted(t *testing.T) {
	w := newWorld(t, anywhere)
	w.table(t)
	w.aliases = aliases{
		releases: map[string][]string{"touchline-prod-ping": {"a"}}, served: map[string]int{"touchline-prod-ping": 1},
		reads: map[string][]string{"a": {"", "lost", "keys", "key"}},
	}
	w.status, w.outputs = "UPDATE_COMPLETE", map[string]string{"Own": "lost,keys,key", "SportsTable": "lost", "Release": "a"}
	w.template(t, `{"release": "b", "named": {"TOUCHLINE_SPORTS_TABLE": "sports"}}`)
	calls, out, err := w.run("deploy")
	const granted = "--parameters touchline-prod:FormerSportsTable=lost --parameters touchline-prod:FormerKeysTable= --parameters touchline-prod:FormerKMSKey="
	if err != nil || !strings.Contains(calls[0], granted) || !strings.Contains(out, "SportsTable: lost until now, sports with this release") {
		t.Errorf("%q, %v: %s", calls, err, out)
	}
	w.outputs["Release"] = "b"
	if calls, _, err = w.run("deploy"); err != nil || strings.Contains(calls[1], "Former") {
		t.Errorf("the same release again: %q, %v", calls, err)
	}
	w.outputs["Release"], w.releases = "a", nil
	if _, _, err = w.run("deploy"); err == nil || !strings.Contains(err.Error(), "lambda:GetFunctionConfiguration") {
		t.Error(err)
	}
}

// template writes the metadata of what is to be deployed.
func (w world) template(t *testing.T, metadata string) {
	t.Helper()
	w.write(t, "out/touchline-prod.template.json", `{"Metadata": {"Touchline": `+metadata+`}}`)
}

func write(t *testing.T, table *store.Table, version store.Item) {
	t.Helper()
	must(t, table.Write(t.Context(), []store.Write{{Key: records.VersionKey(), Item: version}}))
}

// table is the stage's table of data, on an engine that a deployment may call as the
// role of the workflow deploy may.
func (w world) table(t *testing.T) *store.Table {
	t.Helper()
	endpoint := enginetest.Start(t)
	engine, err := url.Parse(endpoint)
	must(t, err)
	role, err := os.ReadFile("../github-roles.yml")
	must(t, err)
	proxy := httputil.NewSingleHostReverseProxy(engine)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
		if !strings.Contains(string(role), "dynamodb:"+operation) {
			t.Errorf("github-roles.yml lacks dynamodb:%s", operation)
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", server.URL)
	db, err := dynamo.NewClient(t.Context(), dynamo.Settings{Endpoint: endpoint})
	must(t, err)
	for _, table := range []*dynamodb.CreateTableInput{dynamo.Table("sports"), dynamo.Table("former"), keys.KeysTable("keys")} {
		_, err := db.CreateTable(t.Context(), table)
		must(t, err)
	}
	return &store.Table{DB: dynamo.DB{Client: db}, Name: "sports"}
}
