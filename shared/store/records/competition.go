package records

import (
	"cmp"
	"slices"
	"time"

	"touchline/shared/sport"
)

// CompetitionRef is a competition summary as it appears inside other records.
type CompetitionRef struct {
	ID       sport.ID              `dynamodbav:"i"`
	Name     string                `dynamodbav:"n"`
	Logo     string                `dynamodbav:"l,omitempty"`
	Type     sport.CompetitionType `dynamodbav:"t"`
	Season   int                   `dynamodbav:"s"`
	Stage    sport.Stage           `dynamodbav:"g"`
	Timezone string                `dynamodbav:"z"`
}

// CompetitionRefOf is the summary of a competition.
func CompetitionRefOf(c *sport.Competition) CompetitionRef {
	return CompetitionRef{
		ID: c.ID, Name: c.Name, Logo: c.Logo, Type: c.Type,
		Season: c.Season, Stage: c.Stage, Timezone: c.Timezone,
	}
}

// Competition is what competition responses and list items are made of.
type Competition struct {
	CompetitionRef
	OrganizationID sport.ID     `dynamodbav:"o"`
	Gender         sport.Gender `dynamodbav:"ge,omitempty"`
	Completed      bool         `dynamodbav:"co,omitempty"`
	EndsAt         int64        `dynamodbav:"en,omitempty"` // Unix seconds, 0: none
	HasPlayoff     bool         `dynamodbav:"po,omitempty"`
	HasPlayout     bool         `dynamodbav:"pu,omitempty"`
	GroupCount     int          `dynamodbav:"gc,omitempty"`
}

// CompetitionRecord is one season of a competition.
type CompetitionRecord struct {
	Competition
	Scope
	Key        string           `dynamodbav:"ky,omitempty"`
	Current    bool             `dynamodbav:"cu,omitempty"` // is the current season
	GivenFlag  *bool            `dynamodbav:"cg,omitempty"` // "current" as the dataset gave it
	Visibility sport.Visibility `dynamodbav:"vi"`
	ParentID   sport.ID         `dynamodbav:"pa,omitempty"`
	Format     sport.Format     `dynamodbav:"fo,omitempty"`
	Groups     []sport.Group    `dynamodbav:"gr,omitempty"`
	Rules      sport.Rules      `dynamodbav:"ru"`
	// Withdrawals change what the matches count (D59): MatchRecord.Played.
	Withdrawals []sport.Withdrawal `dynamodbav:"wd,omitempty"`
}

// Given is the competition as the dataset gave it.
func (c *CompetitionRecord) Given() sport.Competition {
	given := sport.Competition{
		ID: c.ID, Season: c.Season, Current: c.GivenFlag,
		Name: c.Name, Logo: c.Logo, Type: c.Type, Stage: c.Stage, Timezone: c.Timezone,
		OrganizationID: c.OrganizationID, Gender: c.Gender, Completed: c.Completed,
		Visibility: c.Visibility, ParentID: c.ParentID, Format: c.Format,
		Groups: c.Groups, Rules: c.Rules, Withdrawals: c.Withdrawals,
	}
	if c.EndsAt != 0 {
		given.EndsAt = time.Unix(c.EndsAt, 0).UTC()
	}
	return given
}

// CompetitionSeason is the identity of a season of a competition.
type CompetitionSeason struct {
	ID     sport.ID `dynamodbav:"i"`
	Season int      `dynamodbav:"s"`
}

// Compare orders seasons by their competitions.
func (s CompetitionSeason) Compare(o CompetitionSeason) int {
	return cmp.Or(cmp.Compare(s.ID, o.ID), cmp.Compare(s.Season, o.Season))
}

// SeasonRecord says where the records of a competition's season lie, and who may
// see them: what a request that names a season must know to read one of them and
// nothing else. It follows from the CompetitionRecord.
type SeasonRecord struct {
	CompetitionRef
	Scope
	Current bool `dynamodbav:"cu,omitempty"`
}

// CompetitionSeasonsRecord says which seasons a competition has, and who may see
// them. It follows from the CompetitionRecords.
type CompetitionSeasonsRecord struct {
	Seen []SeenSeasons `dynamodbav:"r"`
}

// SeenSeasons are the seasons that the same keys may see, in any order.
type SeenSeasons struct {
	Scope
	Seasons []int `dynamodbav:"n"`
}

// Of are the seasons that a viewer sees, newest first.
func (r *CompetitionSeasonsRecord) Of(v sport.Viewer) []int {
	var seasons []int
	for _, s := range r.Seen {
		if s.Contains(v.Organization, v.Descendants) {
			seasons = append(seasons, s.Seasons...)
		}
	}
	slices.SortFunc(seasons, func(a, b int) int { return cmp.Compare(b, a) })
	return seasons
}

// Tag is that of the season's records.
func (s *SeasonRecord) Tag() Tag {
	if s.Current {
		return CurrentTag
	}
	return SeasonTag(s.Season)
}

// Place is the SeasonRecord of the season.
func (c *CompetitionRecord) Place() *SeasonRecord {
	return &SeasonRecord{CompetitionRef: c.CompetitionRef, Scope: c.Scope, Current: c.Current}
}

// TableRow is a row of a table.
type TableRow struct {
	Rank           int     `dynamodbav:"k"`
	Team           TeamRef `dynamodbav:"t"`
	Played         int     `dynamodbav:"p"`
	Won            int     `dynamodbav:"w"`
	Drawn          int     `dynamodbav:"d"`
	Lost           int     `dynamodbav:"l"`
	GoalsFor       int     `dynamodbav:"f"`
	GoalsAgainst   int     `dynamodbav:"a"`
	Points         int     `dynamodbav:"pt"`
	StartingPoints int     `dynamodbav:"sp,omitempty"`
	Group          string  `dynamodbav:"g,omitempty"`
}

// Tie is a pairing of a knockout.
type Tie struct {
	Round     int          `dynamodbav:"r"`
	Order     int          `dynamodbav:"o"`
	Home      *TeamRef     `dynamodbav:"h,omitempty"`
	Away      *TeamRef     `dynamodbav:"a,omitempty"`
	Aggregate *sport.Score `dynamodbav:"g,omitempty"`
	Penalties *sport.Score `dynamodbav:"p,omitempty"`
	Winner    sport.Winner `dynamodbav:"w"`
	MatchIDs  IDs          `dynamodbav:"m"`
}

// Phase is the playoff or playout of a competition's season (D43).
type Phase struct {
	Format    sport.Format `dynamodbav:"f"`
	Completed bool         `dynamodbav:"c,omitempty"`
	Rows      []TableRow   `dynamodbav:"r,omitempty"` // where the format is league
	Ties      []Tie        `dynamodbav:"t,omitempty"` // where it is knockout
}

// TableRecord holds the tables of a competition's season.
type TableRecord struct {
	Rows    []TableRow `dynamodbav:"r,omitempty"`
	Playoff *Phase     `dynamodbav:"po,omitempty"` // nil: there isn't one
	Playout *Phase     `dynamodbav:"pu,omitempty"`
	// Live: a match that counts for it is being played, so the record is read
	// again sooner (D10).
	Live bool `dynamodbav:"lv,omitempty"`
}

// GivenTableRecord is a table as a dataset gave it.
type GivenTableRecord struct {
	Season int              `dynamodbav:"s"`
	Table  sport.TableName  `dynamodbav:"t"`
	Rows   []sport.GivenRow `dynamodbav:"r"`
}
