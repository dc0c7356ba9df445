package records

import (
	"strconv"
	"strings"

	"touchline/shared/sport"
	"touchline/shared/store/pagedlist"
)

// OrganizationKind is that of organization lists. They have no facets: their only
// filter, status, has variants.
func OrganizationKind(key func(Organization) []byte) pagedlist.Kind[Organization] {
	return pagedlist.Kind[Organization]{Name: "organization", Key: key}
}

// TreeKind is that of tree lists, breadth first; facets: the level.
func TreeKind() pagedlist.Kind[TreeNode] {
	return pagedlist.Kind[TreeNode]{
		Name:  "tree",
		Key:   func(n TreeNode) []byte { return n.Path },
		Facet: func(n TreeNode) pagedlist.Facet { return Facet{Level: n.Level}.pack() },
	}
}

// CompetitionKind is that of competition lists; facets: season, gender,
// whether completed, and the end that decides whether an open one is active
// (D18).
func CompetitionKind(key func(Competition) []byte) pagedlist.Kind[Competition] {
	return pagedlist.Kind[Competition]{Name: "competition", Key: key, Facet: func(c Competition) pagedlist.Facet {
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

// TeamKind is that of team lists; facets: status, and season where there is a
// competition whose season it is (D17).
func TeamKind(key func(TeamEntry) []byte) pagedlist.Kind[TeamEntry] {
	return pagedlist.Kind[TeamEntry]{
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

// PlayerKind is that of player lists; facets: season and status.
func PlayerKind(key func(PlayerEntry) []byte) pagedlist.Kind[PlayerEntry] {
	return pagedlist.Kind[PlayerEntry]{
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

// SquadKind is that of squads: by number, then id.
func SquadKind() pagedlist.Kind[PlayerEntry] {
	return PlayerKind(func(p PlayerEntry) []byte { return NumberKey(p.Number, p.ID) })
}

// MatchKind is that of match lists, by kickoff, then id; facets: season and
// status.
func MatchKind() pagedlist.Kind[MatchEntry] {
	return pagedlist.Kind[MatchEntry]{
		Name:   "match",
		Ranged: true, // by kickoff
		Key:    func(m MatchEntry) []byte { return KickoffKey(m.Kickoff, m.ID) },
		Facet:  func(m MatchEntry) pagedlist.Facet { return Facet{Season: m.Season, Status: string(m.Status)}.pack() },
		Part:   statusOf,
		Hidden: func(m MatchEntry) bool { return m.Hidden },
	}
}

// IDKind is that of the loader's lists of ids.
func IDKind() pagedlist.Kind[IDEntry] {
	return pagedlist.Kind[IDEntry]{
		Name: "id",
		Key:  func(e IDEntry) []byte { return IDKey(e.ID) },
	}
}

// ContributionKind is that of the loader's lists of what matches add to sums.
func ContributionKind() pagedlist.Kind[ContributionEntry] {
	return pagedlist.Kind[ContributionEntry]{
		Name: "contribution",
		Key:  func(e ContributionEntry) []byte { return IDKey(e.Match) },
	}
}

// LineupKind is that of line-up lists, by player, then match.
func LineupKind() pagedlist.Kind[LineupEntry] {
	return pagedlist.Kind[LineupEntry]{
		Name: "lineup",
		Key:  func(e LineupEntry) []byte { return IDKey(e.Player + e.Match) },
	}
}

// TableKind is that of the list of given tables.
func TableKind() pagedlist.Kind[TableEntry] {
	return pagedlist.Kind[TableEntry]{
		Name: "table",
		Key: func(e TableEntry) []byte {
			return []byte(string(e.Competition) + string(SeasonTag(e.Season)) + string(e.Table))
		},
	}
}

// TableOf is the entry of a TableKind at a key; false: none has that key.
func TableOf(key []byte) (TableEntry, bool) {
	competition, rest, ok := strings.Cut(string(key), "S#")
	const digits = 9 // SeasonTag
	if !ok || len(rest) < digits {
		return TableEntry{}, false
	}
	season, err := strconv.Atoi(rest[:digits])
	return TableEntry{Competition: sport.ID(competition), Season: season, Table: sport.TableName(rest[digits:])}, err == nil
}
