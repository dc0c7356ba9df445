package integrity

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/loader/history"
	"touchline/shared/loader/sources"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// Checker checks a load whose records are in the view after.
type Checker struct {
	World  *world.World
	Fetch  *world.Fetcher
	Faults *dataset.Faults
	// Given is the key of a record, in the dataset or else stored; else its id.
	Given func(sport.ID) string
	// Resolve fills in what a match of the set takes from its competition.
	Resolve func(*dataset.Record[dataset.Match])
}

// Check finds what does not fit of the records of a part, and of the groups of
// the whole set. If the dataset replaces everything, what refers
// to a record that is removed is removed too, or was checked with the dataset.
func (l *Checker) Check(ctx context.Context, set *dataset.Set, part *dataset.Part, replace bool) error {
	l.circles(ctx, part.Organizations)
	l.groupsFit(set)
	l.entriesFit(ctx, part.Teams)
	l.withdrawals(ctx, part.Competitions)
	if replace {
		return l.Fetch.Err()
	}
	l.organizations(ctx, part.Organizations)
	l.competitions(ctx, part.Competitions)
	l.teams(ctx, part.Teams)
	l.entered(ctx, part.Teams)
	return l.players(ctx, part.Players)
}

// called describes a record that stays: by the operator's own key if the
// dataset has it or it was stored with it, else by its id and name.
func (l *Checker) called(kind sport.Kind, id sport.ID) string {
	if key := l.Given(id); key != string(id) {
		return fmt.Sprintf("%s %q", kind, key)
	}
	_, known, _ := sources.Called(l.World, world.Before, history.Record{Kind: kind, ID: id})
	if kind == sport.KindMatch {
		if e := l.World.Listed(world.Before, id); e != nil {
			known = fmt.Sprintf("%s - %s, %s", e.Home.Name, e.Away.Name, time.UnixMilli(e.Kickoff).UTC().Format(time.DateOnly))
		}
	}
	if known == "" {
		return fmt.Sprintf("%s %s", kind, id)
	}
	return fmt.Sprintf("%s %s (%s)", kind, id, known)
}

func (l *Checker) fault(o dataset.Origin, field, format string, args ...any) {
	l.Faults.Add(dataset.Fault{File: o.File, Line: o.Line, Field: field, Message: fmt.Sprintf(format, args...)})
}

func (l *Checker) organizations(ctx context.Context, given []*dataset.Record[sport.Organization]) {
	w := l.World
	for _, r := range given {
		if !r.Deleted || w.Organizations.At(world.Before, r.ID) == nil {
			continue
		}
		l.Fetch.ChildrenOf(ctx, []sport.ID{r.ID})
		l.Fetch.CompetitionsOwnedBy(ctx, []sport.ID{r.ID})
		l.Fetch.TeamsOwnedBy(ctx, []sport.ID{r.ID})
		children := slices.Sorted(w.Children.In(world.After, r.ID))
		competitions := slices.Sorted(w.Owned.In(world.After, r.ID))
		teams := slices.Sorted(w.OwnedTeams.In(world.After, r.ID))
		l.Fetch.Organizations(ctx, children)
		l.Fetch.Competitions(ctx, competitions)
		l.Fetch.Teams(ctx, teams)
		for _, id := range children {
			if o := w.Organizations.At(world.After, id); o != nil && slices.Contains(o.Parents(), r.ID) {
				l.fault(r.Origin, "id", "is a parent of %s, which stays", l.called(sport.KindOrganization, id))
			}
		}
		for _, id := range competitions {
			for c := range w.SeasonsOf(world.After, id) {
				if c.OrganizationID == r.ID {
					l.fault(r.Origin, "id", "owns season %d of %s, which stays", c.Season, l.called(sport.KindCompetition, id))
				}
			}
		}
		for _, id := range teams {
			if t := w.Teams.At(world.After, id); t != nil && t.OrganizationID == r.ID {
				l.fault(r.Origin, "id", "owns %s, which stays", l.called(sport.KindTeam, id))
			}
		}
	}
}

// competitions checks seasons that are removed, and groups that a season loses.
func (l *Checker) competitions(ctx context.Context, given []*dataset.Record[sport.Competition]) {
	w := l.World
	for _, r := range given {
		for _, year := range slices.Sorted(w.Seasons.In(world.Before, r.ID)) {
			if r.Value.Season == 0 || r.Value.Season == year {
				l.season(ctx, r, world.SeasonID{ID: r.ID, Season: year})
			}
		}
		l.stages(ctx, r)
	}
}

// stages checks the playoffs and playouts of a competition that is removed.
func (l *Checker) stages(ctx context.Context, r *dataset.Record[sport.Competition]) {
	w := l.World
	if !r.Deleted || w.CurrentSeason(r.ID) != 0 {
		return
	}
	children := slices.Sorted(l.Fetch.StagesOf(ctx, []sport.ID{r.ID}))
	l.Fetch.Competitions(ctx, children)
	for _, id := range children {
		for c := range w.SeasonsOf(world.After, id) {
			if c.ParentID == r.ID {
				l.fault(r.Origin, "id", "is the parent of season %d of %s, which stays", c.Season, l.called(sport.KindCompetition, id))
			}
		}
	}
}

func (l *Checker) season(ctx context.Context, r *dataset.Record[sport.Competition], id world.SeasonID) {
	w := l.World
	was, is := w.Competitions.At(world.Before, id), w.Competitions.At(world.After, id)
	if was == nil || is != nil && !losesGroup(was, is) {
		return
	}
	l.Fetch.Teams(ctx, slices.Collect(l.Fetch.EnteredIn(ctx, []world.SeasonID{id})))
	l.Fetch.PlayedIn(ctx, []world.SeasonID{id})
	for _, t := range slices.Sorted(w.Entered.In(world.After, id)) {
		x := w.Teams.At(world.After, t)
		if x != nil && x.SeasonID() == id && (is == nil || x.GroupID != "" && world.GroupName(is, x.GroupID) == "") {
			l.lost(r.Origin, is, id, l.called(sport.KindTeam, t))
		}
	}
	for _, m := range slices.Sorted(w.Played.In(world.After, id)) {
		x := w.Result(world.After, m)
		if x != nil && x.CompetitionID == id.ID && x.Season == id.Season && (is == nil || x.GroupID != "" && world.GroupName(is, x.GroupID) == "") {
			l.Fetch.Matches(ctx, []sport.ID{m})
			l.lost(r.Origin, is, id, l.called(sport.KindMatch, m))
		}
	}
	if is == nil {
		for _, table := range []sport.TableName{sport.TableRegular, sport.TablePlayoff, sport.TablePlayout} {
			if w.Tables.At(world.After, world.TableID{SeasonID: id, Table: table}) != nil {
				l.fault(r.Origin, "id", "has a %s table given for season %d, which stays", table, id.Season)
			}
		}
	}
}

func losesGroup(was, is *world.Competition) bool {
	return slices.ContainsFunc(was.Groups, func(g sport.Group) bool { return world.GroupName(is, g.ID) == "" })
}

func (l *Checker) lost(o dataset.Origin, is *world.Competition, id world.SeasonID, what string) {
	if is == nil {
		l.fault(o, "id", "season %d is that of %s, which stays", id.Season, what)
		return
	}
	l.fault(o, "groups", "does not have the group of %s, which stays", what)
}

func (l *Checker) teams(ctx context.Context, given []*dataset.Record[sport.Team]) {
	w := l.World
	var gone []*dataset.Record[sport.Team]
	var ids []sport.ID
	for _, r := range given {
		if r.Deleted && w.Teams.At(world.Before, r.ID) != nil {
			gone, ids = append(gone, r), append(ids, r.ID)
		}
	}
	l.Fetch.PlayersOf(ctx, ids)
	l.Fetch.FixturesOf(ctx, ids)
	l.Fetch.TablesNaming(ctx, ids)
	for _, r := range gone {
		for id := range w.Named.In(world.After, r.ID) {
			l.fault(r.Origin, "id", "has a row in the %s table given for season %d of %s, which stays", id.Table, id.Season, l.called(sport.KindCompetition, id.ID))
		}
		if players := slices.Sorted(w.Squads.In(world.After, r.ID)); len(players) > 0 {
			l.Fetch.Players(ctx, players[:1])
			l.fault(r.Origin, "id", "is the team of %s, which stays", l.called(sport.KindPlayer, players[0]))
		}
		if matches := slices.Sorted(w.Fixtures.In(world.After, r.ID)); len(matches) > 0 {
			l.Fetch.Matches(ctx, matches[:1])
			l.fault(r.Origin, "id", "plays in %s, which stays", l.called(sport.KindMatch, matches[0]))
		}
	}
}

// players looks for matches that name a player who is removed.
func (l *Checker) players(ctx context.Context, given []*dataset.Record[sport.Player]) error {
	for _, r := range given {
		was := l.World.Players.At(world.Before, r.ID)
		if !r.Deleted || r.Erased || was == nil {
			continue
		}
		matches, err := l.Naming(ctx, was)
		if err != nil {
			return err
		}
		for _, id := range matches {
			l.fault(r.Origin, "id", "is named in %s, which stays", l.called(sport.KindMatch, id))
		}
	}
	return l.Fetch.Err()
}

// Naming are the stored matches, of those that stay as they are, that name a player.
func (l *Checker) Naming(ctx context.Context, x *world.Player) (naming []sport.ID, err error) {
	matches := l.matchesOf(ctx, x)
	l.Fetch.Matches(ctx, matches)
	l.Fetch.Details(ctx, matches)
	for _, id := range matches {
		if m := l.World.Matches.At(world.Before, id); m != nil {
			full, failed := m.Full()
			if err = cmp.Or(err, failed); slices.Contains(full.Involved(), x.ID) {
				naming = append(naming, id)
			}
		}
	}
	return naming, cmp.Or(l.Fetch.Err(), err)
}

// matchesOf are the stored matches in which a player can have been, as far as they stay as
// they are. Some say so, at whatever club. Line-ups that are not published do not say it:
// for them, all matches of the teams of the player's club are looked at.
func (l *Checker) matchesOf(ctx context.Context, x *world.Player) []sport.ID {
	w := l.World
	l.Fetch.Teams(ctx, []sport.ID{x.TeamID})
	teams := []sport.ID{x.TeamID}
	if t := w.Teams.At(world.Before, x.TeamID); t != nil && t.OrganizationID != "" {
		l.Fetch.TeamsOwnedBy(ctx, []sport.ID{t.OrganizationID})
		teams = slices.AppendSeq(teams, w.OwnedTeams.In(world.Before, t.OrganizationID))
	}
	l.Fetch.FixturesOf(ctx, teams)
	l.Fetch.PerformancesOf(ctx, []sport.ID{x.ID})
	matches := world.Set[sport.ID]{}
	for id := range w.Performed[x.ID] {
		if !w.Matches.WillChange(id) {
			matches.Add(id)
		}
	}
	for _, t := range teams {
		for id := range w.Fixtures.In(world.Before, t) {
			if !w.Matches.WillChange(id) {
				matches.Add(id)
			}
		}
	}
	return slices.Sorted(maps.Keys(matches))
}

// circles finds organizations that would be below themselves.
func (l *Checker) circles(ctx context.Context, given []*dataset.Record[sport.Organization]) {
	w := l.World
	ids := make([]sport.ID, 0, len(given))
	for _, r := range given {
		ids = append(ids, r.ID)
	}
	l.Fetch.WithAncestors(ctx, ids)
	const open, closed = 1, 2
	state := map[sport.ID]int{}
	var circular func(id sport.ID) bool
	circular = func(id sport.ID) bool {
		if state[id] != 0 {
			return state[id] == open
		}
		state[id] = open
		found := false
		if o := w.Organizations.At(world.After, id); o != nil {
			for _, p := range o.Parents() {
				found = circular(p) || found
			}
		}
		state[id] = closed
		return found
	}
	for _, r := range given {
		if !r.Deleted && circular(r.ID) {
			l.fault(r.Origin, "parentId", "makes the organization lie below itself")
		}
	}
}
