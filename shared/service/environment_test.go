package service_test

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/keys"
	counters "touchline/shared/limits/dynamo"
	"touchline/shared/service"
	"touchline/shared/stack"
	"touchline/shared/store/direct"
	"touchline/shared/store/dynamo"
)

const (
	masterKey = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
	kmsKey    = "arn:aws:kms:eu-central-1:123456789012:key/9d5f"
)

// deployed is the environment of a function on AWS with some changes; "" unsets
// a variable.
func deployed(change map[string]string) map[string]string {
	environment := map[string]string{
		"AWS_REGION": "eu-central-1", "AWS_ACCESS_KEY_ID": "AKIAEXAMPLE", "AWS_SECRET_ACCESS_KEY": "hidden-1", "AWS_SESSION_TOKEN": "hidden-2",
		stack.VariableSportsTable: "s", stack.VariableNoncesTable: "n", stack.VariableQuotasTable: "q", stack.VariableKeysTable: "k",
		stack.VariableDefaultPhoto: "https://img.example/nobody.png", stack.VariableKMSKey: kmsKey,
		stack.VariableStage: "prod",
	}
	maps.Copy(environment, change)
	return environment
}

func read(environment map[string]string) (service.Service, error) {
	getenv := func(name string) string { return environment[name] }
	return service.FromEnvironment(context.Background(), getenv)
}

// clientOf is the client of a service's items.
func clientOf(s service.Service) (*direct.Client, bool) {
	client, ok := s.Sports.DB.(dynamo.DB).Client.(*direct.Client)
	return client, ok
}

func TestADeployedFunctionIsConfiguredByItsEnvironment(t *testing.T) {
	s, err := read(deployed(nil))
	if err != nil {
		t.Fatal(err)
	}
	tables := stack.Tables{
		Sports: s.Sports.Name, Nonces: s.Nonces.(*counters.Nonces).Table, Quotas: s.Quotas.(*counters.Quotas).Table, Keys: s.Keys.(*keys.DynamoDB).Table,
	}
	if diff := cmp.Diff(stack.Tables{Sports: "s", Nonces: "n", Quotas: "q", Keys: "k"}, tables); diff != "" {
		t.Error(diff)
	}
	if s.DefaultPhoto != "https://img.example/nobody.png" || s.Now == nil || s.Log == nil {
		t.Errorf("%+v", s)
	}
	if s.Stage != "prod" {
		t.Errorf("stage %q", s.Stage)
	}
	kms, ok := s.Opener.(*keys.KMSOpener)
	if !ok || kms.KeyID != kmsKey {
		t.Errorf("secrets are opened by %T", s.Opener)
	}
	client, ok := clientOf(s)
	if !ok || client.Options().BaseEndpoint != nil || client.Options().Region != "eu-central-1" {
		t.Errorf("the database is %T, not that of AWS", s.Sports.DB)
	}
}

func TestWithoutAKMSKeyTheMasterKeyOpensSecrets(t *testing.T) {
	s, err := read(deployed(map[string]string{stack.VariableKMSKey: "", stack.VariableMasterKey: masterKey}))
	if err != nil {
		t.Fatal(err)
	}
	sealer, ok := s.Opener.(*keys.LocalSealer)
	if !ok {
		t.Fatalf("secrets are opened by %T", s.Opener)
	}
	other, err := keys.NewLocalSealer(masterKey)
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := other.Seal(t.Context(), "tk_1", []byte("a secret"))
	if err != nil {
		t.Fatal(err)
	}
	if opened, err := sealer.Open(t.Context(), "tk_1", sealed); err != nil || string(opened) != "a secret" {
		t.Errorf("%q, %v", opened, err)
	}
}

func TestWithoutAStageItIsLocal(t *testing.T) {
	s, err := read(deployed(map[string]string{stack.VariableStage: ""}))
	if err != nil || s.Stage != "local" {
		t.Errorf("stage %q, %v", s.Stage, err)
	}
}

func TestTheLimitOfFailuresIsASetting(t *testing.T) {
	s, err := read(deployed(map[string]string{stack.VariableFailureLimit: "5"}))
	if err != nil || s.FailureLimit != 5 {
		t.Errorf("%d, %v", s.FailureLimit, err)
	}
}

func TestALocalEngineNeedsNoCredentials(t *testing.T) {
	s, err := read(deployed(map[string]string{
		stack.VariableDynamoDBEndpoint: "http://127.0.0.1:8000", "AWS_REGION": "", "AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "",
	}))
	if err != nil {
		t.Fatal(err)
	}
	if client, ok := clientOf(s); !ok || client.Options().BaseEndpoint == nil || *client.Options().BaseEndpoint != "http://127.0.0.1:8000" {
		t.Errorf("the database is %T, elsewhere", s.Sports.DB)
	}
}

func TestAFaultyEnvironmentIsRefusedByName(t *testing.T) {
	tests := []struct {
		name   string
		change map[string]string
		want   []string // in the error
	}{
		{"no table of the data", map[string]string{stack.VariableSportsTable: ""}, []string{stack.VariableSportsTable + " is not set: want the table of the data"}},
		{"no table of the nonces", map[string]string{stack.VariableNoncesTable: ""}, []string{stack.VariableNoncesTable + " is not set"}},
		{"no table of the quotas", map[string]string{stack.VariableQuotasTable: ""}, []string{stack.VariableQuotasTable + " is not set"}},
		{"no table of the keys", map[string]string{stack.VariableKeysTable: ""}, []string{stack.VariableKeysTable + " is not set"}},
		{"no picture", map[string]string{stack.VariableDefaultPhoto: ""}, []string{stack.VariableDefaultPhoto + " is not set"}},
		{"a picture that is no URL", map[string]string{stack.VariableDefaultPhoto: "hidden.png"}, []string{stack.VariableDefaultPhoto + " is not an http or https URL"}},
		{"a picture of no web server", map[string]string{stack.VariableDefaultPhoto: "s3://hidden/x.png"}, []string{stack.VariableDefaultPhoto + " is not"}},
		{"an engine that is no URL", map[string]string{stack.VariableDynamoDBEndpoint: "hidden:8000"}, []string{stack.VariableDynamoDBEndpoint + " is not"}},
		{"nothing opens secrets", map[string]string{stack.VariableKMSKey: ""}, []string{stack.VariableKMSKey, stack.VariableMasterKey}},
		{"a damaged master key", map[string]string{stack.VariableKMSKey: "", stack.VariableMasterKey: "hidden"}, []string{stack.VariableMasterKey + ": not base64 of 32 bytes"}},
		{"not a limit", map[string]string{stack.VariableFailureLimit: "hidden"}, []string{stack.VariableFailureLimit + " is not a whole number from 1 to 100000"}},
		{"no region", map[string]string{"AWS_REGION": ""}, []string{"AWS_REGION"}},
		{"several at once", map[string]string{stack.VariableSportsTable: "", stack.VariableKeysTable: "", stack.VariableDefaultPhoto: "hidden"},
			[]string{stack.VariableSportsTable, stack.VariableKeysTable, stack.VariableDefaultPhoto}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := read(deployed(tt.change))
			if err == nil {
				t.Fatalf("taken: %+v", s)
			}
			for _, part := range tt.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q is not in %q", part, err)
				}
			}
			if strings.Contains(err.Error(), "hidden") {
				t.Errorf("a value is shown: %v", err)
			}
			if s.Sports != nil || s.Opener != nil {
				t.Error("an incomplete service is returned")
			}
		})
	}
}

func TestNoCredentialsIsAnErrorOfItsKind(t *testing.T) {
	if _, err := read(deployed(map[string]string{"AWS_SECRET_ACCESS_KEY": ""})); !errors.Is(err, dynamo.ErrNoCredentials) {
		t.Errorf("%v", err)
	}
}

func TestTheListOfVariablesIsWhatIsRead(t *testing.T) {
	lambda := map[string]bool{ // set by Lambda
		"AWS_REGION": true, "AWS_DEFAULT_REGION": true, "AWS_LAMBDA_FUNCTION_NAME": true,
		"AWS_ACCESS_KEY_ID": true, "AWS_SECRET_ACCESS_KEY": true, "AWS_SESSION_TOKEN": true,
	}
	listed := map[string]bool{}
	for _, v := range stack.RequestVariables() {
		listed[v.Name] = true
	}
	asked := map[string]bool{stack.VariableProcessors: true} // by Go's runtime
	for _, change := range []map[string]string{nil, {stack.VariableKMSKey: "", stack.VariableMasterKey: masterKey}} {
		environment := deployed(change)
		getenv := func(name string) string {
			if !lambda[name] {
				asked[name] = true
			}
			return environment[name]
		}
		if _, err := service.FromEnvironment(t.Context(), getenv); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(listed, asked); diff != "" {
		t.Error(diff)
	}
}

func TestVariablesOfADeploymentSufficeForAFunction(t *testing.T) {
	environment := deployed(nil)
	for _, v := range stack.RequestVariables() {
		if !v.Deployed {
			delete(environment, v.Name)
		}
		if v.Required && !v.Deployed {
			t.Errorf("%s is required and nobody sets it", v.Name)
		}
	}
	if _, err := read(environment); err != nil {
		t.Error(err)
	}
}
