package integrity

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"

	"touchline/shared/dataset"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// Exposed warns where competitions will show more players of clubs that are out of sight
// than they did before the load (D65, D68): of a club's team that is entered there, or in
// the line-ups there. Players are those that the load affects.
func Exposed(ctx context.Context, f *world.Fetcher, set *dataset.Set, players []sport.ID) []dataset.Fault {
	e := &exposure{World: f.World, set: set}
	more := e.count(world.After, players)
	for t, n := range e.count(world.Before, players) {
		more[t] -= n
	}
	var clubs []sport.ID
	for t, n := range more {
		if n > 0 {
			clubs = append(clubs, t.club)
		}
	}
	if len(clubs) == 0 {
		return nil
	}
	all := slices.Compact(slices.Sorted(f.PlayersOf(ctx, slices.Collect(f.TeamsOwnedBy(ctx, clubs)))))
	teams := slices.Collect(f.TeamsOfPlayers(ctx, all))
	seasons := slices.AppendSeq(e.lineups(all), f.SeasonsOfTeams(ctx, teams))
	f.Organizations(ctx, slices.AppendSeq(slices.Collect(f.OwnersOfTeams(ctx, teams)), f.OwnersOf(ctx, seasons)))
	total := e.count(world.After, all)
	var found []dataset.Fault
	for t, n := range more {
		if n > 0 {
			found = append(found, e.warning(t, total[t], all))
		}
	}
	// slices.SortFunc, compiled for this struct, adds 18 KB to ingest.
	sort.Slice(found, func(i, j int) bool {
		a, b := &found[i], &found[j]
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Message, b.Message)) < 0
	})
	return found
}

// exposure finds which players of clubs that are out of sight competitions show.
type exposure struct {
	*world.World
	set *dataset.Set
}

// through is a club, and the competition that shows its players.
type through struct {
	club        sport.ID
	competition world.SeasonID
}

func (e *exposure) lineups(players []sport.ID) (in []world.SeasonID) {
	for x := range e.Players.Both(players...) {
		in = append(in, x.Lineups...)
	}
	return in
}

// count counts the players whom competitions show in a view.
func (e *exposure) count(v world.View, players []sport.ID) map[through]int {
	n := map[through]int{}
	for _, id := range players {
		club, in := e.shown(v, id)
		for _, c := range in {
			n[through{club, c}]++
		}
	}
	return n
}

// shown are the competitions that show a player in a view, if the club is out of sight.
func (e *exposure) shown(v world.View, player sport.ID) (club sport.ID, in []world.SeasonID) {
	x := e.Players.At(v, player)
	if x == nil || !e.Visible(v, x) {
		return "", nil
	}
	t := e.Teams.At(v, x.TeamID)
	if e.Organizations.At(v, t.OrganizationID) == nil || e.Seen(v, t.OrganizationID) {
		return "", nil
	}
	in = append(slices.DeleteFunc(slices.Clone(x.Lineups), func(s world.SeasonID) bool { return s == t.SeasonID() }), t.SeasonID())
	return t.OrganizationID, slices.DeleteFunc(in, func(s world.SeasonID) bool {
		c := e.Competitions.At(v, s)
		return c == nil || !c.Public() || c.Rules.HidePlayers
	})
}

// warning names the line that shows the players: that of the club or of one above it, of a
// team, of the competition, of a player, of a match that has one in its line-up, or of the
// competition that the player's team is entered in.
func (e *exposure) warning(t through, n int, players []sport.ID) dataset.Fault {
	club, c := e.Organizations.At(world.After, t.club), e.Competitions.At(world.After, t.competition)
	what, of, in := "players", fmt.Sprintf("%s %s %s", club.Visibility, club.Type, club.Name), c.Name
	if n == 1 {
		what = "player"
	}
	if club.Public() {
		of = fmt.Sprintf("%s %s, which is below a hidden or private organization,", club.Type, club.Name)
	}
	if !c.IsCurrent {
		in = fmt.Sprintf("season %d of %s", c.Season, c.Name)
	}
	w := dataset.Fault{Field: "visibility", Message: fmt.Sprintf("%d %s of the %s can be seen through %s", n, what, of, in)}
	at := dataset.Origin{}
	first := func(kind sport.Kind, id sport.ID, field string) {
		if o := e.set.Origin(kind, id); o.Line > 0 && (at.Line == 0 || w.Field == field && o.Line < at.Line) {
			at, w.Field = o, field
		}
	}
	season := func(of world.SeasonID, field string) {
		o := firstOrigin(e.set.Competitions, func(r *dataset.Record[sport.Competition]) bool {
			return r.ID == of.ID && r.Value.Season == of.Season
		})
		if at.Line == 0 && o.Line > 0 && e.Competitions.WillChange(of) {
			at, w.Field = o, field
		}
	}
	shown := func(id sport.ID) *world.Team {
		if club, in := e.shown(world.After, id); club == t.club && slices.Contains(in, t.competition) {
			return e.Teams.At(world.After, e.Players.At(world.After, id).TeamID)
		}
		return nil
	}
	for _, id := range club.Reach {
		if e.Organizations.WillChange(id) {
			first(sport.KindOrganization, id, "visibility")
		}
	}
	for _, id := range players {
		if x := shown(id); x != nil && e.Teams.WillChange(x.ID) {
			first(sport.KindTeam, x.ID, "organizationId")
		}
	}
	season(t.competition, "rules.hidePlayers")
	for _, id := range players {
		if shown(id) != nil && e.Players.WillChange(id) {
			first(sport.KindPlayer, id, "teamId")
		}
	}
	for _, id := range e.Matches.Changes() {
		if a := e.Appearing(world.After, id); a.Season == t.competition && slices.ContainsFunc(a.Squad, func(x sport.ID) bool { return shown(x) != nil }) {
			first(sport.KindMatch, id, "lineups")
		}
	}
	for _, id := range players {
		if x := shown(id); x != nil {
			season(x.SeasonID(), "visibility")
		}
	}
	w.File, w.Line = at.File, at.Line
	return w
}
