package dataset

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"touchline/shared/dataset/ids"
	"touchline/shared/dataset/near"
	"touchline/shared/sport"
)

// maxHints bounds the keys that the hints of one Resolve compare: some tenths of
// a second. The references beyond get no hint.
const maxHints = 1_000_000

// hints say what a reference to nothing was likely meant to be.
type hints struct {
	set  *Set
	left int // comparisons
}

// hint ends the message of a reference whose target is not there; empty where
// nothing comes near.
func (h *hints) hint(r Reference) string {
	key := r.Given()
	if sport.IsID(key) {
		return ""
	}
	if years := h.set.years(r.ID); r.Kind == sport.KindCompetition && len(years) > 0 {
		return "; this dataset has " + strings.Join(years, ", ")
	}
	n := near.New(key)
	for _, name := range h.candidates(r.Target) {
		n.Try(name)
	}
	if best := n.Best(); best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	for _, other := range sportKinds {
		if other != r.Kind && h.set.Find(Target{Kind: other, ID: ID(other, key)}) == Present {
			return fmt.Sprintf("; there is %s", Quoted(other, key))
		}
	}
	return ""
}

// candidates are the keys of the records that a reference could be to; none
// where that is more than may be compared.
func (h *hints) candidates(t Target) []string {
	var keys []string
	switch t.Kind {
	case sport.KindOrganization:
		keys = keysOf(h, len(h.set.Organizations), slices.All(h.set.Organizations))
	case sport.KindCompetition:
		keys = keysOf(h, len(h.set.Competitions), slices.All(h.set.Competitions))
	case sport.KindTeam:
		keys = keysOf(h, len(h.set.Teams), slices.All(h.set.Teams))
	case sport.KindPlayer:
		keys = keysOf(h, h.set.Players.Len(), h.set.Players.All())
	case sport.KindMatch:
		keys = keysOf(h, h.set.Matches.Len(), h.set.Matches.All())
	case sport.KindGroup:
		for _, c := range h.set.seasons[ids.Pack(t.Competition)] {
			if t.Season != 0 && t.Season != c.Value.Season {
				continue
			}
			for _, g := range c.Value.Groups {
				keys = append(keys, h.set.Given(g.ID))
			}
		}
	}
	return keys
}

func keysOf[T Entity](h *hints, n int, records iter.Seq2[int, *Record[T]]) []string {
	if h.left -= n; h.left < 0 {
		return nil
	}
	keys := make([]string, 0, n)
	for _, r := range records {
		if !r.Deleted && !sport.IsID(r.Key) {
			keys = append(keys, r.Key)
		}
	}
	return keys
}

// years are the seasons of a competition that the set holds.
func (s *Set) years(id sport.ID) []string {
	var years []string
	for _, c := range s.seasons[ids.Pack(id)] {
		years = append(years, fmt.Sprintf("season %d", c.Value.Season))
	}
	return years
}
