package dataset

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"touchline/shared/dataset/ids"
	"touchline/shared/dataset/slips"
	"touchline/shared/sport"
)

// maxHints bounds the keys that the hints of one Resolve compare: less than
// a second. The references beyond get no hint.
const maxHints = 200_000

// hints say what a reference to nothing was likely meant to be.
type hints struct {
	set  *Set
	left int // comparisons
}

// hint ends the message of a reference whose target is not there; empty where
// nothing comes near.
func (h *hints) hint(r Reference) string {
	key := r.set.Called(r.ID)
	if sport.IsID(key) {
		return ""
	}
	if seasons := h.set.seasons[ids.Pack(r.ID)]; r.Kind == sport.KindCompetition && seasons != nil {
		return fmt.Sprintf("; this dataset has season %d", seasons[0].Value.Season)
	}
	keys, names := h.candidates(r.Target)
	if slices.Contains(keys, key) {
		return ": it is stored, but the dataset replaces what is stored, and its row is missing there"
	}
	var called []string
	for i, name := range names {
		if strings.EqualFold(name, key) {
			called = append(called, strconv.Quote(keys[i]))
		}
	}
	if called != nil {
		return "; its key is " + strings.Join(called[:min(len(called), 5)], " or ")
	}
	if best := slips.Near(key, keys); best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	return ""
}

// candidates are the keys of the records that a reference could be to, and their names
// where they have one; none where that is more than may be compared.
func (h *hints) candidates(t Target) (keys, names []string) {
	switch t.Kind {
	case sport.KindOrganization:
		return keysOf(h, len(h.set.Organizations), slices.All(h.set.Organizations), func(o *sport.Organization) string { return o.Name })
	case sport.KindCompetition:
		return keysOf(h, len(h.set.Competitions), slices.All(h.set.Competitions), func(c *sport.Competition) string { return c.Name })
	case sport.KindTeam:
		keys, names = keysOf(h, len(h.set.Teams), slices.All(h.set.Teams), func(t *sport.Team) string { return t.Name })
		more, called := h.storedTeams()
		return append(keys, more...), append(names, called...)
	case sport.KindPlayer:
		return keysOf(h, h.set.Players.Len(), h.set.Players.All(), func(p *sport.Player) string { return p.Name })
	case sport.KindGroup:
		for _, c := range h.set.seasons[ids.Pack(t.Competition)] {
			for _, g := range c.Value.Groups {
				if t.Season == 0 || t.Season == c.Value.Season {
					keys, names = append(keys, h.set.Given(g.ID)), append(names, g.Name)
				}
			}
		}
	}
	return keys, names
}

// storedTeams are those that the set does not hold itself.
func (h *hints) storedTeams() (keys, names []string) {
	if h.set.StoredTeams == nil {
		return nil, nil
	}
	stored, called := h.set.StoredTeams()
	if h.left -= len(stored); h.left < 0 {
		return nil, nil
	}
	for i, key := range stored {
		if h.set.Find(Target{Kind: sport.KindTeam, ID: ID(sport.KindTeam, key)}) == Unknown {
			keys, names = append(keys, key), append(names, called[i])
		}
	}
	return keys, names
}

func keysOf[T Entity](h *hints, n int, records iter.Seq2[int, *Record[T]], name func(*T) string) (keys, names []string) {
	if h.left -= n; h.left < 0 {
		return nil, nil
	}
	for _, r := range records {
		if !r.Deleted && !sport.IsID(r.Key) {
			keys, names = append(keys, r.Key), append(names, name(&r.Value))
		}
	}
	return keys, names
}
