package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// Every command prints JSON for programs on demand, but for those whose output is made
// for one: each says why.
func TestEveryCommandPrintsJSON(t *testing.T) {
	without := map[string]string{
		"get": "its output is an answer, or an event",
	}
	var look func(*kong.Node)
	look = func(n *kong.Node) {
		for _, child := range n.Children {
			look(child)
		}
		if len(n.Children) > 0 {
			return
		}
		name := strings.TrimPrefix(n.FullPath(), "touchline ")
		has := slices.ContainsFunc(n.Flags, func(f *kong.Flag) bool { return f.Name == "json" })
		if _, excused := without[name]; excused == has {
			t.Errorf("%s: --json: %t, but %q", name, has, without[name])
		}
		delete(without, name)
	}
	look(newParser(t.Context(), &newTerminal(nil).Terminal).Model.Node)
	if len(without) > 0 {
		t.Errorf("there are no such commands: %v", without)
	}
}

func TestSmallCommandsPrintJSON(t *testing.T) {
	dir := t.TempDir()
	term := newTerminal(nil)
	print := func(into any, args ...string) {
		t.Helper()
		if err := json.Unmarshal([]byte(term.succeed(t, args...)), into); err != nil {
			t.Errorf("%v: %v", args, err)
		}
	}
	var files []string
	print(&files, "template", "--json", filepath.Join(dir, "forms"))
	if !slices.Contains(files, "standings") {
		t.Error(files)
	}
	print(&files, "docs", "--json", "--output", filepath.Join(dir, "site"))
	if !slices.Contains(files, "index.html") {
		t.Error(files)
	}
}
