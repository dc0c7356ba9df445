package integrity

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sort"

	"touchline/shared/dataset"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// exposed warns where competitions will show more players of private and hidden clubs
// than they did before the load (D65). The records of the part are in the view after.
func exposed(ctx context.Context, f *world.Fetcher, set *dataset.Set, part *dataset.Part) []dataset.Fault {
	e := &exposure{World: f.World, set: set}
	teams := e.candidates(ctx, f, part)
	f.SquadsOf(ctx, teams)
	f.Players(ctx, slices.Collect(e.Squads.Both(teams...)))
	more, all := map[through]int{}, map[through]int{}
	for _, id := range teams {
		was, n := e.shown(world.Before, id)
		more[was] -= n
		is, n := e.shown(world.After, id)
		more[is] += n
		all[is] += n
	}
	var found []dataset.Fault
	for t := range maps.Keys(all) {
		if t.club != "" && more[t] > 0 {
			found = append(found, e.warning(t, all[t], teams))
		}
	}
	// slices.SortFunc, compiled for this struct, adds 18 KB to ingest.
	sort.Slice(found, func(i, j int) bool {
		a, b := &found[i], &found[j]
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Message, b.Message)) < 0
	})
	return found
}

// exposure finds which players of clubs that are not public competitions show.
type exposure struct {
	*world.World
	set *dataset.Set
}

// through is a club, and the competition that shows its players.
type through struct {
	club        sport.ID // empty: none is shown
	competition world.SeasonID
}

// candidates are the teams of the clubs that are not public of which a load may show
// more, in the order of their ids.
func (e *exposure) candidates(ctx context.Context, f *world.Fetcher, part *dataset.Part) []sport.ID {
	teams := world.Set[sport.ID]{}
	for _, x := range part.Players {
		if !x.Deleted {
			teams.Add(x.Value.TeamID)
		}
	}
	teams.Add(e.Teams.Changes()...)
	var clubs []sport.ID
	for _, id := range e.Organizations.Changes() {
		if o := e.Organizations.At(world.After, id); o != nil && !o.Public() {
			clubs = append(clubs, id)
		}
	}
	var seasons []world.SeasonID
	for _, id := range e.Competitions.Changes() {
		was, is := e.Competitions.At(world.Before, id), e.Competitions.At(world.After, id)
		if is != nil && shows(is) && (was == nil || !shows(was)) {
			seasons = append(seasons, id)
		}
	}
	f.OwnedBy(ctx, clubs)
	f.EnteredIn(ctx, seasons)
	teams.AddAll(e.OwnedTeams.Both(clubs...))
	teams.AddAll(e.Entered.Both(seasons...))
	owners := slices.DeleteFunc(f.OwnersOfTeams(ctx, teams.Keys()), func(id sport.ID) bool {
		o := e.Organizations.At(world.After, id)
		return o == nil || o.Public()
	})
	f.OwnedBy(ctx, owners)
	ids := slices.Compact(slices.Sorted(e.OwnedTeams.Both(owners...))) // all of these clubs
	f.Teams(ctx, ids)
	f.WithOwners(ctx, world.IDs(e.Teams.Both(ids...), func(t *world.Team) sport.ID { return t.CompetitionID }))
	return ids
}

// shows reports whether a competition shows its players at all.
func shows(c *world.Competition) bool { return c.Public() && !c.Rules.HidePlayers }

// shown says how many players of a team a competition shows in a view, and which: one
// that another organization owns.
func (e *exposure) shown(v world.View, id sport.ID) (through, int) {
	t := e.Teams.At(v, id)
	if t == nil || !t.Public() || t.CompetitionID == "" {
		return through{}, 0
	}
	club, c := e.Organizations.At(v, t.OrganizationID), e.Competitions.At(v, t.SeasonID())
	if club == nil || club.Public() || c == nil || !shows(c) || c.OrganizationID == club.ID {
		return through{}, 0
	}
	if owner := e.Organizations.At(v, c.OrganizationID); owner == nil || !owner.Public() {
		return through{}, 0
	}
	n := 0
	for player := range e.Squads.In(v, id) {
		if x := e.Players.At(v, player); x != nil && x.TeamID == id && e.Visible(v, x) {
			n++
		}
	}
	return through{club.ID, t.SeasonID()}, n
}

// warning names the line that shows the players: that of the club, of one of its teams,
// of the competition, or of a player.
func (e *exposure) warning(t through, n int, teams []sport.ID) dataset.Fault {
	club, c := e.Organizations.At(world.After, t.club), e.Competitions.At(world.After, t.competition)
	players := "players"
	if n == 1 {
		players = "player"
	}
	w := dataset.Fault{Field: "visibility", Message: fmt.Sprintf("%d %s of the %s %s %s can be seen through %s", n, players, club.Visibility, club.Type, club.Name, c.Name)}
	at := dataset.Origin{}
	if e.Organizations.WillChange(t.club) {
		at = e.set.Origin(sport.KindOrganization, t.club)
	}
	for _, id := range teams {
		if is, _ := e.shown(world.After, id); is == t && at.Line == 0 && e.Teams.WillChange(id) {
			at, w.Field = e.set.Origin(sport.KindTeam, id), "organizationId"
		}
	}
	if at.Line == 0 && e.Competitions.WillChange(t.competition) {
		at, w.Field = firstOrigin(e.set.Competitions, func(r *dataset.Record[sport.Competition]) bool {
			return r.ID == t.competition.ID && r.Value.Season == t.competition.Season
		}), "rules.hidePlayers"
	}
	for _, id := range teams {
		is, _ := e.shown(world.After, id)
		for player := range e.Squads.In(world.After, id) {
			if o := e.set.Origin(sport.KindPlayer, player); is == t && e.Players.WillChange(player) && o.Line > 0 && (at.Line == 0 || w.Field == "teamId" && o.Line < at.Line) {
				at, w.Field = o, "teamId"
			}
		}
	}
	w.File, w.Line = at.File, at.Line
	return w
}
