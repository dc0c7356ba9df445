package loader_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset"
	"touchline/shared/loader"
	"touchline/shared/loader/history"
)

// seasonOfRows is what the rows of this file change: a season with all that CSV cannot
// hold.
var seasonOfRows = map[string]string{
	"organizations.ndjson": `{"id":"liga","type":"federation","name":"Liga","description":"Old"}`,
	"competitions.ndjson":  `{"id":"cup","season":2025,"name":"Cup","organizationId":"liga","timezone":"Europe/Vienna","rules":{"win":2,"tieBreakers":["goalsFor"]},"groups":[{"id":"g","name":"A","order":1}]}`,
	"teams.ndjson":         `{"id":"a","name":"A","shortName":"A","competitionId":"cup","startingPoints":-3}` + "\n" + `{"id":"b","name":"B","shortName":"B","competitionId":"cup","seed":4}` + "\n" + `{"id":"c","name":"C","shortName":"C","competitionId":"cup"}`,
	"players.ndjson":       `{"id":"p","name":"P","teamId":"a","number":9}`,
	"matches.ndjson": `{"id":"m","competitionId":"cup","status":"finished","round":3,"kickoffAt":"2026-03-01T15:00:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":1,"away":0},"points":{"home":5,"away":-1},` +
		`"lineups":{"confirmed":true,"home":{"starting":[{"playerId":"p"}],"bench":[]},"away":{"starting":[],"bench":[]}},"events":[{"type":"goal","minute":12,"side":"home","playerId":"p"}]}`,
}

func filesOf(files map[string]string) fstest.MapFS {
	f := fstest.MapFS{}
	for name, text := range files {
		f[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return f
}

// A column that the file does not have leaves the stored value as it is, and an empty cell
// gives the field its default (D62): what comes out is what a patch would make.
func TestARowChangesTheFieldsThatHaveAColumn(t *testing.T) {
	for _, tt := range []struct {
		name, csv, rows string
		file, patch     string
	}{
		{"a match keeps line-ups, events and points", "matches.csv", "id,status,kickoffLocal,score.home,score.away\nm,finished,2026-03-01T16:00,1,0\n",
			"matches.ndjson", `{"id":"m","patch":true,"status":"finished","kickoffLocal":"2026-03-01T16:00","score":{"home":1,"away":0}}`},
		{"a date alone", "matches.csv", "id,kickoffLocal\nm,01.03.2026\n", "matches.ndjson", `{"id":"m","patch":true,"kickoffAt":"2026-02-28T23:00:00Z","kickoffTimeOpen":true}`},
		{"a date without its time", "matches.csv", "id,Date,Time\nm,2026-03-01,\n", "matches.ndjson", `{"id":"m","patch":true,"kickoffAt":"2026-02-28T23:00:00Z","kickoffTimeOpen":true}`},
		{"an empty cell is the default", "matches.csv", "id,round,points.home,points.away\nm,,,\n",
			"matches.ndjson", `{"id":"m","patch":true,"round":null,"points":null}`},
		{"half of a score", "matches.csv", "id,score.home\nm,4\n", "matches.ndjson", `{"id":"m","patch":true,"score":{"home":4,"away":0}}`},
		{"rules, one by one", "competitions.csv", "id,season,rules.draw,rules.tieBreakers\ncup,2025,0,\n",
			"competitions.ndjson", `{"id":"cup","season":2025,"patch":true,"rules":{"win":2,"draw":0}}`},
		{"rules of a regulation", "competitions.csv", "id,season,rules.like\ncup,2025,fifa-world-cup-2026-groups\n",
			"competitions.ndjson", `{"id":"cup","season":2025,"patch":true,"rules":{"like":"fifa-world-cup-2026-groups"}}`},
		{"a list", "competitions.csv", "id,season,groups.id,groups.name,groups.order\ncup,2025,g|h,A|B,1|2\n",
			"competitions.ndjson", `{"id":"cup","season":2025,"patch":true,"groups":[{"id":"g","name":"A","order":1},{"id":"h","name":"B","order":2}]}`},
		{"a list that is cleared", "competitions.csv", "id,season,groups.id,groups.name,groups.order\ncup,2025,,,\n",
			"competitions.ndjson", `{"id":"cup","season":2025,"patch":true,"groups":null}`},
		{"a team that leaves its competition", "teams.csv", "id,competitionId,group\nc,,\n",
			"teams.ndjson", `{"id":"c","patch":true,"competitionId":null,"group":null}`},
		{"teams", "teams.csv", "id,name,startingPoints\na,Alpha,\nb,Beta,-1\n",
			"teams.ndjson", `{"id":"a","patch":true,"name":"Alpha","startingPoints":null}` + "\n" + `{"id":"b","patch":true,"name":"Beta","startingPoints":-1}`},
		{"with patch an empty cell changes nothing", "teams.csv", "id,name,startingPoints,patch\na,Alpha,,true\n", "teams.ndjson", `{"id":"a","patch":true,"name":"Alpha"}`},
		{"a row that is no patch", "teams.csv", "id,name,startingPoints,patch\na,Alpha,,false\n", "teams.ndjson", `{"id":"a","patch":true,"name":"Alpha","startingPoints":null}`},
		{"a row that is new", "players.csv", "id,name,teamId,number,deleted\nq,Q,b,,\n", "players.ndjson", `{"id":"q","name":"Q","teamId":"b"}`},
		{"a row that is new, and no patch", "players.csv", "ID,Name,teamId,patch\nq,Q,b,FALSCH\n", "players.ndjson", `{"id":"q","name":"Q","teamId":"b"}`},
		{"an organization", "organizations.csv", "id,description\nliga,\n", "organizations.ndjson", `{"id":"liga","patch":true,"description":null}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var dumps [2]map[string]any
			for i, change := range []map[string]string{{tt.csv: tt.rows}, {tt.file: tt.patch}} {
				s := newSports(t)
				load(t, s, filesOf(seasonOfRows), loader.Options{})
				load(t, s, filesOf(change), loader.Options{})
				dumps[i] = s.dump(t)
			}
			if diff := difference(dumps[1], dumps[0]); diff != "" {
				t.Errorf("as a patch (-) and as a row (+):\n%s", diff)
			}
		})
	}
}

func TestARowOfANewRecordNeedsItsColumns(t *testing.T) {
	s := newSports(t)
	load(t, s, filesOf(seasonOfRows), loader.Options{})
	_, err := s.loader().Load(t.Context(), filesOf(map[string]string{"players.csv": "id,number\np,8\nq,9\nr,10\n"}), loader.Options{})
	var faults *dataset.Faults
	if !errors.As(err, &faults) || faults.Error() != "players.csv:3: name: is missing (2 times: also on line 4)\nplayers.csv:3: teamId: is missing (2 times: also on line 4)" {
		t.Errorf("got %v", err)
	}
}

// A row refers to what is stored by ids; what is said of it names the operator's keys.
func TestWhatIsSaidOfARowNamesKeys(t *testing.T) {
	s := newSports(t)
	load(t, s, filesOf(seasonOfRows), loader.Options{})
	load(t, s, filesOf(map[string]string{"competitions.csv": "id,season,groups.id,groups.name,groups.order\ncup,2025,g|h,A|B,1|2\n", "teams.csv": "id,group\na,g\n"}), loader.Options{})
	for rows, want := range map[string]string{
		"teams.csv: id,season\na,2027":    `teams.csv:2: competitionId: season 2027 of competition "cup" does not exist`,
		"teams.csv: id,group\na,x":        `teams.csv:2: group: group "x" is not a group of season 2025 of competition "cup"`,
		"teams.csv: id,group\na,h":        "~ team a (A): group g to h",
		"teams.csv: id,group\na,":         "~ team a (A): group g to none",
		"matches.csv: id,homeTeamId\nm,c": "~ match m (C - B): homeTeamId A to C",
	} {
		file, text, _ := strings.Cut(rows, ": ")
		report, err := s.loader().Load(t.Context(), filesOf(map[string]string{file: text + "\n"}), loader.Options{DryRun: true, Diff: true, AllowDeletes: new(1)})
		got := fmt.Sprint(err)
		if err == nil {
			got = report.Changes[0].String()
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", rows, got, want)
		}
	}
}

// What a load takes away is said before it is written, and nothing is if that is not
// meant.
func TestALossIsConfirmedBeforeItIsWritten(t *testing.T) {
	s := newSports(t)
	load(t, s, filesOf(seasonOfRows), loader.Options{})
	before := s.dump(t)
	whole := filesOf(map[string]string{
		"teams.ndjson":   `{"id":"a","name":"A","shortName":"A","competitionId":"cup"}`,
		"matches.ndjson": `{"id":"m","competitionId":"cup","status":"finished","kickoffAt":"2026-03-01T15:00:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":1,"away":0}}`,
	})
	want := history.Losses{{Kind: "teams", Field: "startingPoints", Records: 1}}
	for _, field := range []string{"points", "round", "lineups", "events"} {
		want = append(want, history.Loss{Kind: "matches", Field: field, Records: 1})
	}
	refused := errors.New("not meant")
	l := s.loader()
	var said *loader.Report
	l.Confirm = func(_ context.Context, r *loader.Report) error { said = r; return refused }
	if _, err := l.Load(t.Context(), whole, loader.Options{}); !errors.Is(err, refused) || said == nil || cmp.Diff(want, said.Losses) != "" {
		t.Fatalf("%v: %s", err, cmp.Diff(want, said.Losses))
	}
	if diff := difference(before, s.dump(t)); diff != "" {
		t.Errorf("a load that was not meant has written:\n%s", diff)
	}
	if r := load(t, s, whole, loader.Options{DryRun: true}); cmp.Diff(want, r.Losses) != "" {
		t.Errorf("a dry run: %v", r.Losses)
	}
	said = nil
	if _, err := l.Load(t.Context(), filesOf(map[string]string{"teams.csv": "id,name\na,Alpha\n"}), loader.Options{}); err != nil || said != nil {
		t.Errorf("a load that takes nothing away was to be confirmed: %v, %v", said, err)
	}
	if _, err := l.Load(t.Context(), filesOf(map[string]string{"matches.ndjson": `{"id":"m","deleted":true}`}), loader.Options{}); !errors.Is(err, refused) || said.Matches.Deleted != 1 {
		t.Errorf("a deletion: %v, %v", said, err)
	}
	said = nil
	load(t, s, filesOf(map[string]string{"teams.ndjson": `{"id":"z","name":"Z","shortName":"Z"}`}), loader.Options{})
	if _, _, err := l.Undo(t.Context(), loader.Options{}); err != nil || said != nil {
		t.Errorf("an undo that takes away what the load brought was to be confirmed: %v, %v", said, err)
	}
}
