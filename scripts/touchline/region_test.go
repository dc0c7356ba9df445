package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"touchline/scripts/touchline/protocol"
	"touchline/shared/endpoints/groups"
	"touchline/shared/engine/enginetest"
	"touchline/shared/keys"
	"touchline/shared/local"
	"touchline/shared/service"
	"touchline/shared/stack"
)

// regionPage is the chapter of the manual about a lost region.
func regionPage(t *testing.T) string {
	t.Helper()
	_, page, _ := strings.Cut(string(bytesOf(t, filepath.Join("..", "..", "infra", "README.md"))), "\n## A lost region\n")
	page, _, _ = strings.Cut(page, "\n## ")
	return page
}

// commandsOf has a shell run the blocks and the quoted commands of a page, in their
// order, with functions in the place of aws, make and touchline. It returns the words of each
// call.
func commandsOf(t *testing.T, page string) (calls [][]string) {
	t.Helper()
	script := `called() { for word; do printf '%s\037' "$word"; done >&3; printf '\036' >&3; }
aws() { called aws "$@"; case "$*" in *describe-table*) echo ACTIVE ;; *) echo X ;; esac; }
make() { called make "$@"; }
touchline() { called touchline "$@"; }
`
	for _, m := range regexp.MustCompile("(?m)^    (.*)$|`((?:aws|make|touchline) [^`]+)`").FindAllStringSubmatch(page, -1) {
		script += m[1] + m[2] + "\n"
	}
	read, write, err := os.Pipe()
	must(t, err)
	if _, err := exec.LookPath("/bin/sh"); err != nil {
		need(t, err)
	}
	sh := exec.Command("/bin/sh", "-euc", script)
	sh.Dir, sh.ExtraFiles = t.TempDir(), []*os.File{write}
	said, err := sh.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	must(t, write.Close())
	text, err := io.ReadAll(read)
	must(t, err)
	for _, call := range strings.Split(strings.TrimSuffix(string(text), "\x1e"), "\x1e") {
		calls = append(calls, strings.Split(strings.TrimSuffix(call, "\x1f"), "\x1f"))
	}
	return calls
}

// TestTheCommandsForALostRegionAreAWSs takes each option from the SDK's own.
func TestTheCommandsForALostRegionAreAWSs(t *testing.T) {
	areAWSs(t, regionPage(t), map[string]any{
		"dynamodb import-table": dynamodb.ImportTableInput{}, "dynamodb describe-table": dynamodb.DescribeTableInput{},
		"dynamodb update-continuous-backups": dynamodb.UpdateContinuousBackupsInput{}, "dynamodb update-table": dynamodb.UpdateTableInput{},
		"dynamodb export-table-to-point-in-time": dynamodb.ExportTableToPointInTimeInput{}, "dynamodb list-exports": dynamodb.ListExportsInput{}, "kms replicate-key": kms.ReplicateKeyInput{}, "kms describe-key": kms.DescribeKeyInput{},
		"s3api create-bucket": s3.CreateBucketInput{}, "s3api put-bucket-lifecycle-configuration": s3.PutBucketLifecycleConfigurationInput{},
	})
}

// areAWSs holds a page's calls of make to the Makefile, and those of aws to the inputs of
// the SDK, each of which it calls.
func areAWSs(t *testing.T, page string, inputs map[string]any) {
	t.Helper()
	makefile := string(bytesOf(t, filepath.Join("..", "..", "Makefile")))
	elsewhere := []string{"acm request-certificate", "acm describe-certificate", "s3 ls", "route53 change-resource-record-sets", "apigatewayv2 get-domain-name"} // of which there is no SDK here
	seen := map[string]bool{}
	for _, call := range commandsOf(t, page) {
		switch call[0] {
		case "make":
			if !strings.Contains(makefile, "\n"+call[1]+":") {
				t.Errorf("no target of %q", call)
			}
		case "aws":
			name := call[1] + " " + call[2]
			input := inputs[name]
			if seen[name] = true; input == nil && !slices.Contains(elsewhere, name) {
				t.Errorf("%s is not known", name)
			}
			for _, word := range call[3:] {
				option, ok := strings.CutPrefix(word, "--")
				if !ok || input == nil || option == "region" || option == "query" || option == "output" {
					continue
				}
				field := func(name string) bool { return strings.EqualFold(name, strings.ReplaceAll(option, "-", "")) }
				if _, ok := reflect.TypeOf(input).FieldByNameFunc(field); !ok {
					t.Errorf("%s has no option --%s", name, option)
				}
			}
		}
	}
	for name := range inputs {
		if !seen[name] {
			t.Errorf("the page does not call %s", name)
		}
	}
}

// TestALostRegionIsMadeAgain follows the page: with the table of the keys and a replica of
// the KMS key, callers go on with the keys that they have.
func TestALostRegionIsMadeAgain(t *testing.T) {
	a := newCloud(t)
	a.stack = "touchline-prod"
	tablesOf(t)
	key := create(t, newTerminal(nil), "--stack", "prod", "--all-scopes", "--descendants")
	lost := dynamoDB(t, os.Getenv("AWS_ENDPOINT_URL_DYNAMODB"))
	exported, err := lost.Client.Scan(t.Context(), &dynamodb.ScanInput{TableName: &lost.Tables.Keys})
	must(t, err)

	a.region = "eu-west-1"
	endpoint := enginetest.Start(t)
	t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", endpoint)
	found := dynamoDB(t, endpoint)
	a.outputs[stack.OutputSecretsKey] = "arn:aws:kms:eu-west-1:123456789012:key/mrk-1"
	a.outputs[stack.OutputBaseURL] = serveKeys(t, a, found.Client, "touchline-prod-keys")
	rest := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(rest.Close)
	for _, name := range []string{"LAMBDA", "CLOUDWATCH"} {
		t.Setenv("AWS_ENDPOINT_URL_"+name, rest.URL)
	}
	dir := filepath.Join(t.TempDir(), "set")
	writeFile(t, filepath.Join(dir, "organizations.ndjson"), `{"id":"est","type":"federation","name":"Small"}`+"\n")

	ran := ""
	for _, call := range commandsOf(t, regionPage(t)) {
		term := newTerminal(map[string]string{protocol.SecretVariable: key.Secret})
		term.Now = time.Now
		words := call[1:]
		for i, word := range words {
			words[i] = strings.NewReplacer("KEY", key.ID, "DIR", dir).Replace(word)
		}
		switch {
		case call[0] == "aws" && words[1] == "import-table":
			var table struct{ TableName string }
			must(t, json.Unmarshal([]byte(words[slices.Index(words, "--table-creation-parameters")+1]), &table))
			_, err := found.Client.CreateTable(t.Context(), keys.KeysTable(table.TableName))
			must(t, err)
			for _, item := range exported.Items {
				_, err := found.Client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table.TableName, Item: item})
				must(t, err)
			}
			a.outputs[stack.OutputKeysTable] = table.TableName // by cdk.json and make deploy
		case call[0] != "touchline":
			continue
		case words[0] == "doctor":
			term.run(append(words, "--json")...)
			said := examined(t, term.Output.String())
			for _, check := range []string{"stack", "rights", "service", "data", "clock"} {
				if said[check].State != fine {
					t.Errorf("%s: %+v", check, said[check])
				}
			}
		default:
			out := term.succeed(t, words...)
			if words[0] == "get" && !strings.Contains(out, `"apiVersion"`) {
				t.Errorf("a request with a key of before: %s", out)
			}
		}
		ran += words[0] + " "
	}
	if ran != "dynamodb import doctor get " {
		t.Errorf("the page has the commands %s", ran)
	}
}

// serveKeys serves the API in front of the tables of a region, with its KMS.
func serveKeys(t *testing.T, a *cloud, client *dynamodb.Client, table string) (baseURL string) {
	t.Helper()
	tables := stack.Tables{Sports: "touchline-sports", Nonces: "touchline-nonces", Quotas: "touchline-quotas", Keys: table}
	s := service.OnDynamoDB(client, tables)
	s.Opener, s.DefaultPhoto, s.Stage = a, "https://img.example/nobody.png", "prod"
	s.Now = time.Now
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	server := &local.Server{Handler: s.Handler(groups.Operations)}
	go server.Serve(listener)                                                     //nolint:errcheck // it ends with the test
	t.Cleanup(func() { _ = server.Shutdown(context.WithoutCancel(t.Context())) }) // of a test
	return "http://" + listener.Addr().String()
}

// Open is that of a KMS key of several regions: what was sealed in one of them, for the
// same key of the API.
func (a *cloud) Open(_ context.Context, keyID string, sealed []byte) ([]byte, error) {
	if !slices.ContainsFunc(a.sealed, func(c kmsCall) bool {
		return c.EncryptionContext["keyId"] == keyID && bytes.Equal(c.Plaintext, sealed)
	}) {
		return nil, keys.ErrSealed
	}
	return sealed, nil
}
