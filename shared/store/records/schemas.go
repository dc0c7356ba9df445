package records

import (
	"strconv"
	"strings"

	"touchline/shared/sport"
	"touchline/shared/store/pagedlist"
)

// OrganizationSchema is that of organization lists. They have no facets: their only
// filter, status, has variants.
func OrganizationSchema(key func(Organization) []byte) pagedlist.Schema[Organization] {
	return pagedlist.Schema[Organization]{Name: "organization", Key: key}
}

// TreeSchema is that of tree lists, breadth first; facets: the level.
func TreeSchema() pagedlist.Schema[TreeNode] {
	return pagedlist.Schema[TreeNode]{
		Name:  "tree",
		Key:   func(n TreeNode) []byte { return n.Path },
		Facet: func(n TreeNode) pagedlist.Facet { return Facet{Level: n.Level}.pack() },
	}
}

// CompetitionSchema is that of competition lists; facets: season, gender,
// whether completed, and the end that decides whether an open one is active
// (D18).
func CompetitionSchema(key func(Competition) []byte) pagedlist.Schema[Competition] {
	return pagedlist.Schema[Competition]{Name: "competition", Key: key, Facet: func(c Competition) pagedlist.Facet {
		return CompetitionFacet(c).pack()
	}, Part: statusOf}
}

// CompetitionFacet is what competitions are filtered by.
func CompetitionFacet(c Competition) Facet {
	return Facet{Season: c.Season, Gender: string(c.Gender), Status: string(CompetitionVariant(c)), Ends: c.EndsAt}
}

// CompetitionVariant is the variant a competition's entry is in.
func CompetitionVariant(c Competition) Variant {
	if c.Completed {
		return Completed
	}
	return Open
}

// TeamSchema is that of team lists; facets: status, and season where there is a
// competition whose season it is (D17).
func TeamSchema(key func(TeamEntry) []byte) pagedlist.Schema[TeamEntry] {
	return pagedlist.Schema[TeamEntry]{
		Name: "team",
		Key:  key,
		Facet: func(t TeamEntry) pagedlist.Facet {
			f := Facet{Status: string(t.Status)}
			if t.CompetitionID != "" {
				f.Season = t.Season
			}
			return f.pack()
		},
		Part:   statusOf,
		Hidden: teamHidden,
	}
}

func teamHidden(t TeamEntry) bool { return t.Hidden }

// PlayerSchema is that of player lists; facets: season and status.
func PlayerSchema(key func(PlayerEntry) []byte) pagedlist.Schema[PlayerEntry] {
	return pagedlist.Schema[PlayerEntry]{
		Name: "player",
		Key:  key,
		Facet: func(p PlayerEntry) pagedlist.Facet {
			return Facet{Season: p.Season, Status: string(PlayerStatus(p))}.pack()
		},
		Part:   statusOf,
		Hidden: func(p PlayerEntry) bool { return p.Hidden },
	}
}

// PlayerStatus is the status of a player's entry.
func PlayerStatus(p PlayerEntry) sport.Status {
	if p.Inactive {
		return sport.Inactive
	}
	return sport.Active
}

// statusOf is the part of a list that entries of a facet are: the variant of their
// status.
func statusOf(f pagedlist.Facet) string { return FacetOf(f).Status }

// SquadSchema is that of squads: by number, then id.
func SquadSchema() pagedlist.Schema[PlayerEntry] {
	return PlayerSchema(func(p PlayerEntry) []byte { return NumberKey(p.Number, p.ID) })
}

// MatchSchema is that of match lists, by kickoff, then id; facets: season and
// status.
func MatchSchema() pagedlist.Schema[MatchEntry] {
	return pagedlist.Schema[MatchEntry]{
		Name:   "match",
		Ranged: true, // by kickoff
		Key:    func(m MatchEntry) []byte { return KickoffKey(m.Kickoff, m.ID) },
		Facet:  func(m MatchEntry) pagedlist.Facet { return Facet{Season: m.Season, Status: string(m.Status)}.pack() },
		Part:   statusOf,
		Hidden: func(m MatchEntry) bool { return m.Hidden },
	}
}

// IDSchema is that of the loader's lists of ids.
func IDSchema() pagedlist.Schema[IDEntry] {
	return pagedlist.Schema[IDEntry]{
		Name: "id",
		Key:  func(e IDEntry) []byte { return IDKey(e.ID) },
	}
}

// ContributionSchema is that of the loader's lists of what matches add to sums.
func ContributionSchema() pagedlist.Schema[ContributionEntry] {
	return pagedlist.Schema[ContributionEntry]{
		Name: "contribution",
		Key:  func(e ContributionEntry) []byte { return IDKey(e.Match) },
	}
}

// LineupSchema is that of line-up lists, by player, then match.
func LineupSchema() pagedlist.Schema[LineupEntry] {
	return pagedlist.Schema[LineupEntry]{
		Name: "lineup",
		Key:  func(e LineupEntry) []byte { return IDKey(e.Player + e.Match) },
	}
}

// TableSchema is that of the list of given tables.
func TableSchema() pagedlist.Schema[TableEntry] {
	return pagedlist.Schema[TableEntry]{
		Name: "table",
		Key: func(e TableEntry) []byte {
			return []byte(string(e.Competition) + string(SeasonTag(e.Season)) + string(e.Table))
		},
	}
}

// TableOf is the entry of a TableSchema at a key; false: none has that key.
func TableOf(key []byte) (TableEntry, bool) {
	competition, rest, ok := strings.Cut(string(key), "S#")
	const digits = 9 // SeasonTag
	if !ok || len(rest) < digits {
		return TableEntry{}, false
	}
	season, err := strconv.Atoi(rest[:digits])
	return TableEntry{Competition: sport.ID(competition), Season: season, Table: sport.TableName(rest[digits:])}, err == nil
}
