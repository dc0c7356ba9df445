package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/protocol"
	"touchline/shared/engine/enginetest"
	"touchline/shared/keys"
	"touchline/shared/stack"
)

// cloud is AWS as far as --stack asks it: CloudFormation and STS in their
// query protocol, and KMS, whose ciphertexts are what they seal in the clear.
type cloud struct {
	url     string
	stack   string            // the name of the one there is
	region  string            // where it is
	status  string            // of it
	outputs map[string]string // of it
	refuse  string            // code of an error instead
	seals   string            // that of KMS
	sealed  []kmsCall
}

type kmsCall struct {
	KeyID             string `json:"KeyId"`
	Plaintext         []byte
	EncryptionContext map[string]string
}

// newCloud starts it, and has the SDK of this process use it.
func newCloud(t *testing.T) *cloud {
	t.Helper()
	a := &cloud{stack: "touchline-dev", region: "eu-central-1", status: "CREATE_COMPLETE", outputs: map[string]string{
		stack.OutputBaseURL: "https://api.example", stack.OutputSportsTable: "touchline-sports", stack.OutputNoncesTable: "touchline-nonces",
		stack.OutputQuotasTable: "touchline-quotas", stack.OutputKeysTable: "touchline-keys", stack.OutputSecretsKey: "arn:aws:kms:eu-central-1:123456789012:key/1",
		stack.OutputLogGroups: "/touchline/dev/ping",
	}}
	server := httptest.NewServer(http.HandlerFunc(a.serve))
	t.Cleanup(server.Close)
	a.url = server.URL
	empty := t.TempDir() + "/none"
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL_CLOUDFORMATION": a.url, "AWS_ENDPOINT_URL_STS": a.url, "AWS_ENDPOINT_URL_KMS": a.url, "AWS_ENDPOINT_URL": "", "AWS_CA_BUNDLE": "",
		"AWS_REGION": "eu-central-1", "AWS_DEFAULT_REGION": "", "AWS_PROFILE": "", "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "hidden", "AWS_SESSION_TOKEN": "",
		"AWS_CONFIG_FILE": empty, "AWS_SHARED_CREDENTIALS_FILE": empty, "AWS_EC2_METADATA_DISABLED": "true", "AWS_MAX_ATTEMPTS": "1",
	} {
		t.Setenv(name, value)
	}
	return a
}

func (a *cloud) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if target := r.Header.Get("X-Amz-Target"); target == "TrentService.Encrypt" {
		if a.seals != "" {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = fmt.Fprintf(w, `{"__type":%q}`, a.seals)
			return
		}
		var call kmsCall
		_ = json.Unmarshal(body, &call)
		a.sealed = append(a.sealed, call)
		w.Header().Set("Content-Type", "application/x-amz-json-1.1")
		_ = json.NewEncoder(w).Encode(map[string]any{"CiphertextBlob": call.Plaintext, "KeyId": call.KeyID})
		return
	}
	form, _ := url.ParseQuery(string(body))
	region := "nowhere"
	if scope := strings.Split(r.Header.Get("Authorization"), "/"); len(scope) > 2 {
		region = scope[2]
	}
	w.Header().Set("Content-Type", "text/xml")
	fail := func(code, message string) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = fmt.Fprintf(w, `<ErrorResponse><Error><Type>Sender</Type><Code>%s</Code><Message>%s</Message></Error></ErrorResponse>`, code, message)
	}
	switch {
	case form.Get("Action") == "GetCallerIdentity":
		_, _ = io.WriteString(w, `<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws:iam::123456789012:user/ada</Arn><Account>123456789012</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`)
	case form.Get("Action") != "DescribeStacks":
		fail("InvalidAction", form.Get("Action"))
	case a.refuse != "":
		fail(a.refuse, "not for you")
	case form.Get("StackName") != a.stack || region != a.region:
		fail("ValidationError", "Stack with id "+form.Get("StackName")+" does not exist")
	default:
		_, _ = fmt.Fprintf(w, `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>%s</StackName><CreationTime>2026-03-14T15:00:00Z</CreationTime><StackStatus>%s</StackStatus><Outputs>`, a.stack, a.status)
		for key, value := range a.outputs {
			_, _ = fmt.Fprintf(w, `<member><OutputKey>%s</OutputKey><OutputValue>%s</OutputValue></member>`, key, value)
		}
		_, _ = io.WriteString(w, `</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`)
	}
}

func TestAStackIsNamedByItsStageOrInFull(t *testing.T) {
	newCloud(t)
	for _, name := range []string{"dev", "touchline-dev"} {
		term := newTerminal(nil)
		d, err := database.StackFlags{Stack: name}.Deployment(t.Context(), &term.Terminal)
		must(t, err)
		if d.Name != "touchline-dev" || d.BaseURL != "https://api.example" || d.Config.Region != "eu-central-1" {
			t.Errorf("%s: %+v", name, d.Outputs)
		}
		if diff := cmp.Diff([]string{"/touchline/dev/ping"}, d.LogGroups); diff != "" {
			t.Error(diff)
		}
	}
}

func TestAStackThatCannotBeUsedSaysWhy(t *testing.T) {
	tests := []struct {
		name   string
		change func(*testing.T, *cloud)
		args   string
		says   []string
	}{
		{"there is none", nil, "--stack staging", []string{"no stack touchline-staging in region eu-central-1", "account 123456789012", "user/ada"}},
		{"another region", nil, "--stack dev --region us-east-1", []string{"no stack touchline-dev in region us-east-1"}},
		{"it was not made", func(_ *testing.T, a *cloud) { a.status, a.outputs = "ROLLBACK_COMPLETE", nil }, "--stack dev", []string{"ROLLBACK_COMPLETE", "deploy it again"}},
		{"outputs are missing", func(_ *testing.T, a *cloud) { delete(a.outputs, stack.OutputKeysTable) }, "--stack dev", []string{"no output KeysTable", "deploy it again"}},
		{"no right to read it", func(_ *testing.T, a *cloud) { a.refuse = "AccessDenied" }, "--stack dev", []string{"cloudformation:DescribeStacks", "user/ada"}},
		{"the session has ended", func(_ *testing.T, a *cloud) { a.refuse = "ExpiredToken" }, "--stack dev", []string{"sign in again"}},
		{"another refusal", func(_ *testing.T, a *cloud) { a.refuse = "InternalFailure" }, "--stack dev", []string{"stack touchline-dev", "InternalFailure"}},
		{"no region", func(t *testing.T, _ *cloud) { t.Setenv("AWS_REGION", "") }, "--stack dev", []string{"no AWS region", "--region"}},
		{"no such profile", nil, "--stack dev --profile nobody", []string{"nobody", "--profile"}},
		{"no credentials", func(t *testing.T, _ *cloud) { t.Setenv("AWS_ACCESS_KEY_ID", "") }, "--stack dev", []string{"no AWS credentials", "aws sso login"}},
		{"nothing answers", func(t *testing.T, _ *cloud) { t.Setenv("AWS_ENDPOINT_URL_CLOUDFORMATION", "http://127.0.0.1:1") }, "--stack dev", []string{"does not answer", "--region"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := newCloud(t)
			if tt.change != nil {
				tt.change(t, a)
			}
			for _, command := range []string{"keys list", "get --key-id k /v1/ping"} {
				term := newTerminal(map[string]string{protocol.SecretVariable: "hidden"})
				term.fails(t, exitFailed, "", append(strings.Fields(command), strings.Fields(tt.args)...)...)
				for _, part := range tt.says {
					if !strings.Contains(term.Errors.String(), part) {
						t.Errorf("%s: no %q in %s", command, part, term.Errors.String())
					}
				}
				if strings.Contains(term.Errors.String(), "hidden") {
					t.Errorf("a secret is shown: %s", term.Errors.String())
				}
			}
		})
	}
}

func TestADeploymentUnderWayIsToldAndUsed(t *testing.T) {
	a := newCloud(t)
	for status, noted := range map[string]bool{"UPDATE_IN_PROGRESS": true, "UPDATE_ROLLBACK_FAILED": true, "UPDATE_ROLLBACK_COMPLETE": false} {
		a.status = status
		term := newTerminal(nil)
		if _, err := (database.StackFlags{Stack: "dev"}).Deployment(t.Context(), &term.Terminal); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(term.Errors.String(), status); got != noted {
			t.Errorf("%s: %q", status, term.Errors.String())
		}
	}
}

// deployed is an account with the tables of its stack in a DynamoDB.
func deployed(t *testing.T) *cloud {
	t.Helper()
	a := newCloud(t)
	tablesOf(t)
	return a
}

// tablesOf makes the tables of the stack in a DynamoDB for the SDK.
func tablesOf(t *testing.T) {
	t.Helper()
	endpoint := enginetest.Start(t)
	dynamoDB(t, endpoint)
	t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", endpoint)
}

func TestKeysOfAStackAreSealedWithItsKMSKey(t *testing.T) {
	a := deployed(t)
	term := newTerminal(map[string]string{"TOUCHLINE_KMS_KEY": "of this shell", "TOUCHLINE_KEYS_TABLE": "of-this-shell"})
	k := create(t, term, "--stack", "dev", "--all-scopes")
	want := []kmsCall{{KeyID: a.outputs[stack.OutputSecretsKey], Plaintext: []byte(k.Secret), EncryptionContext: map[string]string{"keyId": k.ID}}}
	if diff := cmp.Diff(want, a.sealed); diff != "" {
		t.Error(diff)
	}
	var list []keys.Key
	if err := json.Unmarshal([]byte(term.succeed(t, "keys", "list", "--stack", "dev", "--json")), &list); err != nil || len(list) != 1 || list[0].ID != k.ID {
		t.Errorf("%v, %v", list, err)
	}
	for _, a.seals = range []string{"DisabledException", "NotFoundException", "AccessDeniedException"} {
		term.fails(t, exitFailed, "seal a new secret: KMS key "+a.outputs[stack.OutputSecretsKey]+" did not (`touchline doctor --stack dev` looks at it)", "keys", "create", "--stack", "dev", "--organization", "est", "--unchecked")
		if !strings.Contains(term.Errors.String(), a.seals) || strings.Count(term.succeed(t, "keys", "list", "--stack", "dev"), "tk_") != 1 {
			t.Errorf("%s: %s", a.seals, term.Errors.String())
		}
	}
}

func TestOnAWSNoTableIsMade(t *testing.T) {
	a := deployed(t)
	a.outputs[stack.OutputKeysTable] = "elsewhere"
	term := newTerminal(nil)
	term.fails(t, exitFailed, "a table of stack touchline-dev is missing", "keys", "create", "--stack", "dev", "--organization", "est", "--unchecked", "--all-scopes")
}
