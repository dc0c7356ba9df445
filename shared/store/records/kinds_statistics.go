package records

import (
	"encoding/binary"

	"touchline/shared/sport"
	"touchline/shared/store/pagedlist"
)

// Scorers are entries of top scorer lists, by rank (D27).
func ScorerKind(key func(ScorerEntry) []byte) pagedlist.Kind[ScorerEntry] {
	return pagedlist.Kind[ScorerEntry]{
		Name: "scorer", Key: key,
		Facet: func(ScorerEntry) pagedlist.Facet { return pagedlist.Facet{} },
	}
}

// Cards are entries of card lists, by rank (D27).
func CardKind(key func(CardEntry) []byte) pagedlist.Kind[CardEntry] {
	return pagedlist.Kind[CardEntry]{
		Name: "card", Key: key,
		Facet: func(CardEntry) pagedlist.Facet { return pagedlist.Facet{} },
	}
}

// Performances are entries of players' matches, by kickoff, then match id;
// facets: season and status.
func PerformanceKind() pagedlist.Kind[PerformanceEntry] {
	return pagedlist.Kind[PerformanceEntry]{
		Name:   "performance",
		Ranged: true, // by kickoff
		Key:    func(p PerformanceEntry) []byte { return KickoffKey(p.Kickoff, p.Match) },
		Facet: func(p PerformanceEntry) pagedlist.Facet {
			return pagedlist.Facet{Season: p.Season, Status: string(p.Status), Hidden: p.Hidden}
		},
	}
}

// OwnEntry is the facet of a club's entries that are in no competition: they
// are not among its competition copies (D26, D44).
const OwnEntry = "own"

// ClubEntries are a club's team entries, the most recent first: by season and
// competition id, both descending, then id (D44). The facet tells its own
// entries, those without a competition, from its competition copies.
func ClubEntryKind() pagedlist.Kind[TeamEntry] {
	return pagedlist.Kind[TeamEntry]{Name: "club entry", Key: recentKey, Facet: func(t TeamEntry) pagedlist.Facet {
		f := pagedlist.Facet{Hidden: t.Hidden}
		if t.CompetitionID == "" {
			f.Status = OwnEntry
		}
		return f
	}}
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
