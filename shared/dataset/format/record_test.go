package format

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
)

func ptr[T any](v T) *T { return &v }

func TestDefaultsAreFilledIn(t *testing.T) {
	set := mustRead(t, map[string]string{
		"organizations": lined(`{"id":"o","type":"club","name":"O","logo":null,"parentId":null,"additionalParentIds":null,"description":null,"season":null,"status":null,"visibility":null,"plan":null,"deleted":null}`),
		"competitions":  lined(`{"id":"c","season":2025,"name":"C","organizationId":"o","rules":{"win":2}}`),
		"teams":         lined(`{"id":"t","name":"T","shortName":"T","competitionId":"c"}`),
		"players":       lined(`{"id":"p","name":"P","teamId":"t"}`),
		"matches":       lined(`{"id":"m","status":"upcoming","kickoffAt":"2025-08-01T20:30:00+02:00","homeTeamId":"t","awayTeamId":"u"}`),
	})
	check(t, sport.Organization{
		ID: hash("organization", "o"), Type: sport.Club, Name: "O",
		Status: sport.Active, Plan: sport.PlanPro,
	}, set.Organizations[0].Value)
	check(t, sport.Competition{
		ID: hash("competition", "c"), Season: 2025, Name: "C", Type: sport.League, Stage: sport.Regular, Timezone: "UTC",
		OrganizationID: hash("organization", "o"),
		Rules:          sport.Rules{Win: 2, Draw: 1, TieBreakers: sport.DefaultTieBreakers()},
	}, set.Competitions[0].Value)
	check(t, sport.Team{
		ID: hash("team", "t"), Name: "T", ShortName: "T", CompetitionID: hash("competition", "c"),
		Status: sport.Active,
	}, set.Teams[0].Value)
	check(t, sport.Player{
		ID: hash("player", "p"), Name: "P", TeamID: hash("team", "t"), Status: sport.Active,
	}, set.Players.At(0).Value)
	check(t, sport.Match{
		ID: hash("match", "m"), Status: sport.Upcoming, Kickoff: time.Date(2025, 8, 1, 18, 30, 0, 0, time.UTC),
		HomeTeamID: hash("team", "t"), AwayTeamID: hash("team", "u"), Winner: sport.WinnerNone,
	}, set.Matches.At(0).Value.Full())
}

func check[T any](t *testing.T, want, got T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%T (-want +got):\n%s", want, diff)
	}
}

func TestEveryFieldIsRead(t *testing.T) {
	const id = "0123456789abcdef01234567"
	set := mustRead(t, map[string]string{
		"organizations": lined(`{"id":"` + id + `","type":"association","name":"Ö & <O>","logo":"https://example.org/o.png","parentId":"p","additionalParentIds":["q","p","q","r"],"description":"","season":2025,"status":"inactive","visibility":"hidden","plan":"free"}`),
		"competitions": lined(`{"id":"c","season":2025,"current":false,"name":"C","logo":"https://example.org/l","type":"cup","stage":"playout","timezone":"Europe/Vienna","organizationId":"` + id + `","gender":"women","completed":true,"endsAt":"2026-05-24","visibility":"private","parentId":"d","format":"knockout",` +
			`"groups":[{"id":"g","name":"G","order":-1}],"rules":{"win":2,"draw":0,"loss":-1,"tieBreakers":[]}}`),
		"teams":     lined(`{"id":"t","name":"T","shortName":"TT","logo":"https://example.org/l","organizationId":"` + id + `","competitionId":"c","season":2025,"group":"g","gender":"men","status":"inactive","visibility":"hidden","startingPoints":-6,"seed":3}`),
		"players":   lined(`{"id":"p","name":"P","teamId":"t","number":99,"position":"forward","photo":"https://example.org/f","status":"inactive","visibility":"private"}`),
		"standings": lined(`{"competitionId":"c","season":2025,"table":"playoff","rows":[{"teamId":"t","rank":1,"played":2,"won":3,"drawn":4,"lost":5,"goalsFor":6,"goalsAgainst":7,"points":-8,"startingPoints":-9,"group":"g"}]}`),
	})
	check(t, sport.Organization{
		ID: id, Type: sport.Association, Name: "Ö & <O>", Logo: "https://example.org/o.png", ParentID: hash("organization", "p"),
		AdditionalParentIDs: []sport.ID{hash("organization", "q"), hash("organization", "r")}, Season: 2025,
		Status: sport.Inactive, Visibility: sport.Hidden, Plan: sport.PlanFree,
	}, set.Organizations[0].Value)
	check(t, sport.Competition{
		ID: hash("competition", "c"), Season: 2025, Current: ptr(false), Name: "C", Logo: "https://example.org/l", Type: sport.Cup,
		Stage: sport.Playout, Timezone: "Europe/Vienna", OrganizationID: id, Gender: sport.Women, Completed: true,
		EndsAt: time.Date(2026, 5, 24, 21, 59, 59, 999e6, time.UTC), Visibility: sport.Private,
		ParentID: hash("competition", "d"), Format: sport.FormatKnockout,
		Groups: []sport.Group{{ID: hash("group", "g"), Key: "g", Name: "G", Order: -1}},
		Rules:  sport.Rules{Win: 2, Draw: 0, Loss: -1, TieBreakers: []sport.TieBreaker{sport.ByName}},
	}, set.Competitions[0].Value)
	check(t, sport.Team{
		ID: hash("team", "t"), Name: "T", ShortName: "TT", Logo: "https://example.org/l", OrganizationID: id, CompetitionID: hash("competition", "c"),
		Season: 2025, GroupID: hash("group", "g"), Gender: sport.Men, Status: sport.Inactive, Visibility: sport.Hidden,
		StartingPoints: -6, Seed: 3,
	}, set.Teams[0].Value)
	check(t, sport.Player{
		ID: hash("player", "p"), Name: "P", TeamID: hash("team", "t"), Number: 99, Position: sport.Forward, Photo: "https://example.org/f",
		Status: sport.Inactive, Visibility: sport.Private,
	}, set.Players.At(0).Value)
	check(t, sport.GivenTable{
		CompetitionID: hash("competition", "c"), Season: 2025, Table: sport.TablePlayoff,
		Rows: []sport.GivenRow{{
			TeamID: hash("team", "t"), Rank: 1, Played: 2, Won: 3, Drawn: 4, Lost: 5, GoalsFor: 6, GoalsAgainst: 7,
			Points: -8, StartingPoints: -9, GroupID: hash("group", "g"),
		}},
	}, set.Standings[0].Value)
	if got := set.Organizations[0].Key; got != id {
		t.Errorf("the key of an id is %q", got)
	}
	if got := set.Teams[0].Key; got != "t" {
		t.Errorf("the key is %q", got)
	}
}

// A match may say in which time zone its kickoffLocal is; one without a competition that
// does not is taken as UTC, with a warning.
func TestALocalKickoffInAZoneOfItsOwn(t *testing.T) {
	const unzoned = "kickoffLocal: is taken as UTC, because the match has no competition: give its timezone, UTC if that is meant"
	at := func(hour, minute int) time.Time { return time.Date(2025, 10, 26, hour, minute, 0, 0, time.UTC) }
	for fields, want := range map[string]struct {
		at      time.Time
		local   string
		warning string
	}{
		`"kickoffLocal":"2025-10-26T15:30"`:                                                              {at(15, 30), "", unzoned},
		`"kickoffLocal":"2025-10-26T15:30","timezone":"UTC"`:                                             {at(15, 30), "", ""},
		`"kickoffLocal":"2025-10-26T15:30","timezone":"Europe/Vienna"`:                                   {at(14, 30), "", ""},
		`"kickoffLocal":"2025-10-26T02:30","timezone":"Europe/Vienna"`:                                   {at(0, 30), "", "kickoffLocal: is shown twice by the clocks of the time zone: taken for the first time"},
		`"kickoffLocal":"2025-10-26","timezone":"Europe/Vienna"`:                                         {at(-2, 0), "", ""},
		`"kickoffLocal":"2025-10-26T15:30","timezone":"Europe/Vienna","competitionId":"l","season":2025`: {at(14, 30), "", ""},
		`"kickoffLocal":"2025-10-26T15:30","competitionId":"l","season":2025`:                            {time.Time{}, "2025-10-26T15:30", ""},
	} {
		set := mustRead(t, map[string]string{"matches": `{"id":"m","status":"upcoming","homeTeamId":"a","awayTeamId":"b",` + fields + `}`})
		m, warning := set.Matches.At(0).Value, ""
		for _, w := range set.Warnings.List {
			warning = w.Field + ": " + w.Message
		}
		if m.KickoffLocal != want.local || !m.Base.Kickoff.Equal(want.at) || warning != want.warning {
			t.Errorf("%s: got %q, %v, %s", fields, m.KickoffLocal, m.Base.Kickoff, warning)
		}
	}
}
