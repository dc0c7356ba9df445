package main

import (
	"strings"
	"testing"

	"touchline/scripts/touchline/protocol"
	"touchline/shared/dataset"
	"touchline/shared/sport"
)

func TestIDsOfOnesOwnKeys(t *testing.T) {
	liga := string(sport.IDFor(sport.KindCompetition, "liga"))
	if out := newTerminal(nil).succeed(t, "id", "competition", "liga"); out != liga+"\n" {
		t.Error(out)
	}
	if out := newTerminal(nil).succeed(t, "id", "competition", liga); out != liga+"\n" {
		t.Errorf("an id stays one: %s", out)
	}
	f := &fake{status: 200, body: `{}`}
	base := f.start(t)
	caller().succeed(t, "get", "--key-id=k", "--base-url="+base, "/v1/tournaments/{competition:liga}/standings?teamId={team:a b/c}")
	want := "/v1/tournaments/" + liga + "/standings?teamId=" + string(sport.IDFor(sport.KindTeam, "a b/c"))
	if f.targets[0] != want {
		t.Errorf("sent %s, want %s", f.targets[0], want)
	}
	if out := caller().succeed(t, "sign", "--key-id=k", "--explain", "GET", "/v1/tournaments/{competition:liga}"); !strings.Contains(out, liga) {
		t.Error(out)
	}
}

func TestWhatIsNoKeyOfOnesOwnIsUsage(t *testing.T) {
	for _, target := range []string{"/v1/clubs/{club:x}", "/v1/clubs/{organization:}", "/v1/clubs/{x", "/v1/clubs/{{organization:x}}", "/v1/clubs/{}"} {
		if code := caller().run("get", "--key-id=k", target); code != exitUsage {
			t.Errorf("%s: exit %d", target, code)
		}
	}
	for _, args := range [][]string{{"id", "club", "x"}, {"id", "team", ""}, {"id", "team"}} {
		if code := newTerminal(nil).run(args...); code != exitUsage {
			t.Errorf("%v: exit %d", args, code)
		}
	}
}

// A key is the same however it was typed: ü as one character or as two.
func TestAnIDFollowsFromTheNormalFormOfTheKey(t *testing.T) {
	term := newTerminal(nil)
	if one, two := term.succeed(t, "id", "team", "M\u00fcnchen"), term.succeed(t, "id", "team", "Mu\u0308nchen"); one != two {
		t.Errorf("%s and %s", one, two)
	}
	for _, key := range []string{"M\u00fcnchen", "Mu\u0308nchen"} {
		got, err := protocol.Expand("/v1/teams/{team:" + key + "}")
		if want := "/v1/teams/" + string(dataset.ID(sport.KindTeam, key)); err != nil || got != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
}
