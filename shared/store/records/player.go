package records

import (
	"touchline/shared/sport"
)

// A new field belongs in PlayerRef if other records show it with the player, else in
// PlayerRecord, which package projection fills, and in Given.

// PlayerRef is a player as it appears inside other records, too.
type PlayerRef struct {
	ID       sport.ID       `dynamodbav:"i"`
	Name     string         `dynamodbav:"n"`
	Number   int            `dynamodbav:"nr,omitempty"`
	Position sport.Position `dynamodbav:"po,omitempty"`
	Photo    string         `dynamodbav:"ph,omitempty"` // empty: the deployment's default picture
}

// PlayerRefOf is how other records show a player.
func PlayerRefOf(p *sport.Player) PlayerRef {
	return PlayerRef{ID: p.ID, Name: p.Name, Number: p.Number, Position: p.Position, Photo: p.Photo}
}

// Player is what items of player lists are made of.
type Player struct {
	PlayerRef
	Team TeamRef `dynamodbav:"t"`
}

// PlayerRecord is one player.
type PlayerRecord struct {
	Player
	Scope
	Key        string           `dynamodbav:"ky,omitempty"`
	Status     sport.Status     `dynamodbav:"st"`
	Visibility sport.Visibility `dynamodbav:"vi"`
	// Season is the one of the player's team entry, 0: none; Owner, OwnerReach
	// and Competition are the team's (TeamRecord).
	Season      int      `dynamodbav:"se,omitempty"`
	Owner       sport.ID `dynamodbav:"og,omitempty"`
	OwnerReach  IDs      `dynamodbav:"or,omitempty"`
	Competition sport.ID `dynamodbav:"kg,omitempty"`
	// Lineups are the competitions, by season, whose published line-ups or events name
	// the player.
	Lineups []CompetitionSeason `dynamodbav:"lu,omitempty"`
	// FormerNumbers are shown by the line-ups of the matches that they are of.
	FormerNumbers []sport.FormerNumber `dynamodbav:"fn,omitempty"`
}

// SeenByOwner is that of the player's team.
func (p *PlayerRecord) SeenByOwner(organization sport.ID, descendants bool) bool {
	return seenByOwner(p.Owner, p.OwnerReach, organization, descendants)
}

// Given is the player as the dataset gave it.
func (p *PlayerRecord) Given() sport.Player {
	return sport.Player{
		ID: p.ID, Name: p.Name, TeamID: p.Team.ID, Number: p.Number, Position: p.Position,
		Photo: p.Photo, Status: p.Status, Visibility: p.Visibility, FormerNumbers: p.FormerNumbers,
	}
}
