package endpoints_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// numbers are what this test looks at of a team's or a player's statistics.
type numbers struct {
	Overall, Home struct{ Played, GoalsFor, GoalsAgainst int }
	Form          []string
	Totals        struct{ Starts int }
}

func numbersOf(t testing.TB, s *service, k key, target string) numbers {
	t.Helper()
	status, body := s.get(t, k, target)
	var reply struct{ Data numbers }
	if err := json.Unmarshal([]byte(body), &reply); status != 200 || err != nil {
		t.Fatal(target, status, body, err)
	}
	return reply.Data
}

// TestNumbersAddUpTheMatchesThatAreListed compares, for every key of small
// federations at random, the statistics of every team and player with what
// their lists of matches add up to; and once more after the federation has been
// rearranged by a second load.
func TestNumbersAddUpTheMatchesThatAreListed(t *testing.T) {
	worlds := 3
	if testing.Short() {
		worlds = 1
	}
	differ := 0
	for seed := range uint64(worlds) {
		t.Run(fmt.Sprint("world ", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 3))
			m := randomModel(r)
			m.play(r)
			s := serve(t, m.dataset(t))
			differ += addUp(t, s, m)
			m.rearrange(r)
			s.table.Load(t, m.dataset(t))
			s.restart()
			differ += addUp(t, s, m)
		})
	}
	if differ == 0 {
		t.Error("no team has matches")
	}
}

// play ends the matches of a model, and makes every other one a friendly of any
// two teams.
func (m *model) play(r *rand.Rand) {
	for i := range m.matches {
		x := &m.matches[i]
		x.Status, x.Score = "finished", &score{r.IntN(4), r.IntN(4)}
		x.Kickoff = time.Date(2026, 1, 1+i, 12, 0, 0, 0, time.UTC).Format(time.RFC3339)
		if away := pick(r, m.teams...).ID; i%2 == 0 && away != x.Home {
			x.Competition, x.Season, x.Away = "", 0, away
		}
	}
}

// rearrange moves clubs and competitions.
func (m *model) rearrange(r *rand.Rand) {
	for i := range m.organizations {
		if o := &m.organizations[i]; o.Type == "club" && i > 5 && o.Parent != "" && !slices.Contains(o.Additional, "o1") && r.IntN(3) == 0 {
			o.Parent = "o1"
		}
	}
	for i := range m.competitions {
		if r.IntN(3) == 0 {
			m.competitions[i].Organization = pick(r, m.organizations...).ID
		}
	}
	for i := range m.teams {
		if x := &m.teams[i]; x.Organization != "" && r.IntN(8) == 0 && !m.lends(x.Organization) {
			x.Organization = pick(r, m.organizations...).ID
		}
	}
}

// lends reports whether players of a club's teams are in line-ups, which its
// other teams may name only while they are of one club.
func (m *model) lends(organization string) bool {
	return slices.ContainsFunc(m.matches, func(x match) bool { return x.Lineups != nil && m.team(x.Home).Organization == organization })
}

// addUp returns how many teams have matches.
func addUp(t *testing.T, s *service, m *model) (differ int) {
	t.Helper()
	for _, o := range m.organizations {
		for _, descendants := range []bool{true, false} {
			k := key{organization: o.ID, descendants: descendants}
			for _, x := range m.teams {
				if m.teamInScope(x.ID, m.scope(k)) {
					differ += addUpTeam(t, s, k, x)
				}
			}
			for _, p := range m.players {
				if m.playerShown(p) && m.teamInScope(p.Team, m.scope(k)) {
					addUpPlayer(t, s, k, p)
				}
			}
		}
	}
	return differ
}

func addUpTeam(t *testing.T, s *service, k key, x team) int {
	t.Helper()
	id := string(s.id("t:" + x.ID))
	got := numbersOf(t, s, k, "/v1/teams/"+id+"/statistics")
	_, body := s.get(t, k, "/v1/teams/"+id+"/matches?limit=100")
	var list struct {
		Data []struct {
			Home  struct{ ID string }
			Score score
		}
	}
	if err := json.Unmarshal([]byte(body), &list); err != nil {
		t.Fatal(body, err)
	}
	var want numbers
	for _, g := range list.Data {
		home := g.Home.ID == "t:"+x.ID || g.Home.ID == id
		f, a := g.Score.Home, g.Score.Away
		if !home {
			f, a = a, f
		} else {
			want.Home.Played++
		}
		want.Overall.Played++
		want.Overall.GoalsFor += f
		want.Overall.GoalsAgainst += a
		letter := "D"
		if f > a {
			letter = "W"
		} else if f < a {
			letter = "L"
		}
		want.Form = append(want.Form, letter)
	}
	want.Form = want.Form[max(0, len(want.Form)-5):]
	if got.Overall.Played != want.Overall.Played || got.Overall.GoalsFor != want.Overall.GoalsFor || got.Overall.GoalsAgainst != want.Overall.GoalsAgainst ||
		got.Home.Played != want.Home.Played || !slices.Equal(got.Form, want.Form) {
		t.Errorf("%+v: team %s: statistics %+v, matches %+v", k, x.ID, got, want)
	}
	return want.Overall.Played
}

func addUpPlayer(t *testing.T, s *service, k key, p player) {
	t.Helper()
	id := string(s.id("p:" + p.ID))
	got := numbersOf(t, s, k, "/v1/players/"+id+"/statistics")
	_, body := s.get(t, k, "/v1/players/"+id+"/matches?limit=100")
	if n := strings.Count(body, `"started":true`); got.Totals.Starts != n {
		t.Errorf("%+v: player %s: %d starts, listed %d", k, p.ID, got.Totals.Starts, n)
	}
}
