package loader_test

import (
	"os"
	"testing"
	"testing/fstest"

	"touchline/shared/loader"
)

// children is the federation whose league hides its players.
func children(t *testing.T) fstest.MapFS {
	fsys := fstest.MapFS{}
	for _, kind := range []string{"organizations", "competitions", "teams", "players", "matches"} {
		text, err := os.ReadFile("../endpoints/scripts/testdata/children/" + kind + ".ndjson")
		if err != nil {
			t.Fatal(err)
		}
		fsys[kind+".ndjson"] = &fstest.MapFile{Data: text}
	}
	return fsys
}

func TestALoadWarnsOfWhomACompetitionShowsOfAPrivateClub(t *testing.T) {
	s := newSports(t)
	fsys := children(t)
	delete(fsys, "matches.ndjson")
	load(t, s, fsys, loader.Options{})
	private := `{"id":"lions","patch":true,"visibility":"private"}`
	for _, step := range []struct {
		name, kind, line string
		want             string // without the warning's beginning
	}{
		{"a club becomes private", "organizations", private, "organizations.ndjson:1: visibility: 1 player of the private club Lions can now be seen through Cup"},
		{"the same again", "organizations", private, ""},
		{"the club is renamed", "organizations", `{"id":"lions","patch":true,"description":"x"}`, ""},
		{"a player of it who is not public", "players", `{"id":"q","name":"Q","teamId":"lionsC","visibility":"hidden"}`, ""},
		{"another player of it", "players", `{"id":"r","name":"R","teamId":"lionsC"}`, "players.ndjson:1: teamId: 1 player of the private club Lions can now be seen through Cup"},
		{"a player of another club", "players", `{"id":"s","name":"S","teamId":"bearsC"}`, ""},
		{"a competition no longer hides its players", "competitions", `{"id":"kids","season":2025,"patch":true,"rules":{"hidePlayers":false}}`,
			"competitions.ndjson:1: rules.hidePlayers: 2 players of the private club Lions can now be seen through Children's league"},
		{"a competition hides its players", "competitions", `{"id":"cup","season":2025,"patch":true,"rules":{"hidePlayers":true}}`, ""},
		{"a team comes to the club", "teams", `{"id":"bears","patch":true,"organizationId":"lions"}`,
			"teams.ndjson:1: organizationId: 1 player of the private club Lions can now be seen through Children's league"},
		{"another competition", "competitions", `{"id":"open","season":2025,"name":"Open","organizationId":"fed"}`, ""},
		{"its teams", "teams", `{"id":"lionsO","name":"Lions","shortName":"LIO","organizationId":"lions","competitionId":"open"}
{"id":"bearsO","name":"Bears","shortName":"BEA","organizationId":"bears","competitionId":"open"}`, ""},
		{"a line-up there", "matches", `{"id":"m","competitionId":"open","status":"finished","kickoffAt":"2026-03-01T12:00:00Z","homeTeamId":"lionsO","awayTeamId":"bearsO","score":{"home":0,"away":0},"lineups":{"confirmed":true,"home":{"starting":[{"playerId":"lea"},{"playerId":"max"}],"bench":[]},"away":{"starting":[],"bench":[]}}}`,
			"matches.ndjson:1: lineups: 1 player of the private club Lions can now be seen through Open"},
		{"a player of a club that is seen", "players", `{"id":"bo","name":"Bo","teamId":"bearsO"}`, ""},
		{"a hidden association", "organizations", `{"id":"attic","type":"association","name":"Attic","parentId":"fed","visibility":"hidden"}`, ""},
		{"the club comes below it", "organizations", `{"id":"bears","patch":true,"parentId":"attic"}`,
			"organizations.ndjson:1: visibility: 1 player of the club Bears, which is below a hidden or private organization, can now be seen through Open"},
		{"the association above it is public", "organizations", `{"id":"attic","patch":true,"visibility":"public"}`, ""},
		{"the association above it is hidden", "organizations", `{"id":"attic","patch":true,"visibility":"hidden"}`,
			"organizations.ndjson:1: visibility: 1 player of the club Bears, which is below a hidden or private organization, can now be seen through Open"},
		{"the league of a player's team is hidden", "competitions", `{"id":"kids","season":2025,"patch":true,"visibility":"hidden"}`, ""},
		{"and is public again", "competitions", `{"id":"kids","season":2025,"patch":true,"visibility":"public"}`,
			"competitions.ndjson:1: visibility: 1 player of the private club Lions can now be seen through Open\ncompetitions.ndjson:1: rules.hidePlayers: 3 players of the private club Lions can now be seen through Children's league"},
	} {
		report, err := s.loader().Load(t.Context(), folder(map[string][]string{step.kind: {step.line}}), loader.Options{})
		if err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		got := ""
		if report.Warnings != nil {
			got = report.Warnings.String()
		}
		if got != step.want {
			t.Errorf("%s: warnings %q, want %q", step.name, got, step.want)
		}
	}
}

func TestALoadWarnsOfANamesakeOfAHiddenChild(t *testing.T) {
	is := func(shown, child string) string {
		return "player " + shown + " has the name of player " + child + ", whom the competition of another team of the club hides: if they are one child, hide both"
	}
	first := newSports(t)
	fsys := children(t)
	fsys["players.ndjson"].Data = append(fsys["players.ndjson"].Data, `{"id":"ben2","name":"Ben","teamId":"bearsC"}`...)
	report := load(t, first, fsys, loader.Options{})
	if want := "players.ndjson:5: name: " + is("ben2", "ben"); report.Warnings == nil || report.Warnings.String() != want {
		t.Errorf("a first load: %v, want %s", report.Warnings, want)
	}
	s := newSports(t)
	load(t, s, children(t), loader.Options{})
	for _, step := range []struct{ name, kind, line, want string }{
		{"a player with the name of a child", "players", `{"id":"lea2","name":"lea","teamId":"lionsC"}`, "players.ndjson:1: name: " + is("lea2", "lea")},
		{"the same again", "players", `{"id":"lea2","name":"lea","teamId":"lionsC"}`, ""},
		{"who gets a number", "players", `{"id":"lea2","patch":true,"number":4}`, ""},
		{"who is hidden", "players", `{"id":"lea2","patch":true,"visibility":"hidden"}`, ""},
		{"who is shown", "players", `{"id":"lea2","patch":true,"visibility":"public"}`, "players.ndjson:1: name: " + is("lea2", "lea")},
		{"a child of another club", "players", `{"id":"ben2","name":"Ben","teamId":"lionsC"}`, ""},
		{"another child of the league", "players", `{"id":"lou2","name":"Lou","teamId":"lions"}`, ""},
		{"a child with the name of a player", "players", `{"id":"max2","name":"Max","teamId":"lions"}`, "players.ndjson:1: name: " + is("max", "max2")},
		{"a child with an accent", "players", `{"id":"zoe","name":"Zo\u00eb","teamId":"lions"}`, ""},
		{"who is encoded otherwise", "players", `{"id":"zoe2","name":"ZOE\u0308","teamId":"lionsC"}`, "players.ndjson:1: name: " + is("zoe2", "zoe")},
		{"who goes", "players", `{"id":"zoe2","deleted":true}`, ""},
		{"the club of children who are shown", "teams", `{"id":"bears","patch":true,"organizationId":"lions"}`, "teams.ndjson:1: competitionId: " + is("ben2", "ben")},
		{"the league shows its players", "competitions", `{"id":"kids","season":2025,"patch":true,"rules":{"hidePlayers":false}}`, ""},
		{"the cup hides its players", "competitions", `{"id":"cup","season":2025,"patch":true,"rules":{"hidePlayers":true}}`,
			"competitions.ndjson:1: rules.hidePlayers: " + is("ben", "ben2") + "\ncompetitions.ndjson:1: rules.hidePlayers: " + is("lea", "lea2") + "\ncompetitions.ndjson:1: rules.hidePlayers: " + is("max2", "max")},
	} {
		got := ""
		if report := load(t, s, folder(map[string][]string{step.kind: {step.line}}), loader.Options{}); report.Warnings != nil {
			got = report.Warnings.String()
		}
		if got != step.want {
			t.Errorf("%s:\n got %q\nwant %q", step.name, got, step.want)
		}
	}
}
