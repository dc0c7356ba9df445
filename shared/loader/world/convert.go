package world

import (
	"touchline/shared/dataset"
	"touchline/shared/sport"
	"touchline/shared/standings"
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

// From entities to the records of a dataset that give them. References are ids;
// values that are not the entity's are shared with it and may not be changed.

// Given is the record that gives the organization.
func (o *Organization) Given() *dataset.Record[sport.Organization] {
	return &dataset.Record[sport.Organization]{ID: o.ID, Key: o.Key, Value: o.Organization}
}

// Given is the record that gives the season.
func (c *Competition) Given() *dataset.Record[sport.Competition] {
	return &dataset.Record[sport.Competition]{ID: c.ID, Key: c.Key, Value: c.Competition}
}

// Given is the record that gives the team.
func (t *Team) Given() *dataset.Record[sport.Team] {
	return &dataset.Record[sport.Team]{ID: t.ID, Key: t.Key, Value: t.Team}
}

// Given is the record that gives the player.
func (p *Player) Given() *dataset.Record[sport.Player] {
	return &dataset.Record[sport.Player]{ID: p.ID, Key: p.Key, Value: p.Player}
}

// Given is the record that gives the match. Its details must have been fetched;
// those of the record are its own.
func (m *Match) Given() (*dataset.Record[dataset.Match], error) {
	full, err := m.Full()
	return &dataset.Record[dataset.Match]{ID: m.ID, Key: m.Key, Value: dataset.Match{Base: full}}, err
}

// GivenTable is the record that gives the table.
func GivenTable(t *sport.GivenTable) *dataset.Record[sport.GivenTable] {
	return &dataset.Record[sport.GivenTable]{Value: *t}
}

// LeaveOutWinner takes a winner off a match that follows from the rest: given, it
// would outlive a corrected score.
func LeaveOutWinner(m *sport.Match) {
	if m.Winner == standings.MatchWinner(m.Status, m.Score, m.Penalties, "") {
		m.Winner = ""
	}
}
