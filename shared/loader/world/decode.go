package world

import (
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// From records back to what they were made of.

func DecodeOrganization(r *records.OrganizationRecord) *Organization {
	return &Organization{Organization: r.Given(), Key: r.Key, Reach: r.Reach, Cross: r.Cross, Leaf: r.Leaf, Unseen: r.Unseen}
}

func DecodeCompetition(r *records.CompetitionRecord) *Competition {
	return &Competition{Competition: r.Given(), Key: r.Key, IsCurrent: r.Current, Unseen: unseen(r.Scope, r.Visibility)}
}

func DecodeTeam(r *records.TeamRecord) *Team {
	return &Team{Team: r.Given(), Key: r.Key, Unseen: unseen(r.Scope, r.Visibility)}
}

// unseen reports whether a record is hidden although it is public itself.
func unseen(s records.Scope, v sport.Visibility) bool { return s.Hidden && v == sport.Public }

func DecodePlayer(r *records.PlayerRecord) *Player {
	return &Player{Player: r.Given(), Key: r.Key, Lineups: r.Lineups, Sums: r.PlayerSums}
}

func DecodeMatch(r *records.MatchRecord) *Match {
	return &Match{Match: r.Given(), Key: r.Key, Squad: r.Squad, DetailHash: r.DetailHash}
}

// DecodeOutcome is the match of a team's list as far as tables need it: of visibility
// only whether it counts.
func DecodeOutcome(e *records.MatchEntry) *sport.Match {
	m := DecodeMatch(&records.MatchRecord{Match: e.Match, Visibility: sport.Public}).Match
	if e.Private {
		m.Visibility = sport.Private
	}
	return &m
}
