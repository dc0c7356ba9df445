package tournaments_test

import (
	"testing"

	"touchline/shared/endpoints/endpointstest"
	"touchline/shared/store/records"
)

// putLeague stores c:league with its current season 2025 and the archived one of
// 2024.
func putLeague(t *testing.T, s *endpointstest.Service) {
	t.Helper()
	for season, tag := range map[int]records.Tag{2025: records.CurrentTag, 2024: records.SeasonTag(2024)} {
		league := s.League(season)
		record := &records.CompetitionRecord{
			Competition: records.Competition{CompetitionRef: league}, Scope: s.Scope("fed"), Current: season == 2025,
		}
		s.Put(t, records.CompetitionKey(league.ID, tag), record)
		s.Put(t, records.SeasonKey(league.ID, season), record.Place())
	}
}

// The budgets for a season allow for a record of the competition next to that of
// the season, where the responses are too small to make up for it.
func TestNumbersOfACompetitionCostOneRoundTrip(t *testing.T) {
	s := endpointstest.New(t)
	putLeague(t, s)
	league := s.ID("c:league")
	s.Put(t, records.GroupsKey(league, records.CurrentTag), &records.GroupsRecord{Groups: []records.GroupRecord{
		{ID: s.ID("g:x"), Name: "Group X", Order: 1, Completed: true, Teams: []records.TeamRef{s.TeamRef("a"), s.TeamRef("b")}},
	}})
	leaders := make([]records.Leader, 5)
	for i := range leaders {
		leaders[i] = records.Leader{Rank: i + 1, Player: s.PlayerRef("ann"), Team: s.TeamRef("a"), Value: 9 - i}
	}
	s.Put(t, records.StatisticsKey(league, records.CurrentTag), &records.CompetitionStatisticsRecord{
		LeadGoals: leaders, LeadAssists: leaders, LeadAppear: leaders, LeadCards: leaders,
	})
	byID := func(p records.PlayerEntry) []byte { return records.IDKey(p.ID) }
	endpointstest.Fill(t, s, records.PlayerSchema(byID), records.TournamentPlayers(league, records.CurrentTag),
		records.PlayerEntry{Player: records.Player{PlayerRef: s.PlayerRef("ann")}})

	archived := endpointstest.Budget{Trips: 2, Units: 1.5}
	for target, budget := range map[string]endpointstest.Budget{
		// With the seasons there are (D57).
		"groups": {Trips: 1, Units: 1.5}, "groups?season=2025": archived, "groups?season=2024": archived,
		"standings?season=2025": endpointstest.Seasonal, "standings?season=2024": archived,
		"statistics": endpointstest.Single, "statistics?season=2025": endpointstest.Seasonal, "statistics?season=2024": {Trips: 2, Units: 2},
	} {
		t.Run(target, func(t *testing.T) { s.Spend(t, endpointstest.Of("fed"), "/v1/tournaments/c:league/"+target, budget) })
	}
}
