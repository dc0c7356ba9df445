package main

import (
	"archive/zip"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"touchline/shared/loader/export"
)

func TestAnExportIsWhatWasImported(t *testing.T) {
	term, dir := importer(t)
	organizations := `{"id":"o","type":"club","name":"FC"}` + "\n"
	teams := `{"id":"t","name":"FC","shortName":"FC","organizationId":"o"}` + "\n"
	writeFile(t, filepath.Join(dir, "organizations.ndjson"), organizations)
	writeFile(t, filepath.Join(dir, "teams.ndjson"), teams)
	term.succeed(t, "import", dir)
	to := filepath.Join(t.TempDir(), "out")

	term.prints(t, "wrote "+to, "export", to)
	for name, want := range map[string]string{"organizations.ndjson": organizations, "teams.ndjson": teams} {
		if got, err := os.ReadFile(filepath.Join(to, name)); err != nil || string(got) != want {
			t.Errorf("%s: %s%v, want %s", name, got, err, want)
		}
	}
	term.fails(t, exitFailed, "not empty", "export", to)

	var report export.Report
	if err := json.Unmarshal([]byte(term.succeed(t, "export", "--json", to+"2")), &report); err != nil || report.Total() != 2 {
		t.Errorf("%+v, %v", report, err)
	}
	term.succeed(t, "export", to+".zip")
	archive, err := zip.OpenReader(to + ".zip")
	must(t, err)
	defer func() { _ = archive.Close() }()
	if len(archive.File) != 2 {
		t.Errorf("the archive has %d files", len(archive.File))
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(to), ".touchline-export-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestAnExportOfNothingLeavesNothing(t *testing.T) {
	term, _ := importer(t)
	to := filepath.Join(t.TempDir(), "out")
	term.fails(t, exitFailed, "no records", "export", to)
	if left, err := os.ReadDir(filepath.Dir(to)); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
