package players_test

import (
	"testing"

	"touchline/shared/endpoints/endpointstest"
	"touchline/shared/store/records"
)

func TestNumbersOfAPlayerCostOneRoundTrip(t *testing.T) {
	s := endpointstest.New(t)
	putPlayer(t, s, "ann", 2025)
	season := &records.PlayerSeasonRecord{PlayerSeason: records.PlayerSeason{
		Totals:       records.PlayerTotals{Appearances: 1, Starts: 1, Minutes: 90},
		Competitions: []records.PlayerCompetition{{Competition: s.League(2025), Team: s.TeamRef("a"), Totals: records.PlayerTotals{CleanSheets: new(1)}}},
	}}
	endpointstest.PutSeason(t, s, records.PlayerSeasonsKey(s.ID("p:ann")), season)
	for _, query := range []string{"", "?season=2025", "?season=2024"} {
		t.Run(query, func(t *testing.T) {
			s.Spend(t, endpointstest.Of("fed"), "/v1/players/p:ann/statistics"+query, endpointstest.Single)
		})
	}
}
