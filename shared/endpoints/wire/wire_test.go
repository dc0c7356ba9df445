package wire_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/endpoints/wire"
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// encode writes a value as answers are written.
func encode(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSpace(b.Bytes()))
}

func TestInstantsAreUTCWithMilliseconds(t *testing.T) {
	east := time.FixedZone("", 3*3600)
	tests := map[string]struct {
		at   time.Time
		want wire.Instant
	}{
		"whole second":   {time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC), "2026-03-14T15:09:26.000Z"},
		"a part of one":  {time.Date(2026, 3, 14, 15, 9, 26, 5e6, time.UTC), "2026-03-14T15:09:26.005Z"},
		"cut, not round": {time.Date(2026, 3, 14, 15, 9, 26, 999_999_999, time.UTC), "2026-03-14T15:09:26.999Z"},
		"another zone":   {time.Date(2026, 3, 1, 1, 0, 0, 0, east), "2026-02-28T22:00:00.000Z"},
		"before 1970":    {time.Date(1954, 7, 4, 16, 0, 0, 1e6, time.UTC), "1954-07-04T16:00:00.001Z"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := wire.At(tt.at); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
			if got := wire.AtMilli(tt.at.UnixMilli()); got != tt.want {
				t.Errorf("by milliseconds %s, want %s", got, tt.want)
			}
		})
	}
}

func TestAWinnerIsToldWhenTheMatchIsFinished(t *testing.T) {
	for status, want := range map[sport.MatchStatus]sport.Winner{
		sport.Upcoming: sport.WinnerNone, sport.Live: sport.WinnerNone, sport.Postponed: sport.WinnerNone, sport.Finished: sport.WinnerHome,
	} {
		if got := wire.MatchOf(&records.Match{Status: status, Winner: sport.WinnerHome}).Winner; got != want {
			t.Errorf("%s: %s, want %s", status, got, want)
		}
	}
}

func TestAPhaseIsRowsOrTiesByItsFormat(t *testing.T) {
	team := &records.TeamRef{ID: "0123456789abcdef01234567", Name: "Bread & <Butter>", ShortName: "B&B"}
	const teamJSON = `{"id":"0123456789abcdef01234567","name":"Bread & <Butter>","shortName":"B&B","logo":null}`
	tests := map[string]struct {
		phase *records.Phase
		want  string
	}{
		"none": {nil, `"playoffStandings":null,"playoutStandings":null,"playoffFormat":null,"playoutFormat":null,"playoffCompleted":null,"playoutCompleted":null`},
		"league, nobody in it": {&records.Phase{Format: sport.FormatLeague},
			`"playoffStandings":[],"playoutStandings":null,"playoffFormat":"league","playoutFormat":null,"playoffCompleted":false,"playoutCompleted":null`},
		"league": {&records.Phase{Format: sport.FormatLeague, Completed: true, Rows: []records.TableRow{{Rank: 1, Team: *team, GoalsFor: 1, GoalsAgainst: 3}}},
			`"playoffStandings":[{"rank":1,"team":` + teamJSON + `,"played":0,"won":0,"drawn":0,"lost":0,"goalsFor":1,"goalsAgainst":3,"goalDiff":-2,"points":0,"startingPoints":0,"group":null}],` +
				`"playoutStandings":null,"playoffFormat":"league","playoutFormat":null,"playoffCompleted":true,"playoutCompleted":null`},
		"knockout, not drawn yet": {&records.Phase{Format: sport.FormatKnockout},
			`"playoffStandings":[],"playoutStandings":null,"playoffFormat":"knockout","playoutFormat":null,"playoffCompleted":false,"playoutCompleted":null`},
		"knockout": {&records.Phase{Format: sport.FormatKnockout, Ties: []records.Tie{{Round: 2, Order: 1, Home: team}}},
			`"playoffStandings":[{"round":2,"order":1,"home":` + teamJSON + `,"away":null,"aggregate":null,"penalties":null,"winner":"none","matchIds":[]}],` +
				`"playoutStandings":null,"playoffFormat":"knockout","playoutFormat":null,"playoffCompleted":false,"playoutCompleted":null`},
	}
	const before = `{"competition":{"id":"","name":"","logo":null,"type":"","season":0,"stage":"","timezone":""},"standings":[],`
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := encode(t, wire.StandingsOf(&records.CompetitionRef{}, &records.TableRecord{Playoff: tt.phase}))
			if diff := cmp.Diff(before+tt.want+"}", got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
