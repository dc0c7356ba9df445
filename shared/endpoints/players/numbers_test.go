package players_test

import (
	"strings"
	"testing"
	"time"

	"touchline/shared/endpoints/endpointstest"
	"touchline/shared/statistics"
	"touchline/shared/store/records"
)

// putSums stores a player and its season 2025, its only one, in the record or
// beside it.
func putSums(t *testing.T, s *endpointstest.Service, name string, apart bool) {
	t.Helper()
	season := &records.Seen[records.PlayerSeason]{All: records.PlayerSeason{
		Totals:       statistics.Figures{Appearances: 1, Starts: 1, Minutes: 90},
		Competitions: []records.PlayerCompetition{{Competition: s.League(2025), Team: s.TeamRef("a"), Totals: statistics.Figures{CleanSheets: new(1)}}},
	}}
	key := records.PlayerSeasonsKey(s.ID("p:" + name))
	seasons := endpointstest.Seasons(t, season)
	sums := records.SumsOf(seasons)
	if apart {
		s.Put(t, key, seasons)
		sums = records.PlayerSums{Apart: true}
	}
	p := playerRecord(s, name, 2025)
	p.PlayerSums = sums
	s.Put(t, records.PlayerKey(p.ID), p)
}

func TestNumbersOfAPlayerCostOneRoundTrip(t *testing.T) {
	s := endpointstest.New(t)
	putSums(t, s, "ann", false)
	putSums(t, s, "eve", true)
	for _, name := range []string{"ann", "eve"} {
		for _, query := range []string{"", "?season=2025", "?season=2024"} {
			t.Run(name+query, func(t *testing.T) {
				s.Spend(t, endpointstest.Of("fed"), "/v1/players/p:"+name+"/statistics"+query, endpointstest.Single)
			})
		}
	}
}

// A worker remembers for a moment that there was nothing beside the record. A
// record that was read later says that there is.
func TestNumbersAreThereWhileTheyMoveOutOfTheRecord(t *testing.T) {
	s := endpointstest.New(t)
	putSums(t, s, "ann", false)
	fed, target := endpointstest.Of("fed"), "/v1/players/p:ann/statistics"
	if status, body := s.Get(t, fed, "/v1/players/p:ann"); status != 200 {
		t.Fatal(body)
	}
	s.Now = s.Now.Add(24 * time.Second)
	_, before := s.Get(t, fed, target)
	if !strings.Contains(before, `"minutes":90`) {
		t.Fatal(before)
	}
	putSums(t, s, "ann", true)
	s.Now = s.Now.Add(1500 * time.Millisecond)
	if _, after := s.Get(t, fed, target); after != before {
		t.Errorf("%s before, %s after", before, after)
	}
}
