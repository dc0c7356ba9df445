// Package kinds says, for each kind of list entry of the Sports table, how a
// list is ordered and by what it can be filtered: what the loader writes by and
// the reader reads by.
//
// Lists by name are ordered by the collation of names, which only the loader
// carries; a reader passes no order for them, since it finds pages by position.
package kinds

import (
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/list"
)

// Organizations are entries of organization lists. They have no facets: their
// only filter, status, has variants.
func Organizations(key func(store.Organization) []byte) list.Kind[store.Organization] {
	return list.Kind[store.Organization]{Name: "organization", Key: key, Facet: func(store.Organization) list.Facet { return list.Facet{} }}
}

// Trees are entries of tree lists, breadth first; their facets have the level in
// the place of the season.
func Trees() list.Kind[store.TreeNode] {
	return list.Kind[store.TreeNode]{
		Name:  "tree",
		Key:   func(n store.TreeNode) []byte { return n.Path },
		Facet: func(n store.TreeNode) list.Facet { return list.Facet{Season: n.Level} },
	}
}

// Competitions are entries of competition lists; facets: season, gender,
// whether completed, and the end that decides whether an open one is active
// (D18).
func Competitions(key func(store.Competition) []byte) list.Kind[store.Competition] {
	return list.Kind[store.Competition]{Name: "competition", Key: key, Facet: func(c store.Competition) list.Facet {
		return list.Facet{Season: c.Season, Gender: string(c.Gender), Status: string(CompetitionVariant(c)), Ends: c.EndsAt}
	}}
}

// CompetitionVariant is the variant a competition's entry is in.
func CompetitionVariant(c store.Competition) store.Variant {
	if c.Completed {
		return store.Completed
	}
	return store.Open
}

// Teams are entries of team lists; facets: status, and season where there is a
// competition whose season it is (D17).
func Teams(key func(store.TeamEntry) []byte) list.Kind[store.TeamEntry] {
	return list.Kind[store.TeamEntry]{Name: "team", Key: key, Facet: func(t store.TeamEntry) list.Facet {
		season := t.Season
		if t.CompetitionID == "" {
			season = 0
		}
		return list.Facet{Season: season, Status: string(t.Status), Hidden: t.Hidden}
	}}
}

// Players are entries of player lists; facets: season and status.
func Players(key func(store.PlayerEntry) []byte) list.Kind[store.PlayerEntry] {
	return list.Kind[store.PlayerEntry]{Name: "player", Key: key, Facet: func(p store.PlayerEntry) list.Facet {
		return list.Facet{Season: p.Season, Status: string(PlayerStatus(p)), Hidden: p.Hidden}
	}}
}

// PlayerStatus is the status of a player's entry.
func PlayerStatus(p store.PlayerEntry) sport.Status {
	if p.Inactive {
		return sport.Inactive
	}
	return sport.Active
}

// Squads are entries of squads: by number, then id.
func Squads() list.Kind[store.PlayerEntry] {
	return Players(func(p store.PlayerEntry) []byte { return store.NumberKey(p.Number, p.ID) })
}

// Matches are entries of match lists, by kickoff, then id; facets: season and
// status.
func Matches() list.Kind[store.MatchEntry] {
	return list.Kind[store.MatchEntry]{
		Name:   "match",
		Ranged: true, // by kickoff
		Key:    func(m store.MatchEntry) []byte { return store.KickoffKey(m.Kickoff, m.ID) },
		Facet: func(m store.MatchEntry) list.Facet {
			return list.Facet{Season: m.Season, Status: string(m.Status), Hidden: m.Hidden}
		},
	}
}

// IDs are entries of the loader's lists of ids.
func IDs() list.Kind[store.IDEntry] {
	return list.Kind[store.IDEntry]{
		Name:  "id",
		Key:   func(e store.IDEntry) []byte { return store.IDKey(e.ID) },
		Facet: func(store.IDEntry) list.Facet { return list.Facet{} },
	}
}

// Contributions are entries of the loader's lists of what matches add to sums.
func Contributions() list.Kind[store.ContributionEntry] {
	return list.Kind[store.ContributionEntry]{
		Name:  "contribution",
		Key:   func(e store.ContributionEntry) []byte { return store.IDKey(e.Match) },
		Facet: func(store.ContributionEntry) list.Facet { return list.Facet{} },
	}
}

// Lineups are entries of line-up lists, by player, then match.
func Lineups() list.Kind[store.LineupEntry] {
	return list.Kind[store.LineupEntry]{
		Name:  "lineup",
		Key:   func(e store.LineupEntry) []byte { return store.IDKey(e.Player + e.Match) },
		Facet: func(store.LineupEntry) list.Facet { return list.Facet{} },
	}
}

// Tables are entries of the list of given tables.
func Tables() list.Kind[store.TableEntry] {
	return list.Kind[store.TableEntry]{
		Name: "table",
		Key: func(e store.TableEntry) []byte {
			return []byte(string(e.Competition) + string(store.SeasonTag(e.Season)) + string(e.Table))
		},
		Facet: func(store.TableEntry) list.Facet { return list.Facet{} },
	}
}
