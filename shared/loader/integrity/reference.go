package integrity

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/dataset/format"
	"touchline/shared/dataset/relations"
	"touchline/shared/loader/change"
	"touchline/shared/loader/history"
	"touchline/shared/loader/sources"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// Checker checks a load whose records are in the view after.
type Checker struct {
	*change.Changes
	Fetch  *world.Fetcher
	Faults *dataset.Faults
	// Given is the key of a record, in the dataset or else stored; else its id.
	Given func(sport.ID) string
	// Moved are the entries with results and the matches that leave their table, which Check finds.
	Moved []history.Taken
}

// Check finds what does not fit of the records of a part, and of the groups of
// the whole set. If the dataset replaces everything, what refers
// to a record that is removed is removed too, or was checked with the dataset.
func (l *Checker) Check(ctx context.Context, set *dataset.Set, part *dataset.Part, replace bool) error {
	l.circles(ctx, part.Organizations)
	l.groupsFit(set)
	l.entriesFit(ctx, part.Teams)
	l.withdrawals(ctx, part.Competitions)
	l.moved(ctx, l.leaving(ctx, part.Teams))
	if replace {
		return l.Fetch.Err()
	}
	l.organizations(ctx, part.Organizations)
	l.competitions(ctx, part.Competitions)
	l.sets(ctx, set, part.Competitions)
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

// stay notes that records of a kind stay and name what goes: the first of them, and how
// many more there are.
func (l *Checker) stay(ctx context.Context, at dataset.Origin, field, what string, kind sport.Kind, ids []sport.ID) {
	if len(ids) == 0 {
		return
	}
	first := slices.Min(ids)
	l.Fetch.Records(ctx, map[sport.Kind][]sport.ID{kind: {first}})
	stays := "which stays"
	if more := len(ids) - 1; more > 0 {
		stays = fmt.Sprintf("and %d more, which stay", more)
	}
	l.fault(at, field, "%s %s, %s", what, l.called(kind, first), stays)
}

// gone are the records that a part deletes and the table holds, and their ids.
func gone[E any, T dataset.Entity](e *world.Entities[sport.ID, E], given []*dataset.Record[T]) (gone []*dataset.Record[T], ids []sport.ID) {
	for _, r := range given {
		if r.Deleted && e.At(world.Before, r.ID) != nil {
			gone, ids = append(gone, r), append(ids, r.ID)
		}
	}
	return gone, ids
}

func (l *Checker) organizations(ctx context.Context, given []*dataset.Record[sport.Organization]) {
	w := l.World
	gone, ids := gone(&w.Organizations, given)
	l.Fetch.ChildrenOf(ctx, ids)
	l.Fetch.TeamsOwnedBy(ctx, ids)
	l.Fetch.Competitions(ctx, slices.Collect(l.Fetch.CompetitionsOwnedBy(ctx, ids)))
	for _, r := range gone {
		l.stay(ctx, r.Origin, "id", "is a parent of", sport.KindOrganization, slices.Collect(w.Children.In(world.After, r.ID)))
		l.stay(ctx, r.Origin, "id", "owns", sport.KindCompetition, l.inAnySeason(w.Owned.In(world.After, r.ID), func(c *world.Competition) bool { return c.OrganizationID == r.ID }))
		l.stay(ctx, r.Origin, "id", "owns", sport.KindTeam, slices.Collect(w.OwnedTeams.In(world.After, r.ID)))
	}
}

// inAnySeason are the competitions of which a season that stays is such.
func (l *Checker) inAnySeason(competitions iter.Seq[sport.ID], such func(*world.Competition) bool) (ids []sport.ID) {
	for id := range competitions {
		if slices.ContainsFunc(slices.Collect(l.World.SeasonsOf(world.After, id)), such) {
			ids = append(ids, id)
		}
	}
	return ids
}

// competitions checks seasons that are removed, and groups that a season loses.
func (l *Checker) competitions(ctx context.Context, given []*dataset.Record[sport.Competition]) {
	w := l.World
	for _, r := range given {
		for _, year := range slices.Sorted(w.Seasons.In(world.Before, r.ID)) {
			if r.Value.Season == 0 || r.Value.Season == year {
				l.season(ctx, r.Origin, world.SeasonID{ID: r.ID, Season: year})
			}
		}
		if r.Deleted && w.CurrentSeason(r.ID) == 0 {
			stages := slices.Collect(l.Fetch.StagesOf(ctx, []sport.ID{r.ID}))
			l.Fetch.Competitions(ctx, stages)
			l.stay(ctx, r.Origin, "id", "is the parent of", sport.KindCompetition, l.inAnySeason(slices.Values(stages), func(c *world.Competition) bool { return c.ParentID == r.ID }))
		}
	}
}

func (l *Checker) season(ctx context.Context, at dataset.Origin, id world.SeasonID) {
	w, f := l.World, l.Fetch
	was, is := w.Competitions.At(world.Before, id), w.Competitions.At(world.After, id)
	lost := func(group sport.ID) bool { return is == nil || group != "" && world.GroupName(is, group) == "" }
	if was == nil || is != nil && !slices.ContainsFunc(was.Groups, func(g sport.Group) bool { return lost(g.ID) }) {
		return
	}
	field, what := "id", fmt.Sprintf("season %d is that of", id.Season)
	if is != nil {
		field, what = "groups", "does not have the group of"
	}
	f.Teams(ctx, slices.Collect(f.EnteredIn(ctx, []world.SeasonID{id})))
	l.stay(ctx, at, field, what, sport.KindTeam, slices.DeleteFunc(slices.Collect(w.Entered.In(world.After, id)), func(t sport.ID) bool {
		x := w.Teams.At(world.After, t)
		return x == nil || !lost(x.GroupID)
	}))
	f.PlayedIn(ctx, []world.SeasonID{id})
	l.stay(ctx, at, field, what, sport.KindMatch, slices.DeleteFunc(slices.Collect(w.Played.In(world.After, id)), func(m sport.ID) bool {
		x := w.Result(world.After, m)
		return x == nil || !lost(x.GroupID)
	}))
	for _, table := range []sport.TableName{sport.TableRegular, sport.TablePlayoff, sport.TablePlayout} {
		if is == nil && w.Tables.At(world.After, world.TableID{SeasonID: id, Table: table}) != nil {
			l.fault(at, field, "has a %s table given for season %d, which stays", table, id.Season)
		}
	}
}

// sets finds stored matches that did not end as matches over the sets end that a season's
// rules get (D80).
func (l *Checker) sets(ctx context.Context, set *dataset.Set, given []*dataset.Record[sport.Competition]) {
	w := l.World
	for _, r := range given {
		id := world.SeasonID{ID: r.ID, Season: r.Value.Season}
		was, is := w.Competitions.At(world.Before, id), w.Competitions.At(world.After, id)
		if was == nil || is == nil || is.Rules.Sets == 0 || is.Rules.Sets == was.Rules.Sets {
			continue
		}
		var other []string
		l.Fetch.PlayedIn(ctx, []world.SeasonID{id})
		for _, m := range slices.Sorted(w.Played.In(world.After, id)) {
			x := w.Result(world.After, m)
			if x == nil || relations.Ends(x, &is.Competition) || set.Find(dataset.Target{Kind: sport.KindMatch, ID: m}) != dataset.Unknown {
				continue
			}
			l.Fetch.Matches(ctx, []sport.ID{m})
			other = append(other, fmt.Sprintf("%s (%d:%d)", l.called(sport.KindMatch, m), x.Score.Home, x.Score.Away))
		}
		const most = 10
		if more := len(other) - most; more > 0 {
			other = append(other[:most], fmt.Sprintf("%d more", more))
		}
		if other != nil {
			l.fault(r.Origin, "rules.sets", "is %d, but stored matches ended otherwise: %s", is.Rules.Sets, strings.Join(other, ", "))
		}
	}
}

func (l *Checker) teams(ctx context.Context, given []*dataset.Record[sport.Team]) {
	w := l.World
	gone, ids := gone(&w.Teams, given)
	l.Fetch.PlayersOf(ctx, ids)
	l.Fetch.FixturesOf(ctx, ids)
	l.Fetch.TablesNaming(ctx, ids)
	for _, r := range gone {
		for id := range w.Named.In(world.After, r.ID) {
			l.fault(r.Origin, "id", "has a row in the %s table given for season %d of %s, which stays", id.Table, id.Season, l.called(sport.KindCompetition, id.ID))
		}
		l.stay(ctx, r.Origin, "id", "is the team of", sport.KindPlayer, slices.Collect(w.Squads.In(world.After, r.ID)))
		l.stay(ctx, r.Origin, "id", "plays in", sport.KindMatch, slices.Collect(w.Fixtures.In(world.After, r.ID)))
	}
}

// players looks for matches that name a player who is removed.
func (l *Checker) players(ctx context.Context, given []*dataset.Record[sport.Player]) error {
	gone, _ := gone(&l.World.Players, given)
	for _, r := range gone {
		if r.Erased {
			continue
		}
		matches, err := l.Naming(ctx, l.World.Players.At(world.Before, r.ID))
		if err != nil {
			return err
		}
		l.stay(ctx, r.Origin, "id", "is named in", sport.KindMatch, matches)
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
	ids := make([]sport.ID, 0, len(given))
	for _, r := range given {
		ids = append(ids, r.ID)
	}
	l.Fetch.WithAncestors(ctx, ids)
	for _, r := range given {
		var above world.Set[sport.ID]
		for next := []sport.ID{r.ID}; len(next) > 0; {
			id := next[0]
			if next = next[1:]; l.World.Organizations.At(world.After, id) != nil {
				next = append(next, above.New(slices.Values(l.World.Organizations.At(world.After, id).Parents()))...)
			}
		}
		if above.Has(r.ID) {
			l.fault(r.Origin, "parentId", "makes the organization lie below itself")
		}
	}
}

// resolve resolves a match of the set. What is odd of it, or wrong, was reported before.
func (l *Checker) resolve(m *dataset.Record[dataset.Match]) { _, _ = l.Resolve(m) }

// groupsFit checks the groups of teams and matches whose season was left out. Which season
// it is, is known only now.
func (l *Checker) groupsFit(set *dataset.Set) {
	fits := func(at dataset.Origin, in world.SeasonID, group sport.ID) {
		if world.GroupName(l.World.Competitions.At(world.After, in), group) == "" {
			l.fault(at, "group", "is not a group of season %d of %s", in.Season, l.called(sport.KindCompetition, in.ID))
		}
	}
	for _, t := range set.Teams {
		if v := &t.Value; !t.Deleted && v.GroupID != "" {
			fits(t.Origin, world.SeasonID{ID: v.CompetitionID, Season: v.Season}, v.GroupID)
		}
	}
	for _, m := range set.Matches.All() {
		if v := &m.Value.Base; !m.Deleted && v.GroupID != "" {
			l.resolve(m)
			fits(m.Origin, world.SeasonID{ID: v.CompetitionID, Season: v.Season}, v.GroupID)
		}
	}
}

// entriesFit bounds the teams of a competition's season (D47), those that are
// stored included. Only seasons that a team enters can grow beyond it.
func (l *Checker) entriesFit(ctx context.Context, teams []*dataset.Record[sport.Team]) {
	w := l.World
	entering := map[world.SeasonID]dataset.Origin{} // the last that enters
	for _, t := range teams {
		is, was := w.Teams.At(world.After, t.ID), w.Teams.At(world.Before, t.ID)
		if is != nil && is.CompetitionID != "" && (was == nil || was.SeasonID() != is.SeasonID()) {
			entering[is.SeasonID()] = t.Origin
		}
	}
	seasons := slices.SortedFunc(maps.Keys(entering), world.SeasonID.Compare)
	l.Fetch.EnteredIn(ctx, seasons)
	for _, s := range seasons {
		n := 0
		for range w.Entered.In(world.After, s) {
			n++
		}
		if n > format.MaxTeams {
			l.fault(entering[s], "competitionId", "has %d teams in season %d with this dataset, more than %d", n, s.Season, format.MaxTeams)
		}
	}
}

// withdrawals checks that the teams that withdraw from a season are entered in it.
func (l *Checker) withdrawals(ctx context.Context, given []*dataset.Record[sport.Competition]) {
	for _, r := range given {
		id := world.SeasonID{ID: r.ID, Season: r.Value.Season}
		for i, x := range r.Value.Withdrawals {
			l.Fetch.Teams(ctx, []sport.ID{x.TeamID})
			if t := l.World.Teams.At(world.After, x.TeamID); t == nil || t.SeasonID() != id {
				l.fault(r.Origin, fmt.Sprintf("withdrawals[%d].teamId", i), "%s is not entered in season %d of the competition", l.called(sport.KindTeam, x.TeamID), id.Season)
			}
		}
	}
}

// entered checks that a team leaving a season has not withdrawn from it.
func (l *Checker) entered(ctx context.Context, given []*dataset.Record[sport.Team]) {
	w := l.World
	for _, r := range given {
		was, is := w.Teams.At(world.Before, r.ID), w.Teams.At(world.After, r.ID)
		if was == nil || was.CompetitionID == "" || is != nil && is.SeasonID() == was.SeasonID() {
			continue
		}
		l.Fetch.Competitions(ctx, []sport.ID{was.CompetitionID})
		if c := w.Competitions.At(world.After, was.SeasonID()); c != nil && c.Withdrew(r.ID) {
			l.fault(r.Origin, "id", "is in the withdrawals of season %d of %s, which stays", was.Season, l.called(sport.KindCompetition, c.ID))
		}
	}
}
