package records

import (
	"slices"

	"touchline/shared/sport"
	"touchline/shared/statistics"
)

// Records of what a match, a competition's season, a team and a player add up
// to. All of them are computed by the loader.

// LineupsRecord are a match's published line-ups; there isn't one where they are
// not published (D45).
type LineupsRecord struct {
	Home SquadRecord `dynamodbav:"h"`
	Away SquadRecord `dynamodbav:"a"`
}

// SquadRecord is one side's line-up, without hidden players (D40).
type SquadRecord struct {
	Formation string         `dynamodbav:"f,omitempty"`
	Coach     string         `dynamodbav:"c,omitempty"`
	Starting  []LineupPlayer `dynamodbav:"s,omitempty"`
	Bench     []LineupPlayer `dynamodbav:"b,omitempty"`
}

// LineupPlayer is one player of a line-up; without an ID one who is not named (D64,
// D75). In and Out are minutes of the match, nil: did not come on, was not taken or
// sent off.
type LineupPlayer struct {
	PlayerRef
	Shirt   int            `dynamodbav:"sh,omitempty"` // number in this match; 0: that of the player
	Captain bool           `dynamodbav:"cp,omitempty"`
	Role    sport.Position `dynamodbav:"ro,omitempty"` // position in this match
	Grid    string         `dynamodbav:"gr,omitempty"`
	In      *int           `dynamodbav:"in,omitempty"`
	Out     *int           `dynamodbav:"ou,omitempty"`
}

// EventsRecord are a match's events in order.
type EventsRecord struct {
	Events []MatchEvent `dynamodbav:"e,omitempty"`
}

// MatchEvent is one event. Its players are nil if there isn't one, or one that
// is not to be named (D40).
type MatchEvent struct {
	ID        sport.ID          `dynamodbav:"i"`
	Type      sport.EventType   `dynamodbav:"t"`
	Detail    sport.EventDetail `dynamodbav:"d,omitempty"`
	Period    sport.Period      `dynamodbav:"p"`
	Minute    int               `dynamodbav:"m"`
	Extra     int               `dynamodbav:"x,omitempty"`  // 0: none
	Minutes   int               `dynamodbav:"mi,omitempty"` // of a suspension; 0: not known
	Side      sport.Side        `dynamodbav:"s,omitempty"`  // empty for period events
	Player    *PlayerRef        `dynamodbav:"a,omitempty"`
	Assist    *PlayerRef        `dynamodbav:"b,omitempty"`
	PlayerIn  *PlayerRef        `dynamodbav:"pi,omitempty"`
	PlayerOut *PlayerRef        `dynamodbav:"pu,omitempty"`
	Score     *sport.Score      `dynamodbav:"sc,omitempty"` // after a goal
}

// FiguresRecord are the two sides' figures of a match; there isn't one where none
// were given.
type FiguresRecord struct {
	Home    sport.StatLine           `dynamodbav:"h"`
	Away    sport.StatLine           `dynamodbav:"a"`
	Periods []sport.PeriodStatistics `dynamodbav:"p,omitempty"`
}

// Seen is what the finished matches of a season add up to, as each key sees it: what a
// SeasonsRecord has of each.
type Seen[S any] struct {
	All S
	// Guests is what it is for keys that do not see all of it (D24): they see the team, or
	// the player's team, through its competition alone.
	Guests []Guest[S]
}

// Guest is what the keys in its scope see of a season.
type Guest[S any] struct {
	Scope
	Season S
}

// SeenBy is what a key of organization, with or without descendants, which sees
// the team or the player, sees of the season: the matches that are in its scope (D24).
func (s *Seen[S]) SeenBy(organization sport.ID, descendants bool) *S {
	for i := range s.Guests {
		if s.Guests[i].Contains(organization, descendants) {
			return &s.Guests[i].Season
		}
	}
	return &s.All
}

// PlayerSeason is what a player's finished matches of a season add up to.
type PlayerSeason struct {
	Totals       statistics.Figures
	Competitions []PlayerCompetition // by competition id, season, team id
}

// PlayerCompetition is what a player did in a competition's season with a team.
type PlayerCompetition struct {
	Competition CompetitionRef
	Team        TeamRef
	Totals      statistics.Figures
}

// TeamSeason is what a team's finished matches of a season add up to.
type TeamSeason struct {
	Overall       statistics.Record
	Home          statistics.Record
	Away          statistics.Record
	Form          []string // W, D, L; newest last; at most five
	StreakType    string
	StreakLength  int
	BiggestWin    *Match
	BiggestLoss   *Match
	GoalsFor      []int // by 15-minute band, six
	GoalsAgainst  []int
	Yellow        int
	SecondYellow  int
	Red           int
	ByCompetition []TeamCompetition // by competition id, then season
}

// TeamCompetition is what a team did in a competition's season.
type TeamCompetition struct {
	Competition CompetitionRef
	Overall     statistics.Record
}

// GroupsRecord are the groups of a competition's season: GroupsKey.
type GroupsRecord struct {
	Groups []GroupRecord `dynamodbav:"g,omitempty"` // by order, then id
}

// GroupRecord is one group, its teams by name, then id.
type GroupRecord struct {
	ID        sport.ID  `dynamodbav:"i"`
	Name      string    `dynamodbav:"n"`
	Order     int       `dynamodbav:"o"`
	Completed bool      `dynamodbav:"c,omitempty"` // D42
	Teams     []TeamRef `dynamodbav:"t,omitempty"`
}

// CompetitionStatisticsRecord is what a competition's season adds up to:
// StatisticsKey. The number of players is the total of TournamentPlayers.
type CompetitionStatisticsRecord struct {
	statistics.Numbers
	BiggestWin     *Match   `dynamodbav:",omitempty"`
	HighestScoring *Match   `dynamodbav:",omitempty"`
	LeadGoals      []Leader `dynamodbav:",omitempty"`
	LeadAssists    []Leader `dynamodbav:",omitempty"`
	LeadAppear     []Leader `dynamodbav:",omitempty"`
	LeadCards      []Leader `dynamodbav:",omitempty"`
}

// Leader is one of the first of a ranking.
type Leader struct {
	Rank   int       `dynamodbav:"k"`
	Player PlayerRef `dynamodbav:"p"`
	Team   TeamRef   `dynamodbav:"t"`
	Value  int       `dynamodbav:"v"`
}

// ScorerEntry is a row of a top scorer list.
type ScorerEntry struct {
	Rank         int       `dynamodbav:"k"`
	Player       PlayerRef `dynamodbav:"p"`
	Team         TeamRef   `dynamodbav:"t"`
	Value        int       `dynamodbav:"v"`
	Goals        int       `dynamodbav:"g,omitempty"`
	PenaltyGoals int       `dynamodbav:"pg,omitempty"`
	Assists      int       `dynamodbav:"as,omitempty"`
	Appearances  int       `dynamodbav:"ap,omitempty"`
}

// CardEntry is a row of a card list, of a player or, without one, of a team.
type CardEntry struct {
	Rank         int        `dynamodbav:"k"`
	Player       *PlayerRef `dynamodbav:"p,omitempty"`
	Team         TeamRef    `dynamodbav:"t"`
	Yellow       int        `dynamodbav:"y,omitempty"`
	SecondYellow int        `dynamodbav:"s,omitempty"`
	Red          int        `dynamodbav:"r,omitempty"`
	Total        int        `dynamodbav:"v,omitempty"`
	Appearances  int        `dynamodbav:"ap,omitempty"` // of a player
	Played       int        `dynamodbav:"pl,omitempty"` // of a team
}

// PerformanceEntry is what a player did in one match, an entry of PlayerMatches.
// What the match itself says is in its MatchRecord: a score that changes is not written
// once a player.
type PerformanceEntry struct {
	Match       sport.ID          `dynamodbav:"i"`
	Kickoff     int64             `dynamodbav:"ko"` // Unix milliseconds
	Season      int               `dynamodbav:"se,omitempty"`
	Status      sport.MatchStatus `dynamodbav:"st"`
	Competition sport.ID          `dynamodbav:"k,omitempty"` // empty: a friendly
	Team        sport.ID          `dynamodbav:"t"`
	Side        sport.Side        `dynamodbav:"sd"`
	Captain     bool              `dynamodbav:"cp,omitempty"`
	Started     bool              `dynamodbav:"sr,omitempty"`
	statistics.Figures
	Hidden bool `dynamodbav:"hi,omitempty"`
}

// ContributionEntry is what a finished match adds to the rankings and
// statistics of its competition's season; the loader's own.
type ContributionEntry struct {
	Match sport.ID
	// Facts are a statistics.Contribution without what repeats: the match, and in
	// each side's performances the team and the side.
	Facts statistics.Contribution
}

// NewContribution is the entry of a contribution.
func NewContribution(c statistics.Contribution) *ContributionEntry {
	e := &ContributionEntry{Match: c.MatchID, Facts: c}
	e.Facts.MatchID = ""
	e.Facts.Home.Performances = placed(c.Home.Performances, "", "")
	e.Facts.Away.Performances = placed(c.Away.Performances, "", "")
	return e
}

// Contribution is what the entry was made of.
func (e ContributionEntry) Contribution() statistics.Contribution {
	c := e.Facts
	c.MatchID = e.Match
	c.Home.Performances = placed(c.Home.Performances, c.Home.TeamID, sport.SideHome)
	c.Away.Performances = placed(c.Away.Performances, c.Away.TeamID, sport.SideAway)
	return c
}

// placed are copies of performances for a team and a side.
func placed(all []statistics.Performance, team sport.ID, side sport.Side) []statistics.Performance {
	all = slices.Clone(all)
	for i := range all {
		all[i].TeamID, all[i].Side = team, side
	}
	return all
}
