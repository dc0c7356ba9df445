package functions

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"touchline/shared/engine/enginetest"
	"touchline/shared/store/dynamo"
)

// TestTheFilesOfAMatchAreOnThePage loads the result of a match with a program that notes
// what it runs, and compares the files with CONTRIBUTING.
func TestTheFilesOfAMatchAreOnThePage(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program to count what it runs: make test-all runs it")
	}
	endpoint := enginetest.Start(t)
	client, err := dynamo.NewClient(t.Context(), dynamo.Settings{Endpoint: endpoint})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.CreateTable(t.Context(), dynamo.Table("sports")); err != nil {
		t.Fatal(err)
	}
	program := compileCovered(t, "touchline/shared/loader/testdata/importer")
	load := func(files map[string]string) (counters string) {
		data, counters := t.TempDir(), t.TempDir()
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(data, name+".ndjson"), []byte(text+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		command := exec.CommandContext(t.Context(), program, endpoint, data)
		command.Env = append(os.Environ(), "GOCOVERDIR="+counters)
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return counters
	}
	match := func(status, score string) string {
		return `{"id":"m","competitionId":"league","season":2026,"homeTeamId":"a","awayTeamId":"b","kickoffAt":"2026-08-01T12:00:00Z","status":"` + status + `"` + score + `}`
	}
	load(map[string]string{
		"organizations": `{"id":"club","type":"club","name":"FC"}`,
		"competitions":  `{"id":"league","season":2026,"name":"League","organizationId":"club"}`,
		"teams": `{"id":"a","name":"A","shortName":"A","organizationId":"club","competitionId":"league","season":2026}
{"id":"b","name":"B","shortName":"B","organizationId":"club","competitionId":"league","season":2026}`,
		"matches": match("upcoming", ""),
	})
	ran := covered(t, load(map[string]string{"matches": match("finished", `,"score":{"home":2,"away":1}`)}))
	delete(ran, "shared/loader/testdata/importer/main.go")
	follow(t, filepath.Join("..", ".github", "CONTRIBUTING.md"), "Follow a changed match").compare(t, ran, 30)
}
