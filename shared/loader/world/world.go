// Package world is the part of the federation that a load touches, in two views:
// Before, as the table holds it, and After, as it will be once the load is done.
//
// Entities hold the records of a kind by id, members which of them belong
// together (the matches of a team, the children of an organization). Each has
// what the table holds and, apart from that, what the load changes; a view is
// read from both. A Fetcher fills them from the table; nothing is looked up
// implicitly, and what was not fetched counts as not existing.
//
// What follows from records without a place in the table of its own is computed
// here as well: which keys see an organization (hierarchy.go), who is shown at all
// (visible.go), which season of a competition is the current one (current.go), the
// matches of which seasons show a player (detail.go), and what a match adds to
// statistics (outcome.go).
//
// # Invariants
//
//   - What a Fetcher brought into the view before is never changed, but for the
//     details of a match, which it adds later (Details).
//   - A record is fetched at most once, unless it is forgotten (Entities.Forget).
package world

import (
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"touchline/shared/dataset"
	"touchline/shared/sport"
	"touchline/shared/statistics"
	"touchline/shared/store/records"
)

// View is a moment of the world: what the table holds, or what it will hold.
type View int

const (
	Before View = iota
	After
)

// SeasonID is the identity of a competition's season.
type SeasonID = records.CompetitionSeason

type World struct {
	Organizations Entities[sport.ID, Organization]
	Competitions  Entities[SeasonID, Competition]
	Teams         Entities[sport.ID, Team]
	Players       Entities[sport.ID, Player]
	Matches       Entities[sport.ID, Match]
	Tables        Entities[TableID, sport.GivenTable]

	Seasons       members[sport.ID, int]      // of a competition
	Children      members[sport.ID, sport.ID] // organizations that name one as a parent
	Owned         members[sport.ID, sport.ID] // competitions an organization owns, in any season
	OwnedTeams    members[sport.ID, sport.ID]
	Stages        members[sport.ID, sport.ID]   // the playoffs and playouts of a competition
	Entered       members[SeasonID, sport.ID]   // teams of a competition's season
	Played        members[SeasonID, sport.ID]   // matches of a competition's season
	Squads        members[sport.ID, sport.ID]   // players of a team
	HiddenPlayers members[sport.ID, sport.ID]   // of a club, as stored
	Fixtures      members[sport.ID, sport.ID]   // matches of a team
	Named         members[sport.ID, TableID]    // given tables with a row of a team
	appearances   members[sport.ID, appearance] // of a player, in matches that show it

	// entries are stored matches as the lists of teams hold them.
	entries map[sport.ID]*records.MatchEntry
	// Names are players as a competition's list holds them.
	Names map[sport.ID]records.PlayerEntry

	// What the table holds of what is added up: of a match, and of a player by match.
	contributed map[sport.ID]statistics.Contribution
	Performed   map[sport.ID]map[sport.ID]records.PerformanceEntry

	affected   Set[sport.ID]                        // matches
	outcomes   *simplelru.LRU[outcomeKey, *Outcome] // of the affected matches, those used last
	Performing map[sport.ID][]sport.ID              // affected matches by player

	read   Set[string] // the names of lists and partitions that were read
	failed error       // the first
}

// Organization is an organization and what follows from those above it.
type Organization struct {
	sport.Organization
	Key   string     // the operator's own, empty: not known
	Reach []sport.ID // records.Scope.Reach
	Leaf  bool       // records.OrganizationRecord.Leaf
	// Unseen: it is hidden or private, or all organizations above it are so (D68).
	Unseen bool
}

// Competition is a season of a competition.
type Competition struct {
	sport.Competition
	Key       string // the operator's own, empty: not known
	IsCurrent bool
	Unseen    bool // World.CompetitionUnseen
}

func (c *Competition) SeasonID() SeasonID { return SeasonID{ID: c.ID, Season: c.Season} }

// ParentSeason is the parent's season of the same number: from its table the teams of a
// child bring something along. Its id is empty where there is no parent.
func (c *Competition) ParentSeason() SeasonID { return SeasonID{ID: c.ParentID, Season: c.Season} }

// Tag is the part of the keys of the season's records that says which season.
func (c *Competition) Tag() records.Tag {
	if c.IsCurrent {
		return records.CurrentTag
	}
	return records.SeasonTag(c.Season)
}

// Team is a team entry.
type Team struct {
	sport.Team
	Key    string // the operator's own, empty: not known
	Unseen bool   // World.TeamUnseen
	// HidesPlayers: its players are named nowhere (World.HidesPlayers).
	HidesPlayers bool
}

func (t *Team) SeasonID() SeasonID { return SeasonID{ID: t.CompetitionID, Season: t.Season} }

// Player is a player, and the seasons whose matches show it.
type Player struct {
	sport.Player
	Key     string     // the operator's own, empty: not known
	Lineups []SeasonID // records.PlayerRecord.Lineups
}

// Match is a match; its line-ups, events and statistics are kept as stored.
type Match struct {
	sport.Match
	Key        string     // the operator's own, empty: not known
	Squad      []sport.ID // whom it shows: squadOf
	Detail     []byte     // nil: not read, see DetailHash
	DetailHash []byte     // empty: there are no line-ups, events or statistics
}

func (m *Match) SeasonID() SeasonID { return SeasonID{ID: m.CompetitionID, Season: m.Season} }

// TableID is the identity of a given table.
type TableID struct {
	SeasonID
	Table sport.TableName
}

// appearance is a player whom a match shows.
type appearance struct {
	SeasonID
	match sport.ID
}

func NewWorld() *World { return &World{outcomes: newOutcomes()} }

func DecodeOrganization(r *records.OrganizationRecord) *Organization {
	return &Organization{Organization: r.Given(), Key: r.Key, Reach: r.Reach, Leaf: r.Leaf, Unseen: r.Unseen}
}

func DecodeCompetition(r *records.CompetitionRecord) *Competition {
	return &Competition{Competition: r.Given(), Key: r.Key, IsCurrent: r.Current, Unseen: unseen(r.Scope, r.Visibility)}
}

func DecodeTeam(r *records.TeamRecord) *Team {
	return &Team{Team: r.Given(), Key: r.Key, Unseen: unseen(r.Scope, r.Visibility), HidesPlayers: r.HidesPlayers}
}

// unseen reports whether a record is hidden although it is public itself.
func unseen(s records.Scope, v sport.Visibility) bool { return s.Hidden && v == sport.Public }

func DecodePlayer(r *records.PlayerRecord) *Player {
	return &Player{Player: r.Given(), Key: r.Key, Lineups: r.Lineups}
}

func DecodeMatch(r *records.MatchRecord) *Match {
	return &Match{Match: r.Given(), Key: r.Key, Squad: r.Squad, DetailHash: r.DetailHash}
}

// DecodeOutcome is the match of a team's list as far as tables need it: of visibility
// only whether it counts.
func DecodeOutcome(e *records.MatchEntry) *sport.Match {
	m := DecodeMatch(&records.MatchRecord{Match: e.Match, Visibility: sport.Public}).Match
	if e.Private {
		m.Visibility = sport.Private
	}
	return &m
}

// Given is the record of a dataset that gives the entity. References are ids; values that are
// not the entity's are shared with it and may not be changed.
func (o *Organization) Given() *dataset.Record[sport.Organization] {
	return &dataset.Record[sport.Organization]{ID: o.ID, Key: o.Key, Value: o.Organization}
}

func (c *Competition) Given() *dataset.Record[sport.Competition] {
	return &dataset.Record[sport.Competition]{ID: c.ID, Key: c.Key, Value: c.Competition}
}

func (t *Team) Given() *dataset.Record[sport.Team] {
	return &dataset.Record[sport.Team]{ID: t.ID, Key: t.Key, Value: t.Team}
}

func (p *Player) Given() *dataset.Record[sport.Player] {
	return &dataset.Record[sport.Player]{ID: p.ID, Key: p.Key, Value: p.Player}
}

// Given needs the match's details; those of the record are its own.
func (m *Match) Given() (*dataset.Record[dataset.Match], error) {
	full, err := m.Full()
	return &dataset.Record[dataset.Match]{ID: m.ID, Key: m.Key, Value: dataset.Match{Base: full}}, err
}

// GivenTable is the record that gives the table.
func GivenTable(t *sport.GivenTable) *dataset.Record[sport.GivenTable] {
	return &dataset.Record[sport.GivenTable]{Value: *t}
}
