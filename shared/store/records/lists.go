package records

import (
	"slices"
	"strings"

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
)

// The lists of the Sports table. Each holds the fields of its entries, so that
// a page is read from the list alone.
//
// An organization list exists for the organization itself (Direct: its children
// or what it owns) and for its range (Below: everything below it over public
// organizations and, but for organizations, its own). An organization without
// public children has no range lists: what it owns is all there is (Leaf). They would be
// two more of some seventeen lists that a player is on.
// Filters by organization are ranges too: "below A, filtered by X below A" is
// the range of X. Where neither is below the other, what is below both has several
// parents, and is selected from the range of one. Filters by competition, team or
// entered club have lists per range as well.
//
// Every organization list is there in two orders, by id and by name; -id and
// -name read them from the end. What else can be filtered by (status, season, gender,
// an end date) is in the entries' facets, which the list's index counts.

// Order is the order of an organization list.
type Order string

// The orders of the sort parameter, read forward; D15.
const (
	ByID   Order = "id"
	ByName Order = "name"
)

// List is the name of a list whose entries are T. Only this file makes one.
type List[T any] string

// listName is the name of a list: what begins it, and its parameters.
func listName[T any](kind string, parameters ...string) List[T] {
	return List[T](kind + "." + strings.Join(parameters, "."))
}

// ChildrenList lists the children of an organization that are of a type, over
// primary and additional parents.
func ChildrenList(t sport.OrganizationType, parent sport.ID, order Order) List[Organization] {
	return listName[Organization]("od", string(t), string(parent), string(order))
}

// OrganizationsBelow lists the organizations of a type below another.
func OrganizationsBelow(t sport.OrganizationType, above sport.ID, order Order) List[Organization] {
	return listName[Organization]("ob", string(t), string(above), string(order))
}

// RangeSizeList lists every organization below another; its total is the size that 422
// scopeTooLarge counts, less one (D22).
func RangeSizeList(above sport.ID) List[IDEntry] { return listName[IDEntry]("on", string(above)) }

// TreeList lists up to three levels below an organization over primary
// parents, breadth first (D23).
func TreeList(root sport.ID) List[TreeNode] { return listName[TreeNode]("tree", string(root)) }

// Owned are the lists of what organizations own, of one kind.
type Owned[T any] struct{ of, below, entered string }

var (
	// Competitions are those of current seasons. Entered are those that a team of a club,
	// or of an organization below it, is entered in, or that one of these owns (D21).
	Competitions = Owned[Competition]{"co", "cb", "ce"}
	// Teams are team entries. Entered are those of a competition.
	Teams = Owned[TeamEntry]{"to", "tb", "te"}
	// Players are those of the teams that an organization owns. Entered are those who
	// belong to a competition: their team is entered, or they are in a line-up.
	Players = Owned[PlayerEntry]{"po", "pb", "pe"}
)

// Of lists what an organization itself owns.
func (o Owned[T]) Of(owner sport.ID, order Order) List[T] {
	return listName[T](o.of, string(owner), string(order))
}

// Below lists what is owned in the range of an organization.
func (o Owned[T]) Below(above sport.ID, order Order) List[T] {
	return listName[T](o.below, string(above), string(order))
}

// Entered lists what is owned in the range of an organization and entered by a club, or in
// a competition.
func (o Owned[T]) Entered(by, above sport.ID, order Order) List[T] {
	return listName[T](o.entered, string(by), string(above), string(order))
}

// PlayersOfTeam lists a team's players in an order of organization lists.
func PlayersOfTeam(team sport.ID, order Order) List[PlayerEntry] {
	return listName[PlayerEntry]("pt", string(team), string(order))
}

// Squad lists a team's players by number, then id (D15).
func Squad(team sport.ID) List[PlayerEntry] { return listName[PlayerEntry]("sq", string(team)) }

// TournamentTeams lists the teams of a competition's season by name, then id.
func TournamentTeams(competition sport.ID, tag Tag) List[TeamEntry] {
	return listName[TeamEntry]("kt", string(competition), string(tag))
}

// TournamentPlayers lists the players of a competition's season by name, then
// id.
func TournamentPlayers(competition sport.ID, tag Tag) List[PlayerEntry] {
	return listName[PlayerEntry]("kp", string(competition), string(tag))
}

// What begins the names of lists of matches, and of what a player did in them.
const (
	tournamentMatches = "km"
	teamMatches       = "tm"
	playerMatches     = "pm"
)

// TournamentMatches lists the matches of a competition's season by kickoff,
// then id.
func TournamentMatches(competition sport.ID, tag Tag) List[MatchEntry] {
	return listName[MatchEntry](tournamentMatches, string(competition), string(tag))
}

// TeamMatches lists a team's matches by kickoff, then id.
func TeamMatches(team sport.ID) List[MatchEntry] {
	return listName[MatchEntry](teamMatches, string(team))
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
func TopScorers(competition sport.ID, tag Tag, by Ranking) List[ScorerEntry] {
	return listName[ScorerEntry]("ks", string(competition), string(tag), string(by))
}

// Cards lists the players of a competition's season with a card, or all its
// teams, by rank (D27, D41).
func Cards(competition sport.ID, tag Tag, of Ranking) List[CardEntry] {
	return listName[CardEntry]("kd", string(competition), string(tag), string(of))
}

// PlayerMatches lists what a player did in the matches it was listed or named in,
// by kickoff, then match id; hidden ones for the loader.
func PlayerMatches(player sport.ID) List[PerformanceEntry] {
	return listName[PerformanceEntry](playerMatches, string(player))
}

// ClubEntries lists a club's team entries, the most recent first: by season and
// competition id, both descending, then id (D44); hidden ones flagged.
func ClubEntries(club sport.ID) List[TeamEntry] {
	return listName[TeamEntry]("ct", string(club))
}

// Contributions lists what the finished matches of a competition's season add
// to its statistics; the loader's own.
func Contributions(c CompetitionSeason) List[ContributionEntry] {
	return listName[ContributionEntry]("xb", string(c.ID), string(SeasonTag(c.Season)))
}

// FriendlyContributions lists what a team's finished friendlies add to its
// statistics; the loader's own.
func FriendlyContributions(team sport.ID) List[ContributionEntry] {
	return listName[ContributionEntry]("xf", string(team))
}

// The loader's own lists: which records there are, whatever their visibility.

// Everything lists the ids of all records of a kind.
func Everything(kind sport.Kind) List[IDEntry] { return listName[IDEntry]("x", string(kind)) }

// EveryTable lists the tables given.
const EveryTable List[TableEntry] = "x.table"

// TablesNaming lists the tables given that have a row of a team.
func TablesNaming(team sport.ID) List[TableEntry] {
	return listName[TableEntry]("xr", string(team))
}

// ChildOrganizations lists the ids of the organizations that name one as a parent.
func ChildOrganizations(organization sport.ID) List[IDEntry] {
	return listName[IDEntry]("xo", string(organization))
}

// OwnedCompetitions lists the ids of the competitions an organization owns, in
// any season.
func OwnedCompetitions(organization sport.ID) List[IDEntry] {
	return listName[IDEntry]("xk", string(organization))
}

// OwnedTeams lists the ids of the teams an organization owns, in any season.
func OwnedTeams(organization sport.ID) List[IDEntry] {
	return listName[IDEntry]("xt", string(organization))
}

// HiddenPlayers lists the ids of the players of a club's teams who are named nowhere: by it a
// load finds whether a name that it shows is hidden on another record (D89).
func HiddenPlayers(club sport.ID) List[IDEntry] { return listName[IDEntry]("xh", string(club)) }

// ChildCompetitions lists the playoffs and playouts of a competition.
func ChildCompetitions(competition sport.ID) List[IDEntry] {
	return listName[IDEntry]("xc", string(competition))
}

// LineupPlayers lists who is in the line-ups of a competition's season.
func LineupPlayers(c CompetitionSeason) List[LineupEntry] {
	return listName[LineupEntry]("xl", string(c.ID), string(SeasonTag(c.Season)))
}

// What the key of an item, or the name of a list, says of what is in it.

// matchLists begin the names of the lists whose entries show matches.
var matchLists = []string{tournamentMatches, teamMatches, playerMatches}

// kindOf is what begins the name of a list.
func kindOf(list string) string {
	kind, _, _ := strings.Cut(list, ".")
	return kind
}

// ShowsLive reports whether a match that is being played may be in the item at
// key (D10).
func ShowsLive(key store.Key) bool {
	if list, ok := pagedlist.ListIn(key.PK); ok {
		return slices.Contains(matchLists, kindOf(list))
	}
	switch letter, _ := Partition(key.PK); letter {
	case 'M':
		return true
	case 'C':
		return strings.HasSuffix(key.SK, tableSuffix) || strings.HasSuffix(key.SK, statisticsSuffix)
	}
	return false
}

// IsChunk reports whether key is of a chunk or an index page, which the head of a list
// names.
func IsChunk(key store.Key) bool {
	_, list := pagedlist.ListIn(key.PK)
	return list && !pagedlist.IsHead(key)
}
