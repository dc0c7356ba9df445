package wire

import "touchline/shared/route"

// What the operations reply in which a resource has a name. The OpenAPI document has
// these types under the same names.
type (
	// OrganizationsTreeReply is an organization with what is below it.
	OrganizationsTreeReply struct {
		route.Data[*TreeNode]
		Truncated bool `json:"truncated,omitempty" doc:"Only there, and true, where the answer was cut."`
	}
	// TournamentsCompetitionReply is the data of a competition.
	TournamentsCompetitionReply struct {
		Competition CompetitionDetail `json:"competition"`
	}
	// MatchesReply is the data of a match.
	MatchesReply struct {
		Competition *Competition `json:"competition"` // null: a friendly
		Match       Match        `json:"match"`
	}
	// TeamsReply is the data of a team.
	TeamsReply struct {
		Team TeamDetail `json:"team"`
	}
	// PlayersReply is the data of a player.
	PlayersReply struct {
		Player PlayerDetail `json:"player"`
	}
)
