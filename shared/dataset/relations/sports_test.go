package relations_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset/relations"
	"touchline/shared/sport"
)

func TestWhatTheSportOfACompetitionDoesNotHave(t *testing.T) {
	lineups := func(position string) string {
		return `"lineups":{"confirmed":true,"home":{"starting":[{"playerId":"p","position":"` + position + `"}],"bench":[]},"away":{"starting":[],"bench":[]}}`
	}
	events := func(period string) string {
		return `"events":[{"type":"goal","minute":1,"side":"home"},{"type":"goal","minute":12,"side":"home","period":"` + period + `"}]`
	}
	match := func(id, competition, parts string) string {
		return `{"id":"` + id + `","competitionId":"` + competition + `","status":"live","kickoffAt":"2026-03-01T15:00Z","homeTeamId":"a","awayTeamId":"b",` + parts + `}`
	}
	set := read(t, map[string]string{
		"competitions": lined(
			`{"id":"football","name":"F","organizationId":"o","season":2025}`,
			`{"id":"handball","name":"H","organizationId":"o","season":2025,"rules":{"sport":"handball","periods":{"minutes":30}}}`,
			`{"id":"basketball","name":"B","organizationId":"o","season":2025,"rules":{"sport":"basketball","periods":{"count":4,"minutes":10,"extra":5}}}`),
		"teams": lined(
			`{"id":"a","name":"A","shortName":"A","competitionId":"football"}`,
			`{"id":"b","name":"B","shortName":"B","competitionId":"handball","season":2025}`,
			`{"id":"friendly","name":"C","shortName":"C"}`),
		"players": lined(
			`{"id":"p","name":"P","teamId":"a","position":"pivot"}`,
			`{"id":"q","name":"Q","teamId":"b","position":"pivot"}`,
			`{"id":"r","name":"R","teamId":"a","position":"goalkeeper"}`,
			`{"id":"s","name":"S","teamId":"friendly","position":"golkeeper"}`,
			`{"id":"t","name":"T","teamId":"stored","position":"guard"}`),
		"matches": lined(
			match("1", "football", events("firstHalf")),
			match("2", "football", events("period1")),
			match("3", "handball", events("firstHalf")+","+lineups("pivot")),
			match("4", "handball", events("period2")),
			match("5", "basketball", events("firstHalf")),
			match("6", "basketball", events("overtime3")),
			match("7", "basketball", events("period5")),
			match("8", "football", lineups("pivot")),
			match("9", "football", `"statistics":{"home":{},"away":{},"periods":[{"period":"overtime1","home":{},"away":{}}]}`),
			match("10", "elsewhere", events("period1"))),
	})
	places := func(stored relations.Stored) []string {
		var all []string
		for _, f := range relations.Faults(set, stored) {
			all = append(all, f.Error())
		}
		return all
	}
	const position = `must be one of goalkeeper, defender, midfielder, forward, not `
	const free = `; in a competition whose rules.sport is not football it may be any text`
	const halves = `must be one of firstHalf, secondHalf, extraTimeFirst, extraTimeSecond, penaltyShootout where rules.periods.count is 2, not `
	const quarters = `must be one of period1 to period4, overtime1 and so on, penaltyShootout where rules.periods.count is 4, not `
	want := []string{
		`players.ndjson:1: position: ` + position + `"pivot"` + free,
		`players.ndjson:4: position: ` + position + `"golkeeper"; did you mean goalkeeper?` + free,
		`matches.ndjson:2: events[1].period: ` + halves + `"period1"`,
		`matches.ndjson:4: events[1].period: ` + halves + `"period2"`,
		`matches.ndjson:5: events[1].period: ` + quarters + `"firstHalf"`,
		`matches.ndjson:7: events[1].period: ` + quarters + `"period5"`,
		`matches.ndjson:8: lineups.home.starting[0].position: ` + position + `"pivot"` + free,
		`matches.ndjson:9: statistics.periods[0].period: ` + halves + `"overtime1"`,
	}
	if diff := cmp.Diff(want, places(relations.Stored{})); diff != "" {
		t.Error(diff)
	}
	competitions, teams := relations.Needs(set)
	if diff := cmp.Diff([][]sport.ID{{sport.IDFor(sport.KindCompetition, "elsewhere")}, {sport.IDFor(sport.KindTeam, "stored")}}, [][]sport.ID{competitions, teams}); diff != "" {
		t.Error(diff)
	}
	stored := relations.Stored{
		Current: func(sport.ID) int { return 2025 },
		Season:  func(id sport.ID, season int) *sport.Competition { return &sport.Competition{ID: id, Season: season} },
		Team:    func(sport.ID) *sport.Team { return &sport.Team{CompetitionID: "c", Season: 2025} },
	}
	more := places(stored)
	if len(more) != len(want)+2 {
		t.Errorf("with what is stored: %q", more)
	}
}
