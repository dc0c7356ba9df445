package endpoints_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/store/records"
)

// ranks are how many players the long rankings of rankingsStage have: more than
// the window of other lists.
const ranks = 10_200

// rankingsStage has a league with short rankings, but for appearances, and the
// season before with none.
func rankingsStage(t testing.TB) *service {
	s := stage(t)
	league := s.league(2025)
	for season, tag := range map[int]records.Tag{2025: records.CurrentTag, 2024: records.SeasonTag(2024)} {
		s.put(t, records.CompetitionKey(league.ID, tag), &records.CompetitionRecord{
			Competition: records.Competition{CompetitionRef: s.league(season)}, Scope: s.mine("fed"),
		})
	}
	number := func(n int) []byte { return binary.BigEndian.AppendUint32(nil, uint32(n)) } //nolint:gosec // of a test's few
	scorers := records.ScorerKind(func(e records.ScorerEntry) []byte { return number(e.Rank) })
	cards := records.CardKind(func(e records.CardEntry) []byte { return number(e.Rank) })
	ann, bea := s.playerRef("ann"), s.playerRef("bea")
	fill(t, s, scorers, records.TopScorers(league.ID, records.CurrentTag, records.RankGoals),
		records.ScorerEntry{Rank: 1, Player: ann, Team: s.teamRef("a"), Value: 5, Goals: 5, PenaltyGoals: 2, Assists: 1, Appearances: 7},
		records.ScorerEntry{Rank: 2, Player: bea, Team: s.teamRef("b"), Value: 4, Goals: 4})
	fill(t, s, scorers, records.TopScorers(league.ID, records.CurrentTag, records.RankAssists),
		records.ScorerEntry{Rank: 1, Player: bea, Team: s.teamRef("b"), Value: 9, Assists: 9})
	var many []records.ScorerEntry
	for i := range ranks {
		many = append(many, records.ScorerEntry{Rank: i + 1, Player: s.playerRef(fmt.Sprint("n", i+1)), Team: s.teamRef("a"), Value: ranks - i})
	}
	fill(t, s, scorers, records.TopScorers(league.ID, records.CurrentTag, records.RankAppearances), many...)
	fill(t, s, cards, records.Cards(league.ID, records.CurrentTag, records.RankPlayerCards),
		records.CardEntry{Rank: 1, Player: &ann, Team: s.teamRef("a"), Yellow: 1, SecondYellow: 2, Red: 3, Total: 6, Appearances: 4})
	fill(t, s, cards, records.Cards(league.ID, records.CurrentTag, records.RankTeamCards),
		records.CardEntry{Rank: 1, Team: s.teamRef("a"), Yellow: 1, SecondYellow: 2, Red: 3, Total: 6, Played: 5},
		records.CardEntry{Rank: 2, Team: s.teamRef("b")})
	return s
}

func TestBodiesOfRankings(t *testing.T) {
	s := rankingsStage(t)
	rest := func(page, limit, total int, more bool, season int, kind string) string {
		return fmt.Sprintf(`,"page":%d,"limit":%d,"total":%d,"hasMore":%t,"competition":%s,"meta":{"kind":"%s"}}`, page, limit, total, more, leagueBody(season), kind)
	}
	tests := map[string]struct{ target, want string }{
		"by goals": {"top-scorers?limit=1",
			`{"data":[{"rank":1,"player":` + playerBody("ann") + `,"team":` + teamBody("a") + `,"value":5,"goals":5,"penaltyGoals":2,"assists":1,"appearances":7}]` + rest(1, 1, 2, true, 2025, "goals")},
		"by goals, named": {"top-scorers?limit=1&page=2&type=goals&season=2025",
			`{"data":[{"rank":2,"player":` + playerBody("bea") + `,"team":` + teamBody("b") + `,"value":4,"goals":4,"penaltyGoals":0,"assists":0,"appearances":0}]` + rest(2, 1, 2, false, 2025, "goals")},
		"by assists": {"top-scorers?type=assists",
			`{"data":[{"rank":1,"player":` + playerBody("bea") + `,"team":` + teamBody("b") + `,"value":9,"goals":0,"penaltyGoals":0,"assists":9,"appearances":0}]` + rest(1, 25, 1, false, 2025, "assists")},
		"by appearances, beyond the window of other lists": {"top-scorers?type=appearances&limit=1&page=10200",
			`{"data":[{"rank":10200,"player":` + playerBody("n10200") + `,"team":` + teamBody("a") + `,"value":1,"goals":0,"penaltyGoals":0,"assists":0,"appearances":0}]` + rest(10200, 1, ranks, false, 2025, "appearances")},
		"a page far away":     {"top-scorers?limit=100&page=999999999", `{"data":[]` + rest(999999999, 100, 2, false, 2025, "goals")},
		"of a season without": {"top-scorers?season=2024&type=assists", `{"data":[]` + rest(1, 25, 0, false, 2024, "assists")},
		"cards of players": {"cards",
			`{"data":[{"rank":1,"player":` + playerBody("ann") + `,"team":` + teamBody("a") + `,"yellow":1,"secondYellow":2,"red":3,"total":6,"appearances":4}]` + rest(1, 25, 1, false, 2025, "player")},
		"cards of teams": {"cards?scope=team",
			`{"data":[{"rank":1,"team":` + teamBody("a") + `,"yellow":1,"secondYellow":2,"red":3,"total":6,"played":5,"fairPlayPoints":-19},` +
				`{"rank":2,"team":` + teamBody("b") + `,"yellow":0,"secondYellow":0,"red":0,"total":0,"played":0,"fairPlayPoints":0}]` + rest(1, 25, 2, false, 2025, "team")},
		"cards, a page far away":    {"cards?page=3&limit=100&scope=player", `{"data":[]` + rest(3, 100, 1, false, 2025, "player")},
		"cards of a season without": {"cards?season=2024", `{"data":[]` + rest(1, 25, 0, false, 2024, "player")},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			status, body := s.get(t, fed, "/v1/tournaments/c:league/"+tt.target)
			if diff := cmp.Diff(tt.want, body); status != 200 || diff != "" {
				t.Error(status, diff)
			}
		})
	}
	for _, target := range []string{"top-scorers", "cards?scope=team", "top-scorers?season=2024"} {
		if status, body := s.get(t, north, "/v1/tournaments/c:league/"+target); status != 404 || body != notFound {
			t.Errorf("%s out of scope: %d %s", target, status, body)
		}
	}
	for target, field := range map[string]string{"top-scorers?type=cards": "type", "top-scorers?scope=team": "scope", "cards?scope=club": "scope", "cards?type=goals": "type"} {
		if status, body := s.get(t, fed, "/v1/tournaments/c:league/"+target); status != 400 || !strings.Contains(body, `"field":"`+field+`"`) {
			t.Errorf("%s: %d %s", target, status, body)
		}
	}
}

func TestAnyPageOfARankingCostsTheSame(t *testing.T) {
	s := rankingsStage(t)
	for _, query := range []string{
		"top-scorers?", "top-scorers?season=2025&", "top-scorers?type=appearances&", "top-scorers?type=appearances&limit=100&",
		"top-scorers?type=appearances&limit=100&page=50&", "top-scorers?type=appearances&limit=1&page=9000&", "cards?", "cards?scope=team&",
	} {
		s.spend(t, fed, "/v1/tournaments/"+string(s.id("c:league"))+"/"+strings.TrimRight(query, "?&"), onePage)
	}
}
