package loader_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
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

// A club that goes out of sight is seen through competitions all the same: the load says so.
func TestALoadWarnsOfAClubThatIsSeenThroughCompetitions(t *testing.T) {
	s := newSports(t)
	load(t, s, children(t), loader.Options{})
	const still = "organizations.ndjson:1: visibility: hides lions, but competitions still show teams of it with their players (1): hide them as well"
	for _, step := range []struct{ name, kind, line, want string }{
		{"it becomes private", "organizations", `{"id":"lions","patch":true,"visibility":"private"}`, still},
		{"the same again", "organizations", `{"id":"lions","patch":true,"visibility":"private"}`, ""},
		{"and public", "organizations", `{"id":"lions","patch":true,"visibility":"public"}`, ""},
		{"a hidden association", "organizations", `{"id":"attic","type":"association","name":"Attic","parentId":"fed","visibility":"hidden"}`, ""},
		{"it comes below that", "organizations", `{"id":"lions","patch":true,"parentId":"attic"}`, still},
		{"the association is public", "organizations", `{"id":"attic","patch":true,"visibility":"public"}`, ""},
		{"and hidden", "organizations", `{"id":"attic","patch":true,"visibility":"hidden"}`, still},
	} {
		if report := load(t, s, folder(map[string][]string{step.kind: {step.line}}), loader.Options{}); fmt.Sprint(report.Warnings) != step.want && (report.Warnings != nil || step.want != "") {
			t.Errorf("%s: warnings %v, want %s", step.name, report.Warnings, step.want)
		}
	}
}

// A name that is hidden on a record of a club is shown on none without being asked, whatever
// brings it about (D89).
func TestHidingFollowsThePerson(t *testing.T) {
	steps := []struct{ name, kind, line, want string }{
		{"a player with the name of a child", "players", `{"id":"lea2","name":"lea","teamId":"lionsC"}`, "lea2 (hidden as lea)"},
		{"the same again", "players", `{"id":"lea2","name":"lea","teamId":"lionsC"}`, ""},
		{"who gets a number", "players", `{"id":"lea2","patch":true,"number":4}`, ""},
		{"who is hidden", "players", `{"id":"lea2","patch":true,"visibility":"hidden"}`, ""},
		{"who is shown, and says so", "players", `{"id":"lea2","patch":true,"visibility":"public"}`, "public: lea2 (hidden as lea)"},
		{"a child of another club", "players", `{"id":"ben2","name":"Ben","teamId":"lionsC"}`, ""},
		{"another child of the league", "players", `{"id":"lou2","name":"Lou","teamId":"lions"}`, ""},
		{"a child with the name of a player", "players", `{"id":"max2","name":"Max","teamId":"lions"}`, "max (hidden as max2)"},
		{"a child with an accent", "players", `{"id":"zoe","name":"Zo\u00eb","teamId":"lions"}`, ""},
		{"who is encoded otherwise", "players", `{"id":"zoe2","name":"ZOE\u0308","teamId":"lionsC"}`, "zoe2 (hidden as zoe)"},
		{"who goes", "players", `{"id":"zoe2","deleted":true}`, ""},
		{"names that were sorted without their rows", "players", `{"id":"zoe","patch":true,"name":"Ada"}` + "\n" + `{"id":"max","patch":true,"name":"Zo\u00eb"}`, "max (hidden as zoe)"},
		{"and back", "players", `{"id":"zoe","patch":true,"name":"Zo\u00eb"}` + "\n" + `{"id":"max","patch":true,"name":"Max"}`, "max (hidden as max2)"},
		{"one who goes while another comes", "players", `{"id":"zoe","deleted":true}` + "\n" + `{"id":"zoe3","name":"Zo\u00eb","teamId":"lionsC"}`, "zoe3 (hidden as zoe)"},
		{"a hidden one of a team", "players", `{"id":"ann","name":"Ann","teamId":"lionsC","visibility":"hidden"}`, ""},
		{"whose name another one of it gets", "players", `{"id":"zoe3","patch":true,"name":"Ann"}`, "zoe3 (hidden as ann)"},
		{"the club of children who are shown", "teams", `{"id":"bears","patch":true,"organizationId":"lions"}`, "ben2 (hidden as ben)"},
		{"the league shows its players", "competitions", `{"id":"kids","season":2025,"patch":true,"rules":{"hidePlayers":false}}`, "ben, ben2 (hidden as ben), lea, lea2 (hidden as lea), lou (hidden as lou2), lou2 (hidden as lou), max (hidden as max2), max2; m1"},
		{"the cup hides its players", "competitions", `{"id":"cup","season":2025,"patch":true,"rules":{"hidePlayers":true}}`,
			"hides player max, whose name player max2 of the club shows: if they are one, hide both\nhides player lea2, whose name player lea of the club shows: if they are one, hide both\nhides player ben2, whose name player ben of the club shows: if they are one, hide both"},
	}
	s := newSports(t)
	load(t, s, children(t), loader.Options{})
	for _, step := range steps {
		files := folder(map[string][]string{step.kind: {step.line}})
		report := load(t, s, files, loader.Options{DryRun: true})
		var got []string
		for _, x := range report.Shown {
			got = append(got, map[bool]string{true: "public: "}[x.Said]+x.Named())
		}
		if report.Warnings != nil {
			got = append(got, report.Warnings.String())
		}
		if text := strings.Join(got, "; "); text != step.want {
			t.Errorf("%s:\n got %q\nwant %q", step.name, text, step.want)
		}
		asks := strings.Contains(step.want, "(hidden as") && !strings.HasPrefix(step.want, "public")
		if _, err := s.loader().Load(t.Context(), files, loader.Options{Strict: true, DryRun: true, Yes: true}); asks && err == nil || step.want == "" && err != nil {
			t.Errorf("%s: strict %v", step.name, err)
		}
		l := s.loader()
		l.Confirm = nil
		if _, err := l.Load(t.Context(), files, loader.Options{}); errors.As(err, new(*loader.UnmeantError)) != asks {
			t.Errorf("%s: %v", step.name, err)
		}
		if _, err := l.Load(t.Context(), files, loader.Options{Yes: true}); err != nil {
			t.Errorf("%s: %v", step.name, err)
		}
	}
}
