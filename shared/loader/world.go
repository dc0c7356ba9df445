package loader

import (
	"touchline/shared/sport"
	"touchline/shared/statistics"
	"touchline/shared/store/records"
)

// view is a moment of the world: what the table holds, or what it will hold.
type view int

const (
	before view = iota
	after
)

// season is the identity of a competition's season.
type season = records.CompetitionSeason

// world is the part of the federation that a load touches. Nothing in it is
// looked up implicitly: fetch.go brings in what is needed, and a projection
// that meets something missing takes it for not existing.
type world struct {
	organizations entities[sport.ID, organization]
	competitions  entities[season, competition]
	teams         entities[sport.ID, team]
	players       entities[sport.ID, player]
	matches       entities[sport.ID, match]
	tables        entities[tableID, sport.GivenTable]

	seasons     index[sport.ID, int]      // of a competition
	children    index[sport.ID, sport.ID] // organizations that name one as a parent
	owned       index[sport.ID, sport.ID] // competitions an organization owns, in any season
	ownedTeams  index[sport.ID, sport.ID]
	stages      index[sport.ID, sport.ID]   // the playoffs and playouts of a competition
	entered     index[season, sport.ID]     // teams of a competition's season
	played      index[season, sport.ID]     // matches of a competition's season
	squads      index[sport.ID, sport.ID]   // players of a team
	fixtures    index[sport.ID, sport.ID]   // matches of a team
	named       index[sport.ID, tableID]    // given tables with a row of a team
	lineups     index[season, sport.ID]     // seasons whose appearances are known; no members
	appearances index[sport.ID, appearance] // of a player, in published line-ups

	// outcomes and entries are matches as lists hold them: as tables need them,
	// and whole.
	outcomes map[sport.ID]*sport.Match
	entries  map[sport.ID]*records.MatchEntry
	// names are players as a competition's list holds them.
	names map[sport.ID]records.PlayerEntry

	// What the table holds of the sums' parts, by match: of a season, of a
	// team's friendlies, of a player.
	contributed map[season]map[sport.ID]statistics.Contribution
	friendlies  map[sport.ID]map[sport.ID]statistics.Contribution
	performed   map[sport.ID]map[sport.ID]records.PerformanceEntry

	computed   [2]map[sport.ID]*outcome   // of the affected matches, by view
	performing map[sport.ID]set[sport.ID] // affected matches by player

	// Keys of what was read, without members.
	contributedIn, namesIn index[season, sport.ID]
	friendliesOf, playedOf index[sport.ID, sport.ID]
}

// organization is an organization and what follows from those above it.
type organization struct {
	sport.Organization
	reach []sport.ID      // store.Scope.Reach
	cross []records.Range // store.OrganizationRecord.Cross
	leaf  bool            // store.OrganizationRecord.Leaf
}

func (o *organization) public() bool { return o.Visibility == sport.Public }

// competition is a season of a competition.
type competition struct {
	sport.Competition
	current bool
}

func (c *competition) public() bool { return c.Visibility == sport.Public }

func (c *competition) identity() season { return season{ID: c.ID, Season: c.Season} }

// tag is where the season's records lie.
func (c *competition) tag() records.Tag {
	if c.current {
		return records.CurrentTag
	}
	return records.SeasonTag(c.Season)
}

// team is a team entry.
type team struct{ sport.Team }

func (t *team) public() bool { return t.Visibility == sport.Public }

func (t *team) season() season { return season{ID: t.CompetitionID, Season: t.Season} }

// player is a player and in whose line-ups it is.
type player struct {
	sport.Player
	lineups []season // store.PlayerRecord.Lineups
}

// match is a match; its line-ups, events and statistics are kept as stored.
type match struct {
	sport.Match
	squad      []sport.ID // of the published line-ups, in id order
	detail     []byte     // nil: not read, see detailHash
	detailHash []byte     // empty: there are no line-ups, events or statistics
}

func (m *match) season() season { return season{ID: m.CompetitionID, Season: m.Season} }

// tableID is the identity of a given table.
type tableID struct {
	season
	table sport.TableName
}

// appearance is a player's being in the line-up of a match.
type appearance struct {
	season
	match sport.ID
}

// entities are the records of a kind in both views.
type entities[K comparable, T any] struct {
	stored  map[K]*T // nil value: known not to be there
	changed map[K]*T // nil value: deleted
}

func newEntities[K comparable, T any]() entities[K, T] {
	return entities[K, T]{stored: map[K]*T{}, changed: map[K]*T{}}
}

// at gives a record as it is in a view, nil where there is none.
func (e *entities[K, T]) at(v view, id K) *T {
	if v == after {
		if t, ok := e.changed[id]; ok {
			return t
		}
	}
	return e.stored[id]
}

// known reports whether it was looked up already.
func (e *entities[K, T]) known(id K) bool {
	_, ok := e.stored[id]
	return ok
}

// index is a set of members per key in both views.
type index[K, M comparable] struct {
	stored  map[K]map[M]struct{} // present: looked up
	added   map[K]map[M]struct{}
	removed map[K]map[M]struct{}
}

func newIndex[K, M comparable]() index[K, M] {
	return index[K, M]{stored: map[K]map[M]struct{}{}, added: map[K]map[M]struct{}{}, removed: map[K]map[M]struct{}{}}
}

func (x *index[K, M]) known(key K) bool {
	_, ok := x.stored[key]
	return ok
}

// put notes a member that the table holds.
func (x *index[K, M]) put(key K, members ...M) {
	set := x.stored[key]
	if set == nil {
		set = make(map[M]struct{}, len(members))
		x.stored[key] = set
	}
	for _, m := range members {
		set[m] = struct{}{}
	}
}

// add and remove note a change.
func (x *index[K, M]) add(key K, m M) { note(x.added, x.removed, key, m) }

func (x *index[K, M]) remove(key K, m M) { note(x.removed, x.added, key, m) }

func note[K, M comparable](to, from map[K]map[M]struct{}, key K, m M) {
	delete(from[key], m)
	set := to[key]
	if set == nil {
		set = map[M]struct{}{}
		to[key] = set
	}
	set[m] = struct{}{}
}

// each calls f for every member in a view, in no order.
func (x *index[K, M]) each(v view, key K, f func(M)) {
	for m := range x.stored[key] {
		if v == after {
			if _, gone := x.removed[key][m]; gone {
				continue
			}
		}
		f(m)
	}
	if v == before {
		return
	}
	for m := range x.added[key] {
		if _, twice := x.stored[key][m]; !twice {
			f(m)
		}
	}
}

// any reports whether there is a member in a view that f accepts.
func (x *index[K, M]) any(v view, key K, f func(M) bool) bool {
	found := false
	x.each(v, key, func(m M) { found = found || f(m) })
	return found
}

// both calls f for every member of either view.
func (x *index[K, M]) both(key K, f func(M)) {
	for m := range x.stored[key] {
		f(m)
	}
	for m := range x.added[key] {
		if _, twice := x.stored[key][m]; !twice {
			f(m)
		}
	}
}

func newWorld() *world {
	return &world{
		organizations: newEntities[sport.ID, organization](),
		competitions:  newEntities[season, competition](),
		teams:         newEntities[sport.ID, team](),
		players:       newEntities[sport.ID, player](),
		matches:       newEntities[sport.ID, match](),
		tables:        newEntities[tableID, sport.GivenTable](),
		seasons:       newIndex[sport.ID, int](),
		children:      newIndex[sport.ID, sport.ID](),
		owned:         newIndex[sport.ID, sport.ID](),
		ownedTeams:    newIndex[sport.ID, sport.ID](),
		stages:        newIndex[sport.ID, sport.ID](),
		entered:       newIndex[season, sport.ID](),
		played:        newIndex[season, sport.ID](),
		squads:        newIndex[sport.ID, sport.ID](),
		fixtures:      newIndex[sport.ID, sport.ID](),
		named:         newIndex[sport.ID, tableID](),
		lineups:       newIndex[season, sport.ID](),
		appearances:   newIndex[sport.ID, appearance](),
		outcomes:      map[sport.ID]*sport.Match{},
		entries:       map[sport.ID]*records.MatchEntry{},
		names:         map[sport.ID]records.PlayerEntry{},
		contributed:   map[season]map[sport.ID]statistics.Contribution{},
		friendlies:    map[sport.ID]map[sport.ID]statistics.Contribution{},
		performed:     map[sport.ID]map[sport.ID]records.PerformanceEntry{},
		computed:      [2]map[sport.ID]*outcome{{}, {}},
		performing:    map[sport.ID]set[sport.ID]{},
		contributedIn: newIndex[season, sport.ID](),
		namesIn:       newIndex[season, sport.ID](),
		friendliesOf:  newIndex[sport.ID, sport.ID](),
		playedOf:      newIndex[sport.ID, sport.ID](),
	}
}
