package loader_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/loader"
	"touchline/shared/sport"
)

// folder is a dataset in memory, its lines by file.
func folder(files map[string][]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, lines := range files {
		fsys[name+".ndjson"] = &fstest.MapFile{Data: []byte(strings.Join(lines, "\n"))}
	}
	return fsys
}

// league is a stored competition with two teams, a player and a match.
func league() map[string][]string {
	return map[string][]string{
		"organizations": {`{"id":"o","type":"federation","name":"O"}`},
		"competitions":  {`{"id":"c","season":2025,"name":"C","organizationId":"o","timezone":"Europe/Vienna"}`},
		"teams": {
			`{"id":"a","name":"A","shortName":"A","organizationId":"o","competitionId":"c"}`,
			`{"id":"b","name":"B","shortName":"B","organizationId":"o","competitionId":"c"}`,
			`{"id":"x","name":"X","shortName":"X","organizationId":"o"}`,
		},
		"players": {`{"id":"p","name":"P","teamId":"a","number":9}`},
		"matches": {`{"id":"m","competitionId":"c","status":"finished","kickoffAt":"2026-03-01T15:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":1,"away":0}}`},
	}
}

func TestWarningsNameWhatIsOddBesideTheTable(t *testing.T) {
	s := newSports(t)
	now := func() time.Time { return time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC) }
	l := s.loader()
	l.Now = now
	if report, err := l.Load(t.Context(), folder(league()), loader.Options{}); err != nil || report.Warnings != nil {
		t.Fatalf("%v, warnings %v", err, report.Warnings)
	}
	was := s.dump(t)
	odd := folder(map[string][]string{
		"organizations": {`{"id":"gone","deleted":true}`},
		"competitions":  {`{"id":"c","season":2019,"deleted":true}`},
		"players":       {`{"id":"q","name":"Q","teamId":"a","number":9}`, `{"id":"p","name":"Renamed","teamId":"a","number":9}`},
		"matches": {
			`{"id":"m2","competitionId":"c","status":"finished","kickoffAt":"2026-03-01T16:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":1,"away":0}}`,
			`{"id":"m3","competitionId":"c","status":"upcoming","kickoffLocal":"2026-03-29T02:30","homeTeamId":"a","awayTeamId":"x"}`,
			`{"id":"m4","status":"finished","kickoffAt":"2026-04-01T16:00Z","homeTeamId":"x","awayTeamId":"b","score":{"home":1,"away":0},"events":[{"type":"goal","minute":1,"side":"away"}]}`,
		},
		"standings": {`{"competitionId":"c","season":2025,"table":"playoff","deleted":true}`},
	})
	want := strings.Join([]string{
		`organizations.ndjson:1: id: deletes what is not stored`,
		`competitions.ndjson:1: id: deletes what is not stored`,
		`matches.ndjson:1: id: is the same fixture as match "m": the same teams within a day`,
		`matches.ndjson:2: kickoffLocal: is skipped by the clocks of the time zone: taken for as much later`,
		`matches.ndjson:2: awayTeamId: team "x" is not entered in season 2025 of competition "c"`,
		`matches.ndjson:3: events: the goals add up to 0:1, but the score is 1:0`,
		`matches.ndjson:3: status: is finished, but the kick-off, 2026-04-01T16:00Z, is still to come`,
		`standings.ndjson:1: table: deletes what is not stored`,
	}, "\n")
	_, err := l.Load(t.Context(), odd, loader.Options{Strict: true})
	if err == nil || err.Error() != want {
		t.Errorf("strictly (-want +got):\n%s", cmp.Diff(want, text(err)))
	}
	if diff := difference(was, s.dump(t)); diff != "" {
		t.Errorf("what was refused changed the table:\n%s", diff)
	}
	report, err := l.Load(t.Context(), odd, loader.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, report.Warnings.String()); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	if report.Matches.Created != 3 || report.Players.Created != 1 {
		t.Errorf("loaded %+v", report)
	}
}

// A club that is renamed in its entries alone keeps its former name wherever it is shown
// itself.
func TestAClubIsRenamedAsAWhole(t *testing.T) {
	s := newSports(t)
	league := league()
	league["organizations"] = append(league["organizations"], `{"id":"k","type":"club","name":"A","parentId":"o"}`)
	league["teams"][0] = `{"id":"a","name":"A","shortName":"A","organizationId":"k","competitionId":"c"}`
	if _, err := s.loader().Load(t.Context(), folder(league), loader.Options{}); err != nil {
		t.Fatal(err)
	}
	entry := `{"id":"a","patch":true,"name":"AA"}`
	for _, c := range []struct {
		files map[string][]string
		want  string
	}{
		{map[string][]string{"teams": {entry}}, `teams.ndjson:1: name: is "AA" now, but its club is still called "A"`},
		{map[string][]string{"teams": {entry}, "organizations": {`{"id":"k","patch":true,"name":"AA"}`}}, ``},
	} {
		report, err := s.loader().Load(t.Context(), folder(c.files), loader.Options{DryRun: true})
		if err != nil || report.Warnings.Count() == 0 && c.want != "" || report.Warnings.Count() > 0 && report.Warnings.String() != c.want {
			t.Errorf("%v: %v, %v", c.files, err, report.Warnings)
		}
	}
}

// Faults of reading and of references come together, those that only the table
// can tell included.
func TestEveryFaultIsToldAtOnce(t *testing.T) {
	s := newSports(t)
	load(t, s, folder(league()), loader.Options{})
	faulty := folder(map[string][]string{
		"organizations": {`{"id":"n","type":"club","name":"N","colour":"red"}`},
		"teams": {
			`{"id":"u","name":"U","shortName":"U","organizationId":"o"}`,
			`{"id":"v","name":"V","shortName":"V","organizationId":"n"}`,
			`{"id":"w","name":"W","shortName":"W","organizationId":"nowhere"}`,
		},
		"matches": {`{"id":"m9","status":"finished","kickoffAt":"2026-04-01T16:00Z","homeTeamId":"u","awayTeamId":"b","score":{"home":1,"away":0},"events":[{"type":"goal","minute":1,"side":"away"}]}`},
	})
	const want = `organizations.ndjson:1: colour: is not a known field; known here are id, type, name, logo, parentId, additionalParentIds, description, season, status, visibility, plan, deleted, erase
teams.ndjson:3: organizationId: organization "nowhere" does not exist`
	was := s.dump(t)
	for name, dry := range map[string]bool{"dry": true, "wet": false} {
		_, err := s.loader().Load(t.Context(), faulty, loader.Options{DryRun: dry})
		if diff := cmp.Diff(want, text(err)); diff != "" {
			t.Errorf("%s: faults (-want +got):\n%s", name, diff)
		}
	}
	if diff := difference(was, s.dump(t)); diff != "" {
		t.Errorf("what was refused changed the table:\n%s", diff)
	}
	report := load(t, s, faulty, loader.Options{GoodPart: true})
	if report.Faults.Count() != 3 || report.Teams.Created != 1 || report.Matches.Created != 1 || report.Warnings.Count() == 0 {
		t.Errorf("the good part: %+v, faults %v, warnings %v", *report, report.Faults, report.Warnings)
	}
}

func idOf(kind sport.Kind, key string) sport.ID { return sport.IDFor(kind, key) }

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// What stays and would dangle is called by the operator's own key, in the dataset
// or of an earlier load, else by its id and what people know it by.
func TestAFaultNamesWhatStays(t *testing.T) {
	s := newSports(t)
	load(t, s, folder(league()), loader.Options{})
	load(t, s, folder(map[string][]string{"matches": {`{"id":"` + string(idOf("match", "m")) + `","patch":true,"round":2}`}}), loader.Options{}) // its key stays
	gone := map[string][]string{"teams": {`{"id":"b","deleted":true}`}}
	_, err := s.loader().Load(t.Context(), folder(gone), loader.Options{DryRun: true})
	if want := `teams.ndjson:1: id: plays in match "m", which stays`; text(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
	byID := newSports(t)
	files := folder(league())
	for name, file := range files {
		files[name] = &fstest.MapFile{Data: bytes.ReplaceAll(file.Data, []byte(`"id":"m"`), []byte(`"id":"`+idOf("match", "m")+`"`))}
	}
	load(t, byID, files, loader.Options{})
	_, err = byID.loader().Load(t.Context(), folder(gone), loader.Options{DryRun: true})
	if want := "teams.ndjson:1: id: plays in match " + string(idOf("match", "m")) + " (A - B, 2026-03-01), which stays"; text(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
	gone["teams"] = []string{`{"id":"a","deleted":true}`}
	gone["players"] = []string{`{"id":"p","name":"P","teamId":"b"}`}
	gone["standings"] = []string{`{"competitionId":"c","season":2025,"table":"playoff","deleted":true}`}
	gone["organizations"] = []string{`{"id":"o","deleted":true}`}
	_, err = s.loader().Load(t.Context(), folder(gone), loader.Options{DryRun: true})
	for _, want := range []string{`owns competition "c", which stays`, `owns team "b", and 1 more, which stay`} {
		if !strings.Contains(text(err), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

// A team that is given by its name, or with a slip, is looked for among those that are
// stored, too.
func TestAFaultNamesTheStoredTeamThatWasMeant(t *testing.T) {
	s := newSports(t)
	first := league()
	first["teams"][1] = `{"id":"adl-26","name":"Adler Mannheim","shortName":"ADL","organizationId":"o","competitionId":"c"}`
	first["matches"] = nil
	load(t, s, folder(first), loader.Options{})
	match := func(home string) string {
		return `{"id":"n","competitionId":"c","status":"upcoming","kickoffAt":"2030-03-01T15:00Z","homeTeamId":"` + home + `","awayTeamId":"a"}`
	}
	for home, want := range map[string]string{
		"adler mannheim": `team "adler mannheim" does not exist; its key is "adl-26"`,
		"adl-27":         `team "adl-27" does not exist; did you mean "adl-26"?`,
		"X":              `team "X" does not exist`, // of no competition of the sheet
	} {
		_, err := s.loader().Load(t.Context(), folder(map[string][]string{"matches": {match(home)}}), loader.Options{})
		if want = "matches.ndjson:1: homeTeamId: " + want; text(err) != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	renamed := map[string][]string{"teams": {`{"id":"adl-26","patch":true,"name":"Falcons"}`}, "matches": {match("Adler Mannheim")}}
	if _, err := s.loader().Load(t.Context(), folder(renamed), loader.Options{}); text(err) != `matches.ndjson:1: homeTeamId: team "Adler Mannheim" does not exist` {
		t.Errorf("a name that the load changes: %v", err)
	}
}
