package loader

import (
	"context"
	"fmt"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// known answers which targets of references are stored and stay stored. Where
// the dataset replaces everything, nothing that it does not hold stays.
func (f *fetcher) known(replace bool) dataset.Known {
	return func(ctx context.Context, targets []dataset.Target) ([]bool, error) {
		answers := make([]bool, len(targets))
		if replace || f.empty {
			return answers, nil
		}
		ids := map[sport.Kind][]sport.ID{}
		for _, t := range targets {
			if t.Kind == sport.KindGroup {
				ids[sport.KindCompetition] = append(ids[sport.KindCompetition], t.Competition)
				continue
			}
			ids[t.Kind] = append(ids[t.Kind], t.ID)
		}
		for _, fetch := range []struct {
			kind  sport.Kind
			fetch func(context.Context, []sport.ID) error
		}{
			{sport.KindOrganization, f.organizations},
			{sport.KindCompetition, f.competitions},
			{sport.KindTeam, f.teams},
			{sport.KindPlayer, f.players},
			{sport.KindMatch, f.matches},
		} {
			if err := fetch.fetch(ctx, ids[fetch.kind]); err != nil {
				return nil, err
			}
		}
		for i, t := range targets {
			if t.Child {
				if err := f.stagesOf(ctx, []sport.ID{t.Competition}); err != nil {
					return nil, err
				}
			}
			answers[i] = f.world.holds(t)
		}
		return answers, nil
	}
}

// holds reports whether a target is stored.
func (w *world) holds(t dataset.Target) bool {
	switch t.Kind {
	case sport.KindOrganization:
		return w.organizations.at(before, t.ID) != nil
	case sport.KindTeam:
		return w.teams.at(before, t.ID) != nil
	case sport.KindPlayer:
		return w.players.at(before, t.ID) != nil
	case sport.KindMatch:
		return w.matches.at(before, t.ID) != nil
	case sport.KindCompetition:
		return w.anySeason(t.ID, t.Season, func(*competition) bool { return true })
	case sport.KindGroup:
		has := func(c *competition) bool { return groupName(c, t.ID) != "" }
		if w.anySeason(t.Competition, t.Season, has) {
			return true
		}
		return t.Child && w.stages.any(before, t.Competition, func(child sport.ID) bool { return w.anySeason(child, t.Season, has) })
	}
	return false
}

// anySeason reports whether f accepts the stored season of a competition, or
// any where year is 0.
func (w *world) anySeason(id sport.ID, year int, f func(*competition) bool) bool {
	return w.seasons.any(before, id, func(y int) bool {
		c := w.competitions.at(before, season{ID: id, Season: y})
		return c != nil && (year == 0 || year == y) && f(c)
	})
}

// left finds what a deletion, or a season that loses a group, would leave
// dangling: records that stay and refer to what goes.
type left struct {
	world  *world
	fetch  *fetcher
	faults *dataset.Faults
}

func (l *left) fault(o dataset.Origin, field, format string, args ...any) {
	l.faults.Add(dataset.Fault{File: o.File, Line: o.Line, Field: field, Message: fmt.Sprintf(format, args...)})
}

func (l *left) organizations(ctx context.Context, given []*dataset.Record[sport.Organization]) error {
	w := l.world
	for _, r := range given {
		if !r.Deleted || w.organizations.at(before, r.ID) == nil {
			continue
		}
		if err := l.fetch.childrenOf(ctx, []sport.ID{r.ID}); err != nil {
			return err
		}
		if err := l.fetch.ownedBy(ctx, []sport.ID{r.ID}); err != nil {
			return err
		}
		var children, competitions, teams []sport.ID
		w.children.each(after, r.ID, func(id sport.ID) { children = append(children, id) })
		w.owned.each(after, r.ID, func(id sport.ID) { competitions = append(competitions, id) })
		w.ownedTeams.each(after, r.ID, func(id sport.ID) { teams = append(teams, id) })
		if err := l.fetch.organizations(ctx, children); err != nil {
			return err
		}
		if err := l.fetch.competitions(ctx, competitions); err != nil {
			return err
		}
		if err := l.fetch.teams(ctx, teams); err != nil {
			return err
		}
		for _, id := range sorted(children) {
			if o := w.organizations.at(after, id); o != nil && slices.Contains(o.Parents(), r.ID) {
				l.fault(r.Origin, "id", "is a parent of organization %s, which stays", id)
			}
		}
		for _, id := range sorted(competitions) {
			w.seasons.each(after, id, func(year int) {
				if c := w.competitions.at(after, season{ID: id, Season: year}); c != nil && c.OrganizationID == r.ID {
					l.fault(r.Origin, "id", "owns season %d of competition %s, which stays", year, id)
				}
			})
		}
		for _, id := range sorted(teams) {
			if t := w.teams.at(after, id); t != nil && t.OrganizationID == r.ID {
				l.fault(r.Origin, "id", "owns team %s, which stays", id)
			}
		}
	}
	return nil
}

// competitions looks at seasons that go, and at groups that a season loses.
func (l *left) competitions(ctx context.Context, given []*dataset.Record[sport.Competition]) error {
	w := l.world
	for _, r := range given {
		var years []int
		w.seasons.each(before, r.ID, func(year int) {
			if r.Value.Season == 0 || r.Value.Season == year {
				years = append(years, year)
			}
		})
		slices.Sort(years)
		for _, year := range years {
			if err := l.season(ctx, r, season{ID: r.ID, Season: year}); err != nil {
				return err
			}
		}
		if err := l.stages(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// stages looks at the playoffs and playouts of a competition that goes.
func (l *left) stages(ctx context.Context, r *dataset.Record[sport.Competition]) error {
	w := l.world
	if !r.Deleted || w.currentSeason(r.ID) != 0 {
		return nil
	}
	if err := l.fetch.stagesOf(ctx, []sport.ID{r.ID}); err != nil {
		return err
	}
	var children []sport.ID
	w.stages.both(r.ID, func(id sport.ID) { children = append(children, id) })
	if err := l.fetch.competitions(ctx, children); err != nil {
		return err
	}
	for _, id := range sorted(children) {
		w.seasons.each(after, id, func(year int) {
			if c := w.competitions.at(after, season{ID: id, Season: year}); c != nil && c.ParentID == r.ID {
				l.fault(r.Origin, "id", "is the parent of season %d of competition %s, which stays", year, id)
			}
		})
	}
	return nil
}

func (l *left) season(ctx context.Context, r *dataset.Record[sport.Competition], id season) error {
	w := l.world
	was, is := w.competitions.at(before, id), w.competitions.at(after, id)
	if was == nil || is != nil && !losesGroup(was, is) {
		return nil
	}
	if err := l.fetch.enteredIn(ctx, []season{id}); err != nil {
		return err
	}
	if err := l.fetch.playedIn(ctx, []season{id}); err != nil {
		return err
	}
	if err := l.fetch.teamsEntered(ctx, []season{id}); err != nil {
		return err
	}
	var teams, matches []sport.ID
	w.entered.each(after, id, func(t sport.ID) { teams = append(teams, t) })
	w.played.each(after, id, func(m sport.ID) { matches = append(matches, m) })
	for _, t := range sorted(teams) {
		x := w.teams.at(after, t)
		if x != nil && x.season() == id && (is == nil || x.GroupID != "" && groupName(is, x.GroupID) == "") {
			l.lost(r.Origin, is, id, "team", t)
		}
	}
	for _, m := range sorted(matches) {
		x := w.result(after, m)
		if x != nil && x.CompetitionID == id.ID && x.Season == id.Season && (is == nil || x.GroupID != "" && groupName(is, x.GroupID) == "") {
			l.lost(r.Origin, is, id, "match", m)
		}
	}
	if is == nil {
		for _, table := range []sport.TableName{sport.TableRegular, sport.TablePlayoff, sport.TablePlayout} {
			if w.tables.at(after, tableID{id, table}) != nil {
				l.fault(r.Origin, "id", "has a %s table given for season %d, which stays", table, id.Season)
			}
		}
	}
	return nil
}

func losesGroup(was, is *competition) bool {
	return slices.ContainsFunc(was.Groups, func(g sport.Group) bool { return groupName(is, g.ID) == "" })
}

func (l *left) lost(o dataset.Origin, is *competition, id season, kind string, what sport.ID) {
	if is == nil {
		l.fault(o, "id", "season %d is that of %s %s, which stays", id.Season, kind, what)
		return
	}
	l.fault(o, "groups", "lacks the group of %s %s, which stays", kind, what)
}

func (l *left) teams(ctx context.Context, given []*dataset.Record[sport.Team]) error {
	w := l.world
	var gone []*dataset.Record[sport.Team]
	var ids []sport.ID
	for _, r := range given {
		if r.Deleted && w.teams.at(before, r.ID) != nil {
			gone, ids = append(gone, r), append(ids, r.ID)
		}
	}
	if err := l.fetch.squadsOf(ctx, ids); err != nil {
		return err
	}
	if err := l.fetch.fixturesOf(ctx, ids); err != nil {
		return err
	}
	if err := l.fetch.tablesNaming(ctx, ids); err != nil {
		return err
	}
	for _, r := range gone {
		var players, matches []sport.ID
		w.named.each(after, r.ID, func(id tableID) {
			l.fault(r.Origin, "id", "has a row in the %s table given for season %d of competition %s, which stays", id.table, id.Season, id.ID)
		})
		w.squads.each(after, r.ID, func(id sport.ID) { players = append(players, id) })
		w.fixtures.each(after, r.ID, func(id sport.ID) { matches = append(matches, id) })
		if len(players) > 0 {
			l.fault(r.Origin, "id", "is the team of player %s, which stays", sorted(players)[0])
		}
		if len(matches) > 0 {
			l.fault(r.Origin, "id", "plays in match %s, which stays", sorted(matches)[0])
		}
	}
	return nil
}

// players looks for matches that name a player who goes: those of the teams of
// the player's club, since a line-up may name a player of another of its teams.
func (l *left) players(ctx context.Context, given []*dataset.Record[sport.Player]) error {
	w := l.world
	for _, r := range given {
		was := w.players.at(before, r.ID)
		if !r.Deleted || was == nil {
			continue
		}
		matches, err := l.matchesOfClub(ctx, was)
		if err != nil {
			return err
		}
		keys := make([]store.Key, len(matches))
		for i, id := range matches {
			keys[i] = records.MatchDetailKey(id)
		}
		items, err := l.fetch.table.BatchGet(ctx, keys, true)
		if err != nil {
			return err
		}
		for i, id := range matches {
			item, ok := items[keys[i]]
			if !ok {
				continue
			}
			named, err := names(item, r.ID)
			if err != nil {
				return err
			}
			if named {
				l.fault(r.Origin, "id", "is named in match %s, which stays", id)
			}
		}
	}
	return nil
}

// matchesOfClub are the stored matches, of those that stay as they are, in
// which a player can have been.
func (l *left) matchesOfClub(ctx context.Context, x *player) ([]sport.ID, error) {
	w := l.world
	if err := l.fetch.teams(ctx, []sport.ID{x.TeamID}); err != nil {
		return nil, err
	}
	teams := []sport.ID{x.TeamID}
	if t := w.teams.at(before, x.TeamID); t != nil && t.OrganizationID != "" {
		if err := l.fetch.ownedBy(ctx, []sport.ID{t.OrganizationID}); err != nil {
			return nil, err
		}
		w.ownedTeams.each(before, t.OrganizationID, func(id sport.ID) { teams = append(teams, id) })
	}
	if err := l.fetch.fixturesOf(ctx, teams); err != nil {
		return nil, err
	}
	matches := set[sport.ID]{}
	for _, t := range teams {
		w.fixtures.each(before, t, func(id sport.ID) {
			if _, changed := w.matches.changed[id]; !changed {
				matches.add(id)
			}
		})
	}
	return sorted(matches.keys()), nil
}

func sorted(ids []sport.ID) []sport.ID {
	slices.Sort(ids)
	return ids
}

// circles finds organizations that would lie below themselves.
func (l *left) circles(ctx context.Context, given []*dataset.Record[sport.Organization]) error {
	w := l.world
	ids := make([]sport.ID, 0, len(given))
	for _, r := range given {
		ids = append(ids, r.ID)
	}
	if err := l.fetch.withAncestors(ctx, ids); err != nil {
		return err
	}
	const open, closed = 1, 2
	state := map[sport.ID]int{}
	var circular func(id sport.ID) bool
	circular = func(id sport.ID) bool {
		if state[id] != 0 {
			return state[id] == open
		}
		state[id] = open
		found := false
		if o := w.organizations.at(after, id); o != nil {
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
	return nil
}
