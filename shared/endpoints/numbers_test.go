package endpoints_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// numbersStage has a league whose season 2025 adds up to something and whose
// season 2024 to nothing, and a team and a player with the season 2025.
func numbersStage(t testing.TB) *service {
	s := stage(t)
	league := s.league(2025)
	for season, tag := range map[int]records.Tag{2025: records.CurrentTag, 2024: records.SeasonTag(2024)} {
		record := &records.CompetitionRecord{
			Competition: records.Competition{CompetitionRef: s.league(season)}, Scope: s.mine("fed"), Current: season == 2025,
		}
		s.put(t, records.CompetitionKey(league.ID, tag), record)
		s.put(t, records.SeasonKey(league.ID, season), record.Place())
	}
	best := s.played("best", day(0), "a", "b")
	s.put(t, records.GroupsKey(league.ID, records.CurrentTag), &records.GroupsRecord{Groups: []records.GroupRecord{
		{ID: s.id("g:x"), Name: "Group X", Order: 1, Completed: true, Teams: []records.TeamRef{s.teamRef("a"), s.teamRef("b")}},
		{ID: s.id("g:y"), Name: "Group Y", Order: 2},
	}})
	s.put(t, records.StatisticsKey(league.ID, records.CurrentTag), &records.CompetitionStatisticsRecord{
		Lineups: true, Assists: true, Teams: 2, Matches: 10, Finished: 4, Upcoming: 3, Live: 2, Postponed: 1,
		Goals: 11, PenaltyGoals: 5, OwnGoals: 6, Yellow: 7, SecondYellow: 8, Red: 9, HomeWins: 12, Draws: 13, AwayWins: 14,
		GoalsPerMatch: new(275), CardsPerMatch: new(0), BiggestWin: &best,
		LeadGoals: []records.Leader{{Rank: 1, Player: s.playerRef("ann"), Team: s.teamRef("a"), Value: 3}},
	})
	byID := func(p records.PlayerEntry) []byte { return records.IDKey(p.ID) }
	var players []records.PlayerEntry
	for i := range 3 {
		players = append(players, records.PlayerEntry{Player: records.Player{PlayerRef: records.PlayerRef{ID: s.id(fmt.Sprint("p:", i))}}, Hidden: i == 0})
	}
	fill(t, s, records.PlayerKind(byID), records.TournamentPlayers(league.ID, records.CurrentTag), players...)
	fill(t, s, records.SquadKind(), records.Squad(s.id("t:a")), players...)

	s.put(t, records.TeamKey(s.id("t:a")), &records.TeamRecord{
		Team:  records.Team{TeamRef: s.teamRef("a"), Season: 2025, GroupName: "Group X", Status: sport.Inactive},
		Scope: s.mine("fed"), Gender: sport.Women, Club: &records.ClubRef{ID: s.id("o:club"), Name: "Club"}, In: &league,
	})
	s.put(t, records.TeamKey(s.id("t:lone")), &records.TeamRecord{
		Team: records.Team{TeamRef: s.teamRef("lone"), Status: sport.Active}, Scope: s.mine("fed"),
	})
	overall := records.TeamTotals{Played: 3, Won: 1, Drawn: 1, Lost: 1, GoalsFor: 2, GoalsAgainst: 4, Points: 4, CleanSheets: 5, FailedToScore: 6}
	team := &records.TeamSeasonRecord{
		Season: 2025, TeamSeason: records.TeamSeason{Overall: overall, Home: records.TeamTotals{Played: 1}, Form: []string{"W", "D", "L"},
			StreakType: "loss", StreakLength: 1, BiggestWin: &best, GoalsFor: []int{1, 0, 0, 0, 0, 1}, GoalsAgainst: []int{0, 4, 0, 0, 0, 0},
			Yellow: 1, SecondYellow: 2, Red: 3, ByCompetition: []records.TeamCompetition{{Competition: league, Overall: overall}}},
	}
	s.put(t, records.TeamSeasonKey(s.id("t:a"), records.OwnSeason), team)
	s.put(t, records.TeamSeasonKey(s.id("t:a"), records.SeasonTag(2025)), team)

	totals := records.PlayerTotals{Appearances: 1, Starts: 2, SubstitutedIn: 3, SubstitutedOut: 4, Minutes: 5, Goals: 6, PenaltyGoals: 7,
		OwnGoals: 8, Assists: 9, Yellow: 10, SecondYellow: 11, Red: 12}
	player := &records.PlayerSeasonRecord{Season: 2025, PlayerSeason: records.PlayerSeason{Totals: totals, Competitions: []records.PlayerCompetition{
		{Competition: league, Team: s.teamRef("a"), Totals: records.PlayerTotals{CleanSheets: new(1)}},
	}}}
	for name, position := range map[string]sport.Position{"ann": sport.Forward, "kay": sport.Goalkeeper} {
		p := s.playerRef(name)
		s.put(t, records.PlayerKey(p.ID), &records.PlayerRecord{
			Player: records.Player{PlayerRef: records.PlayerRef{ID: p.ID, Name: p.Name, Number: p.Number, Position: position}, Team: s.teamRef("a")}, Scope: s.mine("fed"), Season: 2025,
		})
	}
	s.put(t, records.PlayerSeasonKey(s.id("p:ann"), records.OwnSeason), player)
	s.put(t, records.PlayerSeasonKey(s.id("p:ann"), records.SeasonTag(2025)), player)
	return s
}

const (
	noGoals = `"goalsByMinute":[{"from":1,"to":15,"for":0,"against":0},{"from":16,"to":30,"for":0,"against":0},{"from":31,"to":45,"for":0,"against":0},` +
		`{"from":46,"to":60,"for":0,"against":0},{"from":61,"to":75,"for":0,"against":0},{"from":76,"to":90,"for":0,"against":0}]`
	noTeamTotals   = `{"played":0,"won":0,"drawn":0,"lost":0,"goalsFor":0,"goalsAgainst":0,"goalDiff":0,"points":0,"cleanSheets":0,"failedToScore":0}`
	someTeamTotals = `{"played":3,"won":1,"drawn":1,"lost":1,"goalsFor":2,"goalsAgainst":4,"goalDiff":-2,"points":4,"cleanSheets":5,"failedToScore":6}`
	noTotals       = `"appearances":0,"starts":0,"substitutedIn":0,"substitutedOut":0,"minutes":0,"goals":0,"penaltyGoals":0,"ownGoals":0,"assists":0,` +
		`"yellow":0,"secondYellow":0,"red":0,"cleanSheets":`
	someTotals = `"appearances":1,"starts":2,"substitutedIn":3,"substitutedOut":4,"minutes":5,"goals":6,"penaltyGoals":7,"ownGoals":8,"assists":9,` +
		`"yellow":10,"secondYellow":11,"red":12,"cleanSheets":null`
)

func TestBodiesOfNumbers(t *testing.T) {
	s := numbersStage(t)
	best := playedBody("best", "2025-08-01T12:00:00.000Z", "a", "b") + "}"
	teamNumbers := func(season string) string {
		return `{"data":{"team":` + teamBody("a") + `,"season":` + season + `,"overall":` + someTeamTotals +
			`,"home":` + strings.Replace(noTeamTotals, `"played":0`, `"played":1`, 1) + `,"away":` + noTeamTotals +
			`,"form":["W","D","L"],"streak":{"type":"loss","length":1},"biggestWin":` + best + `,"biggestLoss":null,` +
			strings.NewReplacer(`"to":15,"for":0`, `"to":15,"for":1`, `"to":30,"for":0,"against":0`, `"to":30,"for":0,"against":4`, `"to":90,"for":0`, `"to":90,"for":1`).Replace(noGoals) +
			`,"cards":{"yellow":1,"secondYellow":2,"red":3},"competitions":[{"competition":` + leagueBody(2025) + `,"overall":` + someTeamTotals + `}]}}`
	}
	playerNumbers := func(season string) string {
		return `{"data":{"player":` + playerBody("ann") + `,"season":` + season + `,"totals":{` + someTotals + `},` +
			`"competitions":[{"competition":` + leagueBody(2025) + `,"team":` + teamBody("a") + `,` + noTotals + `1}]}}`
	}
	tests := map[string]struct{ target, want string }{
		"groups": {"tournaments/c:league/groups",
			`{"data":{"competition":` + leagueBody(2025) + `,"groups":[{"id":"g:x","name":"Group X","order":1,"completed":true,"teams":[` + teamBody("a") + `,` + teamBody("b") + `]},` +
				`{"id":"g:y","name":"Group Y","order":2,"completed":false,"teams":[]}]}}`},
		"no groups": {"tournaments/c:league/groups?season=2024", `{"data":{"competition":` + leagueBody(2024) + `,"groups":[]}}`},
		"statistics of a tournament": {"tournaments/c:league/statistics?season=2025",
			`{"data":{"competition":` + leagueBody(2025) + `,"coverage":{"lineups":true,"events":false,"assists":true,"matchStatistics":false},` +
				`"totals":{"teams":2,"players":2,"matches":10,"finished":4,"upcoming":3,"live":2,"postponed":1,"goals":11,"penaltyGoals":5,"ownGoals":6,"yellowCards":7,"secondYellowCards":8,"redCards":9},` +
				`"results":{"homeWins":12,"draws":13,"awayWins":14},"averages":{"goalsPerMatch":2.75,"cardsPerMatch":0},"biggestWin":` + best + `,"highestScoring":null,` +
				`"leaders":{"goals":[{"rank":1,"player":` + playerBody("ann") + `,"team":` + teamBody("a") + `,"value":3}],"assists":[],"appearances":[],"cards":[]}}}`},
		"statistics of a season to come": {"tournaments/c:league/statistics?season=2024",
			`{"data":{"competition":` + leagueBody(2024) + `,"coverage":{"lineups":false,"events":false,"assists":false,"matchStatistics":false},` +
				`"totals":{"teams":0,"players":0,"matches":0,"finished":0,"upcoming":0,"live":0,"postponed":0,"goals":0,"penaltyGoals":0,"ownGoals":0,"yellowCards":0,"secondYellowCards":0,"redCards":0},` +
				`"results":{"homeWins":0,"draws":0,"awayWins":0},"averages":{"goalsPerMatch":null,"cardsPerMatch":null},"biggestWin":null,"highestScoring":null,` +
				`"leaders":{"goals":[],"assists":[],"appearances":[],"cards":[]}}}`},
		"team": {"teams/t:a",
			`{"data":{"team":{"id":"t:a","name":"Team a","shortName":"a","logo":null,"club":{"id":"o:club","name":"Club","logo":null},"competition":` + leagueBody(2025) +
				`,"group":"Group X","gender":"women","status":"inactive","playerCount":2}}}`},
		"team of nobody, in nothing": {"teams/t:lone",
			`{"data":{"team":{"id":"t:lone","name":"Team lone","shortName":"lone","logo":null,"club":null,"competition":null,"group":null,"gender":null,"status":"active","playerCount":0}}}`},
		"statistics of a team":              {"teams/t:a/statistics", teamNumbers("null")},
		"statistics of a team, of a season": {"teams/t:a/statistics?season=2025", teamNumbers("2025")},
		"statistics of a team, another season": {"teams/t:a/statistics?season=2024",
			`{"data":{"team":` + teamBody("a") + `,"season":2024,"overall":` + noTeamTotals + `,"home":` + noTeamTotals + `,"away":` + noTeamTotals +
				`,"form":[],"streak":null,"biggestWin":null,"biggestLoss":null,` + noGoals + `,"cards":{"yellow":0,"secondYellow":0,"red":0},"competitions":[]}}`},
		"statistics of a player":              {"players/p:ann/statistics", playerNumbers("null")},
		"statistics of a player, of a season": {"players/p:ann/statistics?season=2025", playerNumbers("2025")},
		"statistics of a player, another season": {"players/p:ann/statistics?season=2024",
			`{"data":{"player":` + playerBody("ann") + `,"season":2024,"totals":{` + noTotals + `null},"competitions":[]}}`},
		"statistics of a goalkeeper who never played": {"players/p:kay/statistics",
			`{"data":{"player":` + strings.Replace(playerBody("kay"), "forward", "goalkeeper", 1) + `,"season":null,"totals":{` + noTotals + `0},"competitions":[]}}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			status, body := s.get(t, fed, "/v1/"+tt.target)
			if diff := cmp.Diff(tt.want, body); status != 200 || diff != "" {
				t.Error(status, diff)
			}
		})
	}
}

func TestNumbersOfWhatIsNotInScopeAreNotFound(t *testing.T) {
	s := numbersStage(t)
	for _, target := range []string{
		"tournaments/c:league/groups", "tournaments/c:league/statistics", "tournaments/c:league/statistics?season=2024",
		"teams/t:a", "teams/t:a/statistics", "teams/t:a/statistics?season=2025", "players/p:ann/statistics", "players/p:ann/statistics?season=2025",
	} {
		if status, body := s.get(t, north, "/v1/"+target); status != 404 || body != notFound {
			t.Errorf("%s: %d %s", target, status, body)
		}
	}
	for _, target := range []string{"tournaments/c:league/groups?season=2023", "tournaments/c:league/statistics?season=2023", "teams/o:club", "teams/a", "players/t:a/statistics"} {
		if status, body := s.get(t, fed, "/v1/"+target); status != 404 || body != notFound {
			t.Errorf("%s: %d %s", target, status, body)
		}
	}
}

// TestNumbersCostOneRoundTrip allows for a competition's record next to one of
// a season's, where the answers are too small to make up for it.
func TestNumbersCostOneRoundTrip(t *testing.T) {
	s := numbersStage(t)
	leaders := make([]records.Leader, 5)
	for i := range leaders {
		leaders[i] = records.Leader{Rank: i + 1, Player: s.playerRef("ann"), Team: s.teamRef("a"), Value: 9 - i}
	}
	s.put(t, records.StatisticsKey(s.id("c:league"), records.CurrentTag), &records.CompetitionStatisticsRecord{
		LeadGoals: leaders, LeadAssists: leaders, LeadAppear: leaders, LeadCards: leaders,
	})
	archived := budget{trips: 2, units: 1.5}
	names := strings.NewReplacer("LEAGUE", string(s.id("c:league")), "TEAM", string(s.id("t:a")), "PLAYER", string(s.id("p:ann")))
	for target, b := range map[string]budget{
		"tournaments/LEAGUE/groups": single, "tournaments/LEAGUE/groups?season=2025": seasonal, "tournaments/LEAGUE/groups?season=2024": archived,
		"tournaments/LEAGUE/standings?season=2025": seasonal, "tournaments/LEAGUE/standings?season=2024": archived,
		"tournaments/LEAGUE/statistics": single, "tournaments/LEAGUE/statistics?season=2025": seasonal, "tournaments/LEAGUE/statistics?season=2024": {2, 2},
		"teams/TEAM": single, "teams/TEAM/statistics": single, "teams/TEAM/statistics?season=2024": single,
		"players/PLAYER/statistics": single, "players/PLAYER/statistics?season=2024": single,
	} {
		t.Run(target, func(t *testing.T) { s.spend(t, fed, "/v1/"+names.Replace(target), b) })
	}
}
