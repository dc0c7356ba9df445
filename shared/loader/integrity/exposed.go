package integrity

import (
	"fmt"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// Exposed warns where competitions show players of clubs that are out of sight whom they
// did not show before the load (D65, D68): players of a club's team that is entered there,
// or in matches there. Players are those that the load affects.
func Exposed(w *world.World, set *dataset.Set, players []sport.ID) (found []dataset.Fault) {
	e := &exposure{World: w, set: set}
	newly := map[through][]sport.ID{}
	for _, id := range players {
		before := e.shown(world.Before, id)
		for _, t := range e.shown(world.After, id) {
			if !slices.Contains(before, t) {
				newly[t] = append(newly[t], id)
			}
		}
	}
	for t, players := range newly {
		found = append(found, e.warning(t, players))
	}
	sortFaults(found)
	return found
}

// exposure finds which players of clubs that are out of sight competitions show.
type exposure struct {
	*world.World
	set *dataset.Set
}

// through is a club, and a competition that shows players of it.
type through struct {
	club        sport.ID
	competition world.SeasonID
}

// shown says which competitions show a player in a view; none if the club is in sight.
func (e *exposure) shown(v world.View, player sport.ID) (all []through) {
	x := e.Players.At(v, player)
	if x == nil || !e.Visible(v, x) {
		return nil
	}
	t := e.Teams.At(v, x.TeamID)
	if e.Organizations.At(v, t.OrganizationID) == nil || e.Seen(v, t.OrganizationID) {
		return nil
	}
	for _, s := range append(slices.Clone(x.Lineups), t.SeasonID()) {
		to := through{t.OrganizationID, s}
		if c := e.Competitions.At(v, s); c != nil && c.Public() && !c.Rules.HidePlayers && !slices.Contains(all, to) {
			all = append(all, to)
		}
	}
	return all
}

// warning names the first line that shows the players: of the club or of one above it, of a
// team, of the competition, of a player, of a match that has one in its line-up, or of the
// competition that a player's team is entered in.
func (e *exposure) warning(t through, players []sport.ID) dataset.Fault {
	club, c := e.Organizations.At(world.After, t.club), e.Competitions.At(world.After, t.competition)
	what, of, in := "players", fmt.Sprintf("%s %s %s", club.Visibility, club.Type, club.Name), c.Name
	if len(players) == 1 {
		what = "player"
	}
	if club.Public() {
		of = fmt.Sprintf("%s %s, which is below a hidden or private organization,", club.Type, club.Name)
	}
	if !c.IsCurrent {
		in = fmt.Sprintf("season %d of %s", c.Season, c.Name)
	}
	w := dataset.Fault{Message: fmt.Sprintf("%d %s of the %s can now be seen through %s", len(players), what, of, in)}
	var teams, matches []sport.ID
	named := "events"
	var leagues []world.SeasonID
	for _, id := range players {
		team := e.Teams.At(world.After, e.Players.At(world.After, id).TeamID)
		teams, leagues = append(teams, team.ID), append(leagues, team.SeasonID())
	}
	for _, id := range e.Matches.Changes() {
		if a := e.Appearing(world.After, id); a.Season == t.competition && slices.ContainsFunc(a.Squad, func(x sport.ID) bool { return slices.Contains(players, x) }) {
			if full, err := e.Matches.At(world.After, id).Full(); err == nil && full.Lineups != nil {
				named = "lineups"
			}
			matches = append(matches, id)
		}
	}
	e.first(&w, []cause{
		{"visibility", e.of(sport.KindOrganization, e.Organizations.WillChange, club.Reach...)},
		{"organizationId", e.of(sport.KindTeam, e.Teams.WillChange, teams...)},
		{"rules.hidePlayers", e.ofSeasons(t.competition)},
		{"teamId", e.of(sport.KindPlayer, e.Players.WillChange, players...)},
		{named, e.of(sport.KindMatch, e.Matches.WillChange, matches...)},
		{"visibility", e.ofSeasons(leagues...)},
	})
	return w
}

// cause is a field, and the lines of the set that may have brought something about by it.
type cause struct {
	field string
	lines []dataset.Origin
}

// first gives a warning the first line of the first cause that has any.
func (e *exposure) first(w *dataset.Fault, causes []cause) {
	for _, c := range causes {
		if len(c.lines) > 0 {
			at := slices.MinFunc(c.lines, func(a, b dataset.Origin) int { return a.Line - b.Line })
			w.File, w.Line, w.Field = at.File, at.Line, c.field
			return
		}
	}
}

// of are the lines of the set that change some records of a kind.
func (e *exposure) of(kind sport.Kind, changes func(sport.ID) bool, ids ...sport.ID) (lines []dataset.Origin) {
	for _, id := range ids {
		if at := e.set.Origin(kind, id); at.Line > 0 && changes(id) {
			lines = append(lines, at)
		}
	}
	return lines
}

// ofSeasons are those that change seasons.
func (e *exposure) ofSeasons(seasons ...world.SeasonID) (lines []dataset.Origin) {
	for _, r := range e.set.Competitions {
		if id := (world.SeasonID{ID: r.ID, Season: r.Value.Season}); slices.Contains(seasons, id) && e.Competitions.WillChange(id) {
			lines = append(lines, r.Origin)
		}
	}
	return lines
}
