package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
)

// TestTheCollectionRunsAgainstTheDemo: every request of the Postman collection is
// answered with 200, run from top to bottom, by Postman's own runner.
func TestTheCollectionRunsAgainstTheDemo(t *testing.T) {
	newman := filepath.Join("..", "node_modules", ".bin", "newman")
	if _, err := os.Stat(newman); err != nil {
		t.Skip("newman is not installed: make test-callers runs it")
	}
	term := newTerminal(nil)
	term.Now = time.Now // newman has no other clock
	s := startServe(t, term, "--demo", "--data-dir="+t.TempDir())
	dir := t.TempDir()
	collection, report := filepath.Join(dir, "collection.json"), filepath.Join(dir, "report.json")
	writeFile(t, collection, newTerminal(nil).succeed(t, "kit", "postman"))
	run := exec.CommandContext(t.Context(), newman, "run", collection, "--reporters", "cli,json", "--reporter-json-export", report,
		"--env-var", "baseUrl="+s.BaseURL, "--env-var", "keyId="+s.KeyID, "--env-var", "secret="+s.Secret)
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(filepath.Clean(report))
	must(t, err)
	var got struct {
		Run struct {
			Stats struct {
				Requests, Assertions struct{ Total, Failed int }
			}
		}
	}
	must(t, json.Unmarshal(text, &got))
	routes := 0
	for range groups.Table(endpoints.Deps{}).All() {
		routes++
	}
	if want := fmt.Sprintf("{%d 0} {%[1]d 0}", routes); fmt.Sprint(got.Run.Stats.Requests, got.Run.Stats.Assertions) != want {
		t.Errorf("%v, not %s", got.Run.Stats, want)
	}
}
