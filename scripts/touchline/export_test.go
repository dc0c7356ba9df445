package main

import (
	"archive/zip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"touchline/shared/dataset"
	"touchline/shared/dataset/names"
	"touchline/shared/loader"
	"touchline/shared/loader/export"
	"touchline/shared/loader/history"
	"touchline/shared/sport"
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

	writeFile(t, filepath.Join(dir, "teams.ndjson"), `{"id":"t","erase":true}`+"\n")
	term.succeed(t, "import", "--yes", dir)
	for flag, says := range map[string]bool{"--csv": true, "--json": true, "--erasures": false} {
		term.Errors.Reset()
		term.succeed(t, "export", flag, to+flag)
		if strings.Contains(term.Errors.String(), "1 record was erased stays behind: --erasures takes it along") != says {
			t.Errorf("%s: %q", flag, term.Errors.String())
		}
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

// The next season's workbook has the entries of the last one under new keys, and the players
// under them, each with who sees them; loaded, it takes nothing from the season before.
func TestTheNextSeasonIsExported(t *testing.T) {
	term, dir := importer(t)
	for name, text := range map[string]string{
		"organizations.ndjson": `{"id":"o","type":"federation","name":"O"}` + "\n" + `{"id":"k","type":"club","name":"K","parentId":"o"}`,
		"competitions.ndjson":  `{"id":"liga","season":2024,"name":"Liga","organizationId":"o"}` + "\n" + `{"id":"liga","season":2025,"name":"Liga","organizationId":"o","completed":true,"withdrawals":[{"teamId":"b","matches":"annulled"}]}`,
		"teams.ndjson": `{"id":"old","name":"K","shortName":"K","organizationId":"k","competitionId":"liga","season":2024}` + "\n" +
			`{"id":"a","name":"K","shortName":"K","organizationId":"k","competitionId":"liga","season":2025,"startingPoints":-3,"visibility":"hidden"}` + "\n" +
			`{"id":"b","name":"K II","shortName":"K2","organizationId":"k","competitionId":"liga","season":2025}` + "\n" + `{"id":"c","name":"C","shortName":"C","competitionId":"liga","season":2025}`,
		"players.ndjson": `{"id":"p","name":"P","teamId":"a","number":9}` + "\n" + `{"id":"q","name":"Q","teamId":"b","visibility":"private"}`,
		"matches.ndjson": `{"id":"m","competitionId":"liga","season":2025,"status":"finished","kickoffAt":"2026-03-01T15:00:00Z","homeTeamId":"a","awayTeamId":"c","score":{"home":1,"away":0}}`,
	} {
		writeFile(t, filepath.Join(dir, name), text+"\n")
	}
	term.succeed(t, "import", dir)
	book, sheets := filepath.Join(t.TempDir(), "next.xlsx"), filepath.Join(t.TempDir(), "next")
	term.prints(t, "nothing has changed: load it when the season begins", "export", "--competition", "liga", "--next", book)
	term.succeed(t, "export", "--competition", "liga", "--next", "--csv", sheets)
	teams, err := os.ReadFile(filepath.Join(sheets, "teams.csv"))
	must(t, err)
	key := names.EntryKey(dataset.ID(sport.KindCompetition, "liga"), 2026, dataset.ID(sport.KindOrganization, "k"))
	if rows := strings.Split(string(teams), "\n"); len(rows) != 5 || !strings.Contains(string(teams), key+",") || strings.Contains(string(teams), "-3") {
		t.Errorf("%s", teams)
	}
	var report loader.Report
	must(t, json.Unmarshal([]byte(term.succeed(t, "import", "--json", "--yes", book)), &report))
	if report.Competitions.Created != 1 || report.Teams.Created != 3 || report.Players.Changed != 2 || report.Sum() != (history.Counts{Created: 4, Changed: 2}) || len(report.Shown) != 0 {
		t.Errorf("%+v", report)
	}
	term.fails(t, exitUsage, "--next is of a --competition", "export", "--next", sheets+"2")
}
