package teams_test

import (
	"fmt"
	"testing"

	"touchline/shared/endpoints/endpointstest"
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

func TestAnyPageOfATeamsMatchesCostsTheSame(t *testing.T) {
	s := endpointstest.New(t)
	s.Put(t, records.TeamKey(s.ID("t:a")), &records.TeamRecord{
		Team: records.Team{TeamRef: s.TeamRef("a"), Season: 2025, Status: sport.Active}, Scope: s.Scope("fed"),
		Owner: s.ID("o:fed"), OwnerReach: s.Scope("fed").Reach,
	})
	var matches []records.MatchEntry
	for i := range 600 {
		m := s.Played(fmt.Sprint("m", i), endpointstest.Day(i), "a", fmt.Sprint("x", i%20))
		m.Season = 2024 + i%2
		matches = append(matches, records.MatchEntry{Match: m})
	}
	for _, variant := range []records.Variant{records.All, records.Variant(sport.Finished)} {
		endpointstest.Fill(t, s, records.MatchSchema(), records.TeamMatches(s.ID("t:a"), variant), matches...)
	}
	for _, query := range []string{
		"", "limit=100", "limit=1&page=290", "season=2024&page=5", "status=finished",
		"from=2026-01-01", "from=2025-10-01&to=2025-10-07", "to=2026-01-01&limit=100",
	} {
		s.Spend(t, endpointstest.Of("fed"), "/v1/teams/t:a/matches?"+query, endpointstest.OnePage)
	}
}
