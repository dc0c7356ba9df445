package endpoints_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// partsStage has a match with everything, and one with nothing.
func partsStage(t testing.TB) *service {
	s := stage(t)
	full, bare := s.played("full", day(0), "a", "b"), s.played("bare", day(1), "b", "a")
	for _, m := range []records.Match{full, bare} {
		s.put(t, records.MatchKey(m.ID), &records.MatchRecord{Match: m, Scope: s.mine("fed")})
	}
	friendly := s.played("friendly", day(2), "a", "b")
	friendly.Competition, friendly.Season = nil, 0
	s.put(t, records.MatchKey(friendly.ID), &records.MatchRecord{Match: friendly, Scope: s.mine("fed")})
	hidden := s.played("hidden", day(3), "a", "b")
	s.put(t, records.MatchKey(hidden.ID), &records.MatchRecord{Match: hidden, Scope: records.Scope{Owners: s.mine("fed").Owners, Reach: s.mine("fed").Reach, Hidden: true}})
	s.put(t, records.LineupsKey(hidden.ID), &records.LineupsRecord{})
	s.put(t, records.CompetitionKey(full.Competition.ID, records.CurrentTag), &records.CompetitionRecord{
		Competition: records.Competition{CompetitionRef: *full.Competition}, Scope: s.mine("fed"),
	})
	ann, bea := s.playerRef("ann"), s.playerRef("bea")
	s.put(t, records.LineupsKey(full.ID), &records.LineupsRecord{
		Home: records.SquadRecord{
			Formation: "4-4-2", Coach: "C & Son",
			Starting: []records.LineupPlayer{{PlayerRef: ann, Captain: true, Role: sport.Goalkeeper, Grid: "1:1", In: new(0), Out: new(90)}},
			Bench:    []records.LineupPlayer{{PlayerRef: bea}},
		},
	})
	s.put(t, records.EventsKey(full.ID), &records.EventsRecord{Events: []records.MatchEvent{
		{ID: s.id("e:1"), Type: sport.EventPeriod, Detail: sport.PeriodStart, Period: sport.FirstHalf},
		{ID: s.id("e:2"), Type: sport.EventGoal, Detail: sport.GoalOwn, Period: sport.FirstHalf, Minute: 45, Extra: 2,
			Side: sport.SideAway, Player: &ann, Score: &sport.Score{Away: 1}},
		{ID: s.id("e:3"), Type: sport.EventSubstitution, Period: sport.SecondHalf, Minute: 60, Side: sport.SideHome, PlayerIn: &bea, PlayerOut: &ann},
	}})
	s.put(t, records.FiguresKey(full.ID), &records.FiguresRecord{
		Home: sport.StatLine{Possession: new(0), Penalties: new(3)}, Away: sport.StatLine{Shots: new(7)},
		Periods: []sport.PeriodStatistics{{Period: sport.FirstHalf, Home: sport.StatLine{Saves: new(1)}}},
	})
	return s
}

// nothing is a side's figures from possession to penalties, none of them known.
const nothing = `{"possession":null,"shots":null,"shotsOnTarget":null,"shotsOffTarget":null,"blockedShots":null,"corners":null,"offsides":null,` +
	`"fouls":null,"yellowCards":null,"redCards":null,"saves":null,"passes":null,"passesCompleted":null,"penalties":null}`

func TestBodiesOfTheParts(t *testing.T) {
	s := partsStage(t)
	tests := map[string]struct{ target, want string }{
		"line-ups": {"m:full/lineups",
			`{"data":{"matchId":"m:full","confirmed":true,"home":{"team":` + teamBody("a") + `,"formation":"4-4-2","coach":{"name":"C & Son"},` +
				`"starting":[{"player":` + playerBody("ann") + `,"captain":true,"position":"goalkeeper","grid":"1:1","minuteIn":0,"minuteOut":90}],` +
				`"bench":[{"player":` + playerBody("bea") + `,"captain":false,"position":null,"grid":null,"minuteIn":null,"minuteOut":null}]},` +
				`"away":{"team":` + teamBody("b") + `,"formation":null,"coach":null,"starting":[],"bench":[]}}}`},
		"line-ups not published": {"m:bare/lineups?season=2025",
			`{"data":{"matchId":"m:bare","confirmed":false,"home":{"team":` + teamBody("b") + `,"formation":null,"coach":null,"starting":[],"bench":[]},` +
				`"away":{"team":` + teamBody("a") + `,"formation":null,"coach":null,"starting":[],"bench":[]}}}`},
		"events": {"m:full/events?season=2025",
			`{"data":{"matchId":"m:full","events":[` +
				`{"id":"e:1","order":1,"type":"period","detail":"start","period":"firstHalf","minute":0,"extraMinute":null,"side":null,"team":null,` +
				`"player":null,"assist":null,"playerIn":null,"playerOut":null,"score":null},` +
				`{"id":"e:2","order":2,"type":"goal","detail":"ownGoal","period":"firstHalf","minute":45,"extraMinute":2,"side":"away","team":` + teamBody("b") + `,` +
				`"player":` + playerBody("ann") + `,"assist":null,"playerIn":null,"playerOut":null,"score":{"home":0,"away":1}},` +
				`{"id":"e:3","order":3,"type":"substitution","detail":null,"period":"secondHalf","minute":60,"extraMinute":null,"side":"home","team":` + teamBody("a") + `,` +
				`"player":null,"assist":null,"playerIn":` + playerBody("bea") + `,"playerOut":` + playerBody("ann") + `,"score":null}]}}`},
		"no events": {"m:friendly/events", `{"data":{"matchId":"m:friendly","events":[]}}`},
		"statistics": {"m:full/statistics",
			`{"data":{"matchId":"m:full","available":true,` +
				`"home":{"possession":0` + nothing[len(`{"possession":null`):len(nothing)-len(`null}`)] + `3},` +
				`"away":{"possession":null,"shots":7` + nothing[len(`{"possession":null,"shots":null`):] + `,` +
				`"periods":[{"period":"firstHalf","home":{"possession":null,"shots":null,"shotsOnTarget":null,"shotsOffTarget":null,"blockedShots":null,"corners":null,"offsides":null,` +
				`"fouls":null,"yellowCards":null,"redCards":null,"saves":1,"passes":null,"passesCompleted":null,"penalties":null},"away":` + nothing + `}]}}`},
		"no statistics": {"m:bare/statistics", `{"data":{"matchId":"m:bare","available":false,"home":null,"away":null,"periods":[]}}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			status, body := s.get(t, fed, "/v1/matches/"+tt.target)
			if diff := cmp.Diff(tt.want, body); status != 200 || diff != "" {
				t.Error(status, diff)
			}
		})
	}
}

func TestPartsAreFoundWhereTheirMatchIs(t *testing.T) {
	s := partsStage(t)
	for _, part := range []string{"lineups", "events", "statistics"} {
		for name, tt := range map[string]struct {
			key    key
			target string
		}{
			"another season":      {fed, "m:full/" + part + "?season=2024"},
			"a friendly's season": {fed, "m:friendly/" + part + "?season=2025"},
			"hidden":              {fed, "m:hidden/" + part},
			"unknown":             {fed, "m:none/" + part},
			"out of scope":        {north, "m:full/" + part},
			"no id":               {fed, "full/" + part},
			"a team's id":         {fed, "t:a/" + part},
		} {
			if status, body := s.get(t, tt.key, "/v1/matches/"+tt.target); status != 404 || body != notFound {
				t.Errorf("%s of %s: %d %s", part, name, status, body)
			}
		}
	}
}

// TestPartsCostOneRoundTrip allows for the competition's record, where a season
// is asked for: the answers here are too small to make up for it.
func TestPartsCostOneRoundTrip(t *testing.T) {
	s := partsStage(t)
	for _, part := range []string{"lineups", "events", "statistics"} {
		s.spend(t, fed, "/v1/matches/"+string(s.id("m:full"))+"/"+part, single)
		s.spend(t, fed, "/v1/matches/"+string(s.id("m:full"))+"/"+part+"?season=2025", budget{trips: 2, units: 1.5})
	}
}
