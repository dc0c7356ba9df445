package integrity

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"touchline/shared/dataset"
	"touchline/shared/dataset/slips"
	"touchline/shared/loader/history"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// place is where a name should stand once: in a team, a season, or below a parent.
type place[K comparable] struct {
	in   K
	name string // folded
}

// Alike warns of records that have one name beside each other (D90), of which the load makes,
// renames, moves or shows one: players who are shown in a team, entries of a season, and
// organizations below one parent. Called is the key of a record.
func Alike(ctx context.Context, f *world.Fetcher, set *dataset.Set, called func(sport.ID) string) (found []dataset.Fault) {
	w := f.World
	line := func(kind sport.Kind) func(a, b sport.ID) int {
		return func(a, b sport.ID) int {
			x, y := set.Origin(kind, a), set.Origin(kind, b)
			return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(a, b))
		}
	}
	warn := func(kind sport.Kind, in string) func(id, other sport.ID) {
		return func(id, other sport.ID) {
			o := set.Origin(kind, id)
			found = append(found, dataset.Fault{File: o.File, Line: o.Line, Field: "name",
				Message: fmt.Sprintf("%s %s has the name of %s %s: are they one under two ids?", kind, called(id), called(other), in), Kind: in})
		}
	}
	listed := map[sport.ID]records.PlayerEntry{} // who was not read
	alike(w.Players.Changes(), func(v world.View, id sport.ID) []place[sport.ID] {
		if e, is := listed[id]; is {
			return []place[sport.ID]{{e.Team.ID, slips.Folded(e.Name)}}
		}
		if x := w.Players.At(v, id); x != nil && w.Visible(v, x) {
			return []place[sport.ID]{{x.TeamID, slips.Folded(x.Name)}}
		}
		return nil
	}, func(teams []sport.ID) (squads []sport.ID) {
		for _, e := range f.Squads(ctx, teams) {
			if squads = append(squads, e.ID); !w.Players.Fetched(e.ID) && !e.Hidden {
				listed[e.ID] = e
			}
		}
		return squads
	}, line(sport.KindPlayer), warn(sport.KindPlayer, "in the same team"))
	alike(w.Teams.Changes(), func(v world.View, id sport.ID) []place[world.SeasonID] {
		if t := w.Teams.At(v, id); t != nil && t.CompetitionID != "" && t.Public() {
			return []place[world.SeasonID]{{t.SeasonID(), slips.Folded(t.Name)}}
		}
		return nil
	}, func(seasons []world.SeasonID) []sport.ID {
		entered := slices.Collect(f.EnteredIn(ctx, seasons))
		f.Teams(ctx, entered)
		return entered
	}, line(sport.KindTeam), warn(sport.KindTeam, "in the same season"))
	alike(w.Organizations.Changes(), func(v world.View, id sport.ID) (all []place[sport.ID]) {
		if o := w.Organizations.At(v, id); o != nil && o.Public() {
			for _, parent := range o.Parents() {
				all = append(all, place[sport.ID]{parent, slips.Folded(o.Name)})
			}
		}
		return all
	}, func(parents []sport.ID) []sport.ID {
		children := slices.Collect(f.ChildrenOf(ctx, parents))
		f.Organizations(ctx, children)
		return children
	}, line(sport.KindOrganization), warn(sport.KindOrganization, "below the same organization"))
	sortFaults(found)
	return found
}

// alike finds those of changed records that come to a place where another one is. At says
// where a record is in a view, members reads who is in some teams, seasons or organizations,
// line compares where the dataset has two.
func alike[K comparable](changed []sport.ID, at func(world.View, sport.ID) []place[K], members func([]K) []sport.ID, line func(a, b sport.ID) int, warn func(id, other sport.ID)) {
	come := map[place[K]][]sport.ID{}
	var ins world.Set[K]
	for _, id := range changed {
		was := at(world.Before, id)
		for _, p := range at(world.After, id) {
			if !slices.Contains(was, p) {
				come[p] = append(come[p], id)
				ins.Add(p.in)
			}
		}
	}
	earlier := func(p place[K], id, other sport.ID) bool { // who is there, before those who come
		if comes := slices.Contains(come[p], id); comes != slices.Contains(come[p], other) {
			return !comes
		}
		return line(id, other) < 0
	}
	first := map[place[K]]sport.ID{}
	for _, id := range slices.Concat(members(ins.Keys()), changed) {
		for _, p := range at(world.After, id) {
			if other := first[p]; come[p] != nil && (other == "" || id != other && earlier(p, id, other)) {
				first[p] = id
			}
		}
	}
	for p, ids := range come {
		for _, id := range ids {
			if id != first[p] {
				warn(id, first[p])
			}
		}
	}
}

// renaming is a record that gets another name, in whatever case and order of its words.
type renaming struct {
	key, was, is string
	from, to     string // as they are compared
}

// words is a name as renamings are compared.
func words(name string) string {
	all := strings.FieldsFunc(slips.Folded(name), func(r rune) bool { return r == ' ' || r == ',' })
	slices.Sort(all)
	return strings.Join(all, " ")
}

// renamings are those of a kind. It adds to what is found those that give a record the name
// that another one had, where two names move or more.
func renamings[K comparable, T any](e *world.Entities[K, T], kind string, name func(*T) string, key func(K) string, found *[]history.Taken) map[K]renaming {
	all, had, names := map[K]renaming{}, map[string]bool{}, map[string]bool{}
	for _, id := range e.Changes() {
		was, is := e.At(world.Before, id), e.At(world.After, id)
		if was == nil || is == nil {
			continue
		}
		if x := (renaming{key(id), name(was), name(is), words(name(was)), words(name(is))}); x.from != x.to {
			all[id], had[x.from] = x, true
		}
	}
	var get []renaming
	for _, x := range all {
		if had[x.to] {
			names[x.to], get = true, append(get, x)
		}
	}
	if len(names) > 1 {
		*found = append(*found, taken(kind, "get the name that another one had", get))
	}
	return all
}

func taken(kind, what string, of []renaming) history.Taken {
	slices.SortFunc(of, func(a, b renaming) int { return cmp.Compare(a.key, b.key) })
	t := history.Taken{Kind: kind, What: what, Records: len(of)}
	for _, x := range of[:min(len(of), history.MaxShown)] {
		t.First = append(t.First, fmt.Sprintf("%s %s to %s", x.key, x.was, x.is))
	}
	return t
}

// Renamed finds names that move between records of a kind, and many records of a season or
// below an organization that get other names (D90). Called is the key of a record.
func Renamed(ctx context.Context, f *world.Fetcher, called func(sport.ID) string) (found []history.Taken) {
	w := f.World
	clubs, entries, squads := map[sport.ID][]renaming{}, map[world.SeasonID][]renaming{}, map[world.SeasonID][]renaming{}
	for id, x := range renamings(&w.Organizations, "organizations", func(o *world.Organization) string { return o.Name }, called, &found) {
		if o := w.Organizations.At(world.Before, id); o.Type == sport.Club {
			for _, parent := range o.Parents() {
				clubs[parent] = append(clubs[parent], x)
			}
		}
	}
	renamings(&w.Competitions, "competitions", func(c *world.Competition) string { return c.Name },
		func(s world.SeasonID) string { return fmt.Sprint(called(s.ID), " ", s.Season) }, &found)
	for id, x := range renamings(&w.Teams, "teams", func(t *world.Team) string { return t.Name }, called, &found) {
		if s := w.Teams.At(world.Before, id).SeasonID(); s.ID != "" {
			entries[s] = append(entries[s], x)
		}
	}
	for id, x := range renamings(&w.Players, "players", func(x *world.Player) string { return x.Name }, called, &found) {
		if t := w.Teams.At(world.Before, w.Players.At(world.Before, id).TeamID); t != nil && t.CompetitionID != "" {
			squads[t.SeasonID()] = append(squads[t.SeasonID()], x)
		}
	}
	many := func(kind, where string, some []renaming, of int) {
		found = append(found, taken(kind, fmt.Sprintf("of %d %s get other names", of, where), some))
	}
	season := func(s world.SeasonID) string {
		return fmt.Sprintf("in season %d of competition %q", s.Season, called(s.ID))
	}
	for parent, some := range clubs {
		f.Organizations(ctx, slices.Collect(f.ChildrenOf(ctx, []sport.ID{parent})))
		of := count(w.Children.In(world.Before, parent), func(id sport.ID) bool {
			o := w.Organizations.At(world.Before, id)
			return o != nil && o.Type == sport.Club
		})
		if n := len(some); n > 1 && 2*n >= of {
			many("organizations", fmt.Sprintf("clubs below %q", called(parent)), some, of)
		}
	}
	every := func(sport.ID) bool { return true }
	for s, some := range entries {
		f.EnteredIn(ctx, []world.SeasonID{s})
		if n, of := len(some), count(w.Entered.In(world.Before, s), every); n > 1 && 2*n >= of {
			many("teams", season(s), some, of)
		}
	}
	for s, some := range squads {
		if len(some) <= 10 {
			continue
		}
		of := 0
		f.PlayersOf(ctx, slices.Collect(f.EnteredIn(ctx, []world.SeasonID{s})))
		for team := range w.Entered.In(world.Before, s) {
			of += count(w.Squads.In(world.Before, team), every)
		}
		if 5*len(some) > of {
			many("players", season(s), some, of)
		}
	}
	slices.SortFunc(found, func(a, b history.Taken) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.What, b.What)) })
	return found
}

func count(ids iter.Seq[sport.ID], such func(sport.ID) bool) (n int) {
	for id := range ids {
		if such(id) {
			n++
		}
	}
	return n
}
