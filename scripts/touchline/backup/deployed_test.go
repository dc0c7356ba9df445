package backup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/engine/enginetest"
	"touchline/shared/keys"
	"touchline/shared/store/dynamo"
)

// checkout is a folder with settings, whose deployment fails as long as there is a
// file "broken", and else writes down what it was called with.
func checkout(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"cdk.json": `{"app": "x", "context": {"stages": {"dev": {}, "prod": {"memory": 512, "keysTable": "older"}}}}`,
		"Makefile": "deploy:\n\t@test ! -e broken\n\t@echo '$(STAGE) $(ARGS)' >deployed\n",
		"broken":   "",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The settings are written first: where the deployment fails, the next run repeats it.
func TestTheStageUsesTheRestoredTables(t *testing.T) {
	dir := checkout(t)
	before := read(t, dir, "cdk.json")
	d := &database.Deployment{Name: "touchline-prod", Config: aws.Config{Region: "eu-central-1"}}
	run := func(r RestoreCommand) (string, error) {
		term := terminal.NewScreen(nil)
		r.Checkout, r.Profile = dir, "federation"
		err := r.switchTo(t.Context(), &term.Terminal, d, "prod", []string{"sportsTable", "keysTable"}, []string{"s-at", "k-at"})
		return term.Output.String(), err
	}
	said, err := run(RestoreCommand{DryRun: true})
	if err != nil || read(t, dir, "cdk.json") != before || !strings.Contains(said, `set "keysTable" to "k-at" in cdk.json, under stages.prod`) {
		t.Errorf("a dry run: %v, %s", err, said)
	}
	if _, err := run(RestoreCommand{}); err == nil || !strings.Contains(err.Error(), "Run it again to go on") {
		t.Errorf("a deployment that fails: %v", err)
	}
	want := `{
  "app": "x",
  "context": {
    "stages": {
      "dev": {},
      "prod": {
        "memory": 512,
        "keysTable": "k-at",
        "sportsTable": "s-at"
      }
    }
  }
}
`
	if diff := cmp.Diff(want, read(t, dir, "cdk.json")); diff != "" {
		t.Error(diff)
	}
	if said, err := run(RestoreCommand{NoDeploy: true}); err != nil || !strings.Contains(said, "make -C "+dir+" deploy STAGE=prod 'ARGS=--region=eu-central-1 --rollback-trigger-alarm-arns none --profile=federation'") {
		t.Errorf("%v, %s", err, said)
	}
	if err := os.Remove(filepath.Join(dir, "broken")); err != nil {
		t.Fatal(err)
	}
	if _, err := run(RestoreCommand{}); err != nil {
		t.Fatal(err)
	}
	if got := read(t, dir, "deployed"); got != "prod --region=eu-central-1 --rollback-trigger-alarm-arns none --profile=federation\n" || read(t, dir, "cdk.json") != want {
		t.Errorf("deployed with %q", got)
	}
}

func TestTheCheckoutIsLookedAtFirst(t *testing.T) {
	dir := checkout(t)
	if _, err := readCDK(dir, "staging"); err == nil || !strings.Contains(err.Error(), "has no stage staging") {
		t.Errorf("another stage: %v", err)
	}
	if _, err := readCDK(t.TempDir(), "prod"); err == nil || !strings.Contains(err.Error(), "--checkout") {
		t.Errorf("another folder: %v", err)
	}
}

// Keys that were ended after the second that is restored are named, and no others.
func TestKeysThatWorkAgainAreNamed(t *testing.T) {
	term := terminal.NewScreen(nil)
	client, err := dynamo.NewClient(t.Context(), dynamo.Settings{Endpoint: enginetest.Start(t)})
	if err != nil {
		t.Fatal(err)
	}
	master, err := keys.ParseMasterKey(strings.Repeat("A", 43) + "=")
	if err != nil {
		t.Fatal(err)
	}
	seal, err := keys.NewLocalSealer(master)
	if err != nil {
		t.Fatal(err)
	}
	registry := func(table string) *keys.Registry {
		if _, err := client.CreateTable(t.Context(), keys.KeysTable(table)); err != nil {
			t.Fatal(err)
		}
		return &keys.Registry{Store: &keys.DynamoDB{Client: client, Table: table}, Sealer: seal, Now: term.Now}
	}
	then, now := registry("then"), registry("now")
	var ids []string
	for range 3 {
		k, err := then.Create(t.Context(), keys.Request{Organization: "0123456789abcdef01234567"})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, k.Key.ID)
	}
	revoke := func(r *keys.Registry, id string) {
		t.Helper()
		if _, err := r.Revoke(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	revoke(then, ids[0])
	out, err := client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("then")})
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range out.Items {
		if _, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("now"), Item: item}); err != nil {
			t.Fatal(err)
		}
	}
	revoke(now, ids[1])
	if err := revived(t.Context(), &term.Terminal, client, "now", "then", "prod"); err != nil {
		t.Fatal(err)
	}
	if said := term.Output.String(); strings.Count(said, "\n") != 1 || !strings.Contains(said, "touchline keys revoke --stack prod "+ids[1]) {
		t.Errorf("it said %s", said)
	}
}
