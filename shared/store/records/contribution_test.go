package records_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/packed"
	"touchline/shared/sport"
	"touchline/shared/statistics"
	"touchline/shared/store/records"
)

// The loader keeps a contribution of every match. What a player takes there is
// bounded: the id, flags and what he did.
func TestAContributionIsSmallAndComesBackAsItWas(t *testing.T) {
	id := func(key string) sport.ID { return sport.IDFor(sport.KindPlayer, key) }
	performances := func(team sport.ID, side sport.Side) []statistics.Performance {
		var all []statistics.Performance
		for i := range 16 {
			all = append(all, statistics.Performance{
				PlayerID: id(string(team) + string(rune(i))), TeamID: team, Side: side, Position: sport.Midfielder,
				Started: i < 11, Appeared: true, SubstitutedIn: i >= 11, Minutes: 90 - i, Goals: i % 2,
			})
		}
		return all
	}
	want := statistics.Contribution{
		MatchID:  id("m"),
		Home:     statistics.SideContribution{TeamID: id("h"), Goals: [statistics.Bands]int{5: 2}, Performances: performances(id("h"), sport.SideHome)},
		Away:     statistics.SideContribution{TeamID: id("a"), Cards: statistics.Cards{Yellow: 3}, Performances: performances(id("a"), sport.SideAway)},
		Coverage: statistics.Coverage{Lineups: true, Events: true},
	}
	b := packed.Marshal(records.NewContribution(want))
	const most = 35 // bytes a player, all of the match's facts included
	if players := 32; len(b) > most*players {
		t.Errorf("%d bytes a player, want at most %d", len(b)/players, most)
	}
	var got records.ContributionEntry
	if err := packed.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.Contribution()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
