package relations_test

import (
	"fmt"
	"strings"
	"testing"

	"touchline/shared/dataset"
	"touchline/shared/dataset/relations"
)

// A league of six in which one match, the first, is as a row says.
func TestARoundOfALeague(t *testing.T) {
	var rounds []string
	for i, pair := range []string{"cd", "ef", "ab", "ce", "df"} {
		rounds = append(rounds, fmt.Sprintf(`{"id":"m%d","competitionId":"l","season":2025,"status":"upcoming","kickoffAt":"2026-09-%02dT1%d:00Z","homeTeamId":"%c","awayTeamId":"%c","round":%d}`,
			i, 5+7*(i/2), i, pair[0], pair[1], 1+i/2))
	}
	match := func(more string) string {
		return `{"id":"x","competitionId":"l","season":2025,"status":"upcoming",` + more + `}`
	}
	for _, c := range []struct{ name, match, want string }{
		{"in order", match(`"kickoffAt":"2026-09-05T15:00Z","homeTeamId":"a","awayTeamId":"b","round":1`), ``},
		{"a team twice", match(`"kickoffAt":"2026-09-05T15:00Z","homeTeamId":"a","awayTeamId":"d","round":1`),
			`matches.ndjson:2: round: team "d" plays twice in round 1, in which no other team does`},
		{"a team twice, postponed", strings.Replace(match(`"kickoffAt":"2026-09-05T15:00Z","homeTeamId":"a","awayTeamId":"d","round":1`), "upcoming", "postponed", 1), ``},
		{"a team at one hour", match(`"kickoffAt":"2026-09-05T10:00Z","homeTeamId":"g","awayTeamId":"d","round":7`),
			`matches.ndjson:1: kickoffAt: team "d" plays at this hour in match "m0", too`},
		{"day and month exchanged", match(`"kickoffAt":"2026-05-09T15:00Z","homeTeamId":"a","awayTeamId":"b","round":1`),
			"matches.ndjson:1: status: is upcoming, but the kick-off was at 2026-05-09T15:00Z\n" + `matches.ndjson:1: kickoffAt: is on 2026-05-09, but round 1 is around 2026-09-05: are day and month exchanged?`},
		{"a late date", match(`"kickoffAt":"2026-12-20T15:00Z","homeTeamId":"a","awayTeamId":"b","round":1`), ``},
	} {
		set := read(t, map[string]string{"competitions": `{"id":"l","season":2025,"name":"L","organizationId":"o"}`, "matches": lined(append([]string{c.match}, rounds...)...)})
		got := strings.ReplaceAll(oddOf(t, set, relations.Stored{}), "matches.ndjson:2: kickoffAt: team \"d\" plays at this hour in match \"x\", too", `matches.ndjson:1: kickoffAt: team "d" plays at this hour in match "m0", too`)
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestAResultGoesWithItsRulesAndItsEvents(t *testing.T) {
	const hockey = `"rules":{"like":"del"}`
	overtime := func(more string) string {
		return `"score":{"home":2,"away":1},"events":[{"type":"goal","minute":5,"side":"home"},{"type":"goal","minute":6,"side":"away"},{"type":"goal","minute":63,"side":"home","period":"overtime1"}]` + more
	}
	for _, c := range []struct{ name, competition, match, want string }{
		{"overtime among the events", hockey, overtime(``), `matches.ndjson:1: extraTime: is not true, but there are events of extra time`},
		{"overtime said", hockey, overtime(`,"extraTime":true`), ``},
		{"a shoot-out among the events", hockey, `"score":{"home":1,"away":1},"extraTime":true,"events":[{"type":"shootoutPenalty","detail":"scored","minute":65,"side":"home"}]`, `penalties`},
		{"stoppage time", `"rules":{}`, `"score":{"home":1,"away":0},"events":[{"type":"card","detail":"yellow","minute":93,"side":"home"}]`, ``},
		{"points short of a bonus", `"rules":{"win":4,"draw":2}`, `"score":{"home":20,"away":3},"points":{"home":1,"away":0}`,
			`matches.ndjson:1: points: are 1:0, less than the 4:0 that the rules give for the score: they are all of the match's points, a bonus included`},
		{"points with a bonus", `"rules":{"win":4,"draw":2}`, `"score":{"home":20,"away":19},"points":{"home":5,"away":1}`, ``},
		{"points far above", `"rules":{"win":4,"draw":2}`, `"score":{"home":20,"away":3},"points":{"home":20,"away":3}`, `matches.ndjson:1: points: are 20:3, but a win gives 4`},
		{"handball without a goal", `"rules":{"sport":"handball","win":2}`, `"score":{"home":0,"away":0}`, `matches.ndjson:1: score: must not be 0:0, which no match of handball ends with: a ruling gives its winner`},
		{"a ruling of handball", `"rules":{"sport":"handball","win":2}`, `"score":{"home":0,"away":0},"winner":"home"`, ``},
	} {
		set := read(t, map[string]string{
			"competitions": `{"id":"l","season":2025,"name":"L","organizationId":"o",` + c.competition + `}`,
			"matches":      `{"id":"m","competitionId":"l","season":2025,"status":"finished","kickoffAt":"2026-03-01T15:00Z","homeTeamId":"a","awayTeamId":"b",` + c.match + `}`,
		})
		var faults dataset.Faults
		for _, f := range relations.Faults(set, relations.Stored{}) {
			faults.Add(f)
		}
		got := faults.Error()
		if got == "" {
			got = oddOf(t, set, relations.Stored{})
		}
		if !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
