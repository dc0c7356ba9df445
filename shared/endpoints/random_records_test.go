package endpoints_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
)

// TestRecordsAreSeenByWhomTheContractSays asks small federations at random for
// every tournament, match, team and player, by every key, and compares with the
// oracle.
func TestRecordsAreSeenByWhomTheContractSays(t *testing.T) {
	worlds := 4
	if testing.Short() {
		worlds = 1
	}
	for seed := range uint64(worlds) {
		t.Run(fmt.Sprint("world ", seed), func(t *testing.T) {
			m := randomModel(rand.New(rand.NewPCG(seed, 2)))
			s := serve(t, m.dataset(t))
			for _, o := range m.organizations {
				for _, k := range []key{keyOf(o.ID), {organization: o.ID}} {
					seen(t, s, m, k)
				}
			}
			for _, c := range m.competitions {
				tournament(t, s, m, c)
			}
		})
	}
}

// seen asks for all records of a model.
func seen(t *testing.T, s *service, m *model, k key) {
	t.Helper()
	scope := m.scope(k)
	by := key{organization: string(s.id("o:" + k.organization)), descendants: k.descendants}
	check := func(visible bool, format string, args ...any) {
		t.Helper()
		want := 404
		if visible {
			want = 200
		}
		target := fmt.Sprintf(format, args...)
		if got, body := s.ask(t, by, target); got != want {
			t.Errorf("%+v %s: %d %s, want %d", k, target, got, body, want)
		}
	}
	for _, o := range m.organizations {
		query := ""
		if k.descendants && o.ID != k.organization {
			query = "?includeDescendants=true"
		}
		check(scope[o.ID], "/v1/organizations/%s%s", s.id("o:"+o.ID), query)
		check(scope[o.ID], "/v1/%ss/%s/tree%s", o.Type, s.id("o:"+o.ID), query)
	}
	for _, c := range m.competitions {
		visible := m.competitionShown(&c) && scope[c.Organization]
		check(visible, "/v1/tournaments/%s?season=%d", s.id("c:"+c.ID), c.Season)
		check(visible, "/v1/tournaments/%s/standings?season=%d", s.id("c:"+c.ID), c.Season)
		if c.Current {
			check(visible, "/v1/tournaments/%s", s.id("c:"+c.ID))
		}
	}
	for _, x := range m.teams {
		check(m.teamInScope(x.ID, scope), "/v1/teams/%s/players", s.id("t:"+x.ID))
	}
	for _, p := range m.players {
		check(m.playerShown(p) && m.teamInScope(p.Team, scope), "/v1/players/%s", s.id("p:"+p.ID))
	}
	for _, x := range m.matches {
		visible := m.matchInScope(x, scope)
		check(visible, "/v1/matches/%s", s.id("m:"+x.ID))
		if x.Competition != "" {
			c := m.current(x.Competition)
			check(visible && m.competitionShown(c), "/v1/matches/%s?season=%d", s.id("m:"+x.ID), c.Season)
		}
	}
}

// shown reports whether a match is outside no scope by itself or by what it
// refers to (D40), nor by where it leads to (D68).
func (m *model) shown(x match) bool {
	home, away := m.team(x.Home), m.team(x.Away)
	if x.Visibility != "public" || !m.teamShown(*home) || !m.teamShown(*away) {
		return false
	}
	if x.Competition == "" {
		return m.seen(home.Organization) || m.seen(away.Organization)
	}
	return m.competitionShown(m.season(x.Competition, x.Season))
}

// matchInScope is D24.
func (m *model) matchInScope(x match, scope set) bool {
	c := m.season(x.Competition, x.Season)
	return m.shown(x) && (c != nil && scope[c.Organization] || scope[m.team(x.Home).Organization] || scope[m.team(x.Away).Organization])
}

// tournament asks for the lists of a season by the key of its organization.
func tournament(t *testing.T, s *service, m *model, c competition) {
	t.Helper()
	if !m.competitionShown(&c) {
		return
	}
	var teams, players, matches []item
	in := func(x team) bool { return x.Competition == c.ID && x.Season == c.Season }
	for _, x := range m.teams {
		if in(x) && m.teamShown(x) {
			teams = append(teams, item{sport.KindTeam, x.ID, x.Name})
		}
	}
	for _, x := range m.matches {
		if x.Competition != c.ID || x.Season != c.Season || !m.shown(x) {
			continue
		}
		matches = append(matches, item{sport.KindMatch, x.ID, x.Kickoff})
	}
	for _, p := range m.players {
		if m.playerShown(p) && m.plays(p, &c) {
			players = append(players, item{sport.KindPlayer, p.ID, p.Name})
		}
	}
	for list, items := range map[string][]item{"teams": teams, "players": players, "matches": matches} {
		target := fmt.Sprintf("/v1/tournaments/%s/%s?season=%d&limit=100", s.id("c:"+c.ID), list, c.Season)
		status, body := s.ask(t, key{organization: string(s.id("o:" + c.Organization))}, target)
		got, _ := idsIn(t, body)
		want := sorted(items, "name")
		if list == "matches" {
			want = sorted(items, "id") // all kick off at once
		}
		if diff := cmp.Diff(want, got); status != 200 || diff != "" {
			t.Errorf("%s %d: %d\n%s", target, c.Season, status, diff)
		}
	}
}
