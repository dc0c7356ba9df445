package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDocsWritesASiteForAnAddress(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	newTerminal(nil).succeed(t, "docs", "--output", dir, "--base-url", "https://league.example/api")
	for name, has := range map[string]string{
		"index.html": "https://league.example/api", "start.html": "league.rb",
		"openapi.json": "https://league.example/api", "kits/Touchline.java": "class Touchline",
	} {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || !strings.Contains(string(text), has) {
			t.Errorf("%s has no %q: %v", name, has, err)
		}
	}
	term := newTerminal(nil)
	term.fails(t, exitUsage, "", "docs", "--output", dir, "--base-url", "league")
}

func TestServeShowsThePagesOnAnAddressOfTheirOwn(t *testing.T) {
	dir := small(t)
	s := startServe(t, newTerminal(nil), "--data="+dir, "--data-dir="+t.TempDir(), "--docs-addr=127.0.0.1:0")
	if s.Docs == "" || s.Docs == s.BaseURL {
		t.Fatalf("the pages are at %q", s.Docs)
	}
	ask := func(path, host string) (int, string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.Docs+path, nil)
		must(t, err)
		r.Host = host
		response, err := http.DefaultClient.Do(r)
		must(t, err)
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		must(t, err)
		return response.StatusCode, string(text)
	}
	if status, text := ask("/", ""); status != http.StatusOK || !strings.Contains(text, s.BaseURL) {
		t.Errorf("%d: %.200s", status, text)
	}
	if status, _ := ask("/v1/ping", ""); status != http.StatusNotFound {
		t.Errorf("the pages' address has the API: %d", status)
	}
	if status, _ := ask("/", "rebound.example"); status != http.StatusForbidden {
		t.Errorf("a page led here gets %d", status)
	}
}
