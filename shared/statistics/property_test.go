package statistics_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"touchline/shared/sport"
	"touchline/shared/statistics"
)

// drawSeason draws matches of four teams and an order to shuffle them by.
func drawSeason(t *rapid.T) (matches []sport.Match, keys []int) {
	for n := range rapid.IntRange(0, 6).Draw(t, "matches") {
		matches = append(matches, drawMatch(t, n))
	}
	return matches, rapid.SliceOfN(rapid.IntRange(0, 99), 3, 8).Draw(t, "order")
}

func TestNoNumberDependsOnTheOrderOfTheInput(t *testing.T) {
	teams := []sport.ID{"T0", "T1", "T2", "T3"}
	rapid.Check(t, func(t *rapid.T) {
		matches, keys := drawSeason(t)
		in := seasonOf(matches, teams...)
		in.NameKey = func(id sport.ID) []byte { return []byte(id[len(id)-1:]) } // many players of the same name
		other := seasonOf(shuffled(matches, keys), shuffled(teams, keys)...)
		other.NameKey, other.Contributions = in.NameKey, shuffled(other.Contributions, keys[1:])
		rankings := statistics.Rank(in)
		same(t, rankings, statistics.Rank(other))
		same(t, statistics.OfCompetition(in), statistics.OfCompetition(other))
		same(t, statistics.CompletedGroups([]sport.Group{{ID: "g"}, {ID: "h"}}, in.Matches),
			statistics.CompletedGroups([]sport.Group{{ID: "h"}, {ID: "g"}}, other.Matches))
		for _, team := range teams {
			same(t, statistics.OfTeam(team, gamesOf(in.Matches...)), statistics.OfTeam(team, gamesOf(other.Matches...)))
		}
		sum := func(in statistics.Season) statistics.Player {
			return statistics.OfPlayer("", playerGames(in.Matches, "P"))
		}
		same(t, sum(in), sum(other))
		checkSums(t, in, rankings)
	})
}

// checkSums checks that what is counted in several ways is the same.
func checkSums(t *rapid.T, in statistics.Season, r statistics.Rankings) {
	all := statistics.OfCompetition(in)
	var cards statistics.Cards
	played := 0
	for _, row := range r.TeamCards {
		cards.Yellow += row.Yellow
		cards.SecondYellow += row.SecondYellow
		cards.Red += row.Red
		played += row.Played
	}
	same(t, all.Totals.Cards, cards)
	same(t, 2*all.Totals.Finished, played)
	same(t, all.Totals.Finished, all.Results.HomeWins+all.Results.Draws+all.Results.AwayWins)
	var sum statistics.Record
	for _, team := range in.Teams {
		k := statistics.OfTeam(team, gamesOf(in.Matches...)).Overall
		sum.Won += k.Won
		sum.Drawn += k.Drawn
		sum.Lost += k.Lost
		sum.GoalsFor += k.GoalsFor
		sum.GoalsAgainst += k.GoalsAgainst
	}
	same(t, statistics.Record{
		Won:          all.Results.HomeWins + all.Results.AwayWins,
		Drawn:        2 * all.Results.Draws,
		Lost:         all.Results.HomeWins + all.Results.AwayWins,
		GoalsFor:     all.Totals.Goals,
		GoalsAgainst: all.Totals.Goals,
	}, sum)
	for _, row := range r.Goals {
		games := playerGames(in.Matches, row.PlayerID)
		totals := statistics.OfPlayer("", games).Totals
		same(t, []int{row.Goals, row.PenaltyGoals, row.Assists, row.Appearances},
			[]int{totals.Goals, totals.PenaltyGoals, totals.Assists, totals.Appearances})
	}
}

func playerGames(matches []sport.Match, player sport.ID) []statistics.PlayerGame {
	var games []statistics.PlayerGame
	for _, m := range matches {
		if p := performance(m, player); p.PlayerID != "" && m.Status == sport.Finished {
			games = append(games, statistics.PlayerGame{
				CompetitionID: m.CompetitionID, Season: m.Season, TeamID: p.TeamID, Figures: statistics.FiguresOf("", p),
			})
		}
	}
	return games
}

func same[T any](t *rapid.T, want, got T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
}
