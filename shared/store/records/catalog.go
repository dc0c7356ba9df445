package records

import (
	"strings"

	"touchline/shared/store"
)

// The two tables of this file say of each list and of each kind of item what the
// loader and the reader do with it. Whoever adds one adds its row.

// Role is what a list is to the loader.
type Role int

// The roles. The loader writes a list that it reads itself only once everything
// computed from it is written: a load that is repeated must find the same state
// before, or nothing left to do.
const (
	// Shown lists are only read by requests.
	Shown Role = iota
	// Known lists show the loader what the table holds.
	Known
	// Finding lists do too, and by them the loader finds the records that show
	// something of an entity: it leaves them after those records are written.
	Finding
)

// listRow is what there is to know of a list.
type listRow struct {
	name    string // begins the names of its lists, before the first dot
	entries string // the kind of its entries (kinds.go)
	by      string // what follows in the name
	role    Role
	live    bool // may show a match that is being played (D10)
	// parts: its variants are parts of it (pagedlist.Kind.Part), which have lists
	// of their own only while the whole list has chunks.
	parts bool
}

type listID int

const (
	childrenList listID = iota
	childrenWithin
	organizationsBelow
	rangeSize
	tree
	competitionsOf
	competitionsBelow
	competitionsEntered
	teamsOf
	teamsBelow
	teamsEntered
	playersOf
	playersBelow
	playersEntered
	playersOfTeam
	squad
	tournamentTeams
	tournamentPlayers
	tournamentMatches
	teamMatches
	topScorers
	cards
	playerMatches
	clubEntries
	contributions
	friendlyContributions
	everything
	tablesNaming
	childIndex
	ownedCompetitions
	ownedTeams
	childCompetitions
	lineupPlayers
)

var lists = [...]listRow{
	childrenList:        {"od", "organization", "type, parent, order, variant", Shown, false, false},
	childrenWithin:      {"oc", "organization", "type, parent, other, order, variant", Shown, false, false},
	organizationsBelow:  {"ob", "organization", "type, range, order, variant", Shown, false, false},
	rangeSize:           {"on", "id", "range", Shown, false, false},
	tree:                {"tree", "tree", "root", Shown, false, false},
	competitionsOf:      {"co", "competition", "owner, order, variant", Shown, false, true},
	competitionsBelow:   {"cb", "competition", "range, order, variant", Shown, false, true},
	competitionsEntered: {"ce", "competition", "club, range, order, variant", Shown, false, false},
	teamsOf:             {"to", "team", "owner, order, variant", Shown, false, true},
	teamsBelow:          {"tb", "team", "range, order, variant", Shown, false, true},
	teamsEntered:        {"te", "team", "competition, range, order, variant", Shown, false, false},
	playersOf:           {"po", "player", "owner, order, variant", Shown, false, true},
	playersBelow:        {"pb", "player", "range, order, variant", Shown, false, true},
	playersEntered:      {"pe", "player", "competition, range, order, variant", Shown, false, false},
	playersOfTeam:       {"pt", "player", "team, order, variant", Shown, false, false},
	squad:               {"sq", "player", "team", Finding, false, false},
	tournamentTeams:     {"kt", "team", "competition, season", Finding, false, false},
	// Who of a competition's players was there by a line-up is known by the
	// match that has it.
	tournamentPlayers:     {"kp", "player", "competition, season", Known, false, false},
	tournamentMatches:     {"km", "match", "competition, season, state", Finding, true, true},
	teamMatches:           {"tm", "match", "team, state", Finding, true, true},
	topScorers:            {"ks", "scorer", "competition, season, ranking", Shown, false, false},
	cards:                 {"kd", "card", "competition, season, ranking", Shown, false, false},
	playerMatches:         {"pm", "performance", "player", Finding, true, false},
	clubEntries:           {"ct", "club entry", "club", Shown, false, false},
	contributions:         {"xb", "contribution", "competition, season", Finding, false, false},
	friendlyContributions: {"xf", "contribution", "team", Finding, false, false},
	everything:            {"x", "id", "kind; x.table has given tables", Finding, false, false},
	tablesNaming:          {"xr", "table", "team", Finding, false, false},
	childIndex:            {"xo", "id", "organization", Finding, false, false},
	ownedCompetitions:     {"xk", "id", "organization", Finding, false, false},
	ownedTeams:            {"xt", "id", "organization", Finding, false, false},
	childCompetitions:     {"xc", "id", "competition", Finding, false, false},
	lineupPlayers:         {"xl", "lineup", "competition, season", Finding, false, false},
}

// rowOf returns the row of a list; nil where no list has that name.
func rowOf(list string) *listRow {
	name, _, _ := strings.Cut(list, ".")
	for i := range lists {
		if lists[i].name == name {
			return &lists[i]
		}
	}
	return nil
}

// RoleOf is what a list is to the loader.
func RoleOf[T any](l List[T]) Role {
	if row := rowOf(string(l)); row != nil {
		return row.role
	}
	return Shown
}

// HasParts reports whether a list is a whole one that has parts.
func HasParts(list string) bool {
	row := rowOf(list)
	return row != nil && row.parts && strings.HasSuffix(list, ".")
}

// WholeOf is the list that a list is a part of; empty if it is not a part.
func WholeOf(list string) string {
	if row := rowOf(list); row == nil || !row.parts || strings.HasSuffix(list, ".") {
		return ""
	}
	return list[:strings.LastIndexByte(list, '.')+1]
}

// itemRow is what there is to know of a kind of item.
type itemRow struct {
	what   string
	pk, sk string // of its keys; a star stands for what varies
	live   bool   // may show a match that is being played (D10)
	// refers is the item's place in the order of references: what refers to
	// others is written before them. 0: derived from records, refers to nothing.
	refers int
}

// The order of references.
const (
	_ = iota
	matchesRefer
	playersRefer
	teamsRefer
	competitionsRefer
	organizationsRefer
)

// items are the kinds of items, all but those of lists. The first row that a key
// fits is its own.
var items = [...]itemRow{
	{"organization", "O#*", single, false, organizationsRefer},
	{"team", "T#*", single, false, teamsRefer},
	{"fixtures of a team", "T#*", FixturesPrefix + "*", true, teamsRefer},
	{"seasons of a team", "T#*", "*", false, teamsRefer},
	{"player", "P#*", single, false, playersRefer},
	{"seasons of a player", "P#*", "*", false, playersRefer},
	{"match and its parts", "M#*", "*", true, matchesRefer},
	{"tables of a season", "C#*", "*" + tableSuffix, true, competitionsRefer},
	{"statistics of a season", "C#*", "*" + statisticsSuffix, true, competitionsRefer},
	{"competition", "C#*", "*", false, competitionsRefer},
	{"state of the loader", loadPK, "*", false, 0},
}

// item returns the row of a key; nil where it is of a list.
func item(key store.Key) *itemRow {
	for i := range items {
		if fits(items[i].pk, key.PK) && fits(items[i].sk, key.SK) {
			return &items[i]
		}
	}
	return nil
}

// fits reports whether s is pattern, in which at most one star stands for
// anything.
func fits(pattern, s string) bool {
	begin, end, star := strings.Cut(pattern, "*")
	if !star {
		return s == pattern
	}
	return len(s) >= len(begin)+len(end) && strings.HasPrefix(s, begin) && strings.HasSuffix(s, end)
}

// ShowsLive reports whether a match that is being played may be in the item at
// key.
func ShowsLive(key store.Key) bool {
	if list, ok := strings.CutPrefix(key.PK, listPrefix); ok {
		row := rowOf(list)
		return row != nil && row.live
	}
	row := item(key)
	return row != nil && row.live
}

// IsListPart reports whether key is of a part of a list that its head names.
func IsListPart(key store.Key) bool {
	return strings.HasPrefix(key.PK, listPrefix) && key.SK != "H"
}

// ReferenceOrder is the place of an item in the order in which what refers to
// others comes before them: matches, players, teams, competitions, organizations.
func ReferenceOrder(key store.Key) int {
	if row := item(key); row != nil {
		return row.refers
	}
	return 0
}
