package loader_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"touchline/shared/loader"
	"touchline/shared/loader/export"
	"touchline/shared/outside"
)

// memory is a file of a folder in memory.
type memory struct {
	bytes.Buffer
	close func([]byte)
}

func (m *memory) Close() error { m.close(m.Bytes()); return nil }

// into makes files of a folder.
func into(folder fstest.MapFS) func(name string) (io.WriteCloser, error) {
	return func(name string) (io.WriteCloser, error) {
		return &memory{close: func(data []byte) { folder[name] = &fstest.MapFile{Data: data} }}, nil
	}
}

// exported is the dataset that the table holds.
func (s *sports) exported(t testing.TB) fstest.MapFS {
	t.Helper()
	folder := fstest.MapFS{}
	e := export.Exporter{Table: s.table, Create: into(folder)}
	report, err := e.Write(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, f := range folder {
		lines += bytes.Count(f.Data, []byte("\n"))
	}
	if lines != report.Total() {
		t.Errorf("the report counts %d records, the files have %d", report.Total(), lines)
	}
	return folder
}

// hasToComeBack loads an export into an empty table, which has to be the same, item by item.
func (s *sports) hasToComeBack(t testing.TB) {
	t.Helper()
	again, folder := inMemory(), s.exported(t)
	load(t, again, folder, anything())
	if diff := difference(s.dump(t), again.dump(t)); diff != "" {
		t.Errorf("exported (-) and loaded again (+):\n%s", diff)
	}
	if diff := difference(folder, again.exported(t)); diff != "" {
		t.Errorf("export (-) and export of what was loaded from it (+):\n%s", diff)
	}
}

// A federation's history ends in a table whose export makes the same table.
func TestAnExportMakesTheSameTable(t *testing.T) {
	seeds := 4
	if testing.Short() {
		seeds = 2
	}
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			f := newFederation(600 + seed)
			s := ofSeed(t, seed)
			was := map[string]map[string]fields{}
			for range 3 {
				f.grow(40)
				f.shrink(10)
				load(t, s, f.folder(t, since(was, f.records)), anything())
				s.hasToComeBack(t)
				was = f.copy()
			}
		})
	}
}

func TestTheExportOfRealSeasonsMakesTheSameTable(t *testing.T) {
	if testing.Short() {
		t.Skip("loads real seasons twice: make test-all runs it")
	}
	for _, name := range []string{"austria", "worldcup"} {
		t.Run(name, func(t *testing.T) {
			s := inMemory()
			load(t, s, os.DirFS(outside.Path(t, "data/"+name)), anything())
			s.hasToComeBack(t)
		})
	}
}

// The datasets that the scripts of the API are about have every field.
func TestTheExportOfTheScriptsDatasetsMakesTheSameTable(t *testing.T) {
	root := os.DirFS("../endpoints/scripts/testdata")
	datasets, err := fs.Glob(root, "*/organizations.ndjson")
	if err != nil || len(datasets) == 0 {
		t.Fatalf("no datasets: %v", err)
	}
	for _, at := range datasets {
		folder, err := fs.Sub(root, at[:len(at)-len("/organizations.ndjson")])
		if err != nil {
			t.Fatal(err)
		}
		t.Run(at, func(t *testing.T) {
			s := inMemory()
			load(t, s, folder, anything())
			s.hasToComeBack(t)
		})
	}
}

// That the hour of a kick-off is open is stored (D82): it stays wherever a load is killed, an
// undo brings it back, and an export gives the date alone, or says it beside an instant that is
// no midnight in the time zone that its competition has by now.
func TestAnHourThatIsOpen(t *testing.T) {
	at := func(kickoff string) string {
		return strings.Replace(seasonOfRows["matches.ndjson"], `"kickoffAt":"2026-03-01T15:00:00Z"`, kickoff, 1)
	}
	const date, instant = `"kickoffLocal":"2026-03-01"`, `"kickoffAt":"2026-02-28T23:00:00.000Z"`
	files := maps.Clone(seasonOfRows)
	files["matches.ndjson"] = at(date)
	zone := strings.Replace(seasonOfRows["competitions.ndjson"], "Europe/Vienna", "Europe/London", 1)
	for _, tt := range []struct{ name, file, line, exported string }{
		{"the hour is given", "matches.ndjson", at(`"kickoffLocal":"2026-03-01 00:00"`), instant + `,"homeTeamId"`},
		{"another day", "matches.ndjson", at(`"kickoffLocal":"2026-03-02"`), `"kickoffLocal":"2026-03-02","homeTeamId"`},
		{"a friendly", "matches.ndjson", strings.Replace(at(date), `"competitionId":"cup",`, "", 1), date + `,"timezone":"UTC","homeTeamId"`},
		{"another time zone", "competitions.ndjson", zone, instant + `,"kickoffTimeOpen":true`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			killedEverywhere(t, filesOf(files), filesOf(map[string]string{tt.file: tt.line}), 0, 100)
			s := inMemory()
			load(t, s, filesOf(files), anything())
			if got := s.exported(t)["matches.ndjson"].Data; !bytes.Contains(got, []byte(date+`,"homeTeamId"`)) {
				t.Errorf("exported as %s", got)
			}
			before := s.dump(t)
			if r := load(t, s, filesOf(map[string]string{tt.file: tt.line}), anything()); r.Matches.Changed+r.Competitions.Changed != 1 {
				t.Errorf("a change is %+v", r)
			}
			if got := s.exported(t)["matches.ndjson"].Data; !bytes.Contains(got, []byte(tt.exported)) {
				t.Errorf("exported as %s, want %s", got, tt.exported)
			}
			s.hasToComeBack(t)
			if _, _, err := s.undo(t); err != nil {
				t.Fatal(err)
			}
			if diff := difference(before, s.dump(t)); diff != "" {
				t.Errorf("before (-) and after an undo (+):\n%s", diff)
			}
		})
	}
}

func TestAnExportAfterAnInterruptedLoadIsRefused(t *testing.T) {
	f := newFederation(620)
	f.grow(30)
	s := newSports(t)
	if _, err := s.dyingAfter(6).Load(t.Context(), f.folder(t, f.records), anything()); !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	e := export.Exporter{Table: s.table, Create: func(string) (io.WriteCloser, error) { return &memory{close: func([]byte) {}}, nil }}
	if _, err := e.Write(t.Context()); !errors.Is(err, loader.ErrUnfinished) {
		t.Errorf("got %v, want that an import was interrupted", err)
	}
}

func TestAnExportDuringALoadIsRefused(t *testing.T) {
	f := newFederation(621)
	f.grow(30)
	s := inMemory()
	load(t, s, f.folder(t, f.records), anything())
	f.grow(5)
	e := export.Exporter{Table: s.table, Create: func(string) (io.WriteCloser, error) {
		load(t, s, f.folder(t, f.records), anything())
		return &memory{close: func([]byte) {}}, nil
	}}
	if _, err := e.Write(t.Context()); !errors.Is(err, export.ErrMoved) {
		t.Errorf("got %v, want that an import changed the data", err)
	}
}
