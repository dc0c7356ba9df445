package client

import (
	"time"

	"touchline/shared/sport"
)

// The resources of the contract. What may be null is a pointer. Values of a set
// (a type, a status) may be ones that were added later.

// Ping is the ping data.
type Ping struct {
	APIVersion   int       `json:"apiVersion"`
	ServerTime   time.Time `json:"serverTime"`
	KeyID        string    `json:"keyId"`
	ResourceType string    `json:"resourceType"`
	ResourceID   sport.ID  `json:"resourceId"` // the key's organization
	Scopes       []string  `json:"scopes"`
}

// Organization is a federation, an association or a club.
type Organization struct {
	ID          sport.ID               `json:"id"`
	Type        sport.OrganizationType `json:"type"`
	Name        string                 `json:"name"`
	Logo        *string                `json:"logo"`     // URL
	ParentID    *sport.ID              `json:"parentId"` // nil: none, or not in the key's scope (D25)
	Description string                 `json:"description"`
	Season      *int                   `json:"season"`
}

// TreeNode is an organization of a tree, with those below it in name order.
type TreeNode struct {
	Organization
	Children []TreeNode `json:"children"`
}

// Competition is a competition summary.
type Competition struct {
	ID       sport.ID              `json:"id"`
	Name     string                `json:"name"`
	Logo     *string               `json:"logo"` // URL
	Type     sport.CompetitionType `json:"type"`
	Season   int                   `json:"season"`
	Stage    sport.Stage           `json:"stage"`
	Timezone string                `json:"timezone"` // IANA name
}

// CompetitionDetail is a competition in full.
type CompetitionDetail struct {
	Competition
	Gender     *sport.Gender `json:"gender"`
	Completed  bool          `json:"completed"`
	HasPlayoff bool          `json:"hasPlayoff"`
	HasPlayout bool          `json:"hasPlayout"`
	GroupCount int           `json:"groupCount"`
}

// ListedCompetition is an item of an organization's competitions.
type ListedCompetition struct {
	CompetitionDetail
	OrganizationID sport.ID `json:"organizationId"`
}

// Team is a team reference.
type Team struct {
	ID        sport.ID `json:"id"`
	Name      string   `json:"name"`
	ShortName string   `json:"shortName"`
	Logo      *string  `json:"logo"` // URL
}

// ListedTeam is an item of an organization's or a tournament's teams.
type ListedTeam struct {
	Team
	OrganizationID *sport.ID    `json:"organizationId"`
	CompetitionID  *sport.ID    `json:"competitionId"`
	Season         *int         `json:"season"`
	Group          *string      `json:"group"` // its name
	Status         sport.Status `json:"status"`
}

// TeamDetail is a team asked for by id.
type TeamDetail struct {
	Team
	Club        *ClubName     `json:"club"`
	Competition *Competition  `json:"competition"`
	Group       *string       `json:"group"` // its name
	Gender      *sport.Gender `json:"gender"`
	Status      sport.Status  `json:"status"`
	PlayerCount int           `json:"playerCount"`
}

// ClubName is the club of a team.
type ClubName struct {
	ID   sport.ID `json:"id"`
	Name string   `json:"name"`
	Logo *string  `json:"logo"` // URL
}

// Person has the fields that every response has of a player.
type Person struct {
	ID       sport.ID        `json:"id"`
	Name     string          `json:"name"`
	Number   int             `json:"number"` // 0: unknown
	Position *sport.Position `json:"position"`
	Photo    string          `json:"photo"` // URL
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
