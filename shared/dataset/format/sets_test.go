package format

import (
	"strings"
	"testing"
	"testing/fstest"
)

// Sets are another way to write the score and setPoints, on a line, in a cell, and in place of
// what is stored (D80).
func TestSetsGiveTheScore(t *testing.T) {
	const was = `"score":{"home":3,"away":1},"setPoints":{"home":95,"away":80}`
	lookup := stored(`{"id":"m","status":"finished","kickoffAt":"2026-03-01T15:00:00Z","homeTeamId":"a","awayTeamId":"b",` + was + `}`)
	line := func(parts string) string {
		return `{"id":"n","status":"finished","kickoffAt":"2026-03-01T15:00:00Z","homeTeamId":"a","awayTeamId":"b",` + parts + `}`
	}
	const header, match = "id,status,kickoffAt,homeTeamId,awayTeamId,", "n,finished,2026-03-01T15:00:00Z,a,b,"
	const lost = `"score":{"home":1,"away":2},"setPoints":{"home":62,"away":68}`
	for _, c := range []struct{ name, file, text, want string }{
		{"on a line", "matches.ndjson", line(`"sets":[{"home":25,"away":23},{"home":20,"away":25},{"home":17,"away":20}]`), lost},
		{"as texts", "matches.ndjson", line(`"sets":["25:23","20:25","17:20"]`), lost},
		{"beside what follows from them", "matches.ndjson", line(lost + `,"sets":["25:23","20:25","17:20"]`), lost},
		{"in a cell", "matches.csv", header + "sets\n" + match + "25:23|20:25|17:20", lost},
		{"in a patch", "matches.ndjson", `{"id":"m","patch":true,"sets":["25:23","20:25","17:20"]}`, lost},
		{"in a row over what is stored", "matches.csv", "id,sets\nm,25:23|20:25|17:20", lost},
		{"an empty cell", "matches.csv", "id,sets\nm,\n", was},
		{"a score over what is stored", "matches.csv", "id,score.home,score.away,sets\nm,3,0,\n", `"score":{"home":3,"away":0},"setPoints":{"home":95,"away":80}`},
		{"another score beside them", "matches.ndjson", line(`"score":{"home":2,"away":1},"sets":["25:23","20:25","17:20"]`), `score: is 2:1, but the sets come to 1:2`},
		{"other points beside them", "matches.ndjson", line(`"setPoints":{"home":1,"away":1},"sets":["25:23"]`), `setPoints: are 1:1, but the sets come to 25:23`},
		{"a set that nobody won", "matches.ndjson", line(`"sets":["25:23","20:20"]`), `sets[1]: is 20:20: a set has a winner`},
		{"a set after the decision", "matches.ndjson", line(`"sets":["25:23","25:20","17:25"]`), `sets[2]: is the last, and not won by the side that is ahead: the sets come to 2:1`},
		{"no set", "matches.ndjson", line(`"sets":["25:23 25:20"]`), `sets[0]: must be the points of a set, such as 25:23, not "25:23 25:20"`},
		{"of a match to come", "matches.ndjson", strings.Replace(line(`"sets":["25:23"]`), "finished", "live", 1), `sets: needs a match that is finished`},
	} {
		set, err := Read(t.Context(), fstest.MapFS{c.file: {Data: []byte(c.text)}}, Options{Stored: lookup})
		got := ""
		if err != nil {
			_, got, _ = strings.Cut(err.Error(), ": ")
		} else {
			got = string(Append(nil, set.Matches.At(0)))
			got = strings.NewReplacer(`"winner":"home",`, "", `"winner":"away",`, "").Replace(got[strings.Index(got, `"score"`):strings.LastIndex(got, `}`)])
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}
