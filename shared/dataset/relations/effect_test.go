package relations_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/dataset/format"
	"touchline/shared/dataset/relations"
	"touchline/shared/sport"
)

// oddOf are the warnings of a set beside what is stored.
func oddOf(t *testing.T, set *dataset.Set, stored relations.Stored) string {
	t.Helper()
	all := set.Warnings.With(nil)
	if all == nil {
		all = &dataset.Warnings{}
	}
	for _, w := range relations.Warnings(set, time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC), stored, settled(t, set)) {
		all.Add(w)
	}
	return all.String()
}

func TestAFieldWithoutEffectIsWarnedOf(t *testing.T) {
	const (
		played = `"status":"finished","score":{"home":3,"away":1}`
		lots   = `teams.ndjson:1: seed: has no effect: it needs the criterion seed in rules.tieBreakers`
		points = `matches.ndjson:1: setPoints: has no effect: it needs setPointsRatio or setPointsDiff in rules.tieBreakers`
		winner = `matches.ndjson:1: tieWinner: has no effect: it needs a competition with the format knockout`
		across = `competitions.ndjson:1: rules.acrossGroups: has no effect: it needs two groups or more`
	)
	for _, c := range []struct{ name, competition, team, match, want string }{
		{"a seed", ``, `,"seed":2`, played, lots},
		{"a seed of 0", ``, `,"seed":0`, played, ``},
		{"a seed that the order asks for", `,"rules":{"tieBreakers":["points",{"headToHead":["points","seed"]}]}`, `,"seed":2`, played, ``},
		{"set points", ``, ``, played + `,"setPoints":{"home":95,"away":80}`, points},
		{"set points that the order asks for", `,"rules":{"tieBreakers":["points","setPointsDiff"]}`, ``, played + `,"setPoints":{"home":95,"away":80}`, ``},
		{"a winner of no tie", ``, ``, played + `,"tieWinner":"home"`, winner},
		{"a winner of a tie", `,"format":"knockout","stage":"playoff","parentId":"p"`, ``, played + `,"tieWinner":"home"`, ``},
		{"across no groups", `,"rules":{"acrossGroups":true}`, ``, played, across},
		{"across groups that are not there by the default", `,"rules":{"acrossGroups":false}`, ``, played, ``},
		{"across no groups by a regulation", `,"rules":{"like":"mls"}`, ``, played, ``},
		{"across groups", `,"rules":{"acrossGroups":true},"groups":[{"id":"g","name":"G","order":1},{"id":"h","name":"H","order":2}]`, ``, played, ``},
		{"a draw that is worth nothing", `,"rules":{"win":2,"draw":0,"loss":1}`, ``, `"status":"finished","score":{"home":80,"away":80}`,
			`matches.ndjson:1: score: is 80:80, a draw, for which the rules give no more points than for a loss: has a side won?`},
		{"a draw by a ruling", `,"rules":{"win":2,"draw":0,"loss":1}`, ``, `"status":"finished","score":{"home":0,"away":0},"winner":"none"`, ``},
		{"a draw of a tie", `,"rules":{"win":2,"draw":0,"loss":1}`, ``, `"status":"finished","score":{"home":80,"away":80},"leg":1`, ``},
		{"a draw without a table", `,"rules":{"win":1,"draw":0,"loss":0,"table":false}`, ``, `"status":"finished","score":{"home":1,"away":1}`, ``},
	} {
		set := read(t, map[string]string{
			"competitions": `{"id":"l","season":2025,"name":"L","organizationId":"o"` + c.competition + `}`,
			"teams":        lined(`{"id":"a","name":"A","shortName":"A","competitionId":"l","season":2025`+c.team+`}`, `{"id":"b","name":"B","shortName":"B","competitionId":"l","season":2025}`),
			"matches":      `{"id":"m","competitionId":"l","season":2025,"kickoffAt":"2026-03-01T15:00Z","homeTeamId":"a","awayTeamId":"b",` + c.match + `}`,
		})
		if got := oddOf(t, set, relations.Stored{}); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// Which scores a match over sets can have (D80).
func TestAScoreOfSetsEndsTheMatch(t *testing.T) {
	const ends = `matches.ndjson:1: score: must be 3 sets for one side and fewer for the other, since rules.sets is 5, not `
	const sets, order = `"rules":{"sets":5}`, `"rules":{"sets":5,"tieBreakers":["points","setPointsRatio"]}`
	const missing = `matches.ndjson:1: setPoints: is missing, but rules.tieBreakers ask for it`
	for _, c := range []struct{ competition, match, fault, warning string }{
		{sets, `"score":{"home":3,"away":2}`, ``, ``},
		{sets, `"score":{"home":0,"away":3}`, ``, ``},
		{sets, `"score":{"home":3,"away":3}`, ends + `3:3`, ``},
		{sets, `"score":{"home":4,"away":0}`, ends + `4:0`, ``},
		{sets, `"score":{"home":2,"away":1}`, ends + `2:1`, ``},
		{sets, `"score":{"home":0,"away":0}`, ends + `0:0`, ``},
		{sets, `"score":{"home":25,"away":23}`, ends + `25:23`, ``},
		{sets, `"score":{"home":0,"away":0},"winner":"none"`, ``, ``},
		{sets + `,"withdrawals":[{"teamId":"a","matches":"awarded"}]`, `"score":{"home":0,"away":0}`, ``, ``},
		{`"rules":{}`, `"score":{"home":4,"away":0}`, ``, ``},
		{order, `"sets":["25:23","25:20","25:18"]`, ``, ``},
		{order, `"score":{"home":3,"away":1}`, ``, missing},
		{order, `"score":{"home":0,"away":3},"winner":"home"`, ``, `matches.ndjson:1: winner: is home, but the score is 0:3: it counts as a ruling`},
		{order + `,"format":"knockout","parentId":"p","stage":"playoff"`, `"score":{"home":3,"away":1}`, ``, ``},
		{order, `"score":{"home":0,"away":3},"setPoints":{"home":75,"away":61}`, ``,
			`matches.ndjson:1: setPoints: are 75:61, but the score is 0:3: who wins every set has more of them`},
		{order, `"score":{"home":3,"away":2},"setPoints":{"home":100,"away":105}`, ``, ``},
	} {
		set := read(t, map[string]string{
			"competitions": `{"id":"l","season":2025,"name":"L","organizationId":"o",` + c.competition + `}`,
			"matches":      `{"id":"m","competitionId":"l","season":2025,"status":"finished","kickoffAt":"2026-03-01T15:00Z","homeTeamId":"a","awayTeamId":"b",` + c.match + `}`,
		})
		var faults dataset.Faults
		for _, f := range relations.Faults(set, relations.Stored{}) {
			faults.Add(f)
		}
		if got := faults.Error(); got != c.fault {
			t.Errorf("%s, %s: fault %q, want %q", c.competition, c.match, got, c.fault)
		}
		if got := oddOf(t, set, relations.Stored{}); c.fault == "" && got != c.warning {
			t.Errorf("%s, %s: got %q, want %q", c.competition, c.match, got, c.warning)
		}
	}
}

// What a patch leaves as it is stored, it does not give.
func TestAPatchDoesNotGiveWhatIsStored(t *testing.T) {
	lookup := func(_ context.Context, kind sport.Kind, wanted []format.Wanted) ([][]byte, error) {
		return [][]byte{map[sport.Kind][]byte{
			sport.KindTeam:  []byte(`{"id":"a","name":"A","shortName":"A","seed":2}`),
			sport.KindMatch: []byte(`{"id":"m","status":"finished","kickoffAt":"2026-03-01T15:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":1,"away":0},"tieWinner":"home"}`),
		}[kind]}, nil
	}
	for _, c := range []struct{ name, text, want string }{
		{"teams.ndjson", `{"id":"a","patch":true,"name":"B"}`, ``},
		{"teams.ndjson", `{"id":"a","patch":true,"seed":3}`, `teams.ndjson:1: seed: has no effect`},
		{"teams.csv", "id,name\na,B", ``},
		{"teams.csv", "id,seed\na,3", `teams.csv:2: seed: has no effect`},
		{"matches.ndjson", `{"id":"m","patch":true,"visibility":"public"}`, ``},
		{"matches.csv", "id,tieWinner\nm,away", `matches.csv:2: tieWinner: has no effect`},
	} {
		set, err := format.Read(t.Context(), fstest.MapFS{c.name: {Data: []byte(c.text)}}, format.Options{Stored: lookup})
		if err != nil {
			t.Fatal(err)
		}
		if got := oddOf(t, set, relations.Stored{}); !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s %q: got %q, want %q", c.name, c.text, got, c.want)
		}
	}
}

// A match of two teams of one group counts in its table alone, if it says so.
func TestTheGroupOfAMatchIsAskedFor(t *testing.T) {
	const (
		missing = `matches.ndjson:%s: group: is missing: both teams are in one group, whose table the match does not count in`
		none    = `matches.ndjson:1: group: is given, but team "n" is in no group`
	)
	match := func(id int, home, away, more string) string {
		return fmt.Sprintf(`{"id":"m%d","competitionId":"l","season":2025,"status":"finished","kickoffAt":"2026-03-0%dT15:00Z","homeTeamId":%q,"awayTeamId":%q,"score":{"home":1,"away":0}%s}`, id, id, home, away, more)
	}
	stored := func(last int) relations.Stored {
		return relations.Stored{Grouped: func(sport.ID, int) (bool, int) { return last > 0, last }}
	}
	for _, c := range []struct {
		name    string
		matches []string
		stored  relations.Stored
		want    string
	}{
		{"none of the season gives one", []string{match(1, "a", "b", ``), match(2, "c", "d", ``)}, stored(0), fmt.Sprintf(missing, "1") + ` (2 times: also on line 2)`},
		{"another of its round gives one", []string{match(1, "a", "b", `,"round":1`), match(2, "c", "d", `,"round":1,"group":"h"`)}, stored(0), fmt.Sprintf(missing, "1")},
		{"one that is stored does", []string{match(1, "a", "b", `,"round":1`)}, stored(1), fmt.Sprintf(missing, "1")},
		{"in a round before that", []string{match(1, "a", "b", `,"round":1`), match(2, "c", "d", `,"round":2,"group":"h"`)}, stored(0), fmt.Sprintf(missing, "1")},
		{"for the third place", []string{match(1, "c", "d", `,"round":1,"group":"h"`), match(2, "a", "b", `,"round":5`)}, stored(0), ``},
		{"for the third place, the groups being stored", []string{match(2, "a", "b", `,"round":5`)}, stored(3), ``},
		{"of two groups", []string{match(1, "a", "c", ``)}, stored(0), ``},
		{"of a team in none", []string{match(1, "a", "n", `,"group":"g"`)}, stored(0), none},
	} {
		set := read(t, map[string]string{
			"competitions": `{"id":"l","season":2025,"name":"L","organizationId":"o","groups":[{"id":"g","name":"G","order":1},{"id":"h","name":"H","order":2}],"rules":{"acrossGroups":true}}`,
			"teams": func() string {
				var lines []string
				for team, group := range map[string]string{"a": `,"group":"g"`, "b": `,"group":"g"`, "c": `,"group":"h"`, "d": `,"group":"h"`, "n": ``} {
					lines = append(lines, `{"id":"`+team+`","name":"T","shortName":"T","competitionId":"l","season":2025`+group+`}`)
				}
				return lined(lines...)
			}(),
			"matches": lined(c.matches...),
		})
		if got := oddOf(t, set, c.stored); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// A line-up and the events of one match agree on who plays for whom.
func TestAPlayerOfTheOtherSideIsWarnedOf(t *testing.T) {
	const lineups = `"lineups":{"confirmed":true,"home":{"starting":[{"playerId":"p1"},{"playerId":"loan"}],"bench":[]},"away":{"starting":[{"playerId":"q1"}],"bench":[{"playerId":"second"}]}}`
	event := func(what string) string {
		return lineups + `,"events":[{"id":"e","minute":10,` + what + `}]`
	}
	at := func(field, player string) string {
		return `matches.ndjson:1: ` + field + `: player "` + player + `" is of the other side`
	}
	for _, c := range []struct{ name, match, want string }{
		{"a goal", event(`"type":"goal","side":"home","playerId":"p1"`), ``},
		{"a goal of the other side's", event(`"type":"goal","side":"home","playerId":"q1"`), at("events[0].playerId", "q1")},
		{"an own goal", event(`"type":"goal","detail":"ownGoal","side":"home","playerId":"q1"`), ``},
		{"an own goal of whom it counts for", event(`"type":"goal","detail":"ownGoal","side":"home","playerId":"p1"`),
			`matches.ndjson:1: events[0].playerId: player "p1" is of the side that the own goal counts for: whoever scores one plays for the other`},
		{"an assist", event(`"type":"goal","side":"home","playerId":"p1","assistId":"q1"`), at("events[0].assistId", "q1")},
		{"a card", event(`"type":"card","detail":"yellow","side":"away","playerId":"p1"`), at("events[0].playerId", "p1")},
		{"who comes on", event(`"type":"substitution","side":"away","playerInId":"p1","playerOutId":"q1"`), at("events[0].playerInId", "p1")},
		{"who goes off", event(`"type":"substitution","side":"home","playerInId":"p1","playerOutId":"q1"`), at("events[0].playerOutId", "q1")},
		{"one on loan is where the line-up says", event(`"type":"goal","side":"home","playerId":"loan"`), ``},
		{"of another team of the club", event(`"type":"goal","side":"away","playerId":"second"},{"type":"goal","minute":1,"side":"home"`), `matches.ndjson:1: events: the goals add up to 1:1, but the score is 1:0`},
		{"of another team of the club, for the other side", event(`"type":"goal","side":"home","playerId":"second"`), at("events[0].playerId", "second")},
		{"an opponent in the line-up", strings.Replace(lineups, `"loan"`, `"q2"`, 1), `matches.ndjson:1: lineups.home.starting[1].playerId: player "q2" is of the other side's team`},
		{"without a line-up", `"events":[{"id":"e","minute":10,"type":"goal","side":"home","playerId":"q2"}]`, at("events[0].playerId", "q2")},
		{"a stored player", `"events":[{"id":"e","minute":10,"type":"goal","side":"home","playerId":"kept"}]`, at("events[0].playerId", "kept")},
	} {
		set := read(t, map[string]string{
			"teams": lined(`{"id":"a","name":"A","shortName":"A","organizationId":"ca"}`, `{"id":"b","name":"B","shortName":"B","organizationId":"cb"}`,
				`{"id":"b2","name":"B2","shortName":"B","organizationId":"cb"}`, `{"id":"far","name":"F","shortName":"F","organizationId":"cf"}`),
			"players": lined(`{"id":"p1","name":"P","teamId":"a"}`, `{"id":"q1","name":"Q","teamId":"b"}`, `{"id":"q2","name":"Q","teamId":"b"}`,
				`{"id":"loan","name":"L","teamId":"far"}`, `{"id":"second","name":"S","teamId":"b2"}`),
			"matches": `{"id":"m","status":"finished","kickoffAt":"2026-03-01T15:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":1,"away":0},` + c.match + `}`,
		})
		got := oddOf(t, set, relations.Stored{Player: func(id sport.ID) *sport.Player {
			return map[sport.ID]*sport.Player{sport.IDFor(sport.KindPlayer, "kept"): {TeamID: sport.IDFor(sport.KindTeam, "b")}}[id]
		}})
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// One fixture under two ids is named by both.
func TestAFixtureOfARoundIsThereOnce(t *testing.T) {
	match := func(id, day, more string) string {
		return `{"id":"` + id + `","competitionId":"l","season":2025,"kickoffAt":"` + day + `T15:00Z","homeTeamId":"a","awayTeamId":"b"` + more + `}`
	}
	const upcoming, postponed = `,"status":"upcoming"`, `,"status":"postponed"`
	for _, c := range []struct{ name, competition, second, want string }{
		{"six weeks on", ``, match("l–6", "2026-10-15", upcoming+`,"round":6`), `matches.ndjson:2: id: is the same fixture as match "l-6": the same teams in round 6`},
		{"three months on", ``, match("l6", "2026-12-01", upcoming+`,"round":6`), ``},
		{"in another round", ``, match("l6", "2026-10-15", upcoming+`,"round":7`), ``},
		{"postponed", ``, match("l6", "2026-10-15", postponed+`,"round":6`), ``},
		{"of a series", `,"format":"knockout","stage":"playoff","parentId":"p"`, match("l6", "2026-09-07", upcoming+`,"round":6`), ``},
		{"of a cup", `,"type":"cup"`, match("l6", "2026-09-07", upcoming+`,"round":6`), ``},
		{"on the day, in another round", ``, match("06", "2026-09-01", upcoming+`,"round":7`), ``},
		{"on the day, postponed", ``, match("06", "2026-09-01", postponed+`,"round":6`), ``},
		{"a day later", ``, match("06", "2026-09-02", upcoming+`,"round":7`), ``},
		{"on the day", ``, match("06", "2026-09-01", upcoming), `matches.ndjson:2: id: is the same fixture as match "l-6": the same teams within a day`},
	} {
		set := read(t, map[string]string{
			"competitions": `{"id":"l","season":2025,"name":"L","organizationId":"o"` + c.competition + `}`,
			"matches":      lined(match("l-6", "2026-09-01", upcoming+`,"round":6`), c.second),
		})
		if got := oddOf(t, set, relations.Stored{}); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// A deduction alone in its sheet is one of a season whose other teams are stored.
func TestPointsToBeginWithAreCountedOverTheSeason(t *testing.T) {
	set := read(t, map[string]string{"teams": `{"id":"a","name":"A","shortName":"A","competitionId":"l","season":2025,"startingPoints":3}`})
	const want = `teams.ndjson:1: startingPoints: is 3, with which the team begins: a deduction is negative, -3`
	for _, c := range []struct {
		entered, ahead int
		want           string
	}{{3, 0, want}, {2, 0, ``}, {7, 1, want}, {6, 1, ``}} {
		stored := relations.Stored{Entered: func(sport.ID, int) (teams []*sport.Team) {
			for i := range c.entered {
				teams = append(teams, &sport.Team{ID: sport.IDFor(sport.KindTeam, fmt.Sprint(i)), StartingPoints: max(0, c.ahead-i)})
			}
			return append(teams, &set.Teams[0].Value)
		}}
		if got := oddOf(t, set, stored); got != c.want {
			t.Errorf("%+v: got %q", c, got)
		}
	}
}

func TestTheDocumentPrintsWhatHasNoEffect(t *testing.T) {
	page, err := os.ReadFile("../../spec/dataset.md")
	if err != nil {
		t.Fatal(err)
	}
	table := "| file | field | needs |\n|---|---|---|\n"
	for _, e := range relations.Effects() {
		table += fmt.Sprintf("| %s | %s | %s |\n", e.Of, e.Field, e.Needs)
	}
	if !strings.Contains(string(page), table) {
		t.Errorf("dataset.md does not have this table:\n%s", table)
	}
}
