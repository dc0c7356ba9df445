package records

import (
	"slices"

	"touchline/shared/sport"
)

// Scope says which keys see a record (D19, D24, D36). The loader fills it in,
// so that one read of a record answers both what it says and who may know.
type Scope struct {
	// Owners are the organizations whose own keys see the record, with or
	// without descendants.
	Owners IDs `dynamodbav:"ow,omitempty"`
	// Reach are the organizations whose keys with descendants see the record:
	// the owners and everything above them over public organizations.
	Reach IDs `dynamodbav:"re,omitempty"`
	// Hidden records are outside every scope, whatever Owners and Reach say.
	Hidden bool `dynamodbav:"hi,omitempty"`
}

// Contains reports whether a key of organization, with or without descendants,
// sees the record.
func (s Scope) Contains(organization sport.ID, descendants bool) bool {
	if s.Hidden {
		return false
	}
	if descendants {
		return slices.Contains(s.Reach, organization)
	}
	return slices.Contains(s.Owners, organization)
}

// TeamRef is a team as it appears inside other records.
type TeamRef struct {
	ID        sport.ID `dynamodbav:"i"`
	Name      string   `dynamodbav:"n"`
	ShortName string   `dynamodbav:"s"`
	Logo      string   `dynamodbav:"l,omitempty"`
}

// ClubRef is a team's owner as it appears inside the team's record.
type ClubRef struct {
	ID   sport.ID `dynamodbav:"i"`
	Name string   `dynamodbav:"n"`
	Logo string   `dynamodbav:"l,omitempty"`
}

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

// Organization is what organization answers and list items are made of.
type Organization struct {
	ID          sport.ID               `dynamodbav:"i"`
	Type        sport.OrganizationType `dynamodbav:"t"`
	Name        string                 `dynamodbav:"n"`
	Logo        string                 `dynamodbav:"l,omitempty"`
	ParentID    sport.ID               `dynamodbav:"p,omitempty"`
	Additional  IDs                    `dynamodbav:"a,omitempty"`
	Description string                 `dynamodbav:"d,omitempty"`
	Season      int                    `dynamodbav:"s,omitempty"`
	// ParentMasked are those organizations in Reach whose keys do not see the
	// parent: it is hidden, or they reach this record over another parent.
	ParentMasked IDs `dynamodbav:"m,omitempty"`
}

// OrganizationRecord is one organization.
type OrganizationRecord struct {
	Organization
	Scope
	Status     sport.Status     `dynamodbav:"st"`
	Visibility sport.Visibility `dynamodbav:"vi"`
	Plan       sport.Plan       `dynamodbav:"pl"`
	// Leaf: no public organization has it as a parent, so that what it owns is
	// all there is in its range and the range lists are left out (lists.go).
	Leaf bool `dynamodbav:"lf,omitempty"`
	// Cross are the ranges of two or three organizations, none below another,
	// that this organization lies in all at once (RangeOf); most have none.
	Cross []Range `dynamodbav:"cr,omitempty"`
}

// TreeNode is an entry of an organization's tree list.
type TreeNode struct {
	Organization
	Level int    `dynamodbav:"lv"` // 1 to 3, below the tree's root
	Path  []byte `dynamodbav:"pa"` // breadth-first order: level, then the names down to it
}

// Competition is what competition answers and list items are made of.
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
	Current    bool             `dynamodbav:"cu,omitempty"` // is the current season
	GivenFlag  *bool            `dynamodbav:"cg,omitempty"` // "current" as the dataset gave it
	Visibility sport.Visibility `dynamodbav:"vi"`
	ParentID   sport.ID         `dynamodbav:"pa,omitempty"`
	Format     sport.Format     `dynamodbav:"fo,omitempty"`
	Groups     []sport.Group    `dynamodbav:"gr,omitempty"`
	Rules      sport.Rules      `dynamodbav:"ru"`
}

// SeasonRecord says where the records of a competition's season lie, and who may
// see them: what a request that names a season must know to read one of them and
// nothing else. It follows from the CompetitionRecord.
type SeasonRecord struct {
	CompetitionRef
	Scope
	Current bool `dynamodbav:"cu,omitempty"`
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
	// Owner and Competition are the references as given, also where they are
	// not to be named.
	Owner       sport.ID         `dynamodbav:"og,omitempty"`
	Competition sport.ID         `dynamodbav:"kg,omitempty"`
	Group       sport.ID         `dynamodbav:"gg,omitempty"`
	Gender      sport.Gender     `dynamodbav:"ge,omitempty"`
	Visibility  sport.Visibility `dynamodbav:"vi"`
	// OwnerReach is the part of Reach that comes from the owner: the team is in
	// the organization lists of these only (D37).
	OwnerReach IDs `dynamodbav:"or,omitempty"`
	// Listed: the entry is one of a current season, hence in organization
	// lists (D38).
	Listed bool `dynamodbav:"li,omitempty"`
	// Club and In are what the references name: nil for none, or for one that
	// is not to be named (D40).
	Club *ClubRef        `dynamodbav:"cl,omitempty"`
	In   *CompetitionRef `dynamodbav:"in,omitempty"`
}

// SeenByOwner reports whether a key sees the team through its owner, and hence
// all its matches; else it may see it through its competition (D24).
func (t *TeamRecord) SeenByOwner(organization sport.ID, descendants bool) bool {
	return seenByOwner(t.Owner, t.OwnerReach, organization, descendants)
}

// SeenByOwner is that of the player's team.
func (p *PlayerRecord) SeenByOwner(organization sport.ID, descendants bool) bool {
	return seenByOwner(p.Owner, p.OwnerReach, organization, descendants)
}

func seenByOwner(owner sport.ID, reach IDs, organization sport.ID, descendants bool) bool {
	if descendants {
		return slices.Contains(reach, organization)
	}
	return owner == organization
}

// Player is what player list items are made of.
type Player struct {
	ID       sport.ID       `dynamodbav:"i"`
	Name     string         `dynamodbav:"n"`
	Number   int            `dynamodbav:"nr,omitempty"`
	Position sport.Position `dynamodbav:"po,omitempty"`
	Photo    string         `dynamodbav:"ph,omitempty"` // empty: the deployment's default picture
	Team     TeamRef        `dynamodbav:"t"`
}

// PlayerRecord is one player.
type PlayerRecord struct {
	Player
	Scope
	Status     sport.Status     `dynamodbav:"st"`
	Visibility sport.Visibility `dynamodbav:"vi"`
	// Season is the one of the player's team entry, 0: none; Owner, OwnerReach
	// and Competition are the team's (TeamRecord).
	Season      int      `dynamodbav:"se,omitempty"`
	Owner       sport.ID `dynamodbav:"og,omitempty"`
	OwnerReach  IDs      `dynamodbav:"or,omitempty"`
	Competition sport.ID `dynamodbav:"kg,omitempty"`
	// Lineups are the competitions, by season, in whose published line-ups the
	// player is.
	Lineups []CompetitionSeason `dynamodbav:"lu,omitempty"`
}

// CompetitionSeason is the identity of a season of a competition.
type CompetitionSeason struct {
	ID     sport.ID `dynamodbav:"i"`
	Season int      `dynamodbav:"s"`
}

// Match is what match answers and list items are made of.
type Match struct {
	ID        sport.ID          `dynamodbav:"i"`
	Status    sport.MatchStatus `dynamodbav:"st"`
	Kickoff   int64             `dynamodbav:"ko"` // Unix milliseconds
	Home      TeamRef           `dynamodbav:"h"`
	Away      TeamRef           `dynamodbav:"a"`
	Score     *sport.Score      `dynamodbav:"sc,omitempty"`
	Penalties *sport.Score      `dynamodbav:"pe,omitempty"`
	Leg       int               `dynamodbav:"lg,omitempty"`
	TwoLegs   bool              `dynamodbav:"tl,omitempty"`
	Winner    sport.Winner      `dynamodbav:"w"`
	Round     int               `dynamodbav:"r,omitempty"`
	GroupID   sport.ID          `dynamodbav:"g,omitempty"`
	GroupName string            `dynamodbav:"gn,omitempty"`
	ExtraTime bool              `dynamodbav:"et,omitempty"`
	Season    int               `dynamodbav:"se,omitempty"` // 0: a friendly without one
	// Competition is nil for a friendly. Tournament lists leave it out: they
	// have one for all.
	Competition *CompetitionRef `dynamodbav:"k,omitempty"`
}

// MatchRecord is one match.
type MatchRecord struct {
	Match
	Scope
	Visibility sport.Visibility `dynamodbav:"vi"`
	// DetailHash is of the DetailRecord, so that an unchanged one need not be
	// read; empty: the match has none.
	DetailHash []byte `dynamodbav:"dh,omitempty"`
	// Squad are the players of the line-ups, in id order.
	Squad IDs `dynamodbav:"sq,omitempty"`
}

// DetailRecord holds a match's line-ups, events and statistics as given.
type DetailRecord struct {
	// Parts is the JSON of the three, deflated.
	Parts []byte `dynamodbav:"z"`
	// Hash is of what Parts holds; MatchRecord repeats it.
	Hash []byte `dynamodbav:"h"`
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
	Playoff *Phase     `dynamodbav:"po,omitempty"` // nil: there is none
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
