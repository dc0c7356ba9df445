package loader_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"touchline/functions/runtimetest"
	"touchline/shared/engine/enginetest"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// TestTheFilesOfALineAreOnThePage loads a player into a small federation with a
// program that notes what it runs, and compares the files with CONTRIBUTING.
func TestTheFilesOfALineAreOnThePage(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program to count what it runs: make test-all runs it")
	}
	endpoint := enginetest.Start(t)
	client, err := store.NewClient(t.Context(), store.Settings{Endpoint: endpoint})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.CreateTable(t.Context(), records.SportsTable("sports")); err != nil {
		t.Fatal(err)
	}
	program := runtimetest.CompileCovered(t, "touchline/shared/loader/testdata/importer")
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
	load(map[string]string{
		"organizations": `{"id":"club","type":"club","name":"FC"}`,
		"teams":         `{"id":"team","name":"FC","shortName":"FC","organizationId":"club"}`,
	})
	ran := runtimetest.Covered(t, load(map[string]string{"players": `{"id":"ann","name":"Ann","teamId":"team","number":7}`}))
	delete(ran, "shared/loader/testdata/importer/main.go")
	runtimetest.Follow(t, filepath.Join("..", "..", ".github", "CONTRIBUTING.md"), "Follow a line of a dataset").Compare(t, ran, 24)
}
