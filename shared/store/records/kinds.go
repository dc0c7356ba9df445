package records

import (
	"touchline/shared/sport"
	"touchline/shared/store/pagedlist"
)

// Organizations are entries of organization lists. They have no facets: their
// only filter, status, has variants.
func OrganizationKind(key func(Organization) []byte) pagedlist.Kind[Organization] {
	return pagedlist.Kind[Organization]{Name: "organization", Key: key, Facet: func(Organization) pagedlist.Facet { return pagedlist.Facet{} }}
}

// Trees are entries of tree lists, breadth first; their facets have the level in
// the place of the season.
func TreeKind() pagedlist.Kind[TreeNode] {
	return pagedlist.Kind[TreeNode]{
		Name:  "tree",
		Key:   func(n TreeNode) []byte { return n.Path },
		Facet: func(n TreeNode) pagedlist.Facet { return pagedlist.Facet{Season: n.Level} },
	}
}

// Competitions are entries of competition lists; facets: season, gender,
// whether completed, and the end that decides whether an open one is active
// (D18).
func CompetitionKind(key func(Competition) []byte) pagedlist.Kind[Competition] {
	return pagedlist.Kind[Competition]{Name: "competition", Key: key, Facet: func(c Competition) pagedlist.Facet {
		return pagedlist.Facet{Season: c.Season, Gender: string(c.Gender), Status: string(CompetitionVariant(c)), Ends: c.EndsAt}
	}}
}

// CompetitionVariant is the variant a competition's entry is in.
func CompetitionVariant(c Competition) Variant {
	if c.Completed {
		return Completed
	}
	return Open
}

// Teams are entries of team lists; facets: status, and season where there is a
// competition whose season it is (D17).
func TeamKind(key func(TeamEntry) []byte) pagedlist.Kind[TeamEntry] {
	return pagedlist.Kind[TeamEntry]{Name: "team", Key: key, Facet: func(t TeamEntry) pagedlist.Facet {
		season := t.Season
		if t.CompetitionID == "" {
			season = 0
		}
		return pagedlist.Facet{Season: season, Status: string(t.Status), Hidden: t.Hidden}
	}}
}

// Players are entries of player lists; facets: season and status.
func PlayerKind(key func(PlayerEntry) []byte) pagedlist.Kind[PlayerEntry] {
	return pagedlist.Kind[PlayerEntry]{Name: "player", Key: key, Facet: func(p PlayerEntry) pagedlist.Facet {
		return pagedlist.Facet{Season: p.Season, Status: string(PlayerStatus(p)), Hidden: p.Hidden}
	}}
}

// PlayerStatus is the status of a player's entry.
func PlayerStatus(p PlayerEntry) sport.Status {
	if p.Inactive {
		return sport.Inactive
	}
	return sport.Active
}

// Squads are entries of squads: by number, then id.
func SquadKind() pagedlist.Kind[PlayerEntry] {
	return PlayerKind(func(p PlayerEntry) []byte { return NumberKey(p.Number, p.ID) })
}

// Matches are entries of match lists, by kickoff, then id; facets: season and
// status.
func MatchKind() pagedlist.Kind[MatchEntry] {
	return pagedlist.Kind[MatchEntry]{
		Name:   "match",
		Ranged: true, // by kickoff
		Key:    func(m MatchEntry) []byte { return KickoffKey(m.Kickoff, m.ID) },
		Facet: func(m MatchEntry) pagedlist.Facet {
			return pagedlist.Facet{Season: m.Season, Status: string(m.Status), Hidden: m.Hidden}
		},
	}
}

// IDs are entries of the loader's lists of ids.
func IDKind() pagedlist.Kind[IDEntry] {
	return pagedlist.Kind[IDEntry]{
		Name:  "id",
		Key:   func(e IDEntry) []byte { return IDKey(e.ID) },
		Facet: func(IDEntry) pagedlist.Facet { return pagedlist.Facet{} },
	}
}

// Contributions are entries of the loader's lists of what matches add to sums.
func ContributionKind() pagedlist.Kind[ContributionEntry] {
	return pagedlist.Kind[ContributionEntry]{
		Name:  "contribution",
		Key:   func(e ContributionEntry) []byte { return IDKey(e.Match) },
		Facet: func(ContributionEntry) pagedlist.Facet { return pagedlist.Facet{} },
	}
}

// Lineups are entries of line-up lists, by player, then match.
func LineupKind() pagedlist.Kind[LineupEntry] {
	return pagedlist.Kind[LineupEntry]{
		Name:  "lineup",
		Key:   func(e LineupEntry) []byte { return IDKey(e.Player + e.Match) },
		Facet: func(LineupEntry) pagedlist.Facet { return pagedlist.Facet{} },
	}
}

// Tables are entries of the list of given tables.
func TableKind() pagedlist.Kind[TableEntry] {
	return pagedlist.Kind[TableEntry]{
		Name: "table",
		Key: func(e TableEntry) []byte {
			return []byte(string(e.Competition) + string(SeasonTag(e.Season)) + string(e.Table))
		},
		Facet: func(TableEntry) pagedlist.Facet { return pagedlist.Facet{} },
	}
}
