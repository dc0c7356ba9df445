package format

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/sport"
)

// without gives a dataset with every line of a file left out that holds a text.
func without(files map[string]string, file, text string) map[string]string {
	var kept []string
	for line := range strings.Lines(files[file]) {
		if !strings.Contains(line, text) {
			kept = append(kept, line)
		}
	}
	files[file] = strings.Join(kept, "")
	return files
}

func replaced(files map[string]string, file, old, text string) map[string]string {
	files[file] = strings.Replace(files[file], old, text, 1)
	return files
}

func TestBrokenReferencesNameTheField(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"none", federation(), nil},
		{"a parent", without(federation(), "organizations", `"id":"f"`), []string{
			`organizations.ndjson:1: parentId: organization "f" does not exist`,
			`organizations.ndjson:2: parentId: organization "f" does not exist`,
			`competitions.ndjson:1: organizationId: organization "f" does not exist`,
			`competitions.ndjson:2: organizationId: organization "f" does not exist`,
			`competitions.ndjson:3: organizationId: organization "f" does not exist`,
		}},
		{"an additional parent", without(federation(), "organizations", `"id":"x"`), []string{
			`organizations.ndjson:2: additionalParentIds[0]: organization "x" does not exist`,
		}},
		{"a club that is deleted", replaced(federation(), "organizations", `"type":"club","name":"O","parentId":"f","additionalParentIds":["x"]`, `"deleted":true`), []string{
			`teams.ndjson:1: organizationId: organization "o" is deleted by this dataset`,
		}},
		{"a season", without(federation(), "competitions", `"season":2002,"name":"C"`), []string{
			`teams.ndjson:1: competitionId: season 2002 of competition "c" does not exist; this dataset has season 2001`,
			`matches.ndjson:1: competitionId: season 2002 of competition "c" does not exist; this dataset has season 2001`,
			`standings.ndjson:1: competitionId: season 2002 of competition "c" does not exist; this dataset has season 2001`,
		}},
		{"a season that is deleted", replaced(federation(), "competitions", `"season":2002,"name":"C","organizationId":"f","groups":[{"id":"g2","name":"G","order":1}]`, `"season":2002,"deleted":true`), []string{
			`teams.ndjson:1: competitionId: competition "c" is deleted by this dataset`,
			`matches.ndjson:1: competitionId: competition "c" is deleted by this dataset`,
			`standings.ndjson:1: competitionId: competition "c" is deleted by this dataset`,
		}},
		{"the parent of a playoff", replaced(federation(), "competitions", `"parentId":"c"`, `"parentId":"e"`), []string{
			`competitions.ndjson:3: parentId: competition "e" does not exist`,
			`standings.ndjson:1: rows[0].group: group "h" is not a group of season 2002 of competition "c"`,
		}},
		{"a group of another season", replaced(federation(), "teams", `"group":"g2"`, `"group":"g1"`), []string{
			`teams.ndjson:1: group: group "g1" is not a group of season 2002 of competition "c"`,
		}},
		{"a group of no season", replaced(federation(), "teams", `"group":"g1"`, `"group":"h"`), []string{
			`teams.ndjson:2: group: group "h" is not a group of competition "c"`,
		}},
		{"a child's group in the regular table", replaced(federation(), "standings", `"playoff"`, `"regular"`), []string{
			`standings.ndjson:1: rows[0].group: group "h" is not a group of season 2002 of competition "c"`,
		}},
		{"a team", without(federation(), "teams", `"id":"b"`), []string{
			`players.ndjson:2: teamId: team "b" does not exist`,
			`matches.ndjson:1: awayTeamId: team "b" does not exist`,
		}},
		{"players", federationWithout("players"), []string{
			`matches.ndjson:1: lineups.home.starting[0].playerId: player "p" does not exist`,
			`matches.ndjson:1: lineups.away.bench[0].playerId: player "q" does not exist`,
			`matches.ndjson:1: events[0].playerId: player "p" does not exist`,
			`matches.ndjson:1: events[0].assistId: player "q" does not exist`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			faults, err := mustRead(t, c.files).Resolve(t.Context(), nothingStored, false)
			must(t, err)
			var got []string
			if faults != nil {
				got = strings.Split(faults.Error(), "\n")
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

func federationWithout(file string) map[string]string {
	files := federation()
	delete(files, file)
	return files
}

func TestTargetsThatAreStoredAreAskedForOnce(t *testing.T) {
	files := federationWithout("players")
	delete(files, "organizations")
	set := mustRead(t, files)
	asked := map[dataset.Target]int{}
	faults, err := set.Resolve(t.Context(), func(_ context.Context, targets []dataset.Target) ([]bool, error) {
		stored := make([]bool, len(targets))
		for i, target := range targets {
			asked[target]++
			stored[i] = target.Kind == sport.KindPlayer || target.ID == hash("organization", "f") || target.ID == hash("organization", "o")
		}
		return stored, nil
	}, false)
	if err != nil || faults != nil {
		t.Errorf("got %v, %v", faults, err)
	}
	want := map[dataset.Target]int{
		{Kind: sport.KindOrganization, ID: hash("organization", "f")}: 1,
		{Kind: sport.KindOrganization, ID: hash("organization", "o")}: 1,
		{Kind: sport.KindPlayer, ID: hash("player", "p")}:             1,
		{Kind: sport.KindPlayer, ID: hash("player", "q")}:             1,
	}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("asked for (-want +got):\n%s", diff)
	}
}

// A faulty organization takes with it what depends on it, link by link, unless
// an earlier record of it is stored.
func TestGoodPartIsWhole(t *testing.T) {
	files := replaced(federation(), "teams", `"id":"a","name":"A"`, `"id":"a","name":7`)
	set, err := Read(t.Context(), folder(files), Options{})
	if err == nil || err.Error() != "teams.ndjson:1: name: must be a string, not 7" {
		t.Fatalf("got %v", err)
	}
	if len(set.Teams) != 1 || set.Len() != 11 {
		t.Fatalf("%d records are left", set.Len())
	}
	faults, err := set.Resolve(t.Context(), nothingStored, true)
	must(t, err)
	want := strings.Join([]string{
		`players.ndjson:1: teamId: team "a" is left out`,
		`matches.ndjson:1: homeTeamId: team "a" is left out`,
		`standings.ndjson:1: rows[0].teamId: team "a" is left out`,
	}, "\n")
	if diff := cmp.Diff(want, faults.Error()); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
	if set.Players.Len() != 1 || set.Matches.Len() != 0 || len(set.Standings) != 0 || len(set.Organizations) != 3 {
		t.Errorf("%d players, %d matches, %d tables are left", set.Players.Len(), set.Matches.Len(), len(set.Standings))
	}
	for ref := range set.References() {
		if set.Find(ref.Target) != dataset.Present {
			t.Errorf("%s is left with %s", ref.From.File, ref.Field())
		}
	}
}

func TestGoodPartStandsOnWhatIsStored(t *testing.T) {
	set := mustRead(t, without(federation(), "organizations", `"id":"f"`))
	faults, err := set.Resolve(t.Context(), func(_ context.Context, targets []dataset.Target) ([]bool, error) {
		return []bool{targets[0].ID == hash("organization", "f")}, nil
	}, true)
	if err != nil || faults != nil || set.Len() != 11 {
		t.Errorf("got %v, %v, %d records", faults, err, set.Len())
	}
}

// The loader finds faults of its own; what it drops is gone for references too.
func TestDroppedRecordsAreUnknown(t *testing.T) {
	set := mustRead(t, federation())
	set.Drop([]dataset.Fault{{File: "competitions.ndjson", Line: 2}, {File: "players.ndjson", Line: 1}})
	if len(set.Competitions) != 2 || set.Players.Len() != 1 {
		t.Fatalf("%d competitions, %d players are left", len(set.Competitions), set.Players.Len())
	}
	c := hash("competition", "c")
	for name, want := range map[dataset.Target]dataset.Presence{
		{Kind: sport.KindPlayer, ID: hash("player", "p")}:                                dataset.Unknown,
		{Kind: sport.KindPlayer, ID: hash("player", "q")}:                                dataset.Present,
		{Kind: sport.KindCompetition, ID: c, Season: 2002}:                               dataset.Unknown,
		{Kind: sport.KindCompetition, ID: c, Season: 2001}:                               dataset.Present,
		{Kind: sport.KindCompetition, ID: c}:                                             dataset.Present,
		{Kind: sport.KindGroup, ID: hash("group", "g2"), Competition: c, Season: 2002}:   dataset.Unknown,
		{Kind: sport.KindGroup, ID: hash("group", "g1"), Competition: c, Season: 2001}:   dataset.Present,
		{Kind: sport.KindGroup, ID: hash("group", "none"), Competition: c, Season: 2001}: dataset.Absent,
		{Kind: sport.KindEvent, ID: hash("event", "e")}:                                  dataset.Unknown,
	} {
		if got := set.Find(name); got != want {
			t.Errorf("%+v: got %d, want %d", name, got, want)
		}
	}
}

func TestCirclesOfOrganizationsAreFaults(t *testing.T) {
	org := func(id, parent, additional string) string {
		line := `{"id":"` + id + `","type":"association","name":"O"`
		if parent != "" {
			line += `,"parentId":"` + parent + `"`
		}
		return line + `,"additionalParentIds":[` + additional + `]}`
	}
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"none: two ways up", []string{org("a", "b", `"c"`), org("b", "d", ""), org("c", "d", ""), org("d", "", "")}, ""},
		{"two", []string{org("x", "a", ""), org("a", "b", ""), org("b", "a", "")},
			`organizations.ndjson:3: parentId: makes a circle of parents: organization "a", organization "b"`},
		{"over an additional parent", []string{org("a", "b", ""), org("b", "", `"d","c"`), org("c", "a", ""), org("d", "", "")},
			`organizations.ndjson:3: parentId: makes a circle of parents: organization "a", organization "b", organization "c"`},
		{"closed by an additional parent", []string{org("a", "b", ""), org("b", "", `"d","a"`), org("d", "", "")},
			`organizations.ndjson:2: additionalParentIds[1]: makes a circle of parents: organization "a", organization "b"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			set, err := Read(t.Context(), folder(map[string]string{"organizations": lined(c.lines...)}), Options{})
			got := ""
			if err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			good, _ := rewritten(set)
			if _, err := Read(t.Context(), good, Options{}); err != nil {
				t.Errorf("of the good part: %v", err)
			}
		})
	}
}

func TestLongCircleIsNamedInPart(t *testing.T) {
	var lines []string
	for i := range 5000 {
		lines = append(lines, fmt.Sprintf(`{"id":"o%d","type":"association","name":"O","parentId":"o%d"}`, i, (i+1)%5000))
	}
	got := faultsOf(t, map[string]string{"organizations": lined(lines...)})
	if len(got) != 1 || got[0].Line != 5000 || !strings.HasSuffix(got[0].Message, `organization "o9", …`) {
		t.Errorf("got %v", got)
	}
}

// Faults of reading and faults of references are reported at once; what refers
// to a record that was itself faulty is not at fault.
func TestReferencesOfAFaultyDatasetAreChecked(t *testing.T) {
	set, err := Read(t.Context(), folder(map[string]string{
		"organizations": lined(`{"id":"f","type":"federation","name":"F","colour":"red"}`, `{"id":"broken","type":`,
			`{"id":"round","type":"club","name":"R","parentId":"round"}`, `{"type":"club","name":"nobody"}`),
		"competitions": lined(`{"id":"c","season":2025,"name":"C","organizationId":"f","groups":[{"id":"g","name":7,"order":1}]}`,
			`{"id":"late","season":"2025","name":"L","organizationId":"f"}`),
		"teams": lined(`{"id":"t","name":"T","shortName":"T","organizationId":"f","competitionId":"c","season":2025,"group":"g"}`,
			`{"id":"u","name":"U","shortName":"U","organizationId":"broken","competitionId":"late","season":2025}`,
			`{"id":"v","name":"V","shortName":"V","organizationId":"round"}`,
			`{"id":"w","name":"W","shortName":"W","organizationId":"nowhere"}`,
			`{"id":"long","name":"`+strings.Repeat("x", files.MaxLine)+`"}`),
		"players": lined(`{"id":"p","name":"P","teamId":"long"}`, `{"id":"q","name":"Q","teamId":"t"}`),
	}), Options{})
	var read *dataset.Faults
	if !errors.As(err, &read) {
		t.Fatal(err)
	}
	if n := read.Count(); n != 7 {
		t.Errorf("%d faults of reading:\n%v", n, read)
	}
	faults, err := set.Resolve(t.Context(), nothingStored, false)
	must(t, err)
	if want := `teams.ndjson:4: organizationId: organization "nowhere" does not exist`; faults == nil || faults.Error() != want {
		t.Errorf("got %v, want %s", faults, want)
	}
}

func TestReferencesToWhatAFileThatIsNotReadMayHoldAreNoFaults(t *testing.T) {
	set, _ := Read(t.Context(), folder(map[string]string{
		"organizations.ndjson.txt": "",
		"teams": lined(`{"id":"t","name":"T","shortName":"T","organizationId":"o"}`,
			`{"id":"u","name":"U","shortName":"U","competitionId":"c"}`),
	}), Options{})
	faults, err := set.Resolve(t.Context(), nothingStored, false)
	if want := `teams.ndjson:2: competitionId: competition "c" does not exist`; err != nil || faults == nil || faults.Error() != want {
		t.Errorf("got %v, %v, want %s", faults, err, want)
	}
}

// nothingStored is the Stays of an empty store.
func nothingStored(_ context.Context, targets []dataset.Target) ([]bool, error) {
	return make([]bool, len(targets)), nil
}
