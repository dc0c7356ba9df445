// Package sporttest has one of each entity with every field set to something
// other than its default. Tests carry it through an encoding, the table or an
// response and fail where a field is lost. Whoever adds a field to package sport
// gives it a value here.
package sporttest

import (
	"reflect"
	"time"

	"touchline/shared/sport"
)

// Ids of the entities, and of others that they refer to.
const (
	Federation  sport.ID = "0000000000000000000000f1"
	Association sport.ID = "0000000000000000000000f2"
	Club        sport.ID = "0000000000000000000000f3"
	League      sport.ID = "0000000000000000000000c1"
	Playoff     sport.ID = "0000000000000000000000c2"
	GroupA      sport.ID = "69ca63b4313f8e2f8fbfc9fd" // of the key "a"
	Home        sport.ID = "0000000000000000000000d1"
	Away        sport.ID = "0000000000000000000000d2"
	Keeper      sport.ID = "0000000000000000000000e1"
	Striker     sport.ID = "0000000000000000000000e2"
	Winger      sport.ID = "0000000000000000000000e3"
	Defender    sport.ID = "0000000000000000000000e4"
	Final       sport.ID = "0000000000000000000000b1"
)

// Season is that of the competition, the team and the match.
const Season = 2025

// Organization is a club with two parents.
func Organization() sport.Organization {
	return sport.Organization{
		ID: Club, Type: sport.Club, Name: "Club", Logo: "https://img.example/club.png",
		ParentID: Association, AdditionalParentIDs: []sport.ID{Federation}, Description: "A club.", Season: Season,
		Status: sport.Inactive, Visibility: sport.Hidden, Plan: sport.PlanFree,
	}
}

// Competition is a playoff with a group and rules of its own.
func Competition() sport.Competition {
	return sport.Competition{
		ID: Playoff, Season: Season, Current: new(true), Name: "Playoff", Logo: "https://img.example/playoff.png",
		Type: sport.Cup, Stage: sport.Playoff, Timezone: "Europe/Vienna", OrganizationID: Federation,
		Gender: sport.Women, Completed: true, EndsAt: time.Date(2026, 5, 30, 18, 0, 0, 0, time.UTC),
		Visibility: sport.Private, ParentID: League, Format: sport.FormatKnockout,
		Groups: []sport.Group{{ID: GroupA, Key: "a", Name: "Group A", Order: 1}},
		Rules: sport.Rules{
			Sport: "water polo", Periods: &sport.Clock{Count: 2, Minutes: 30, Extra: 5},
			Win: 4, Draw: 1, Loss: -1, ExtraTimeWin: new(3), ExtraTimeLoss: new(0), ShootoutWin: new(2), ShootoutLoss: new(1),
			ShootoutGoal: true, Forfeit: &sport.Forfeit{Goals: 10, SetPoints: 75, Win: new(3), Loss: new(-2)}, Sets: 5,
			Margins:     []sport.Margin{{By: 1, Win: new(2), Loss: new(1)}},
			TieBreakers: []sport.TieBreaker{sport.ByWon, sport.HeadToHead(sport.Block{Once: true, AllPlayed: true, Criteria: []sport.TieBreaker{sport.ByPoints, sport.ByHalfPoint}}), sport.ByName},
			NoTable:     true, AcrossGroups: true, HidePlayers: true, Carry: &sport.Carry{Points: sport.CarryHalfUp, Record: true, Among: sport.CarryQualified},
			Ties: &sport.TieRules{BestOf: 7, AwayGoals: true},
		},
		Withdrawals: []sport.Withdrawal{{TeamID: Away, Matches: sport.MatchesAwarded, From: time.Date(2026, 4, 30, 22, 0, 0, 0, time.UTC), Goals: 3}},
	}
}

// Team is the club's entry in the playoff.
func Team() sport.Team {
	return sport.Team{
		ID: Home, Name: "Home Women", ShortName: "HOM", Logo: "https://img.example/home.png",
		OrganizationID: Club, CompetitionID: Playoff, Season: Season, GroupID: GroupA,
		Gender: sport.Women, Status: sport.Inactive, Visibility: sport.Hidden, StartingPoints: -3, Seed: 2,
	}
}

// Player is a goalkeeper of the team.
func Player() sport.Player {
	return sport.Player{
		ID: Keeper, Name: "Keeper", TeamID: Home, Number: 1, Position: sport.Goalkeeper,
		Photo: "https://img.example/keeper.png", Status: sport.Inactive, Visibility: sport.Private,
		FormerNumbers: []sport.FormerNumber{{Number: 12, Until: time.Date(2026, 5, 30, 17, 0, 0, 0, time.UTC).UnixMilli()}},
	}
}

// Match is a finished second leg that went to penalties, with all its parts.
func Match() sport.Match {
	squad := func(starter, substitute sport.ID) sport.Squad {
		entry := func(id sport.ID) sport.LineupEntry {
			return sport.LineupEntry{PlayerID: id, Number: 21, Captain: true, Position: sport.Midfielder, Grid: "2:3"}
		}
		return sport.Squad{
			Formation: "4-4-2", Coach: "A Coach",
			Starting: []sport.LineupEntry{entry(starter)}, Bench: []sport.LineupEntry{entry(substitute)},
		}
	}
	return sport.Match{
		ID: Final, CompetitionID: Playoff, Season: Season, Status: sport.Finished,
		Kickoff: time.Date(2026, 5, 30, 16, 0, 0, 5e6, time.UTC), KickoffTimeOpen: true,
		HomeTeamID: Home, AwayTeamID: Away, Score: &sport.Score{Home: 2, Away: 1}, Penalties: &sport.Score{Home: 4, Away: 5},
		ExtraTime: true, Leg: 2, TwoLegs: true, Winner: sport.WinnerAway, WinnerGiven: true,
		Points: &sport.Score{Home: 5, Away: -1}, SetPoints: &sport.Score{Home: 98, Away: 95}, TieWinner: sport.SideHome, Round: 3, GroupID: GroupA, Visibility: sport.Hidden,
		Lineups: &sport.Lineups{Confirmed: true, Home: squad(Keeper, Striker), Away: squad(Winger, Defender)},
		Events: []sport.Event{{
			ID: "0000000000000000000000b2", Type: sport.EventGoal, Detail: sport.GoalPenalty, Period: sport.SecondHalf,
			Minute: 90, ExtraMinute: 4, Minutes: 2, Side: sport.SideAway,
			PlayerID: Keeper, AssistID: Striker, PlayerInID: Winger, PlayerOutID: Keeper,
		}},
		Statistics: &sport.MatchStatistics{
			Home: statistics(1), Away: statistics(20),
			Periods: []sport.PeriodStatistics{{Period: sport.FirstHalf, Home: statistics(40), Away: statistics(60)}},
		},
	}
}

// statistics counts up from n, a field at a time.
func statistics(n int) sport.StatLine {
	var s sport.StatLine
	v := reflect.ValueOf(&s).Elem()
	for i := range v.NumField() {
		v.Field(i).Set(reflect.ValueOf(new(n + i)))
	}
	return s
}

// GivenTable is a table of one row.
func GivenTable() sport.GivenTable {
	return sport.GivenTable{
		CompetitionID: Playoff, Season: Season, Table: sport.TablePlayoff,
		Rows: []sport.GivenRow{{
			TeamID: Home, Rank: 1, Played: 7, Won: 4, Drawn: 2, Lost: 1, GoalsFor: 12, GoalsAgainst: 5,
			Points: 14, StartingPoints: -3, GroupID: GroupA,
		}},
	}
}
