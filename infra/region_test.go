package main

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"touchline/shared/keys"
)

// TestTheKeysComeBackIntoTheTableThatIsRead holds the command for a lost region to the
// table of the code.
func TestTheKeysComeBackIntoTheTableThatIsRead(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?s)--table-creation-parameters '(.*?)'`).FindSubmatch(readme)
	if found == nil {
		t.Fatal("there is no command")
	}
	var given struct {
		BillingMode          types.BillingMode
		AttributeDefinitions []types.AttributeDefinition
		KeySchema            []types.KeySchemaElement
	}
	if err := json.Unmarshal(found[1], &given); err != nil {
		t.Fatal(err)
	}
	want := keys.KeysTable("")
	ignored := cmpopts.IgnoreUnexported(types.AttributeDefinition{}, types.KeySchemaElement{})
	if diff := cmp.Diff(want.KeySchema, given.KeySchema, ignored); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want.AttributeDefinitions, given.AttributeDefinitions, ignored); diff != "" || given.BillingMode != want.BillingMode {
		t.Errorf("%s %s", given.BillingMode, diff)
	}
}
