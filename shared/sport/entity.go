// Package sport is the domain: ids, the entities of a dataset and the value
// sets of the contract, with the standard library only.
//
// The structs are a dataset's records after validation: references are ids,
// defaults are filled in, times are UTC. Empty strings and zero numbers mean
// "none" where a field's comment says so. Nothing here knows DynamoDB, HTTP or
// JSON.
package sport

import (
	"slices"
	"time"
)

// Organization is a federation, an association or a club.
type Organization struct {
	ID                  ID
	Type                OrganizationType
	Name                string
	Logo                string // URL, empty: none
	ParentID            ID     // the primary parent, empty: none
	AdditionalParentIDs []ID   // without the primary, no repeats
	Description         string
	Season              int // 0: none
	Status              Status
	Visibility          Visibility
	Plan                Plan
}

// Parents lists the primary parent, if any, and then the additional ones.
func (o Organization) Parents() []ID {
	if o.ParentID == "" {
		return o.AdditionalParentIDs
	}
	return append([]ID{o.ParentID}, o.AdditionalParentIDs...)
}

// Competition is one season of a competition; (ID, Season) is its identity.
type Competition struct {
	ID             ID
	Season         int   // the year in which it starts (D33)
	Current        *bool // nil: current where it is the highest season
	Name           string
	Logo           string
	Type           CompetitionType
	Stage          Stage
	Timezone       string // IANA name
	OrganizationID ID
	Gender         Gender
	Completed      bool
	EndsAt         time.Time // zero: none; UTC
	Visibility     Visibility
	ParentID       ID     // the competition whose playoff or playout this is, empty: none
	Format         Format // empty: league
	Groups         []Group
	Rules          Rules
	Withdrawals    []Withdrawal // at most one of a team
}

// HasTable reports whether the season has a table of its own, if a dataset gives none: the
// rules may want none, and a knockout has ties (D81).
func (c *Competition) HasTable() bool { return !c.Rules.NoTable && c.Format != FormatKnockout }

// Group is a group of a competition's season.
type Group struct {
	ID    ID
	Key   string `dynamodbav:",omitempty"` // the operator's own, empty: not known
	Name  string
	Order int
}

// Team is one club's entry in one competition and season, or, without a
// competition, a team that plays friendlies.
type Team struct {
	ID             ID
	Name           string
	ShortName      string
	Logo           string
	OrganizationID ID // empty: none
	CompetitionID  ID // empty: none
	Season         int
	GroupID        ID // empty: none
	Gender         Gender
	Status         Status
	Visibility     Visibility
	StartingPoints int
	Seed           int
}

// Player belongs to one team entry.
type Player struct {
	ID         ID
	Name       string
	TeamID     ID
	Number     int // 0: unknown
	Position   Position
	Photo      string // URL, empty: none
	Status     Status
	Visibility Visibility
	// FormerNumbers are those that the player had before, in the order of time. Line-ups
	// of finished matches that give no number show the one of their day.
	FormerNumbers []FormerNumber
}

// FormerNumber is a number that a player had until a time.
type FormerNumber struct {
	Number int
	Until  int64 // Unix milliseconds; a match that kicks off then has the next
}

// NumberAt is the number that the player had at the kick-off of a match.
func (p *Player) NumberAt(kickoff time.Time) int {
	for _, f := range p.FormerNumbers {
		if kickoff.UnixMilli() < f.Until {
			return f.Number
		}
	}
	return p.Number
}

// Score counts goals or scored penalties of the two sides.
type Score struct {
	Home int
	Away int
}

// Match is a fixture, played or not.
type Match struct {
	ID            ID
	CompetitionID ID // empty: a friendly
	Season        int
	Status        MatchStatus
	Kickoff       time.Time // UTC, milliseconds
	// KickoffTimeOpen: the day is known, the hour is not; Kickoff is then its midnight (D82).
	KickoffTimeOpen bool
	HomeTeamID      ID
	AwayTeamID      ID
	Score           *Score // includes extra time, not the shoot-out; nil: none given
	Penalties       *Score // the shoot-out; nil: none
	ExtraTime       bool
	Leg             int // 1, 2; 0: none
	TwoLegs         bool
	Winner          Winner // as given, or computed (D44); never empty
	Points          *Score // in the place of those by the result; nil: none. May be negative
	SetPoints       *Score // the points of all sets together, where the score counts sets, or the sets, where it counts matches; nil: none given
	TieWinner       Side   // who goes on, of the last leg of a tie, as given (D55); empty: not given
	WinnerGiven     bool   // the record gives the winner that score or shoot-out have, too (D79)
	Round           int
	GroupID         ID // empty: none
	Visibility      Visibility
	Lineups         *Lineups
	Events          []Event
	Statistics      *MatchStatistics
}

// Involved are the players that the line-ups list or the events name, each as often
// as they do.
func (m *Match) Involved() []ID {
	var players []ID
	if m.Lineups != nil {
		for _, entries := range m.Lineups.Lists() {
			for _, e := range entries {
				if e.PlayerID != "" {
					players = append(players, e.PlayerID)
				}
			}
		}
	}
	for _, e := range m.Events {
		players = append(players, e.Players()...)
	}
	return players
}

// Lineups are the two squads of a match.
type Lineups struct {
	Confirmed bool // false: shown as not published (D45)
	Home      Squad
	Away      Squad
}

// Lists are those of the players: who starts and who is on the bench, at home and away.
func (l *Lineups) Lists() [4][]LineupEntry {
	return [...][]LineupEntry{l.Home.Starting, l.Home.Bench, l.Away.Starting, l.Away.Bench}
}

// Squad is one side's line-up.
type Squad struct {
	Formation string
	Coach     string
	Starting  []LineupEntry
	Bench     []LineupEntry
}

// LineupEntry is one player of a squad. It is stored by the places of its fields, like all
// details of a match: a new field comes last, so that what is stored stays readable.
type LineupEntry struct {
	PlayerID ID // empty: a player who is not named (D64)
	Captain  bool
	Position Position
	Grid     string // "row:col", empty: none
	Number   int    // in this match; 0: that of the player
}

// Event is something that happened in a match, in the order of the record. As given,
// it may be without an id and a period, which follow from the rest. As in a LineupEntry,
// a new field comes last.
type Event struct {
	ID          ID
	Type        EventType
	Detail      EventDetail
	Period      Period // empty: that of its minute (Clock.Of)
	Minute      int
	ExtraMinute int  // 0: none
	Side        Side // the side credited; empty for period events (D45), and for a timeout of nobody
	PlayerID    ID   // the own goal's scorer plays for the other side
	AssistID    ID
	PlayerInID  ID
	PlayerOutID ID
	Minutes     int // of a suspension; 0: not known
}

// Players are those whom an event names.
func (e *Event) Players() []ID {
	return slices.DeleteFunc([]ID{e.PlayerID, e.AssistID, e.PlayerInID, e.PlayerOutID}, func(id ID) bool { return id == "" })
}

// MatchStatistics are the two sides' figures, whole and by period.
type MatchStatistics struct {
	Home    StatLine
	Away    StatLine
	Periods []PeriodStatistics
}

// PeriodStatistics are the figures of one period.
type PeriodStatistics struct {
	Period Period
	Home   StatLine
	Away   StatLine
}

// StatLine is one side's figures; nil is not known.
type StatLine struct {
	Possession      *int
	Shots           *int
	ShotsOnTarget   *int
	ShotsOffTarget  *int
	BlockedShots    *int
	Corners         *int
	Offsides        *int
	Fouls           *int
	YellowCards     *int
	RedCards        *int
	Saves           *int
	Passes          *int
	PassesCompleted *int
	Penalties       *int
}

// GivenTable is a record of standings.ndjson: it replaces a computed table.
type GivenTable struct {
	CompetitionID ID
	Season        int
	Table         TableName
	Rows          []GivenRow
}

// GivenRow is a row of a given table.
type GivenRow struct {
	TeamID                   ID
	Rank                     int
	Played, Won, Drawn, Lost int
	GoalsFor, GoalsAgainst   int
	Points                   int
	StartingPoints           int
	GroupID                  ID // empty: none
}
