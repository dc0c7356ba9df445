package teams_test

import (
	"testing"

	"touchline/shared/endpoints/endpointstest"
	"touchline/shared/sport"
	"touchline/shared/statistics"
	"touchline/shared/store/records"
)

func TestATeamAndItsNumbersCostOneRoundTrip(t *testing.T) {
	s := endpointstest.New(t)
	league := s.League(2025)
	team, best := s.TeamRef("a"), s.Played("best", endpointstest.Day(0), "a", "b")
	s.Put(t, records.TeamKey(team.ID), &records.TeamRecord{
		Team:  records.Team{TeamRef: team, Season: 2025, GroupName: "Group X", Status: sport.Inactive},
		Scope: s.Scope("fed"), Gender: sport.Women, Club: &records.ClubRef{ID: s.ID("o:club"), Name: "Club"}, In: &league,
	})
	overall := statistics.Record{Played: 3, Won: 1, Drawn: 1, Lost: 1, GoalsFor: 2, GoalsAgainst: 4, Points: 4}
	season := &records.Seen[records.TeamSeason]{All: records.TeamSeason{
		Overall: overall, Form: []string{"W", "D", "L"}, BiggestWin: &best,
		ByCompetition: []records.TeamCompetition{{Competition: league, Overall: overall}},
	}}
	s.Put(t, records.TeamSeasonsKey(team.ID), endpointstest.Seasons(t, season))
	endpointstest.Fill(t, s, records.SquadSchema(), records.Squad(team.ID), records.PlayerEntry{Player: records.Player{PlayerRef: s.PlayerRef("ann")}})
	for _, target := range []string{"t:a", "t:a/statistics", "t:a/statistics?season=2025", "t:a/statistics?season=2024"} {
		t.Run(target, func(t *testing.T) { s.Spend(t, endpointstest.Of("fed"), "/v1/teams/"+target, endpointstest.Single) })
	}
}
