package records

import (
	"touchline/shared/sport"
)

// TeamRef is a team as it appears inside other records.
type TeamRef struct {
	ID        sport.ID `dynamodbav:"i"`
	Name      string   `dynamodbav:"n"`
	ShortName string   `dynamodbav:"s"`
	Logo      string   `dynamodbav:"l,omitempty"`
}

// TeamRefOf is how other records show a team.
func TeamRefOf(t *sport.Team) TeamRef {
	return TeamRef{ID: t.ID, Name: t.Name, ShortName: t.ShortName, Logo: t.Logo}
}

// ClubRef is a team's owner as it appears inside the team's record.
type ClubRef struct {
	ID   sport.ID `dynamodbav:"i"`
	Name string   `dynamodbav:"n"`
	Logo string   `dynamodbav:"l,omitempty"`
}

// Team is what team list items are made of, and what the loader needs to know
// of a team to compute a table.
type Team struct {
	TeamRef
	OrganizationID sport.ID     `dynamodbav:"o,omitempty"` // empty: none, or not to be named (D40)
	CompetitionID  sport.ID     `dynamodbav:"k,omitempty"` // likewise
	Season         int          `dynamodbav:"se,omitempty"`
	GroupID        sport.ID     `dynamodbav:"g,omitempty"`
	GroupName      string       `dynamodbav:"gn,omitempty"`
	Status         sport.Status `dynamodbav:"st"`
	StartingPoints int          `dynamodbav:"sp,omitempty"`
	Seed           int          `dynamodbav:"sd,omitempty"`
}

// TeamRecord is one team entry.
type TeamRecord struct {
	Team
	Scope
	Key string `dynamodbav:"ky,omitempty"`
	// Owner and Competition are the references as given, also where they are
	// not to be named.
	Owner       sport.ID         `dynamodbav:"og,omitempty"`
	Competition sport.ID         `dynamodbav:"kg,omitempty"`
	Group       sport.ID         `dynamodbav:"gg,omitempty"`
	Gender      sport.Gender     `dynamodbav:"ge,omitempty"`
	Visibility  sport.Visibility `dynamodbav:"vi"`
	// HidesPlayers: the players are hidden, for the loader (D75).
	HidesPlayers bool `dynamodbav:"hp,omitempty"`
	// OwnerReach are those of Reach that come from the owner: the team is in
	// the organization lists of these only (D37).
	OwnerReach IDs `dynamodbav:"or,omitempty"`
	// Listed: the entry is one of a current season, and so in organization
	// lists (D38).
	Listed bool `dynamodbav:"li,omitempty"`
	// Club and In are what the references name: nil for none, or for one that
	// is not to be named (D40).
	Club *ClubRef        `dynamodbav:"cl,omitempty"`
	In   *CompetitionRef `dynamodbav:"in,omitempty"`
}

// SeenByOwner reports whether a key sees the team through its owner, and with it
// all its matches; else it may see it through its competition (D24).
func (t *TeamRecord) SeenByOwner(organization sport.ID, descendants bool) bool {
	return seenByOwner(t.Owner, t.OwnerReach, organization, descendants)
}

// Given is the team as the dataset gave it.
func (t *TeamRecord) Given() sport.Team {
	return sport.Team{
		ID: t.ID, Name: t.Name, ShortName: t.ShortName, Logo: t.Logo,
		OrganizationID: t.Owner, CompetitionID: t.Competition, Season: t.Season, GroupID: t.Group,
		Gender: t.Gender, Status: t.Status, Visibility: t.Visibility,
		StartingPoints: t.StartingPoints, Seed: t.Seed,
	}
}
