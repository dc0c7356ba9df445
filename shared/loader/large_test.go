package loader_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aws/aws-sdk-go-v2/aws"

	"touchline/shared/dataset"
	"touchline/shared/loader"
	"touchline/shared/store/records"
)

// lines is a file of a dataset.
func lines(t testing.TB, records ...fields) *fstest.MapFile {
	t.Helper()
	file := &fstest.MapFile{}
	for _, r := range records {
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		file.Data = append(append(file.Data, line...), '\n')
	}
	return file
}

// large is a competition whose season, groups and table are all larger than an
// item of DynamoDB may be.
func large(t testing.TB, teams, groups int) fstest.MapFS {
	t.Helper()
	name := func(kind string, i int) string { return fmt.Sprintf("%s %05d %s", kind, i, strings.Repeat("ö", 180)) }
	var entries, parts []fields
	for i := range groups {
		parts = append(parts, fields{"id": fmt.Sprint("g", i), "name": name("Group", i), "order": i})
	}
	for i := range teams {
		entries = append(entries, fields{
			"id": fmt.Sprint("t", i), "name": name("Team", i), "shortName": "T", "organizationId": "f",
			"competitionId": "c", "season": 2025, "group": fmt.Sprint("g", i%groups),
		})
	}
	return fstest.MapFS{
		"organizations.ndjson": lines(t, fields{"id": "f", "type": "federation", "name": "F"}),
		"competitions.ndjson":  lines(t, fields{"id": "c", "season": 2025, "name": "C", "organizationId": "f", "groups": parts}),
		"teams.ndjson":         lines(t, entries...),
	}
}

// A record of any size that D47 allows is loaded, read back, and changed as any
// other; nothing is left of the parts that it had before.
func TestLargeRecordsAreLoadedAndChanged(t *testing.T) {
	const teams, groups = 1200, 1000
	s := newSports(t)
	files := large(t, teams, groups)
	load(t, s, files, loader.Options{})

	if s.parts(t) < 3 {
		t.Errorf("%d parts, want some of each of three records", s.parts(t))
	}

	again := load(t, s, files, loader.Options{})
	if again.Entries != 0 {
		t.Errorf("the same again writes %d entries", again.Entries)
	}
	match := fields{
		"id": "m", "competitionId": "c", "season": 2025, "homeTeamId": "t0", "awayTeamId": "t1000", "status": "finished",
		"kickoffAt": "2025-08-01T18:00:00Z", "score": fields{"home": 1, "away": 0},
	}
	load(t, s, one(t, match), loader.Options{})
	files["matches.ndjson"] = lines(t, match)
	once := newSports(t)
	load(t, once, files, loader.Options{})
	if diff := difference(once.dump(t), s.dump(t)); diff != "" {
		t.Errorf("at once (-) and in two loads (+):\n%.2000s", diff)
	}
	load(t, s, large(t, 10, 10), loader.Options{Replace: true, AllowDeletes: aws.Int(teams + 1)})
	if n := s.parts(t); n != 0 {
		t.Errorf("%d parts are left of a season that is small again", n)
	}
}

// parts counts the parts of records.
func (s *sports) parts(t testing.TB) int {
	t.Helper()
	n := 0
	for key := range s.dump(t) {
		if records.IsPiece(key) {
			n++
		}
	}
	return n
}

// A table that no response could hold is refused, as long as that can be mended
// in the dataset: once, with the line of the season.
func TestATableThatNoResponseHoldsIsRefused(t *testing.T) {
	files := large(t, 1000, 1)
	var teams []fields
	for line := range bytes.Lines(files["teams.ndjson"].Data) {
		var team fields
		if err := json.Unmarshal(line, &team); err != nil {
			t.Fatal(err)
		}
		team["logo"] = "https://example.org/" + strings.Repeat(`"`, 1000)
		teams = append(teams, team)
	}
	files["teams.ndjson"] = lines(t, teams...)
	for _, opts := range []loader.Options{{DryRun: true}, {}} {
		s := newSports(t)
		_, err := s.loader().Load(t.Context(), files, opts)
		var faults *dataset.Faults
		if !errors.As(err, &faults) || len(faults.List) != 1 {
			t.Fatalf("load with %+v: %v, want one fault", opts, err)
		}
		got := faults.List[0]
		if got.File != "competitions.ndjson" || got.Line != 1 || !strings.Contains(got.Message, "longer than 5000000 bytes") {
			t.Errorf("%+v", got)
		}
		if n := len(s.dump(t)); n != 0 {
			t.Errorf("%d items were written", n)
		}
	}
	files = large(t, 1000, 1)
	load(t, newSports(t), files, loader.Options{DryRun: true})
}
