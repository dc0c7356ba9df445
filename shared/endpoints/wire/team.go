package wire

import (
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// Team is a team reference. It is shown whether or not the team itself is in
// the scope (D25).
type Team struct {
	ID        sport.ID `json:"id"`
	Name      string   `json:"name"`
	ShortName string   `json:"shortName"`
	Logo      *string  `json:"logo" format:"uri-reference" doc:"URL of a picture."`
}

// ListedTeam is an item of a list of teams.
type ListedTeam struct {
	Team
	OrganizationID *sport.ID    `json:"organizationId"`
	CompetitionID  *sport.ID    `json:"competitionId"`
	Season         *int         `json:"season" min:"1" doc:"The year in which the season starts."`
	Group          *string      `json:"group" doc:"The group's name."`
	Status         sport.Status `json:"status"`
}

// TeamOf shows a reference.
func TeamOf(t *records.TeamRef) Team {
	return Team{ID: t.ID, Name: t.Name, ShortName: t.ShortName, Logo: nullable(t.Logo)}
}

// ListedTeamOf shows a list item.
func ListedTeamOf(t *records.TeamEntry) ListedTeam {
	return ListedTeam{
		Team:           TeamOf(&t.TeamRef),
		OrganizationID: nullable(t.OrganizationID),
		CompetitionID:  nullable(t.CompetitionID),
		Season:         nullable(t.Season),
		Group:          nullable(t.GroupName),
		Status:         t.Status,
	}
}
