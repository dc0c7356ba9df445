package endpoints_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// guests is a league of the north that a team of the south is entered in. It
// also plays a cup of the south, a friendly in the south, and one against a club
// of the north.
func guests() fstest.MapFS {
	match := func(id, competition, home, away string, day int, score string) string {
		return fmt.Sprintf(`{"id":"%s",%s"status":"finished","kickoffAt":"2025-09-%02dT12:00:00Z","homeTeamId":"%s","awayTeamId":"%s","score":%s,`+
			`"lineups":{"confirmed":true,"home":{"starting":[{"playerId":"%s9"}],"bench":[]},"away":{"starting":[{"playerId":"%s9"}],"bench":[]}},`+
			`"events":[{"type":"card","detail":"yellow","minute":20,"side":"home","playerId":"%s9"}]}`+"\n", id, competition, day, home, away, score, home, away, home)
	}
	const league, cup = `"competitionId":"league","season":2025,`, `"competitionId":"cup","season":2025,`
	return fstest.MapFS{
		"organizations.ndjson": {Data: []byte(`{"id":"fed","type":"federation","name":"Federation"}
{"id":"north","type":"association","name":"North","parentId":"fed"}
{"id":"south","type":"association","name":"South","parentId":"fed"}
{"id":"west","type":"association","name":"West","parentId":"fed"}
{"id":"albion","type":"club","name":"Albion","parentId":"north"}
{"id":"rovers","type":"club","name":"Rovers","parentId":"south"}
{"id":"united","type":"club","name":"United","parentId":"south"}
`)},
		"competitions.ndjson": {Data: []byte(`{"id":"league","season":2025,"name":"Northern league","organizationId":"north"}
{"id":"cup","season":2025,"name":"Southern cup","organizationId":"south"}
`)},
		"teams.ndjson": {Data: []byte(`{"id":"guest","name":"Rovers","shortName":"ROV","organizationId":"rovers","competitionId":"league","season":2025}
{"id":"host","name":"Albion","shortName":"ALB","organizationId":"albion","competitionId":"league","season":2025}
{"id":"rovers","name":"Rovers","shortName":"ROV","organizationId":"rovers","competitionId":"cup","season":2025}
{"id":"united","name":"United","shortName":"UNI","organizationId":"united","competitionId":"cup","season":2025}
{"id":"old","name":"Albion old boys","shortName":"OLD","organizationId":"albion"}
`)},
		"players.ndjson": {Data: []byte(`{"id":"guest9","name":"Gus","teamId":"guest","position":"goalkeeper"}
{"id":"guest8","name":"Guy","teamId":"guest"}
{"id":"host9","name":"Hal","teamId":"host"}
{"id":"rovers9","name":"Rob","teamId":"rovers"}
{"id":"united9","name":"Una","teamId":"united"}
{"id":"old9","name":"Old","teamId":"old"}
`)},
		"matches.ndjson": {Data: []byte(match("league1", league, "host", "guest", 1, `{"home":1,"away":2}`) +
			strings.NewReplacer(`{"playerId":"rovers9"}`, `{"playerId":"guest9"},{"playerId":"guest8"}`, "rovers9", "guest9").
				Replace(match("cup1", cup, "rovers", "united", 2, `{"home":4,"away":0}`)) +
			match("friendlyS", "", "guest", "united", 3, `{"home":5,"away":0}`) +
			match("friendlyN", "", "guest", "old", 4, `{"home":0,"away":0}`))},
	}
}

// numbers are what this test looks at of a team's or a player's statistics.
type numbers struct {
	Overall, Home struct{ Played, GoalsFor, GoalsAgainst, Won int }
	Form          []string
	Streak        struct{ Length int }
	BiggestWin    struct{ ID string }
	Cards         struct{ Yellow int }
	Totals        struct{ Appearances, Starts, Yellow, CleanSheets int }
	Competitions  []struct{ Competition struct{ ID string } }
}

// A team that a key sees through its competition alone, and its players, are
// summed up from the matches in the key's scope (D24).
func TestNumbersOfAGuestAreThoseOfMatchesInTheScope(t *testing.T) {
	s := serve(t, guests())
	tests := map[string]struct {
		key          key
		team, player string
	}{
		"its own federation":     {key{"fed", true}, "played 3, 7:1, form W W D, won m:friendlyS, yellow 2, in c:league", "4 matches, 3 clean, yellow 3, in c:cup c:league"},
		"its own association":    {key{"south", true}, "played 3, 7:1, form W W D, won m:friendlyS, yellow 2, in c:league", "4 matches, 3 clean, yellow 3, in c:cup c:league"},
		"its own club":           {key{"rovers", false}, "played 3, 7:1, form W W D, won m:friendlyS, yellow 2, in c:league", "4 matches, 3 clean, yellow 3, in c:cup c:league"},
		"the host and all below": {key{"north", true}, "played 2, 2:1, form W D, won m:league1, yellow 1, in c:league", "2 matches, 1 clean, yellow 1, in c:league"},
		"the host by itself":     {key{"north", false}, "played 1, 2:1, form W, won m:league1, yellow 0, in c:league", "1 matches, 0 clean, yellow 0, in c:league"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for _, season := range []string{"", "?season=2025"} {
				n := s.numbers(t, tt.key, "/v1/teams/t:guest/statistics"+season)
				want := tt.team
				if season != "" { // friendlies have none
					want = "played 1, 2:1, form W, won m:league1, yellow 0, in c:league"
				}
				got := fmt.Sprintf("played %d, %d:%d, form %s, won %s, yellow %d,%s", n.Overall.Played, n.Overall.GoalsFor, n.Overall.GoalsAgainst,
					strings.Join(n.Form, " "), n.BiggestWin.ID, n.Cards.Yellow, n.competitions())
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(season, diff)
				}
			}
			n := s.numbers(t, tt.key, "/v1/players/p:guest9/statistics")
			got := fmt.Sprintf("%d matches, %d clean, yellow %d,%s", n.Totals.Appearances, n.Totals.CleanSheets, n.Totals.Yellow, n.competitions())
			if diff := cmp.Diff(tt.player, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Who hosts a team may change without any match of a player's.
func TestNumbersFollowTheHostOfAGuest(t *testing.T) {
	s := serve(t, guests())
	starts := func(k key, want int) {
		t.Helper()
		if n := s.numbers(t, k, "/v1/players/p:guest8/statistics"); n.Totals.Starts != want {
			t.Errorf("%+v: %d starts, want %d", k, n.Totals.Starts, want)
		}
	}
	starts(key{"south", true}, 1)
	starts(key{"north", true}, 0)
	s.table.Load(t, fstest.MapFS{"competitions.ndjson": {Data: []byte(`{"id":"league","season":2025,"name":"Western league","organizationId":"west"}`)}})
	s.restart()
	starts(key{"south", true}, 1)
	starts(key{"west", true}, 0)
}

func (n numbers) competitions() string {
	ids := []string{}
	for _, c := range n.Competitions {
		ids = append(ids, c.Competition.ID)
	}
	slices.Sort(ids)
	return " in " + strings.Join(ids, " ")
}

func (s *service) numbers(t testing.TB, k key, target string) numbers {
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
	for seed := range uint64(worlds) {
		t.Run(fmt.Sprint("world ", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 3))
			m := randomModel(r)
			m.play(r)
			s := serve(t, m.dataset(t))
			s.addUp(t, m)
			m.rearrange(r)
			s.table.Load(t, m.dataset(t))
			s.restart()
			s.addUp(t, m)
		})
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

func (s *service) addUp(t *testing.T, m *model) {
	t.Helper()
	differ := 0
	for _, o := range m.organizations {
		for _, descendants := range []bool{true, false} {
			k := key{o.ID, descendants}
			for _, x := range m.teams {
				if m.teamInScope(x.ID, m.scope(k)) {
					differ += s.addUpTeam(t, k, x)
				}
			}
			for _, p := range m.players {
				if p.Visibility == "public" && m.teamInScope(p.Team, m.scope(k)) {
					s.addUpPlayer(t, k, p)
				}
			}
		}
	}
	if differ == 0 {
		t.Error("no team has matches")
	}
}

func (s *service) addUpTeam(t *testing.T, k key, x team) int {
	t.Helper()
	id := string(s.id("t:" + x.ID))
	got := s.numbers(t, k, "/v1/teams/"+id+"/statistics")
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

func (s *service) addUpPlayer(t *testing.T, k key, p player) {
	t.Helper()
	id := string(s.id("p:" + p.ID))
	got := s.numbers(t, k, "/v1/players/"+id+"/statistics")
	_, body := s.get(t, k, "/v1/players/"+id+"/matches?limit=100")
	if n := strings.Count(body, `"started":true`); got.Totals.Starts != n {
		t.Errorf("%+v: player %s: %d starts, listed %d", k, p.ID, got.Totals.Starts, n)
	}
}
