package loader_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/loader"
)

// threeTeams is a league of three teams, of which "c" may withdraw.
func threeTeams(withdrawals string) map[string][]string {
	if withdrawals != "" {
		withdrawals = `,"withdrawals":` + withdrawals
	}
	return map[string][]string{
		"organizations": {`{"id":"fed","type":"federation","name":"Federation"}`},
		"competitions":  {`{"id":"liga","season":2025,"name":"Liga","organizationId":"fed"` + withdrawals + `}`},
		"teams": {
			`{"id":"a","name":"Aachen","shortName":"A","organizationId":"fed","competitionId":"liga"}`,
			`{"id":"b","name":"Bonn","shortName":"B","organizationId":"fed","competitionId":"liga"}`,
			`{"id":"c","name":"Celle","shortName":"C","organizationId":"fed","competitionId":"liga"}`,
		},
		"players": {`{"id":"p","name":"P","teamId":"c"}`},
		"matches": {
			`{"id":"1","competitionId":"liga","status":"finished","kickoffAt":"2025-09-06T15:00:00Z","homeTeamId":"c","awayTeamId":"a","score":{"home":2,"away":0},"events":[{"type":"goal","detail":"regular","minute":5,"side":"home","playerId":"p"},{"type":"goal","detail":"regular","minute":6,"side":"home","playerId":"p"}]}`,
			`{"id":"2","competitionId":"liga","status":"upcoming","kickoffAt":"2025-10-06T15:00:00Z","homeTeamId":"b","awayTeamId":"c","lineups":{"confirmed":true,"home":{"starting":[],"bench":[]},"away":{"starting":[{"playerId":"p"}],"bench":[]}}}`,
			`{"id":"3","competitionId":"liga","status":"live","kickoffAt":"2025-10-07T15:00:00Z","homeTeamId":"c","awayTeamId":"b","score":{"home":1,"away":0}}`,
			`{"id":"4","competitionId":"liga","status":"finished","kickoffAt":"2025-10-08T15:00:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":1,"away":1}}`,
		},
	}
}

// A withdrawal that is added, changed or taken back says what a first load of the
// season with it says, and so does a result that is corrected meanwhile.
func TestAWithdrawalIsOneRecord(t *testing.T) {
	s := newSports(t)
	load(t, s, folder(threeTeams("")), loader.Options{})
	for _, withdrawals := range []string{
		`[{"teamId":"c","matches":"annulled"}]`,
		`[{"teamId":"c","matches":"awarded","goals":3}]`,
		`[{"teamId":"c","matches":"awarded","from":"2025-10-07"}]`,
		`[{"teamId":"c","matches":"annulled","from":"2025-10-06"},{"teamId":"a","matches":"awarded","from":"2025-10-07"}]`,
		``,
	} {
		t.Run(withdrawals, func(t *testing.T) {
			given := withdrawals
			if given == "" {
				given = "null"
			}
			load(t, s, folder(map[string][]string{"competitions": {`{"id":"liga","season":2025,"patch":true,"withdrawals":` + given + `}`}}), loader.Options{})
			once := newSports(t)
			load(t, once, folder(threeTeams(withdrawals)), loader.Options{})
			if diff := difference(once.dump(t), s.dump(t)); diff != "" {
				t.Errorf("at once (-) and later (+):\n%s", diff)
			}
			score := func(home int) {
				load(t, s, folder(map[string][]string{"matches": {fmt.Sprintf(`{"id":"3","patch":true,"score":{"home":%d,"away":0}}`, home)}}), loader.Options{})
			}
			score(2)
			score(1)
			if diff := difference(once.dump(t), s.dump(t)); diff != "" {
				t.Errorf("after a goal that was taken back (-before +after):\n%s", diff)
			}
			s.checked(t)
		})
	}
}

func TestWithdrawalsNameTeamsOfTheSeason(t *testing.T) {
	const withdrawn = `[{"teamId":"c","matches":"annulled"}]`
	for _, c := range []struct{ name, kind, line, want string }{
		{"a team that nobody knows", "competitions", `{"id":"liga","season":2025,"patch":true,"withdrawals":[{"teamId":"x","matches":"annulled"}]}`,
			`competitions.ndjson:1: withdrawals[0].teamId: team "x" does not exist`},
		{"one that is not entered", "competitions", `{"id":"liga","season":2025,"patch":true,"withdrawals":[{"teamId":"d","matches":"annulled"}]}`,
			`competitions.ndjson:1: withdrawals[0].teamId: team "d" is not entered in season 2025 of the competition`},
		{"twice", "competitions", `{"id":"liga","season":2025,"patch":true,"withdrawals":[{"teamId":"c","matches":"annulled"},{"teamId":"c","matches":"awarded"}]}`,
			`competitions.ndjson:1: withdrawals[1].teamId: team "c" is in the list already`},
		{"goals of what is annulled", "competitions", `{"id":"liga","season":2025,"patch":true,"withdrawals":[{"teamId":"c","matches":"annulled","goals":3}]}`,
			`competitions.ndjson:1: withdrawals[0].goals: must not be given for matches that are annulled`},
		{"a day that does not exist", "competitions", `{"id":"liga","season":2025,"patch":true,"withdrawals":[{"teamId":"c","matches":"annulled","from":"2025-13-01"}]}`,
			`competitions.ndjson:1: withdrawals[0].from: must be a date or a time, such as 2025-05-24, 24.05.2025 or 2025-05-24T23:59:59+02:00, not "2025-13-01"`},
		{"a team that leaves the season", "teams", `{"id":"c","patch":true,"competitionId":null,"season":null}`,
			`teams.ndjson:1: id: is in the withdrawals of season 2025 of competition "liga", which stays`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSports(t)
			records := threeTeams(withdrawn)
			records["teams"] = append(records["teams"], `{"id":"d","name":"Dachau","shortName":"D","organizationId":"fed"}`)
			load(t, s, folder(records), loader.Options{})
			_, err := s.loader().Load(t.Context(), folder(map[string][]string{c.kind: {c.line}}), loader.Options{})
			if err == nil || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// The report says which teams a load moves in the table.
func TestALoadSaysWhatMovesInTheTable(t *testing.T) {
	s := newSports(t)
	first := load(t, s, folder(threeTeams("")), loader.Options{})
	if tables := first.Tables; len(tables) > 0 {
		t.Errorf("a first load moves %v", tables)
	}
	withdraw := folder(map[string][]string{"competitions": {`{"id":"liga","season":2025,"patch":true,"withdrawals":[{"teamId":"c","matches":"annulled"}]}`}})
	want := []string{"Liga 2025: Aachen 3rd to 1st, Celle 1st to 3rd (3 to 0 points)"}
	for _, dry := range []bool{true, false} {
		report := load(t, s, withdraw, loader.Options{DryRun: dry})
		if diff := cmp.Diff(want, report.Tables); diff != "" {
			t.Errorf("dry %v (-want +got):\n%s", dry, diff)
		}
	}
	won := load(t, s, folder(map[string][]string{"matches": {`{"id":"4","patch":true,"score":{"home":2,"away":1}}`}}), loader.Options{})
	if diff := cmp.Diff([]string{"Liga 2025: Aachen 1st (1 to 3 points), Bonn 2nd (1 to 0 points)"}, won.Tables); diff != "" {
		t.Errorf("another score (-want +got):\n%s", diff)
	}
	if scored := load(t, s, folder(map[string][]string{"matches": {`{"id":"3","patch":true,"score":{"home":4,"away":0}}`}}), loader.Options{}); len(scored.Tables) > 0 {
		t.Errorf("a live score moves %v", scored.Tables)
	}
}
