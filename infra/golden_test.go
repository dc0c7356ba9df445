package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/route"
	"touchline/shared/stack"
	"touchline/shared/store/space"
)

var update = flag.Bool("update", false, "rewrite the templates")

// assetHash matches what changes whenever the functions' code does.
var assetHash = regexp.MustCompile(`[0-9a-f]{64}`)

// isAsReleased compares the template of dev with testdata/dev.json, in which the hashes of
// the code are left out, and that of any other stage with what differs from dev's, and how
// its stack is deployed: a difference is a change of what is deployed.
func isAsReleased(t *testing.T, name string, s *synthesis) {
	var text bytes.Buffer
	raw := s.plain(t)
	if name != "dev" {
		var dev, template map[string]any
		decode(t, filepath.Join("testdata", "dev.json"), &dev)
		if err := json.Unmarshal(raw, &template); err != nil {
			t.Fatal(err)
		}
		of := s.manifest.Artifacts[stack.Name(s.stage)]
		template["Stack"] = map[string]any{"Environment": of.Environment, "TerminationProtection": of.Properties.TerminationProtection}
		var err error
		if raw, err = route.JSON(differing(dev, template)); err != nil {
			t.Fatal(err)
		}
	}
	if err := json.Indent(&text, raw, "", " "); err != nil {
		t.Fatal(err)
	}
	text.WriteByte('\n')
	file := filepath.Join("testdata", name+".json")
	if *update {
		if err := os.WriteFile(file, text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(filepath.Clean(file))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text.String()); diff != "" {
		t.Errorf("it differs from %s (`make golden` rewrites it): %s", file, diff)
	}
}

// plain is the template as if it were that of dev.
func (s *synthesis) plain(t *testing.T) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(s.folder, stack.Name(s.stage)+".template.json"))
	if err != nil {
		t.Fatal(err)
	}
	raw = assetHash.ReplaceAll(raw, []byte("ASSET"))
	if name := s.releases(); name != "" {
		raw = bytes.ReplaceAll(raw, []byte(name), []byte("RELEASE"))
		raw = bytes.ReplaceAll(raw, []byte(space.Reads), []byte("READS"))
	}
	return regexp.MustCompile(`([Tt]ouchline[-/ ]|stage |")`+s.stage+`\b`).ReplaceAll(raw, []byte("${1}dev"))
}

// differing is what of a value is not in another: the members that differ, by name or by
// place, null for one that is gone.
func differing(from, to any) any {
	was, is := members(from), members(to)
	if was == nil || is == nil {
		return to
	}
	found := map[string]any{}
	for name := range was {
		if _, stays := is[name]; !stays {
			found[name] = nil
		}
	}
	for name, value := range is {
		if !reflect.DeepEqual(was[name], value) {
			found[name] = differing(was[name], value)
		}
	}
	return found
}

// members are those of an object or a list; nil: it is neither.
func members(v any) map[string]any {
	list, isList := v.([]any)
	if !isList {
		object, _ := v.(map[string]any)
		return object
	}
	found := map[string]any{}
	for i, value := range list {
		found[strconv.Itoa(i)] = value
	}
	return found
}
