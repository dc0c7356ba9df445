package records

import (
	"strings"

	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/space"
)

// The two tables of this file say of each list and of each kind of item what the
// loader and the reader do with it. Whoever adds one adds its row.

// listRow is what there is to know of a list.
type listRow struct {
	name    string // begins the names of its lists, before the first dot
	entries string // the schema of its entries (schemas.go)
	by      string // what follows in the name
	live    bool   // may show a match that is being played (D10)
	// parts: its variants are parts of it (pagedlist.Schema.Part), which have lists
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
	childrenList:          {"od", "organization", "type, parent, order, variant", false, false},
	childrenWithin:        {"oc", "organization", "type, parent, other, order, variant", false, false},
	organizationsBelow:    {"ob", "organization", "type, range, order, variant", false, false},
	rangeSize:             {"on", "id", "range", false, false},
	tree:                  {"tree", "tree", "root", false, false},
	competitionsOf:        {"co", "competition", "owner, order, variant", false, true},
	competitionsBelow:     {"cb", "competition", "range, order, variant", false, true},
	competitionsEntered:   {"ce", "competition", "club, range, order, variant", false, false},
	teamsOf:               {"to", "team", "owner, order, variant", false, true},
	teamsBelow:            {"tb", "team", "range, order, variant", false, true},
	teamsEntered:          {"te", "team", "competition, range, order, variant", false, false},
	playersOf:             {"po", "player", "owner, order, variant", false, true},
	playersBelow:          {"pb", "player", "range, order, variant", false, true},
	playersEntered:        {"pe", "player", "competition, range, order, variant", false, false},
	playersOfTeam:         {"pt", "player", "team, order, variant", false, false},
	squad:                 {"sq", "player", "team", false, false},
	tournamentTeams:       {"kt", "team", "competition, season", false, false},
	tournamentPlayers:     {"kp", "player", "competition, season", false, false},
	tournamentMatches:     {"km", "match", "competition, season, state", true, true},
	teamMatches:           {"tm", "match", "team, state", true, true},
	topScorers:            {"ks", "scorer", "competition, season, ranking", false, false},
	cards:                 {"kd", "card", "competition, season, ranking", false, false},
	playerMatches:         {"pm", "performance", "player", true, false},
	clubEntries:           {"ct", "club entry", "club", false, false},
	contributions:         {"xb", "contribution", "competition, season", false, false},
	friendlyContributions: {"xf", "contribution", "team", false, false},
	everything:            {"x", "id", "kind; x.table has given tables", false, false},
	tablesNaming:          {"xr", "table", "team", false, false},
	childIndex:            {"xo", "id", "organization", false, false},
	ownedCompetitions:     {"xk", "id", "organization", false, false},
	ownedTeams:            {"xt", "id", "organization", false, false},
	childCompetitions:     {"xc", "id", "competition", false, false},
	lineupPlayers:         {"xl", "lineup", "competition, season", false, false},
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
	pk, sk string // of its keys, without the space; a star stands for what varies
	live   bool   // may show a match that is being played (D10)
}

// items are the kinds of items, all but those of lists. The first row that a key
// fits is its own.
var items = [...]itemRow{
	{"organization", "O#*", single, false},
	{"team", "T#*", single, false},
	{"fixtures of a team", "T#*", FixturesPrefix + "*", true},
	{"seasons of a team", "T#*", "*", false},
	{"player", "P#*", single, false},
	{"seasons of a player", "P#*", "*", false},
	{"match and its parts", "M#*", "*", true},
	{"tables of a season", "C#*", "*" + tableSuffix, true},
	{"statistics of a season", "C#*", "*" + statisticsSuffix, true},
	{"competition", "C#*", "*", false},
	{"state of the loader", loadPK, "*", false},
}

// item returns the row of a key; nil where it is of a list.
func item(key store.Key) *itemRow {
	pk := strings.TrimPrefix(key.PK, space.Prefix)
	for i := range items {
		if fits(items[i].pk, pk) && fits(items[i].sk, key.SK) {
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
	if list, ok := pagedlist.ListIn(key.PK); ok {
		row := rowOf(list)
		return row != nil && row.live
	}
	row := item(key)
	return row != nil && row.live
}

// IsListPart reports whether key is of a part of a list that its head names.
func IsListPart(key store.Key) bool {
	_, list := pagedlist.ListIn(key.PK)
	return list && !pagedlist.IsHead(key)
}
