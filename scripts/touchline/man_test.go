package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestEachCommandHasAManPage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man1")
	var names []string
	must(t, json.Unmarshal([]byte(newTerminal(nil).succeed(t, "man", "--output="+dir, "--json")), &names))
	if len(names) < 35 {
		t.Errorf("%d pages", len(names))
	}
	page, err := os.ReadFile(filepath.Join(dir, "touchline-keys-create.1"))
	must(t, err)
	for _, part := range []string{
		`.TH TOUCHLINE\-KEYS\-CREATE 1`, `touchline\-keys\-create \- Make a key for an organization`, `.B touchline keys create`,
		"\n.nf\ntouchline keys create \\-\\-organization at.oefb", ".B \\-\\-monthly\\-quota=N\nRequests a month (default: 10000).",
	} {
		if !strings.Contains(string(page), part) {
			t.Errorf("%q is not in %s", part, page)
		}
	}
	if _, err := exec.LookPath("man"); err != nil {
		return // what renders them is no part of Touchline
	}
	for _, name := range []string{"touchline.1", "touchline-serve.1", "touchline-keys-create.1"} {
		man := exec.Command("man", "--warnings", "-P", "cat", "-l", filepath.Join(dir, name))
		man.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "MANWIDTH=200") // a word of a page is longer than a line of 80
		var said strings.Builder
		man.Stderr = &said
		if out, err := man.Output(); err != nil || said.Len() > 0 || !strings.Contains(string(out), "EXIT STATUS") {
			t.Errorf("%s: %v: %s", name, err, said.String())
		}
	}
}
