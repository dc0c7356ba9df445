package integrity

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/dataset/slips"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// Namesakes warns of players who are shown and have the name of one in another entry of
// their club whose competition hides its players (D75): if they are one person, the name is
// public all the same. It warns of what the load brings about. Players are those that the
// load affects; called is the key of a record.
func Namesakes(ctx context.Context, f *world.Fetcher, set *dataset.Set, players []sport.ID, called func(sport.ID) string) (found []dataset.Fault) {
	n := &namesakes{f, set, called}
	byClub := map[sport.ID][]sport.ID{}
	for _, id := range players {
		if is := n.personIn(world.After, id); is.club != "" && is != n.personIn(world.Before, id) {
			byClub[is.club] = append(byClub[is.club], id)
		}
	}
	for club, newly := range byClub {
		slices.Sort(newly)
		teams := slices.Sorted(f.TeamsOwnedBy(ctx, []sport.ID{club}))
		f.Teams(ctx, teams)
		hides := func(t sport.ID) bool { x := f.World.Teams.At(world.After, t); return x != nil && x.HidesPlayers }
		if slices.ContainsFunc(teams, hides) {
			found = append(found, n.inClub(ctx, slices.Compact(teams), newly)...)
		}
	}
	sortFaults(found)
	return found
}

type namesakes struct {
	*world.Fetcher
	set    *dataset.Set
	called func(sport.ID) string
}

// person is a name in a club: of one who is shown, or of a child, whom the competition of
// the team hides. The zero person is nobody, or is hidden otherwise.
type person struct {
	club  sport.ID
	name  string
	child bool
}

func personOf(t *world.Team, name string) person {
	return person{t.OrganizationID, slips.Folded(name), t.HidesPlayers}
}

func (n *namesakes) personIn(v world.View, id sport.ID) person {
	x := n.World.Players.At(v, id)
	if x == nil {
		return person{}
	}
	if t := n.World.Teams.At(v, x.TeamID); t != nil && (t.HidesPlayers || n.World.Visible(v, x)) {
		return personOf(t, x.Name)
	}
	return person{}
}

// inClub finds the namesakes of players in the teams of their club.
func (n *namesakes) inClub(ctx context.Context, teams, newly []sport.ID) (found []dataset.Fault) {
	wanted := map[person][]sport.ID{}
	for _, id := range newly {
		other := n.personIn(world.After, id)
		other.child = !other.child
		wanted[other] = append(wanted[other], id)
	}
	warned := world.Set[sport.ID]{}
	for _, team := range teams {
		squad := n.squad(ctx, team)
		for _, id := range slices.Sorted(maps.Keys(squad)) {
			for _, other := range wanted[squad[id]] {
				shown, child := id, other
				if squad[id].child {
					shown, child = other, id
				}
				if !warned.Has(shown) {
					warned.Add(shown)
					found = append(found, n.warning(ctx, shown, child))
				}
			}
		}
	}
	return found
}

// squad are the players of a team as they will be: of those that were not read, what the
// team's list says.
func (n *namesakes) squad(ctx context.Context, team sport.ID) map[sport.ID]person {
	squad, t := map[sport.ID]person{}, n.World.Teams.At(world.After, team)
	if t == nil {
		return squad
	}
	read := func(id sport.ID) {
		if x := n.World.Players.At(world.After, id); x != nil && x.TeamID == team {
			squad[id] = n.personIn(world.After, id)
		}
	}
	for _, e := range n.Squad(ctx, team) {
		if read(e.ID); !n.World.Players.Fetched(e.ID) && (t.HidesPlayers || !e.Hidden) {
			squad[e.ID] = personOf(t, e.Name)
		}
	}
	for id := range n.World.Squads.In(world.After, team) {
		read(id)
	}
	return squad
}

func (n *namesakes) warning(ctx context.Context, shown, child sport.ID) dataset.Fault {
	n.Players(ctx, []sport.ID{shown, child})
	f := dataset.Fault{Message: fmt.Sprintf("player %s has the name of player %s, whom the competition of another team of the club hides: if they are one child, hide both", n.called(shown), n.called(child))}
	var teams []sport.ID
	var leagues []world.SeasonID
	for _, id := range []sport.ID{shown, child} {
		team := n.World.Teams.At(world.After, n.World.Players.At(world.After, id).TeamID)
		teams, leagues = append(teams, team.ID), append(leagues, team.SeasonID())
	}
	lines := &exposure{World: n.World, set: n.set}
	lines.first(&f, []cause{
		{"name", lines.of(sport.KindPlayer, n.World.Players.WillChange, shown)},
		{"name", lines.of(sport.KindPlayer, n.World.Players.WillChange, child)},
		{"competitionId", lines.of(sport.KindTeam, n.World.Teams.WillChange, teams...)},
		{"rules.hidePlayers", lines.ofSeasons(leagues...)},
	})
	return f
}
