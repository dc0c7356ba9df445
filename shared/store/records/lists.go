package records

import (
	"encoding/binary"
	"strings"

	"touchline/shared/sport"
)

// The lists of the Sports table. Each holds the fields of its entries, so that
// a page is read from the list alone.
//
// An organization list exists for the organization itself (Direct: its children
// or what it owns) and for its range (Below: everything below it over public
// organizations and, but for organizations, its own). An organization without
// public children has no range lists: what it owns is all there is (Leaf).
// Filters by organization are ranges too: "below A, filtered by X below A" is
// the range of X, and where neither is below the other, the range of both
// (RangeOf), which only organizations with several parents are in. Filters by
// competition, team or entered club have lists per range as well.
//
// Every organization list is there in two orders, by id and by name; -id and
// -name read them from the end. Its variants by status are lists of their own,
// since few entries of many may have that status; what else can be filtered by
// (season, gender, an end date, status where there is no variant) is in the
// entries' facets, which the list's index counts.

// Range names what lies below one organization, or below each of two or three
// none of which is below another.
type Range string

// RangeOf is the range below all of the given organizations, which must be in
// ascending order.
func RangeOf(ids ...sport.ID) Range {
	parts := make([]string, len(ids))
	for i, id := range ids {
		parts[i] = string(id)
	}
	return Range(strings.Join(parts, "+"))
}

// Order is the order of an organization list.
type Order string

// The orders of the sort parameter, read forward; D15.
const (
	ByID   Order = "id"
	ByName Order = "name"
)

// Variant is a part of a list that is a list of its own; empty is the whole.
type Variant string

// All is the whole of a list.
const All Variant = ""

// The variants of competition lists. An open competition is active while its
// end is not past, which its facet says (D18).
const (
	Open      Variant = "open"
	Completed Variant = "completed"
)

func listID(parts ...string) string { return strings.Join(parts, ".") }

func ordered(name string, what string, order Order, variant Variant) string {
	return listID(name, what, string(order), string(variant))
}

// ChildrenList lists the children of an organization that are of a type, over
// primary and additional parents.
func ChildrenList(t sport.OrganizationType, parent sport.ID, order Order, variant Variant) string {
	return ordered("od."+string(t), string(parent), order, variant)
}

// ChildrenWithin lists the children of an organization that are of a type and
// also below another, which the parent itself is not below: they have several
// parents.
func ChildrenWithin(t sport.OrganizationType, parent, other sport.ID, order Order, variant Variant) string {
	return ordered("oc."+string(t)+"."+string(parent), string(other), order, variant)
}

// OrganizationsBelow lists the organizations of a type in a range.
func OrganizationsBelow(t sport.OrganizationType, r Range, order Order, variant Variant) string {
	return ordered("ob."+string(t), string(r), order, variant)
}

// RangeSizeList lists every organization in a range but the range's own; its
// total is the size that 422 scopeTooLarge counts, less one (D22).
func RangeSizeList(r Range) string { return listID("on", string(r)) }

// TreeList lists up to three levels below an organization over primary
// parents, breadth first (D23).
func TreeList(root sport.ID) string { return listID("tree", string(root)) }

// CompetitionsOf lists the current seasons of the competitions an organization
// owns.
func CompetitionsOf(owner sport.ID, order Order, variant Variant) string {
	return ordered("co", string(owner), order, variant)
}

// CompetitionsBelow lists the current seasons of the competitions owned in a
// range.
func CompetitionsBelow(r Range, order Order, variant Variant) string {
	return ordered("cb", string(r), order, variant)
}

// CompetitionsEntered lists the current seasons of the competitions of a range
// that a team of the club, or of an organization below it, is entered in, or
// that one of these owns (D21).
func CompetitionsEntered(club sport.ID, r Range, order Order) string {
	return ordered("ce."+string(club), string(r), order, All)
}

// TeamsOf lists the team entries an organization owns.
func TeamsOf(owner sport.ID, order Order, variant Variant) string {
	return ordered("to", string(owner), order, variant)
}

// TeamsBelow lists the team entries owned in a range.
func TeamsBelow(r Range, order Order, variant Variant) string {
	return ordered("tb", string(r), order, variant)
}

// TeamsEntered lists the team entries owned in a range that are entered in a
// competition.
func TeamsEntered(competition sport.ID, r Range, order Order) string {
	return ordered("te."+string(competition), string(r), order, All)
}

// PlayersOf lists the players of the teams an organization owns.
func PlayersOf(owner sport.ID, order Order, variant Variant) string {
	return ordered("po", string(owner), order, variant)
}

// PlayersBelow lists the players of the teams owned in a range.
func PlayersBelow(r Range, order Order, variant Variant) string {
	return ordered("pb", string(r), order, variant)
}

// PlayersEntered lists the players of the teams owned in a range that belong
// to a competition: their team is entered, or they are in a line-up.
func PlayersEntered(competition sport.ID, r Range, order Order) string {
	return ordered("pe."+string(competition), string(r), order, All)
}

// PlayersOfTeam lists a team's players in an order of organization lists.
func PlayersOfTeam(team sport.ID, order Order) string {
	return ordered("pt", string(team), order, All)
}

// Squad lists a team's players by number, then id (D15).
func Squad(team sport.ID) string { return listID("sq", string(team)) }

// TournamentTeams lists the teams of a competition's season by name, then id.
func TournamentTeams(competition sport.ID, tag Tag) string {
	return listID("kt", string(competition), string(tag))
}

// TournamentPlayers lists the players of a competition's season by name, then
// id.
func TournamentPlayers(competition sport.ID, tag Tag) string {
	return listID("kp", string(competition), string(tag))
}

// TournamentMatches lists the matches of a competition's season by kickoff,
// then id; variants are match states.
func TournamentMatches(competition sport.ID, tag Tag, variant Variant) string {
	return listID("km", string(competition), string(tag), string(variant))
}

// TeamMatches lists a team's matches by kickoff, then id; variants are match
// states.
func TeamMatches(team sport.ID, variant Variant) string {
	return listID("tm", string(team), string(variant))
}

// Ranking is a ranking of a competition's season.
type Ranking string

// The rankings: of players by goals, assists, appearances and cards, and of
// teams by cards.
const (
	RankGoals       Ranking = "goals"
	RankAssists     Ranking = "assists"
	RankAppearances Ranking = "appearances"
	RankPlayerCards Ranking = "player"
	RankTeamCards   Ranking = "team"
)

// TopScorers lists the players of a competition's season with a value above 0,
// by rank (D27, D41).
func TopScorers(competition sport.ID, tag Tag, by Ranking) string {
	return listID("ks", string(competition), string(tag), string(by))
}

// Cards lists the players of a competition's season with a card, or all its
// teams, by rank (D27, D41).
func Cards(competition sport.ID, tag Tag, of Ranking) string {
	return listID("kd", string(competition), string(tag), string(of))
}

// PlayerMatches lists a player's part in the matches it was listed or named in,
// by kickoff, then match id; hidden ones for the loader.
func PlayerMatches(player sport.ID) string { return listID("pm", string(player)) }

// ClubEntries lists a club's team entries, the most recent first: by season and
// competition id, both descending, then id (D44); hidden ones flagged.
func ClubEntries(club sport.ID) string { return listID("ct", string(club)) }

// Contributions lists what the finished matches of a competition's season add
// to its statistics; the loader's own.
func Contributions(c CompetitionSeason) string {
	return listID("xb", string(c.ID), string(SeasonTag(c.Season)))
}

// FriendlyContributions lists what a team's finished friendlies add to its
// statistics; the loader's own.
func FriendlyContributions(team sport.ID) string { return listID("xf", string(team)) }

// The loader's own lists: which records there are, whatever their visibility.

// Everything lists the ids of all records of a kind.
func Everything(kind sport.Kind) string { return listID("x", string(kind)) }

// EveryTable lists the tables given.
const EveryTable = "x.table"

// TablesNaming lists the tables given that have a row of a team.
func TablesNaming(team sport.ID) string { return listID("xr", string(team)) }

// ChildIndex lists the ids of the organizations that name one as a parent.
func ChildIndex(organization sport.ID) string { return listID("xo", string(organization)) }

// OwnedCompetitions lists the ids of the competitions an organization owns, in
// any season.
func OwnedCompetitions(organization sport.ID) string { return listID("xk", string(organization)) }

// OwnedTeams lists the ids of the teams an organization owns, in any season.
func OwnedTeams(organization sport.ID) string { return listID("xt", string(organization)) }

// ChildCompetitions lists the playoffs and playouts of a competition.
func ChildCompetitions(competition sport.ID) string { return listID("xc", string(competition)) }

// LineupPlayers lists who is in the line-ups of a competition's season.
func LineupPlayers(c CompetitionSeason) string {
	return listID("xl", string(c.ID), string(SeasonTag(c.Season)))
}

// TeamEntry is an entry of a team list. In tournament lists hidden teams are
// there too, with a facet that keeps them from every answer: the loader needs
// them for the table (D40).
type TeamEntry struct {
	Team
	Hidden bool `dynamodbav:"hi,omitempty"`
}

// PlayerEntry is an entry of a player list. In squads hidden players are there
// too, as in tournament lists hidden teams.
type PlayerEntry struct {
	Player
	Season   int  `dynamodbav:"se,omitempty"` // of the team's competition
	Inactive bool `dynamodbav:"in,omitempty"`
	Hidden   bool `dynamodbav:"hi,omitempty"`
}

// MatchEntry is an entry of a match list; hidden matches as in TeamEntry.
type MatchEntry struct {
	Match
	Hidden bool `dynamodbav:"hi,omitempty"`
	// Private: hidden by its own visibility, so that it does not count for a
	// table either. A match hidden with a team does (D40).
	Private bool `dynamodbav:"pv,omitempty"`
}

// IDEntry is an entry of a loader's list.
type IDEntry struct {
	ID sport.ID `dynamodbav:"i"`
}

// LineupEntry is an entry of LineupPlayers: one player in one match.
type LineupEntry struct {
	Player sport.ID `dynamodbav:"p"`
	Match  sport.ID `dynamodbav:"m"`
}

// TableEntry is an entry of EveryTable.
type TableEntry struct {
	Competition sport.ID        `dynamodbav:"k"`
	Season      int             `dynamodbav:"s"`
	Table       sport.TableName `dynamodbav:"t"`
}

// IDKey is the place of an id in a list by id.
func IDKey(id sport.ID) []byte { return []byte(id) }

// KickoffKey is the place of a match in a list by kickoff, then id: eight bytes
// of time that order as signed numbers do, and the id. With an empty id it is
// the lower bound of all matches at that time.
func KickoffKey(kickoff int64, id sport.ID) []byte {
	key := binary.BigEndian.AppendUint64(make([]byte, 0, 8+len(id)), uint64(kickoff)^(1<<63)) //nolint:gosec // the bits are meant, not the number
	return append(key, id...)
}

// NumberKey is the place of a player in a squad: number, then id.
func NumberKey(number int, id sport.ID) []byte {
	key := binary.BigEndian.AppendUint32(make([]byte, 0, 4+len(id)), uint32(number)) //nolint:gosec // a dataset's numbers fit, dataset refuses others
	return append(key, id...)
}
