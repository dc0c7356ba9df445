package kinds

import (
	"encoding/binary"

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/list"
)

// Scorers are entries of top scorer lists, by rank (D27).
func Scorers(key func(store.ScorerEntry) []byte) list.Kind[store.ScorerEntry] {
	return list.Kind[store.ScorerEntry]{
		Name: "scorer", Key: key,
		Facet: func(store.ScorerEntry) list.Facet { return list.Facet{} },
	}
}

// Cards are entries of card lists, by rank (D27).
func Cards(key func(store.CardEntry) []byte) list.Kind[store.CardEntry] {
	return list.Kind[store.CardEntry]{
		Name: "card", Key: key,
		Facet: func(store.CardEntry) list.Facet { return list.Facet{} },
	}
}

// Performances are entries of players' matches, by kickoff, then match id;
// facets: season and status.
func Performances() list.Kind[store.PerformanceEntry] {
	return list.Kind[store.PerformanceEntry]{
		Name:   "performance",
		Ranged: true, // by kickoff
		Key:    func(p store.PerformanceEntry) []byte { return store.KickoffKey(p.Kickoff, p.Match) },
		Facet: func(p store.PerformanceEntry) list.Facet {
			return list.Facet{Season: p.Season, Status: string(p.Status), Hidden: p.Hidden}
		},
	}
}

// OwnEntry is the facet of a club's entries that are in no competition: they
// are not among its competition copies (D26, D44).
const OwnEntry = "own"

// ClubEntries are a club's team entries, the most recent first: by season and
// competition id, both descending, then id (D44). The facet tells its own
// entries, those without a competition, from its competition copies.
func ClubEntries() list.Kind[store.TeamEntry] {
	return list.Kind[store.TeamEntry]{Name: "club entry", Key: recentKey, Facet: func(t store.TeamEntry) list.Facet {
		f := list.Facet{Hidden: t.Hidden}
		if t.CompetitionID == "" {
			f.Status = OwnEntry
		}
		return f
	}}
}

// recentKey orders by season and competition id descending, then id: what
// descends is written as its complement, an id that is missing as the least.
func recentKey(t store.TeamEntry) []byte {
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
