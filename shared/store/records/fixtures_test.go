package records_test

import (
	"bytes"
	"compress/flate"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
	"touchline/shared/store/records"
)

func deflate(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.DefaultCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

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
	record, err := records.NewFixtures(want, deflate)
	if err != nil {
		t.Fatal(err)
	}
	got, err := record.Matches()
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func TestDamagedFixturesAreAnError(t *testing.T) {
	for name, data := range map[string]string{
		"no JSON": "{", "a team that is not there": `{"Teams":[{}],"Matches":[{"Home":0,"Away":1}]}`,
		"below the first": `{"Teams":[{}],"Matches":[{"Home":-1,"Away":0}]}`, "no such competition": `{"Teams":[{}],"Matches":[{"Competition":1}]}`,
	} {
		parts, err := deflate([]byte(data))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := (&records.FixturesRecord{Parts: parts}).Matches(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := (&records.FixturesRecord{Parts: []byte("not deflated")}).Matches(); err == nil {
		t.Error("not deflated: no error")
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
