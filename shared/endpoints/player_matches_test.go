package endpoints_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// performed is what ann did in a match, on the home side of its team.
func performed(m records.Match, team records.TeamRef) records.PerformanceEntry {
	side := sport.SideHome
	if m.Away.ID == team.ID {
		side = sport.SideAway
	}
	return records.PerformanceEntry{
		Match: m.ID, Kickoff: m.Kickoff, Season: m.Season, Status: m.Status, Team: team.ID, Side: side,
		Started: true, PlayerTotals: records.PlayerTotals{Minutes: 90, Goals: 1},
	}
}

func (s *service) putPlayer(t testing.TB, name, team string, season int) {
	t.Helper()
	p := s.playerRef(name)
	s.put(t, records.PlayerKey(p.ID), &records.PlayerRecord{
		Player: records.Player{PlayerRef: records.PlayerRef{ID: p.ID, Name: p.Name}, Team: s.teamRef(team)}, Scope: s.mine("fed"), Season: season,
		Owner: s.id("o:fed"), OwnerReach: s.mine("fed").Reach,
	})
}

// playerMatchesStage has a player of season 2025 who was lent to another team
// for a match, and in lists that do not agree for a moment.
func playerMatchesStage(t testing.TB) *service {
	s := stage(t)
	s.putPlayer(t, "ann", "a", 2025)
	s.putPlayer(t, "new", "a", 2025)
	first, lent := s.played("first", day(0), "a", "b"), s.played("lent", day(1), "b", "c")
	friendly, earlier, live := s.played("friendly", day(2), "b", "a"), s.played("earlier", day(-300), "a", "b"), s.played("live", day(3), "a", "b")
	friendly.Competition, friendly.Season = nil, 0
	earlier.Season, live.Status = 2024, sport.Live
	hidden, moved, gone := s.played("hidden", day(4), "a", "b"), s.played("moved", day(5), "a", "b"), s.played("gone", day(6), "a", "b")
	putMatches(t, s, records.MatchEntry{Match: first}, records.MatchEntry{Match: lent}, records.MatchEntry{Match: friendly},
		records.MatchEntry{Match: earlier}, records.MatchEntry{Match: live}, records.MatchEntry{Match: hidden, Hidden: true})
	s.put(t, records.MatchKey(moved.ID), &records.MatchRecord{Match: moved})
	s.put(t, records.MatchKey(hidden.ID), &records.MatchRecord{Match: hidden, Scope: records.Scope{Hidden: true}})
	a, b := s.teamRef("a"), s.teamRef("b")
	captain := performed(lent, b)
	captain.Captain, captain.Started = true, false
	captain.PlayerTotals = records.PlayerTotals{Minutes: 5, Goals: 1, Assists: 2, Yellow: 3, SecondYellow: 4, Red: 6}
	secret := performed(gone, a)
	secret.Hidden = true
	fill(t, s, records.PerformanceKind(), records.PlayerMatches(s.id("p:ann")), performed(first, a), captain, performed(friendly, a),
		performed(earlier, a), performed(live, a), performed(hidden, a), performed(moved, a), secret)
	return s
}

func TestAPlayersMatchesAreThoseOfItsSeason(t *testing.T) {
	s := playerMatchesStage(t)
	tests := map[string]struct{ target, want string }{
		"own season, and friendlies of none": {"ann/matches", "m:first m:lent m:friendly m:live m:moved"},
		"own season, named":                  {"ann/matches?season=2025", "m:first m:lent m:live m:moved"},
		"another season":                     {"ann/matches?season=2024", "m:earlier"},
		"a season without matches":           {"ann/matches?season=2023", ""},
		"by state":                           {"ann/matches?status=live", "m:live"},
		"by kickoff":                         {"ann/matches?from=2025-08-02&to=2025-08-03T12:00:00Z", "m:lent m:friendly"},
		"a page":                             {"ann/matches?limit=2&page=2", "m:friendly m:live"},
		"a page beyond":                      {"ann/matches?limit=100&page=999999999", ""},
		"never on a team sheet":              {"new/matches", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			status, body := s.get(t, fed, "/v1/players/p:"+tt.target)
			got, _ := ids(t, body)
			if diff := cmp.Diff(tt.want, strings.Join(got, " ")); status != 200 || diff != "" {
				t.Error(status, diff)
			}
		})
	}
	want := `{"data":[` + playedBody("lent", "2025-08-02T12:00:00.000Z", "b", "c") + `,"competition":` + leagueBody(2025) +
		`,"performance":{"side":"home","teamId":"t:b","started":false,"captain":true,"minutes":5,"goals":1,"assists":2,"yellow":3,"secondYellow":4,"red":6}},` +
		playedBody("friendly", "2025-08-03T12:00:00.000Z", "b", "a") + `,"competition":null` +
		`,"performance":{"side":"away","teamId":"t:a","started":true,"captain":false,"minutes":90,"goals":1,"assists":0,"yellow":0,"secondYellow":0,"red":0}}],` +
		`"page":1,"limit":25,"total":2,"hasMore":false}`
	if _, body := s.get(t, fed, "/v1/players/p:ann/matches?from=2025-08-02&to=2025-08-03"); body != want {
		t.Error(cmp.Diff(want, body))
	}
	for _, target := range []string{"p:none/matches", "ann/matches", "t:a/matches"} {
		if status, body := s.get(t, fed, "/v1/players/"+target); status != 404 || body != notFound {
			t.Errorf("%s: %d %s", target, status, body)
		}
	}
	if status, body := s.get(t, north, "/v1/players/p:ann/matches"); status != 404 || body != notFound {
		t.Error("out of scope:", status, body)
	}
}

// A player's season is in the head of the list, so that its matches are known
// with the first round trip. A list that goes on for years, with a match a day,
// is in parts: which matches are on a page is known with the second.
func TestAPlayersMatchesCostWhatTheyShow(t *testing.T) {
	for name, career := range map[string]struct{ matches, every, trips int }{
		"a season":               {38, 7, 2},
		"a match a day for long": {600, 1, 3},
	} {
		t.Run(name, func(t *testing.T) {
			s := stage(t)
			s.putPlayer(t, "ann", "a", 0)
			var matches []records.MatchEntry
			var performances []records.PerformanceEntry
			for i := range career.matches {
				m := s.played(fmt.Sprint("m", i), day(i*career.every), "a", fmt.Sprint("x", i%20))
				matches = append(matches, records.MatchEntry{Match: m})
				performances = append(performances, performed(m, s.teamRef("a")))
			}
			putFixtures(t, s, matches...)
			fill(t, s, records.PerformanceKind(), records.PlayerMatches(s.id("p:ann")), performances...)
			for _, query := range []string{"", "limit=100", "limit=1&page=30", "page=20", "season=2025&status=finished", "from=2026-01-01"} {
				s.spend(t, fed, "/v1/players/"+string(s.id("p:ann"))+"/matches?"+query, budget{trips: career.trips, units: 3})
			}
			if _, body := s.get(t, fed, "/v1/players/p:ann/matches?limit=100"); strings.Count(body, `"performance"`) != min(career.matches, 100) {
				t.Error(body)
			}
		})
	}
}
