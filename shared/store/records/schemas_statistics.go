package records

import (
	"encoding/binary"

	"touchline/shared/sport"
	"touchline/shared/store/pagedlist"
)

// ScorerSchema is that of top scorer lists, by rank (D27).
func ScorerSchema(key func(ScorerEntry) []byte) pagedlist.Schema[ScorerEntry] {
	return pagedlist.Schema[ScorerEntry]{
		Name: "scorer", Key: key,
	}
}

// CardSchema is that of card lists, by rank (D27).
func CardSchema(key func(CardEntry) []byte) pagedlist.Schema[CardEntry] {
	return pagedlist.Schema[CardEntry]{
		Name: "card", Key: key,
	}
}

// PerformanceSchema is that of players' matches, by kickoff, then match id;
// facets: season and status.
func PerformanceSchema() pagedlist.Schema[PerformanceEntry] {
	return pagedlist.Schema[PerformanceEntry]{
		Name:   "performance",
		Ranged: true, // by kickoff
		Key:    func(p PerformanceEntry) []byte { return KickoffKey(p.Kickoff, p.Match) },
		Facet: func(p PerformanceEntry) pagedlist.Facet {
			return Facet{Season: p.Season, Status: string(p.Status)}.pack()
		},
		Hidden: func(p PerformanceEntry) bool { return p.Hidden },
	}
}

// The states of a club's entries: its own, which are in no competition and so
// not among its competition copies (D26, D44), and copies of a competition's
// current season and of others (D46).
const (
	OwnEntry      = "own"
	CurrentEntry  = "current"
	ArchivedEntry = "archived"
)

// ClubEntrySchema is that of a club's team entries, the most recent first: by season
// and competition id, both descending, then id (D44). Facets: season and state.
func ClubEntrySchema() pagedlist.Schema[TeamEntry] {
	return pagedlist.Schema[TeamEntry]{
		Name: "club entry",
		Key:  recentKey,
		Facet: func(t TeamEntry) pagedlist.Facet {
			f := Facet{Season: t.Season, Status: CurrentEntry}
			switch {
			case t.CompetitionID == "":
				f.Status = OwnEntry
			case t.Archived:
				f.Status = ArchivedEntry
			}
			return f.pack()
		},
		Hidden: teamHidden,
	}
}

// recentKey orders by season and competition id descending, then id: what
// descends is written as its complement, an id that is missing as the least.
func recentKey(t TeamEntry) []byte {
	key := binary.BigEndian.AppendUint32(make([]byte, 0, 4+2*sport.IDLength), ^uint32(t.Season)) //nolint:gosec // a season has at most nine digits
	for i := range sport.IDLength {
		b := byte(0)
		if i < len(t.CompetitionID) {
			b = t.CompetitionID[i]
		}
		key = append(key, ^b)
	}
	return append(key, t.ID...)
}
