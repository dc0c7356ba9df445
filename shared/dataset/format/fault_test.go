package format

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset"
	"touchline/shared/dataset/times"
)

// defect is a dataset with one thing wrong: the files that hold it, and where.
type defect struct {
	name    string
	file    string // the file that is faulty, without extension
	lines   []string
	line    int
	field   string
	message string
}

func testDefects(t *testing.T, defects []defect) {
	for _, d := range defects {
		t.Run(d.name, func(t *testing.T) {
			got := faultsOf(t, map[string]string{d.file: lined(d.lines...)})
			want := []dataset.Fault{{File: d.file + ".ndjson", Line: d.line, Field: d.field, Message: d.message}}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFaultsOfTheJSONNameTheLine(t *testing.T) {
	const good = `{"id":"a","name":"A","shortName":"A"}`
	testDefects(t, []defect{
		{"not an object", "teams", []string{`["a"]`}, 1, "", "must be a JSON object"},
		{"not JSON", "teams", []string{good, `{id: 1}`}, 2, "", "is not valid JSON after byte 1 of the line"},
		{"cut off", "teams", []string{good, `{"id":"b","name":"B`}, 2, "name", "is cut off: the line ends inside the record"},
		{"two records on a line", "teams", []string{good + ` {}`}, 1, "", "something follows the record; a line holds one record"},
		{"a field twice", "teams", []string{`{"id":"a","id":"b","name":"A","shortName":"A"}`}, 1, "id", "is there twice"},
		{"a nested field twice", "matches", []string{`{"id":"m","score":{"home":1,"home":2}}`}, 1, "score.home", "is there twice"},
		{"not UTF-8", "teams", []string{`{"id":"a","name":"` + "\xff" + `","shortName":"A"}`}, 1, "name", "is not valid UTF-8"},
		{"half a surrogate pair", "teams", []string{`{"id":"a","name":"\ud800","shortName":"A"}`}, 1, "name", "is not valid JSON after byte 16 of the line"},
		{"an unknown field", "teams", []string{`{"id":"a","name":"A","shortName":"A","town":"B"}`}, 1, "town", "is not a known field; known here are id, name, shortName, logo, organizationId, competitionId, season, group, gender, status, visibility, startingPoints, seed, deleted, erase"},
		{"a field in other letters", "teams", []string{`{"id":"a","Name":"A","name":"A","shortName":"A"}`}, 1, "Name", "is not a known field; did you mean name?"},
		{"a field with a control character", "teams", []string{`{"id":"a","name":"A","shortName":"A","\u001b[2J":1}`}, 1, `"\x1b[2J"`, "is not a known field; known here are id, name, shortName, logo, organizationId, competitionId, season, group, gender, status, visibility, startingPoints, seed, deleted, erase"},
		{"a field of a long name", "matches", []string{match(`"penalties":{"home":1,"away":2,"` + strings.Repeat("x", 1000) + `":{}}`)}, 1, "penalties." + strings.Repeat("x", 60) + "…", "is not a known field; known here are home, away"},
		{"a number for a string", "teams", []string{`{"id":7,"name":"A","shortName":"A"}`}, 1, "id", "must be a string, not 7"},
		{"a string for a number", "teams", []string{`{"id":"a","name":"A","shortName":"A","seed":"7"}`}, 1, "seed", "must be an integer of at most 9 digits, not \"7\""},
		{"a fraction", "teams", []string{`{"id":"a","name":"A","shortName":"A","seed":1.5}`}, 1, "seed", "must be an integer of at most 9 digits, not 1.5"},
		{"an exponent", "teams", []string{`{"id":"a","name":"A","shortName":"A","seed":1e2}`}, 1, "seed", "must be an integer of at most 9 digits, not 1e2"},
		{"ten digits", "teams", []string{`{"id":"a","name":"A","shortName":"A","seed":-1000000000}`}, 1, "seed", "must be an integer of at most 9 digits, not -1000000000"},
		{"a value for a list", "organizations", []string{`{"id":"a","type":"club","name":"A","additionalParentIds":"b"}`}, 1, "additionalParentIds", "must be a list"},
		{"a list for an object", "matches", []string{match(`"penalties":[4,3]`)}, 1, "penalties", "must be a JSON object"},
		{"null in a list", "organizations", []string{`{"id":"a","type":"club","name":"A","additionalParentIds":["b",null]}`}, 1, "additionalParentIds[1]", "must be a string"},
		{"a required field missing", "teams", []string{``, `{"id":"a","shortName":"A"}`}, 2, "name", "is missing"},
		{"a required field null", "teams", []string{`{"id":"a","name":null,"shortName":"A"}`}, 1, "name", "must not be null"},
	})
}

func TestFaultsOfValuesNameTheField(t *testing.T) {
	long := strings.Repeat("ä", 201)
	testDefects(t, []defect{
		{"an empty id", "teams", []string{`{"id":"","name":"A","shortName":"A"}`}, 1, "id", "is empty: an id has 1 to 200 characters"},
		{"an id of 201 characters", "teams", []string{`{"id":"` + long + `","name":"A","shortName":"A"}`}, 1, "id", "must have 1 to 200 characters"},
		{"an empty reference", "players", []string{`{"id":"p","name":"P","teamId":""}`}, 1, "teamId", "is empty: an id has 1 to 200 characters"},
		{"a name without bounds", "teams", []string{`{"id":"a","name":"` + strings.Repeat("ä", 201) + `","shortName":"A"}`}, 1, "name", "is longer than 200 characters"},
		{"an organization additionally above itself", "organizations", []string{`{"id":"a","type":"club","name":"A","additionalParentIds":["b","a"]}`}, 1, "additionalParentIds[1]", "is the organization itself"},
		{"a season long ago", "competitions", []string{competition(`"season":1849`)}, 1, "season", "must be an integer from 1850 to 2200, not 1849"},
		{"a season far ahead", "competitions", []string{competition(`"season":2201`)}, 1, "season", "must be an integer from 1850 to 2200, not 2201"},
		{"a score of four digits", "matches", []string{match(`"score":{"home":1000,"away":0}`)}, 1, "score.home", "must be an integer from 0 to 999, not 1000"},
		{"the machine's time zone", "competitions", []string{competition(`"season":2001,"timezone":"Local"`)}, 1, "timezone", `must be an IANA time zone, such as Europe/Vienna, not "Local"`},
		{"an end on no day", "competitions", []string{competition(`"season":2001,"endsAt":"2025-02-30"`)}, 1, "endsAt", times.ErrEnd.Error() + `, not "2025-02-30"`},
		{"a child of no stage", "competitions", []string{competition(`"season":2001,"parentId":"d"`)}, 1, "parentId", "needs the stage playoff or playout"},
		{"a group twice", "competitions", []string{competition(`"season":2001,"groups":[{"id":"g","name":"A","order":1},{"id":"g","name":"B","order":2}]`)}, 1, "groups[1].id", `group "g" is in the list already`},
		{"a group without a competition", "teams", []string{`{"id":"a","name":"A","shortName":"A","group":"g"}`}, 1, "group", "needs a competitionId"},
	})
}

func TestFaultsOfMatches(t *testing.T) {
	testDefects(t, []defect{
		{"a team against its own hash", "matches", []string{`{"id":"m","status":"upcoming","kickoffAt":"2025-08-01T20:30:00Z","homeTeamId":"a","awayTeamId":"` + string(hash("team", "a")) + `"}`}, 1, "awayTeamId", "is the home team"},
		{"finished without a score", "matches", []string{match(`"score":null`)}, 1, "score", "is missing, but the match is finished"},
		{"a score below 0", "matches", []string{match(`"penalties":{"home":-1,"away":0}`)}, 1, "penalties.home", "must be an integer from 0 to 999, not -1"},
		{"two kick-offs", "matches", []string{match(`"kickoffLocal":"2025-08-01"`)}, 1, "kickoffLocal", "must not be given together with kickoffAt"},
		{"a local kick-off on no day", "matches", []string{kickoff(`"kickoffLocal":"2025-13-01"`)}, 1, "kickoffLocal", times.ErrLocal.Error() + `, not "2025-13-01"`},
		{"a time zone that is none", "matches", []string{kickoff(`"kickoffLocal":"2025-08-01T15:00","timezone":"Vienna"`)}, 1, "timezone", `must be an IANA time zone, such as Europe/Vienna, not "Vienna"`},
		{"a time zone of an instant", "matches", []string{kickoff(`"kickoffAt":"2025-08-01T15:00Z","timezone":"UTC"`)}, 1, "timezone", "is that of kickoffLocal, which is not given"},
		{"a sixteenth match of a series", "matches", []string{match(`"leg":16`)}, 1, "leg", "must be an integer from 1 to 15, not 16"},
		{"a group without a competition", "matches", []string{match(`"group":"g"`)}, 1, "group", "needs a competitionId"},
		{"line-ups of one side", "matches", []string{match(`"lineups":{"confirmed":true,"home":{"starting":[],"bench":[]}}`)}, 1, "lineups.away", "is missing"},
		{"a line-up without a player", "matches", []string{match(lineups(`{"playerId":"p"},{"captain":true}`, ``))}, 1, "lineups.home.starting[1].playerId", "is missing"},
		{"a player twice", "matches", []string{match(lineups(`{"playerId":"p"}`, `{"playerId":"q"},{"playerId":"p"}`))}, 1, "lineups.away.bench[1].playerId", `player "p" is in the line-ups already, in home.starting`},
		{"no place on the pitch", "matches", []string{match(lineups(`{"playerId":"p","grid":"2-3"}`, ``))}, 1, "lineups.home.starting[0].grid", `must be a row and a column, such as "2:3"`},
		{"an event of no type", "matches", []string{match(`"events":[{"type":"corner","minute":1,"side":"home"}]`)}, 1, "events[0].type", `must be one of goal, card, substitution, missedPenalty, shootoutPenalty, period, suspension, timeout, not "corner"`},
		{"a card of no colour", "matches", []string{match(`"events":[{"type":"card","minute":1,"side":"home"}]`)}, 1, "events[0].detail", "is missing; of type card it is one of yellow, secondYellow, red"},
		{"a yellow goal", "matches", []string{match(`"events":[{"type":"goal","detail":"yellow","minute":1,"side":"home"}]`)}, 1, "events[0].detail", "must be one of regular, penalty, ownGoal in an event of type goal"},
		{"a substitution with a detail", "matches", []string{match(`"events":[{"type":"substitution","detail":"red","minute":1,"side":"home"}]`)}, 1, "events[0].detail", "must not be given in an event of type substitution"},
		{"an event without a side", "matches", []string{match(`"events":[{"type":"period","detail":"start","minute":0},{"type":"goal","minute":1}]`)}, 1, "events[1].side", "is missing"},
		{"a shoot-out in the first half", "matches", []string{match(`"events":[{"type":"shootoutPenalty","detail":"scored","period":"firstHalf","minute":1,"side":"home"}]`)}, 1, "events[0].period", "of a shootoutPenalty is penaltyShootout"},
		{"an event before the match", "matches", []string{match(`"events":[{"type":"goal","minute":-1,"side":"home"}]`)}, 1, "events[0].minute", "must be an integer from 0 to 999, not -1"},
		{"an event's id twice in a match", "matches", []string{match(`"events":[{"id":"e","type":"goal","minute":1,"side":"home"},{"id":"e","type":"goal","minute":1,"side":"home"}]`)}, 1, "events[1].id", "is the id of an event on line 1 already"},
		{"an event's id that another gets", "matches", []string{match(`"events":[{"id":"m/firstHalf/goal/regular/home/1/0/2","type":"goal","minute":1,"side":"home"},{"type":"goal","minute":1,"side":"home"}]`)}, 1, "events[0].id", "is the id of events[1] already"},
		{"points of one side", "matches", []string{match(`"points":{"home":4}`)}, 1, "points.away", "is missing"},
		{"points beyond any rule", "matches", []string{match(`"points":{"home":4,"away":-1001}`)}, 1, "points.away", "must be an integer from -1000 to 1000, not -1001"},
		{"a tie that nobody wins", "matches", []string{match(`"tieWinner":"draw"`)}, 1, "tieWinner", `must be one of home, away, not "draw"`},
		{"statistics below 0", "matches", []string{match(`"statistics":{"home":{},"away":{"shots":-1}}`)}, 1, "statistics.away.shots", "must be an integer of at least 0 and at most 9 digits, not -1"},
		{"statistics of a period twice", "matches", []string{match(`"statistics":{"home":{},"away":{},"periods":[{"period":"firstHalf","home":{},"away":{}},{"period":"firstHalf","home":{},"away":{}}]}`)}, 1, "statistics.periods[1].period", `"firstHalf" is in the list already`},
	})
}

func TestFaultsOfGivenTables(t *testing.T) {
	const row = `{"teamId":"t","rank":1,"played":0,"won":0,"drawn":0,"lost":0,"goalsFor":0,"goalsAgainst":0,"points":-3}`
	testDefects(t, []defect{
		{"a table of no name", "standings", []string{`{"competitionId":"c","season":2001,"table":"form","rows":[]}`}, 1, "table", `must be one of regular, playoff, playout, not "form"`},
		{"a rank of 0", "standings", []string{`{"competitionId":"c","season":2001,"table":"regular","rows":[` + strings.Replace(row, `"rank":1`, `"rank":0`, 1) + `]}`}, 1, "rows[0].rank", "must be an integer of at least 1 and at most 9 digits, not 0"},
		{"a team twice", "standings", []string{`{"competitionId":"c","season":2001,"table":"regular","rows":[` + row + `,` + row + `]}`}, 1, "rows[1].teamId", `team "t" is in rows[0] already`},
		{"a table twice", "standings", []string{`{"competitionId":"c","season":2001,"table":"regular","rows":[]}`, `{"competitionId":"c","season":2001,"table":"playoff","rows":[]}`, `{"table":"regular","season":2001,"competitionId":"c","deleted":true}`}, 3, "table", `the regular table of season 2001 of competition "c" is on line 1 already`},
	})
}

func TestDuplicatesNameBothLines(t *testing.T) {
	const team = `{"id":"a","name":"A","shortName":"A"}`
	testDefects(t, []defect{
		{"an id twice", "teams", []string{team, ``, team}, 3, "id", `team "a" is on line 1 already`},
		{"a key and its hash", "teams", []string{team, `{"id":"` + string(hash("team", "a")) + `","name":"A","shortName":"A"}`}, 2, "id", `team "a" is on line 1 already`},
		{"a record and its deletion", "teams", []string{team, `{"id":"a","deleted":true}`}, 2, "id", `team "a" is on line 1 already`},
		{"a season twice", "competitions", []string{competition(`"season":2001`), competition(`"season":2002`), competition(`"season":2001`)}, 3, "season", `season 2001 of competition "c" is on line 1 already`},
		{"a season after the deletion of all", "competitions", []string{`{"id":"c","deleted":true}`, competition(`"season":2002`)}, 2, "id", `competition "c" is deleted with all its seasons on line 1`},
		{"the deletion of all after a season", "competitions", []string{competition(`"season":2002`), `{"id":"c","deleted":true}`}, 2, "id", `competition "c" has a record on line 1, but this line deletes all its seasons`},
		{"two current seasons", "competitions", []string{competition(`"season":2001,"current":true`), competition(`"season":2002,"current":true`)}, 2, "current", "season on line 1 is the current one already"},
		{"a group of two competitions", "competitions", []string{
			competition(`"season":2001,"groups":[{"id":"g","name":"A","order":1}]`),
			competition(`"season":2002,"groups":[{"id":"g","name":"A","order":1}]`),
			`{"id":"d","name":"D","organizationId":"o","season":2001,"groups":[{"id":"g","name":"A","order":1}]}`,
		}, 3, "groups[0].id", `group "g" is a group of competition "c" already`},
		{"an event's id in two matches", "matches", []string{
			match(`"events":[{"id":"e","type":"goal","minute":1,"side":"home"}]`),
			strings.Replace(match(`"events":[{"id":"e","type":"goal","minute":1,"side":"home"}]`), `"m"`, `"n"`, 1),
		}, 2, "events[0].id", "is the id of an event on line 1 already"},
	})
}

func TestDeletionsHoldNothingButTheIdentity(t *testing.T) {
	testDefects(t, []defect{
		{"a name", "teams", []string{`{"name":"A","id":"a","deleted":true}`}, 1, "name", "must not be given in a deletion"},
		{"an optional field", "organizations", []string{`{"id":"a","deleted":true,"season":2025}`}, 1, "season", "must not be given in a deletion"},
		{"no id", "matches", []string{`{"deleted":true}`}, 1, "id", "is missing"},
		{"no table", "standings", []string{`{"competitionId":"c","season":2001,"deleted":true}`}, 1, "table", "is missing"},
		{"deleted as a string", "teams", []string{`{"id":"a","name":"A","shortName":"A","deleted":"true"}`}, 1, "deleted", "must be true or false, not \"true\""},
	})
	set := mustRead(t, map[string]string{
		"competitions": lined(`{"id":"c","deleted":true}`, `{"id":"d","season":2025,"deleted":true}`),
		"teams":        lined(`{"id":"b","name":"B","shortName":"B","deleted":false}`),
	})
	if got := set.Competitions[0]; !got.Deleted || got.Value.Season != 0 {
		t.Errorf("the deletion of all seasons is %+v", got)
	}
	if got := set.Competitions[1]; !got.Deleted || got.Value.Season != 2025 || got.Value.ID != hash("competition", "d") {
		t.Errorf("the deletion of a season is %+v", got)
	}
	if set.Teams[0].Deleted {
		t.Error("deleted: false deletes")
	}
}

func TestEveryFaultOfALineIsReported(t *testing.T) {
	got := faultsOf(t, map[string]string{
		"teams":         lined(`{"id":"a","name":5,"gender":"x"}`, `{"id":"a","name":"A","shortName":"A"}`),
		"organizations": lined(`{"id":"o"}`),
	})
	want := []dataset.Fault{
		{File: "organizations.ndjson", Line: 1, Field: "type", Message: "is missing"},
		{File: "organizations.ndjson", Line: 1, Field: "name", Message: "is missing"},
		{File: "teams.ndjson", Line: 1, Field: "name", Message: "must be a string, not 5"},
		{File: "teams.ndjson", Line: 1, Field: "gender", Message: `must be one of men, women, not "x"`},
		{File: "teams.ndjson", Line: 1, Field: "shortName", Message: "is missing"},
		{File: "teams.ndjson", Line: 2, Field: "id", Message: `team "a" is on line 1 already`},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
}

// Rules that do not go with the rest of their competition.
func TestFaultsOfRules(t *testing.T) {
	child := func(rules string) string {
		return competition(`"season":2001,"stage":"playoff","parentId":"d","rules":` + rules)
	}
	testDefects(t, []defect{
		{"carried from nowhere", "competitions", []string{competition(`"season":2001,"rules":{"carry":{}}`)}, 1, "rules.carry", "needs a parentId"},
		{"a place in no table", "competitions", []string{competition(`"season":2001,"rules":{"tieBreakers":["points","parentRank"]}`)}, 1, "rules.tieBreakers", "parentRank needs a parentId"},
		{"half points of nothing", "competitions", []string{child(`{"tieBreakers":["points",{"headToHead":["halfPoint"]}]}`)}, 1, "rules.tieBreakers", "halfPoint needs carry"},
	})
}
