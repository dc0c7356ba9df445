package world

import (
	"touchline/shared/dataset"
	"touchline/shared/sport"
	"touchline/shared/standings"
)

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
