package wire

import (
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// Person is what every answer says of a player.
type Person struct {
	ID       sport.ID        `json:"id"`
	Name     string          `json:"name"`
	Number   int             `json:"number" doc:"On the shirt; 0 where it is not known."`
	Position *sport.Position `json:"position" doc:"In football goalkeeper, defender, midfielder or forward; in another sport any text."`
	Photo    string          `json:"photo" format:"uri-reference" doc:"URL of a picture, the deployment's own where the player has none."`
}

// SquadPlayer is an item of a team's players.
type SquadPlayer struct {
	Person
	TeamID sport.ID `json:"teamId"`
}

// ListedPlayer is an item of an organization's or a tournament's players.
type ListedPlayer struct {
	SquadPlayer
	Team Team `json:"team"`
}

// PlayerDetail is a player asked for by id.
type PlayerDetail struct {
	Person
	Team Team `json:"team"`
}

// Players shows players, with a picture for those who have none.
type Players struct {
	DefaultPhoto string // URL
}

// Person shows a player as every answer does.
func (s Players) Person(p *records.PlayerRef) Person {
	photo := p.Photo
	if photo == "" {
		photo = s.DefaultPhoto
	}
	return Person{ID: p.ID, Name: p.Name, Number: p.Number, Position: nullable(p.Position), Photo: photo}
}

// Squad shows an item of a team's players.
func (s Players) Squad(p *records.PlayerEntry) SquadPlayer {
	return SquadPlayer{Person: s.Person(&p.PlayerRef), TeamID: p.Team.ID}
}

// Listed shows an item of an organization's or a tournament's players.
func (s Players) Listed(p *records.PlayerEntry) ListedPlayer {
	return ListedPlayer{SquadPlayer: s.Squad(p), Team: TeamOf(&p.Team)}
}

// Detail shows a player asked for by id.
func (s Players) Detail(p *records.Player) PlayerDetail {
	return PlayerDetail{Person: s.Person(&p.PlayerRef), Team: TeamOf(&p.Team)}
}
