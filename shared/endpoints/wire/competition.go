package wire

import (
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// Competition is a competition summary.
type Competition struct {
	ID       sport.ID              `json:"id"`
	Name     string                `json:"name"`
	Logo     *string               `json:"logo" format:"uri-reference" doc:"URL of a picture."`
	Type     sport.CompetitionType `json:"type"`
	Season   int                   `json:"season" min:"1" doc:"The year in which the season starts."`
	Stage    sport.Stage           `json:"stage"`
	Timezone string                `json:"timezone"`
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

// CompetitionOf shows the summary.
func CompetitionOf(c *records.CompetitionRef) Competition {
	return Competition{
		ID: c.ID, Name: c.Name, Logo: nullable(c.Logo), Type: c.Type,
		Season: c.Season, Stage: c.Stage, Timezone: c.Timezone,
	}
}

// CompetitionDetailOf shows the whole.
func CompetitionDetailOf(c *records.Competition) CompetitionDetail {
	return CompetitionDetail{
		Competition: CompetitionOf(&c.CompetitionRef),
		Gender:      nullable(c.Gender),
		Completed:   c.Completed,
		HasPlayoff:  c.HasPlayoff,
		HasPlayout:  c.HasPlayout,
		GroupCount:  c.GroupCount,
	}
}

// ListedCompetitionOf shows a list item.
func ListedCompetitionOf(c *records.Competition) ListedCompetition {
	return ListedCompetition{CompetitionDetail: CompetitionDetailOf(c), OrganizationID: c.OrganizationID}
}
