package integrity

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/dataset/slips"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// Namesake is a player who is shown, and another one of the club who is hidden under the same
// name, or was before the load (D89).
type Namesake struct {
	Shown, Hidden sport.ID
	// Hid: the load has hidden the one and left the other as it was.
	Hid bool
}

// Namesakes finds those that a load brings about, in the order of who is shown. Players are
// all whom it affects. Where a club has nobody who is hidden, its list says so, and nothing
// else is read of it.
func Namesakes(ctx context.Context, f *world.Fetcher, players world.Set[sport.ID]) (found []Namesake) {
	n := &namesakes{f, players}
	changed := map[sport.ID][]sport.ID{} // by club
	for id := range players {
		was, is := n.personIn(world.Before, id), n.personIn(world.After, id)
		if was == is {
			continue
		}
		changed[is.club] = append(changed[is.club], id)
		if was.club != is.club {
			changed[was.club] = append(changed[was.club], id)
		}
	}
	delete(changed, "")
	f.HiddenPlayersOf(ctx, slices.Collect(maps.Keys(changed)))
	for club, ids := range changed {
		found = append(found, n.inClub(ctx, club, ids)...)
	}
	slices.SortFunc(found, func(a, b Namesake) int { return cmp.Compare(a.Shown, b.Shown) })
	return found
}

type namesakes struct {
	*world.Fetcher
	affected world.Set[sport.ID]
}

// person is a name in a club; zero without a club.
type person struct {
	club   sport.ID
	name   string // folded
	hidden bool   // for whatever reason
}

func (n *namesakes) personIn(v world.View, id sport.ID) person {
	x := n.World.Players.At(v, id)
	if x == nil {
		return person{}
	}
	t := n.World.Teams.At(v, x.TeamID)
	if t == nil || t.OrganizationID == "" {
		return person{}
	}
	return person{t.OrganizationID, slips.Folded(x.Name), !n.World.Visible(v, x)}
}

// inClub finds namesakes in a club of which the load changes some players.
func (n *namesakes) inClub(ctx context.Context, club sport.ID, changed []sport.ID) (found []Namesake) {
	hidden, shown := map[string][]sport.ID{}, map[string][]sport.ID{} // by name
	listed := slices.Collect(n.World.HiddenPlayers.In(world.Before, club))
	n.Players(ctx, listed)
	for _, id := range listed {
		if x := n.World.Players.At(world.Before, id); x != nil {
			hidden[slips.Folded(x.Name)] = append(hidden[slips.Folded(x.Name)], id)
		}
	}
	conceals := false // the load changes somebody who is hidden, or was
	for _, id := range changed {
		was, is := n.personIn(world.Before, id), n.personIn(world.After, id)
		conceals = conceals || was.hidden || is.hidden
		if is.club == club && is.hidden {
			hidden[is.name] = append(hidden[is.name], id)
		} else if is.club == club {
			shown[is.name] = append(shown[is.name], id)
		}
	}
	if len(hidden) == 0 {
		return nil
	}
	if conceals {
		n.unchanged(ctx, club, changed, shown)
	}
	for name, ids := range shown {
		for _, id := range ids {
			if other := n.other(id, hidden[name]); other != "" {
				hid := n.personIn(world.Before, other) == person{club, name, false}
				found = append(found, Namesake{id, other, hid && !slices.Contains(changed, id)})
			}
		}
	}
	return found
}

// other is the first of some players who is not this one, and whom, or which, the load changes.
func (n *namesakes) other(id sport.ID, players []sport.ID) sport.ID {
	changes := func(id sport.ID) bool { return n.personIn(world.Before, id) != n.personIn(world.After, id) }
	for _, other := range slices.Sorted(slices.Values(players)) {
		if other != id && (changes(id) || changes(other)) {
			return other
		}
	}
	return ""
}

// unchanged adds those of a club who are shown and whom the load does not change.
func (n *namesakes) unchanged(ctx context.Context, club sport.ID, changed []sport.ID, shown map[string][]sport.ID) {
	n.TeamsOwnedBy(ctx, []sport.ID{club})
	teams := slices.Collect(n.World.OwnedTeams.In(world.After, club))
	for _, e := range n.Squads(ctx, teams) {
		p := person{club, slips.Folded(e.Name), e.Hidden}
		if n.affected.Has(e.ID) {
			p = n.personIn(world.After, e.ID)
		}
		if p.club == club && !p.hidden && !slices.Contains(changed, e.ID) {
			shown[p.name] = append(shown[p.name], e.ID)
		}
	}
}

// Exposed warns of organizations that go out of sight while competitions show teams of theirs,
// with their players (D65, D68).
func Exposed(w *world.World, set *dataset.Set, called func(sport.ID) string) (found []dataset.Fault) {
	for _, id := range w.Organizations.Changes() {
		was, is := w.Organizations.At(world.Before, id), w.Organizations.At(world.After, id)
		if is == nil || !is.Unseen || was != nil && was.Unseen {
			continue
		}
		at, reach := set.Origin(sport.KindOrganization, id), is.Reach
		if was != nil {
			reach = was.Reach // what hides it may be above it
		}
		for _, above := range reach {
			at = cmp.Or(at, set.Origin(sport.KindOrganization, above))
		}
		n := 0
		for team := range w.OwnedTeams.In(world.After, id) {
			if t := w.Teams.At(world.After, team); t != nil && t.Public() && !t.HidesPlayers {
				n++
			}
		}
		if n > 0 {
			found = append(found, dataset.Fault{File: at.File, Line: at.Line, Field: "visibility",
				Message: fmt.Sprintf("hides %s, but competitions still show teams of it with their players (%d): hide them as well", called(id), n)})
		}
	}
	return found
}
