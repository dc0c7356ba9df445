package records_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/packed"
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

func TestFixturesKeepTheirMatches(t *testing.T) {
	a, b := records.TeamRef{ID: "a", Name: "Älg <&>", ShortName: "A", Logo: "https://x.example/?a&b"}, records.TeamRef{ID: "b"}
	league := records.CompetitionRef{ID: "k", Name: "League", Type: sport.League, Season: 2025, Stage: sport.Regular, Timezone: "UTC"}
	want := []records.Match{
		{ID: "1", Status: sport.Upcoming, Kickoff: -1, Home: a, Away: b, Winner: sport.WinnerNone},
		{
			ID: "2", Status: sport.Finished, Kickoff: 1772377200123, Home: b, Away: a, Score: &sport.Score{Home: 3}, Penalties: &sport.Score{Away: 4},
			Leg: 2, TwoLegs: true, Winner: sport.WinnerAway, Round: 7, GroupID: "g", GroupName: "G", ExtraTime: true, Season: 2025, Competition: &league,
		},
	}
	got, err := records.NewFixtures(want).Matches()
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func TestDamagedFixturesAreAnError(t *testing.T) {
	type fixture struct {
		Match                   records.Match
		Home, Away, Competition int
	}
	for name, damaged := range map[string]fixture{
		"a team that is not there": {Away: 1},
		"below the first":          {Home: -1},
		"no such competition":      {Competition: 1},
	} {
		parts := packed.Marshal(&struct {
			Teams        []records.TeamRef
			Competitions []records.CompetitionRef
			Matches      []fixture
		}{Teams: make([]records.TeamRef, 1), Matches: []fixture{{}, damaged}})
		if _, err := (&records.FixturesRecord{Packed: parts}).Matches(); err == nil || errors.Is(err, packed.ErrMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := (&records.FixturesRecord{Packed: []byte("not packed")}).Matches(); !errors.Is(err, packed.ErrMalformed) {
		t.Errorf("not packed: %v", err)
	}
}

func TestAQuarterIsOfTheYearInUTC(t *testing.T) {
	for at, want := range map[string]int{
		"2025-12-31T23:59:59.999Z": 2025*4 + 3, "2026-01-01T00:00:00Z": 2026 * 4, "2026-03-31T23:59:59Z": 2026 * 4,
		"2026-04-01T00:30:00+01:00": 2026 * 4, "1969-12-31T00:00:00Z": 1969*4 + 3,
	} {
		kickoff, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		if got := records.Quarter(kickoff.UnixMilli()); got != want {
			t.Errorf("%s: %d, want %d", at, got, want)
		}
	}
}
