package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestOpenAPIPrintsTheCommittedDocument(t *testing.T) {
	want, err := os.ReadFile(filepath.Join("..", "..", "shared", "openapi", "openapi.json"))
	must(t, err)
	if got := newTerminal(nil).succeed(t, "openapi"); got != string(want) {
		t.Error("not openapi.json, byte for byte")
	}
}
