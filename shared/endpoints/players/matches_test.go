package players_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/endpoints/endpointstest"
	"touchline/shared/sport"
	"touchline/shared/statistics"
	"touchline/shared/store/records"
)

// putPlayer stores a player of t:a.
func putPlayer(t *testing.T, s *endpointstest.Service, name string, season int) {
	t.Helper()
	p := playerRecord(s, name, season)
	s.Put(t, records.PlayerKey(p.ID), p)
}

// playerRecord is that of a player of t:a.
func playerRecord(s *endpointstest.Service, name string, season int) *records.PlayerRecord {
	p := s.PlayerRef(name)
	return &records.PlayerRecord{
		Player: records.Player{PlayerRef: records.PlayerRef{ID: p.ID, Name: p.Name}, Team: s.TeamRef("a")}, Scope: s.Scope("fed"), Season: season,
		Owner: s.ID("o:fed"), OwnerReach: s.Scope("fed").Reach,
	}
}

// performed is what a player of a team did in a match.
func performed(m records.Match, team records.TeamRef) records.PerformanceEntry {
	side := sport.SideHome
	if m.Away.ID == team.ID {
		side = sport.SideAway
	}
	return records.PerformanceEntry{
		Match: m.ID, Kickoff: m.Kickoff, Season: m.Season, Status: m.Status, Team: team.ID, Side: side,
		Started: true, Figures: statistics.Figures{Minutes: 90, Goals: 1},
	}
}

// While a load is under way, the list of a player's matches and the matches
// themselves may disagree for a moment: a match on the list that its teams' lists
// no longer have is read by itself, and one that is hidden by now is left out.
func TestAPlayersMatchesWhileTheListsDisagree(t *testing.T) {
	s := endpointstest.New(t)
	putPlayer(t, s, "ann", 2025)
	putPlayer(t, s, "new", 2025)
	a, b := s.TeamRef("a"), s.TeamRef("b")
	day := endpointstest.Day
	first, lent, earlier := s.Played("first", day(0), "a", "b"), s.Played("lent", day(1), "b", "c"), s.Played("earlier", day(-300), "a", "b")
	hidden, moved, gone := s.Played("hidden", day(2), "a", "b"), s.Played("moved", day(3), "a", "b"), s.Played("gone", day(4), "a", "b")
	earlier.Season = 2024
	s.PutMatches(t, records.MatchEntry{Match: first}, records.MatchEntry{Match: lent}, records.MatchEntry{Match: earlier},
		records.MatchEntry{Match: hidden, Hidden: true})
	s.Put(t, records.MatchKey(moved.ID), &records.MatchRecord{Match: moved})
	s.Put(t, records.MatchKey(hidden.ID), &records.MatchRecord{Match: hidden, Scope: records.Scope{Hidden: true}})
	secret, captain := performed(gone, a), performed(lent, b)
	secret.Hidden = true
	captain.Captain, captain.Started = true, false
	captain.Figures = statistics.Figures{Minutes: 5, Goals: 1, Assists: 2, Yellow: 3, SecondYellow: 4, Red: 6}
	endpointstest.Fill(t, s, records.PerformanceSchema(), records.PlayerMatches(s.ID("p:ann")),
		performed(first, a), captain, performed(earlier, a), performed(hidden, a), performed(moved, a), secret)

	for target, want := range map[string]string{
		"p:ann/matches":             "m:first m:lent m:moved",
		"p:ann/matches?season=2025": "m:first m:lent m:moved",
		"p:ann/matches?season=2024": "m:earlier",
		"p:ann/matches?season=2023": "",
		"p:new/matches":             "", // never on a team sheet
	} {
		status, body := s.Get(t, endpointstest.Of("fed"), "/v1/players/"+target)
		got, _ := endpointstest.IDs(t, body)
		if diff := cmp.Diff(want, strings.Join(got, " ")); status != 200 || diff != "" {
			t.Error(target, status, diff)
		}
	}
	const performance = `"performance":{"side":"home","teamId":"t:b","started":false,"captain":true,"minutes":5,"goals":1,"assists":2,"yellow":3,"secondYellow":4,"red":6}`
	if _, body := s.Get(t, endpointstest.Of("fed"), "/v1/players/p:ann/matches?limit=1&page=2"); !strings.Contains(body, performance) {
		t.Errorf("%s, want %s", body, performance)
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
			s := endpointstest.New(t)
			putPlayer(t, s, "ann", 0)
			var matches []records.MatchEntry
			var performances []records.PerformanceEntry
			for i := range career.matches {
				m := s.Played(fmt.Sprint("m", i), endpointstest.Day(i*career.every), "a", fmt.Sprint("x", i%20))
				matches = append(matches, records.MatchEntry{Match: m})
				performances = append(performances, performed(m, s.TeamRef("a")))
			}
			s.PutFixtures(t, matches...)
			endpointstest.Fill(t, s, records.PerformanceSchema(), records.PlayerMatches(s.ID("p:ann")), performances...)
			for _, query := range []string{"", "limit=100", "limit=1&page=30", "page=20", "season=2025&status=finished", "from=2026-01-01"} {
				s.Spend(t, endpointstest.Of("fed"), "/v1/players/p:ann/matches?"+query, endpointstest.Budget{Trips: career.trips, Units: 3})
			}
			if _, body := s.Get(t, endpointstest.Of("fed"), "/v1/players/p:ann/matches?limit=100"); strings.Count(body, `"performance"`) != min(career.matches, 100) {
				t.Error(body)
			}
		})
	}
}
