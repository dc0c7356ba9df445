package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheOrderOfATableIsExplained(t *testing.T) {
	term, dir := importer(t)
	stages := filepath.Join("..", "..", "shared", "endpoints", "scripts", "testdata", "stages")
	if err := os.CopyFS(dir, os.DirFS(stages)); err != nil {
		t.Fatal(err)
	}
	term.succeed(t, "import", dir)

	main := term.succeed(t, "explain-table", "main")
	for _, line := range []string{
		"Main round, season 2025", "points 3, 2",
		"head to head of 2: points 2, 0", // the match that they brought along
	} {
		if !strings.Contains(main, line) {
			t.Errorf("%q is not in\n%s", line, main)
		}
	}
	if upper := term.succeed(t, "explain-table", "--season", "2025", "upper"); !strings.Contains(upper, "halfPoint 1, 0") || !strings.Contains(upper, "carried 3") {
		t.Error(upper)
	}
	var table explained
	if err := json.Unmarshal([]byte(term.succeed(t, "explain-table", "--json", "lower")), &table); err != nil || len(table.Rows) != 3 {
		t.Fatalf("%+v, %v", table, err)
	}
	if d := table.Rows[0].Decided; d == nil || *d != (decision{By: "goalDiff", Above: "-1", Below: "-3"}) {
		t.Errorf("%+v", d)
	}
	if table.Rows[2].Decided != nil {
		t.Error("the last row is above another")
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"nothing"}, `holds no competition "nothing"`},
		{[]string{"main", "--season", "1999"}, `holds no season 1999 of competition "main"; it has 2025`},
	} {
		if code := term.run(append([]string{"explain-table"}, c.args...)...); code != exitFailed || !strings.Contains(term.Errors.String(), c.want) {
			t.Errorf("%v: exit %d: %s", c.args, code, term.Errors.String())
		}
	}
}

// Points come from results, rulings and deductions, and a team that withdrew is last.
func TestWherePointsComeFrom(t *testing.T) {
	term, dir := importer(t)
	for kind, text := range map[string]string{
		"organizations": `{"id":"fed","type":"federation","name":"Federation"}`,
		"competitions":  `{"id":"liga","season":2025,"name":"Liga","organizationId":"fed","withdrawals":[{"teamId":"d","matches":"awarded","goals":3}]}`,
		"teams": `{"id":"a","name":"Aachen","shortName":"A","competitionId":"liga","startingPoints":-2}
{"id":"b","name":"Bonn","shortName":"B","competitionId":"liga"}
{"id":"c","name":"Celle","shortName":"C","competitionId":"liga"}
{"id":"d","name":"Dachau","shortName":"D","competitionId":"liga","startingPoints":9}`,
		"matches": `{"id":"1","competitionId":"liga","status":"finished","kickoffAt":"2025-09-06T15:00:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":2,"away":0}}
{"id":"2","competitionId":"liga","status":"finished","kickoffAt":"2025-09-07T15:00:00Z","homeTeamId":"b","awayTeamId":"c","score":{"home":0,"away":0},"winner":"home"}
{"id":"3","competitionId":"liga","status":"upcoming","kickoffAt":"2027-09-06T15:00:00Z","homeTeamId":"d","awayTeamId":"a"}`,
	} {
		writeFile(t, filepath.Join(dir, kind+".ndjson"), text+"\n")
	}
	term.succeed(t, "import", "--yes", dir)
	want := `Liga, season 2025
RANK  TEAM    PLAYED  WON  DRAWN  LOST  GOALS  POINTS  POINTS COME FROM                     ABOVE THE NEXT BY
1     Aachen  2       2    0      0     5:0    4       1 won (3), 1 by a ruling (3), deducted 2    points 4, 3
2     Bonn    2       1    0      1     0:2    3       1 lost (0), 1 by a ruling (3)                points 3, 0
3     Celle   1       0    0      1     0:0    0       1 by a ruling (0)                the next has withdrawn
4     Dachau  1       0    0      1     0:3    9       1 by a ruling (0), at the start 9  
`
	if got := term.succeed(t, "explain-table", "liga"); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
		t.Errorf("got\n%s", got)
	}
}
