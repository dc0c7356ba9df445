package backup

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/engine/enginetest"
	"touchline/shared/keys"
	"touchline/shared/store/dynamo"
)

// What has to be done is said so that it can be pasted.
func TestTheStageIsSaidToUseTheRestoredTables(t *testing.T) {
	d := &database.Deployment{Name: "touchline-prod", Config: aws.Config{Region: "eu-central-1"}}
	term := terminal.NewScreen(nil)
	r := RestoreCommand{}
	r.Profile = "federation"
	r.sayWhatFollows(&term.Terminal, d, []string{"sportsTable", "keysTable"}, []string{"s-at", "k-at"})
	for _, want := range []string{
		"under stages.prod,\n\n  \"sportsTable\": \"s-at\"\n  \"keysTable\": \"k-at\"\n",
		"\n  make deploy STAGE=prod ARGS='--region=eu-central-1 --rollback-trigger-alarm-arns none --profile=federation'\n",
	} {
		if said := term.Output.String(); !strings.Contains(said, want) {
			t.Errorf("it does not say %q: %s", want, said)
		}
	}
}

// Keys that were ended after the second that is restored are named, and no others.
func TestKeysThatWorkAgainAreNamed(t *testing.T) {
	term := terminal.NewScreen(nil)
	client, err := dynamo.NewClient(t.Context(), dynamo.Settings{Endpoint: enginetest.Start(t)})
	if err != nil {
		t.Fatal(err)
	}
	seal, err := keys.NewLocalSealer(strings.Repeat("A", 43) + "=")
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
	flags := database.Flags{}
	flags.Stack, flags.Region = "prod", "eu-west-1"
	if err := sayRevived(t.Context(), &term.Terminal, client, "now", "then", flags); err != nil {
		t.Fatal(err)
	}
	if said := term.Output.String(); strings.Count(said, "\n") != 1 || !strings.Contains(said, "touchline keys revoke "+ids[1]+" --stack prod --region eu-west-1") {
		t.Errorf("it said %s", said)
	}
}
