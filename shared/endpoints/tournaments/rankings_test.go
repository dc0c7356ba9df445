package tournaments_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"touchline/shared/endpoints/endpointstest"
	"touchline/shared/store/records"
)

// ranks are how many players the long ranking has: more than the window of other
// lists.
const ranks = 10_200

// rankings serves a league with a long ranking by appearances, and short ones.
func rankings(t *testing.T) *endpointstest.Service {
	t.Helper()
	s := endpointstest.New(t)
	putLeague(t, s)
	league := s.ID("c:league")
	number := func(n int) []byte { return binary.BigEndian.AppendUint32(nil, uint32(n)) } //nolint:gosec // of a test's few
	scorers := records.ScorerSchema(func(e records.ScorerEntry) []byte { return number(e.Rank) })
	cards := records.CardSchema(func(e records.CardEntry) []byte { return number(e.Rank) })
	ann := s.PlayerRef("ann")
	endpointstest.Fill(t, s, scorers, records.TopScorers(league, records.CurrentTag, records.RankGoals),
		records.ScorerEntry{Rank: 1, Player: ann, Team: s.TeamRef("a"), Value: 5, Goals: 5})
	var many []records.ScorerEntry
	for i := range ranks {
		many = append(many, records.ScorerEntry{Rank: i + 1, Player: s.PlayerRef(fmt.Sprint("n", i+1)), Team: s.TeamRef("a"), Value: ranks - i})
	}
	endpointstest.Fill(t, s, scorers, records.TopScorers(league, records.CurrentTag, records.RankAppearances), many...)
	endpointstest.Fill(t, s, cards, records.Cards(league, records.CurrentTag, records.RankPlayerCards),
		records.CardEntry{Rank: 1, Player: &ann, Team: s.TeamRef("a"), Yellow: 1, Total: 1})
	endpointstest.Fill(t, s, cards, records.Cards(league, records.CurrentTag, records.RankTeamCards),
		records.CardEntry{Rank: 1, Team: s.TeamRef("a"), Yellow: 1, Total: 1})
	return s
}

// The window of 10,000 items does not apply to rankings.
func TestARankingIsReadToItsEnd(t *testing.T) {
	s := rankings(t)
	status, body := s.Get(t, endpointstest.Of("fed"), fmt.Sprintf("/v1/tournaments/c:league/top-scorers?type=appearances&limit=1&page=%d", ranks))
	want := fmt.Sprintf(`"page":%d,"limit":1,"total":%d,"hasMore":false`, ranks, ranks)
	if status != 200 || !strings.Contains(body, want) || !strings.Contains(body, fmt.Sprintf(`"id":"p:n%d"`, ranks)) {
		t.Errorf("%d %s", status, body)
	}
}

func TestAnyPageOfARankingCostsTheSame(t *testing.T) {
	s := rankings(t)
	for _, target := range []string{
		"top-scorers", "top-scorers?season=2025", "top-scorers?type=appearances", "top-scorers?type=appearances&limit=100",
		"top-scorers?type=appearances&limit=100&page=50", "top-scorers?type=appearances&limit=1&page=9000", "cards", "cards?scope=team",
	} {
		s.Spend(t, endpointstest.Of("fed"), "/v1/tournaments/c:league/"+target, endpointstest.OnePage)
	}
}
