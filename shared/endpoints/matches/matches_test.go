package matches_test

import (
	"testing"

	"touchline/shared/endpoints/endpointstest"
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// The budgets for a season allow for the competition's record: these responses
// are too small to make up for it.
func TestThePartsOfAMatchCostOneRoundTrip(t *testing.T) {
	s := endpointstest.New(t)
	m := s.Played("full", endpointstest.Day(0), "a", "b")
	ann := s.PlayerRef("ann")
	s.Put(t, records.MatchKey(m.ID), &records.MatchRecord{Match: m, Scope: s.Scope("fed")})
	s.Put(t, records.CompetitionKey(m.Competition.ID, records.CurrentTag), &records.CompetitionRecord{
		Competition: records.Competition{CompetitionRef: *m.Competition}, Scope: s.Scope("fed"),
	})
	s.Put(t, records.LineupsKey(m.ID), &records.LineupsRecord{
		Home: records.SquadRecord{Starting: []records.LineupPlayer{{PlayerRef: ann, Captain: true}}},
	})
	s.Put(t, records.EventsKey(m.ID), &records.EventsRecord{Events: []records.MatchEvent{
		{Type: sport.EventGoal, Detail: sport.GoalRegular, Period: sport.FirstHalf, Minute: 45, Side: sport.SideHome, Player: &ann},
	}})
	s.Put(t, records.FiguresKey(m.ID), &records.FiguresRecord{Home: sport.StatLine{Shots: new(7)}})
	for _, part := range []string{"lineups", "events", "statistics"} {
		s.Spend(t, endpointstest.Of("fed"), "/v1/matches/m:full/"+part, endpointstest.Single)
		s.Spend(t, endpointstest.Of("fed"), "/v1/matches/m:full/"+part+"?season=2025", endpointstest.Budget{Trips: 2, Units: 1.5})
	}
}
