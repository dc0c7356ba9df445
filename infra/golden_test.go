package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/stack"
)

var update = flag.Bool("update", false, "rewrite the templates")

// assetHash matches what changes whenever the functions' code does.
var assetHash = regexp.MustCompile(`[0-9a-f]{64}`)

// isAsReleased compares the template with testdata/<stage>.json, in which the
// hashes of the code are left out: a difference is a change of what is deployed.
func isAsReleased(t *testing.T, s *synthesis, stage string) {
	raw, err := os.ReadFile(filepath.Join(s.folder, stack.Name(stage)+".template.json"))
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	raw = assetHash.ReplaceAll(raw, []byte("ASSET"))
	raw = bytes.ReplaceAll(raw, []byte(s.releases(t)), []byte("RELEASE"))
	if err := json.Indent(&got, raw, "", " "); err != nil {
		t.Fatal(err)
	}
	got.WriteByte('\n')
	golden(t, stage+".json", got.String())
}

// golden compares with a file in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(filepath.Clean(file))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("it differs from %s (`make golden` rewrites it): %s", file, diff)
	}
}

func keyOf(table *dynamodb.CreateTableInput) []string {
	var key []string
	for _, k := range table.KeySchema {
		key = append(key, *k.AttributeName+" "+string(k.KeyType))
	}
	return key
}
