package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOpenAPIPrintsTheCommittedDocument(t *testing.T) {
	want, err := os.ReadFile(filepath.Join("..", "..", "shared", "openapi", "openapi.json"))
	if err != nil {
		t.Fatal(err)
	}
	if got := newTerminal(nil).succeed(t, "openapi"); got != string(want) {
		t.Error("not openapi.json, byte for byte")
	}
	if help := newTerminal(nil).succeed(t, "openapi", "--help"); !strings.Contains(help, "    touchline openapi") {
		t.Errorf("no example in %s", help)
	}
}
