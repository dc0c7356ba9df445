package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"touchline/scripts/spreadsheet"
	"touchline/scripts/touchline/terminal"
)

// What is exported for spreadsheets, and imported again unchanged, changes nothing.
func TestSheetsAreImportedWithoutAChange(t *testing.T) {
	const datasets = "../../shared/endpoints/scripts/testdata"
	entries, err := os.ReadDir(datasets)
	must(t, err)
	for _, e := range entries {
		if !e.IsDir() || testing.Short() && e.Name() != "rulebook" {
			continue
		}
		t.Run(e.Name(), func(t *testing.T) {
			term, _ := importer(t)
			term.succeed(t, "import", filepath.Join(datasets, e.Name()))
			to := filepath.Join(t.TempDir(), "sheets")
			for _, args := range [][]string{{"--csv", to}, {to + ".xlsx"}, {"--csv", "--separator", "semicolon", to + ".zip"}} {
				term.succeed(t, append([]string{"export"}, args...)...)
				name := args[len(args)-1]
				r := report(t, term.succeed(t, "import", "--json", name))
				if total := r.Organizations.Unchanged + r.Competitions.Unchanged + r.Teams.Unchanged + r.Players.Unchanged + r.Matches.Unchanged + r.Standings.Unchanged; r.Entries != 0 || total == 0 {
					t.Errorf("%s: %+v", name, r)
				}
			}
		})
	}
}

// A sheet says of its column for who is hidden what an empty cell does (D74).
func TestASheetSaysThatItShowsNobody(t *testing.T) {
	term, dir := importer(t)
	example(t, dir)
	term.succeed(t, "import", dir)
	at := t.TempDir()
	copied, form := filepath.Join(at, "old.xlsx"), filepath.Join(at, "form.xlsx")
	term.succeed(t, "export", copied)
	term.succeed(t, "template", form)
	for _, name := range []string{copied, form} {
		book, err := excelize.OpenFile(name)
		must(t, err)
		lists, err := book.GetDataValidations("players")
		must(t, errors.Join(err, book.Close()))
		if !slices.ContainsFunc(lists, func(v *excelize.DataValidation) bool {
			return v.Prompt != nil && strings.Contains(*v.Prompt, "Only public shows again who is hidden")
		}) {
			t.Errorf("%s: %+v", name, lists)
		}
	}
}

// One file of a dataset is one too, and its separator is that of the country.
func TestAFileIsImportedAlone(t *testing.T) {
	term, dir := importer(t)
	term.succeed(t, "template", dir)
	term.succeed(t, "import", dir)
	for _, separator := range []string{";", "semicolon", "tab", ",", "comma"} {
		to := t.TempDir()
		term.succeed(t, "export", "--csv", "--separator", separator, to)
		file := filepath.Join(to, "matches.csv")
		text, err := os.ReadFile(file)
		must(t, err)
		sign := map[string]string{"comma": ",", "semicolon": ";", "tab": "\t"}[separator]
		if sign == "" {
			sign = separator
		}
		if want := "\ufeffid" + sign + "competitionId" + sign; !strings.HasPrefix(string(text), want) {
			t.Errorf("%.40q, want %q", text, want)
		}
		if r := report(t, term.succeed(t, "import", "--json", file)); r.Entries != 0 || r.Matches.Unchanged == 0 || r.Teams.Unchanged != 0 {
			t.Errorf("%s: %+v", separator, r)
		}
		must(t, os.WriteFile(file, []byte(strings.Replace(string(text), "status", "stato", 1)), 0o600))
		if code := term.run("import", file); code != exitFailed || !strings.Contains(term.Errors.String(), "matches.csv:1: stato: is not a known column") || !strings.Contains(term.Errors.String(), "1 fault in "+file) {
			t.Errorf("exit %d: %s", code, term.Errors.String())
		}
		other := filepath.Join(to, "results.csv")
		must(t, os.Rename(file, other))
		term.fails(t, exitFailed, "results.csv: is not read", "import", other)
	}
}

// example writes a league with a match that has line-ups and events.
func example(t *testing.T, dir string) {
	t.Helper()
	for name, text := range map[string]string{
		"organizations": `{"id":"f","type":"federation","name":"F"}`, "competitions": `{"id":"c","season":2025,"name":"C","organizationId":"f","endsAt":"2026-06-01T00:00:00Z"}`,
		"teams":   `{"id":"a","name":"A","shortName":"A","competitionId":"c"}` + "\n" + `{"id":"b","name":"B","shortName":"B","competitionId":"c"}`,
		"players": `{"id":"p","name":"P","teamId":"a"}`,
		"matches": `{"id":"m","competitionId":"c","status":"finished","kickoffAt":"2026-03-10T15:00:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":2,"away":1},"lineups":{"confirmed":true,"home":{"starting":[{"playerId":"p"}],"bench":[]},"away":{"starting":[],"bench":[]}},"events":[{"type":"goal","minute":3,"side":"home","playerId":"p"},{"type":"goal","minute":4,"side":"home"},{"type":"goal","minute":5,"side":"away"}],"statistics":{"home":{"possession":50},"away":{"possession":50}}}`,
	} {
		writeFile(t, filepath.Join(dir, name+".ndjson"), text+"\n")
	}
}

// An exported workbook knows which data it came from: loaded again, the report says which
// loads came since, but for its own.
func TestAWorkbookThatOthersHaveOvertakenSaysSo(t *testing.T) {
	term, dir := importer(t)
	example(t, dir)
	term.succeed(t, "import", dir)
	book := filepath.Join(t.TempDir(), "liga.xlsx")
	term.succeed(t, "export", book)
	says := func(step, want string, args ...string) {
		t.Helper()
		r := report(t, term.succeed(t, append([]string{"import", "--json", "--yes"}, args...)...))
		got := ""
		if r.Warnings != nil {
			for _, w := range r.Warnings.List {
				if w.File == filepath.Base(book) {
					got += w.Message
				}
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", step, got, want)
		}
	}
	scored := func(term *screen, day, home int) {
		term.Now = func() time.Time { return terminal.ScreenTime.AddDate(0, 0, day) }
		term.In = strings.NewReader(fmt.Sprintf(`{"id":"m","patch":true,"events":null,"score":{"home":%d,"away":0}}`, home))
		term.succeed(t, "import", "--yes", "--as", "matches", "-")
	}
	says("unchanged", "", book)
	scored(term, 1, 10)
	says("a score", "was exported before 1 load on 2026-03-15 15:00 UTC: it may take back what changed since", "--dry-run", book)
	scored(term, 2, 11)
	says("another score", "was exported before 2 loads, the last on 2026-03-16 15:00 UTC: it may take back what changed since", book)
	says("its own load", "was exported before 2 loads, the last on 2026-03-16 15:00 UTC: it may take back what changed since", book)
	for i := range 21 {
		scored(term, 3, i)
	}
	says("many", "was exported before 24 loads, the last on 2026-03-17 15:00 UTC: it may take back what changed since", "--dry-run", book)
	term.fails(t, exitFailed, "", "import", "--strict", book)
	again := filepath.Join(t.TempDir(), "liga.xlsx")
	term.succeed(t, "export", again)
	says("exported again", "", again)
	other := keeper(t)
	other.succeed(t, "import", dir)
	for i := range 3 {
		scored(other, 0, i)
	}
	term = other
	says("other data", "", "--dry-run", book)
	says("no data", "", "--offline", book)
}

// Of a competition in UTC, which a dataset need not say, a sheet does, and so it does of a
// friendly: its times are meant so.
func TestASheetOfTimesInUTCIsImportedWithoutAWord(t *testing.T) {
	term, dir := importer(t)
	example(t, dir)
	matches, err := os.ReadFile(filepath.Join(dir, "matches.ndjson"))
	must(t, err)
	writeFile(t, filepath.Join(dir, "matches.ndjson"), string(matches)+`{"id":"friendly","status":"upcoming","kickoffLocal":"2027-08-01T15:00","timezone":"UTC","homeTeamId":"a","awayTeamId":"b"}`+"\n")
	term.succeed(t, "import", dir)
	for _, args := range [][]string{{"sheets.xlsx"}, {"sheets.zip", "--csv"}} {
		to := filepath.Join(t.TempDir(), args[0])
		term.succeed(t, append([]string{"export", to}, args[1:]...)...)
		if r := report(t, term.succeed(t, "import", "--json", to)); r.Entries != 0 || r.Matches.Unchanged != 2 || r.Warnings.Count() != 0 {
			t.Errorf("%s: %+v, %v", to, r, r.Warnings)
		}
	}
}

func TestWhatSheetsCannotHoldIsSaidOnce(t *testing.T) {
	term, dir := importer(t)
	example(t, dir)
	term.succeed(t, "import", dir)
	out := term.succeed(t, "export", "--csv", filepath.Join(t.TempDir(), "sheets"))
	if want := "not in the sheets, and left as it is when they are imported:\n  matches: statistics of 1\n"; !strings.Contains(out, want) {
		t.Errorf("got %s, want %s", out, want)
	}
	var exported struct{ Left []spreadsheet.Left }
	if err := json.Unmarshal([]byte(term.succeed(t, "export", "--json", filepath.Join(t.TempDir(), "a.xlsx"))), &exported); err != nil || len(exported.Left) != 1 {
		t.Errorf("%+v, %v", exported, err)
	}
}

// Times are those of the competition, keys the operator's own, and what a competition
// needs is there: it can be loaded into an empty table.
func TestACompetitionIsExportedByItself(t *testing.T) {
	term, dir := importer(t)
	writeFile(t, filepath.Join(dir, "organizations.ndjson"), `{"id":"fed","type":"federation","name":"F"}
{"id":"club","type":"club","name":"C","parentId":"fed"}
{"id":"other","type":"club","name":"O","parentId":"fed"}
`)
	writeFile(t, filepath.Join(dir, "competitions.ndjson"), `{"id":"liga","season":2025,"name":"L","organizationId":"fed","timezone":"Europe/Vienna"}
{"id":"liga","season":2024,"name":"L","organizationId":"fed","timezone":"Europe/Vienna"}
{"id":"cup","season":2025,"name":"K","organizationId":"fed"}
`)
	writeFile(t, filepath.Join(dir, "teams.ndjson"), `{"id":"a","name":"A","shortName":"A","organizationId":"club","competitionId":"liga","season":2025}
{"id":"b","name":"B","shortName":"B","organizationId":"club","competitionId":"liga","season":2025}
{"id":"c","name":"C","shortName":"C","organizationId":"other","competitionId":"cup","season":2025}
`)
	writeFile(t, filepath.Join(dir, "players.ndjson"), `{"id":"p","name":"P","teamId":"a"}
{"id":"q","name":"Q","teamId":"c"}
`)
	writeFile(t, filepath.Join(dir, "matches.ndjson"), `{"id":"m1","competitionId":"liga","season":2025,"status":"finished","kickoffAt":"2025-08-01T18:30:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":2,"away":1}}
{"id":"m2","competitionId":"liga","season":2025,"status":"finished","kickoffAt":"2025-10-26T01:30:00Z","homeTeamId":"b","awayTeamId":"a","score":{"home":0,"away":0}}
{"id":"m3","competitionId":"liga","season":2025,"status":"postponed","kickoffLocal":"2025-11-02","homeTeamId":"b","awayTeamId":"a"}
`)
	term.succeed(t, "import", dir)
	to := filepath.Join(t.TempDir(), "liga")
	term.succeed(t, "export", "--csv", "--competition", "liga", "--season", "2025", to)
	// At 01:30 UTC the clocks of Vienna show 02:30 for the second time.
	for name, want := range map[string]string{
		"organizations.csv": "id,type,name,logo,parentId,additionalParentIds,description,season,status,visibility,plan\nclub,club,C,,fed,,,,,,\nfed,federation,F,,,,,,,,\n",
		"competitions.csv":  "id,season,current,name,logo,type,stage,timezone,organizationId,gender,completed,endsAt,visibility,parentId,format\nliga,2025,,L,,,,Europe/Vienna,fed,,,,,,\n",
		"players.csv":       "id,name,teamId,number,position,photo,status,visibility\np,P,a,,,,,\n",
		"matches.csv": "id,competitionId,season,status,kickoffAt,kickoffLocal,homeTeamId,awayTeamId,score.home,score.away,extraTime,leg,twoLegs,winner,tieWinner,round,group,visibility\n" +
			"m1,liga,2025,finished,,2025-08-01 20:30,a,b,2,1,,,,,,,,\nm2,liga,2025,finished,2025-10-26T01:30:00.000Z,,b,a,0,0,,,,,,,,\nm3,liga,2025,postponed,,2025-11-02,b,a,,,,,,,,,,\n",
	} {
		if got, err := os.ReadFile(filepath.Join(to, name)); err != nil || string(got) != "\ufeff"+want {
			t.Errorf("%s: %s%v, want %s", name, got, err, want)
		}
	}
	if out := term.succeed(t, "import", "--offline", "--replace", to); !strings.Contains(out, "nothing was changed (--offline)") || strings.Contains(term.Errors.String(), "kickoffLocal") {
		t.Error(out, term.Errors.String()) // that it is at night is all there is to say
	}
	book := to + ".xlsx"
	term.succeed(t, "export", "--xlsx", "--competition", "liga", book)
	if r := report(t, term.succeed(t, "import", "--json", book)); r.Entries != 0 || r.Matches.Unchanged != 3 || r.Competitions.Unchanged != 2 {
		t.Errorf("%+v", r)
	}
	for _, wrong := range [][]string{
		{"--competition", "nil", to + "2"}, {"--competition", "liga", "--season", "1999", to + "2"},
		{"--season", "2025", to + "2"}, {"--xlsx", to + "2"}, {"--csv", to + "2.xlsx"},
		{"--separator", "tab", to + "2"}, {"--csv", "--separator", "/", to + "2"},
	} {
		if code := term.run(append([]string{"export"}, wrong...)...); code == exitOK {
			t.Errorf("%v succeeds", wrong)
		}
	}
	term.prints(t, "  set\n", "loads")
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(to), "*2*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// Text that begins like a formula is text in a workbook, and comes back as it was.
func TestTextLikeAFormulaSurvivesAWorkbook(t *testing.T) {
	term, dir := importer(t)
	var lines strings.Builder
	names := []string{"=1+1", "+49 30 1234", "-", "@home", "'=x", "'007", "1E5", "02.01.", " 7", "TRUE"}
	for i, name := range names {
		_, _ = fmt.Fprintf(&lines, `{"id":"c%d","type":"club","name":%q,"description":%q}`+"\n", i, name, name)
	}
	writeFile(t, filepath.Join(dir, "organizations.ndjson"), lines.String())
	term.succeed(t, "import", dir)
	for _, args := range [][]string{{"a.xlsx"}, {"a.zip", "--csv"}} {
		to := filepath.Join(t.TempDir(), args[0])
		term.succeed(t, append([]string{"export", to}, args[1:]...)...)
		if r := report(t, term.succeed(t, "import", "--json", to)); r.Entries != 0 || r.Organizations.Unchanged != len(names) {
			t.Errorf("%s: %+v", to, r)
		}
	}
	book := filepath.Join(t.TempDir(), "a.xlsx")
	term.succeed(t, "export", book)
	f, err := excelize.OpenFile(book)
	must(t, err)
	rows, err := f.GetRows("organizations")
	must(t, err)
	for i, row := range rows[1:] {
		at, _ := excelize.CoordinatesToCellName(1+slices.Index(rows[0], "name"), i+2)
		formula, err := f.GetCellFormula("organizations", at)
		kind, err2 := f.GetCellType("organizations", at)
		if formula != "" || err != nil || err2 != nil || kind != excelize.CellTypeSharedString && kind != excelize.CellTypeInlineString || !slices.Contains(names, row[slices.Index(rows[0], "name")]) {
			t.Errorf("%s of %v: %v, formula %q, %v, %v", at, row, kind, formula, err, err2)
		}
	}
}
