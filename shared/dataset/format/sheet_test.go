package format

import (
	"fmt"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset/files"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/sheet"
)

// A row says what the line of the same record says.
func TestARowIsTheLineOfTheSameRecord(t *testing.T) {
	ndjson := map[string]string{
		"organizations": `{"id":"o","type":"federation","name":"Ö, \"die\""}` + "\n" + `{"id":"p","type":"club","name":"1899","parentId":"o","additionalParentIds":["q","r"],"season":2025}`,
		"competitions": `{"id":"c","season":2025,"name":"Liga","organizationId":"o","completed":true,"groups":[{"id":"g","name":"A","order":1},{"id":"h","name":"B","order":2}],` +
			`"rules":{"win":2,"draw":1,"loss":0,"tieBreakers":["goalDiff","name"],"acrossGroups":true}}`,
		"teams":     `{"id":"t","name":"T","shortName":"T","startingPoints":-3}`,
		"players":   `{"id":"s","name":"S","teamId":"t","number":9}`,
		"matches":   `{"id":"m","status":"finished","kickoffAt":"2026-03-01T15:00:00Z","homeTeamId":"t","awayTeamId":"u","score":{"home":1,"away":0},"round":3}`,
		"standings": `{"competitionId":"c","season":2025,"table":"regular","rows":[{"teamId":"t","rank":1,"played":1,"won":1,"drawn":0,"lost":0,"goalsFor":1,"goalsAgainst":0,"points":3},{"teamId":"u","rank":2,"played":1,"won":0,"drawn":0,"lost":1,"goalsFor":0,"goalsAgainst":1,"points":0}]}`,
	}
	csv := map[string]string{
		"organizations.csv": "\ufeffid;type;name;parentId;additionalParentIds;season\r\no;federation;\"Ö, \"\"die\"\"\";;;\r\n;;;;;\r\np;club;1899;o;q|r;2025\r\n",
		"competitions.csv":  "id,season,name,organizationId,completed,groups.id,groups.name,groups.order,rules.win,rules.draw,rules.loss,rules.tieBreakers,rules.acrossGroups\nc,2025,Liga,o,TRUE,g|h,A | B,1|2,2,1,0,goalDiff|name,true\n",
		"teams.csv":         "id\tname\tshortName\tstartingPoints\nt\tT\tT\t-3",
		"players.csv":       "id,name,teamId,number\ns,S,t,9.0\n",
		"matches.csv":       "id,score.home,status,kickoffAt,homeTeamId,awayTeamId,score.away,penalties.home,round\nm,1,finished,2026-03-01T15:00:00Z,t,u,0,,3\n",
		"standings.csv":     "competitionId,season,table,rows.teamId,rows.rank,rows.played,rows.won,rows.drawn,rows.lost,rows.goalsFor,rows.goalsAgainst,rows.points\nc,2025,regular,t|u,1|2,1|1,1|0,0|0,0|1,1|0,0|1,3|0\n",
	}
	lines, rows := fstest.MapFS{}, fstest.MapFS{}
	for name, text := range ndjson {
		lines[name+".ndjson"] = &fstest.MapFile{Data: []byte(text)}
	}
	for name, text := range csv {
		if name == "players.csv" {
			name, text = name+".gz", string(zipped(t, text))
		}
		rows[name] = &fstest.MapFile{Data: []byte(text)}
	}
	var written [2]fstest.MapFS
	for i, folder := range []fstest.MapFS{lines, rows} {
		set, err := Read(t.Context(), folder, Options{})
		must(t, err)
		written[i], _ = rewritten(set)
	}
	if diff := cmp.Diff(written[0], written[1]); diff != "" {
		t.Errorf("as CSV (-as NDJSON +):\n%s", diff)
	}
}

// A text that a spreadsheet takes for a formula is exported with an apostrophe, which is
// taken off again; so is one that has it already. Numbers stay, and so does what no
// formula begins with.
func TestAFormulaIsExportedAsText(t *testing.T) {
	columnOf := func(path string) *jsonl.Column {
		for _, c := range slices.Concat(Columns(files.Teams), Columns(files.Competitions)) {
			if c.Path == path {
				return &c
			}
		}
		return nil
	}
	for _, c := range []struct{ column, cell, want string }{
		{"name", "=1+1", "'=1+1"}, {"name", "+43 1 234", "'+43 1 234"}, {"name", "-", "'-"}, {"name", "@home", "'@home"},
		{"name", "'=x", "''=x"}, {"name", "'s-Hertogenbosch", "'s-Hertogenbosch"}, {"name", "a=b", "a=b"}, {"name", "", ""},
		{"startingPoints", "-3", "-3"}, {"withdrawals.goals", "-1|2", "'-1|2"},
	} {
		if got := sheet.Guarded(columnOf(c.column), c.cell); got != c.want {
			t.Errorf("%s %q is exported as %q, want %q", c.column, c.cell, got, c.want)
		}
		if c.column != "name" || c.cell == "" {
			continue
		}
		text := fmt.Sprintf("id,name,teamId\na,\"%s\",t\n", c.want)
		set, err := Read(t.Context(), fstest.MapFS{"players.csv": &fstest.MapFile{Data: []byte(text)}}, Options{})
		if err != nil || set.Players.At(0).Value.Name != c.cell {
			t.Errorf("%q is read as %+v, %v", c.want, set, err)
		}
	}
}
