package integrity

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/dataset/relations"
	"touchline/shared/loader/history"
	"touchline/shared/loader/sources"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/standings"
)

// missing warns of deletions of what is not stored (D51).
func missing[T dataset.Entity](w *world.World, given []*dataset.Record[T]) (found []dataset.Fault) {
	for _, x := range given {
		if of := history.RecordOf(x); x.Deleted && !sources.Stored(w, of) {
			field := "id"
			if of.Kind == history.KindStandings {
				field = "table"
			}
			found = append(found, dataset.Fault{File: x.Origin.File, Line: x.Origin.Line, Field: field, Message: "deletes what is not stored"})
		}
	}
	return found
}

// Odd are the warnings of a dataset that take more than one record or the table; of the
// table nothing stays that the set does not hold, where nothingStays says so. The other
// warnings are found where the dataset is read, or by package dataset/relations.
func (l *Checker) Odd(ctx context.Context, set *dataset.Set, part *dataset.Part, now time.Time, nothingStays bool) ([]dataset.Fault, error) {
	stored := Stored(l.World, world.After)
	stored.Given = func(kind sport.Kind, id sport.ID) string {
		l.Fetch.Records(ctx, map[sport.Kind][]sport.ID{kind: {id}})
		return l.Given(id)
	}
	if !nothingStays {
		stored.Matches = storedMatches(ctx, l.Fetch, set, part)
		l.besides(ctx, &stored)
	}
	w := l.World
	found := slices.Concat(l.ties(ctx, set), l.cups(ctx, set), l.gone(ctx, set), l.renamed(ctx, set),
		missing(w, part.Organizations), missing(w, part.Competitions), missing(w, part.Teams),
		missing(w, part.Players), missing(w, part.Matches), missing(w, part.Standings))
	sortFaults(found)
	return append(relations.Warnings(set, now, stored, l.resolve), found...), l.Fetch.Err()
}

// renamed warns of entries that get another name than their club, whose name they had.
func (l *Checker) renamed(ctx context.Context, set *dataset.Set) (found []dataset.Fault) {
	w := l.World
	for _, id := range w.Teams.Changes() {
		was, is := w.Teams.At(world.Before, id), w.Teams.At(world.After, id)
		if was == nil || is == nil || was.Name == is.Name || is.OrganizationID == "" {
			continue
		}
		for range l.Fetch.Organizations(ctx, []sport.ID{is.OrganizationID}) { //nolint:revive // to have it
		}
		if club, at := w.Organizations.At(world.After, is.OrganizationID), set.Origin(sport.KindTeam, id); club != nil && club.Name == was.Name && at.Line > 0 {
			found = append(found, set.Placed(dataset.Fault{File: at.File, Line: at.Line, Field: "name",
				Message: fmt.Sprintf("is %q now, but its club is still called %q", is.Name, club.Name)}))
		}
	}
	return found
}

func sortFaults(all []dataset.Fault) {
	slices.SortFunc(all, func(a, b dataset.Fault) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Message, b.Message))
	})
}

// Stored are the teams and the seasons of a view, for what a dataset says of them.
func Stored(w *world.World, v world.View) relations.Stored {
	return relations.Stored{
		Team: func(id sport.ID) *sport.Team {
			if t := w.Teams.At(v, id); t != nil {
				return &t.Team
			}
			return nil
		},
		Season: func(id sport.ID, season int) *sport.Competition {
			if c := w.Competitions.At(v, world.SeasonID{ID: id, Season: season}); c != nil {
				return &c.Competition
			}
			return nil
		},
		Current: w.CurrentSeason,
		Player: func(id sport.ID) *sport.Player {
			if p := w.Players.At(v, id); p != nil {
				return &p.Player
			}
			return nil
		},
	}
}

// besides adds what is stored of the seasons that a warning may be about.
func (l *Checker) besides(ctx context.Context, s *relations.Stored) {
	w := l.World
	s.Entered = func(competition sport.ID, season int) (teams []*sport.Team) {
		in := world.SeasonID{ID: competition, Season: season}
		l.Fetch.Teams(ctx, slices.Collect(l.Fetch.EnteredIn(ctx, []world.SeasonID{in})))
		for id := range w.Entered.In(world.After, in) {
			if t := w.Teams.At(world.After, id); t != nil {
				teams = append(teams, &t.Team)
			}
		}
		return teams
	}
	s.Stages = func(competition sport.ID, season int) (stages []*sport.Competition) {
		for id := range l.Fetch.StagesIn(ctx, []world.SeasonID{{ID: competition, Season: season}}) {
			if c := w.Competitions.At(world.After, id); c != nil && c.ParentID == competition {
				stages = append(stages, &c.Competition)
			}
		}
		return stages
	}
	s.Grouped = func(competition sport.ID, season int) (given bool, last int) {
		in := world.SeasonID{ID: competition, Season: season}
		l.Fetch.PlayedIn(ctx, []world.SeasonID{in})
		for id := range w.Played.In(world.After, in) {
			if m := w.Result(world.After, id); m != nil && m.GroupID != "" {
				given, last = true, max(last, m.Round)
			}
		}
		return given, last
	}
}

// storedMatches are the stored home matches of the teams that get another.
func storedMatches(ctx context.Context, f *world.Fetcher, set *dataset.Set, records *dataset.Part) []sport.Match {
	w := f.World
	homes := world.Set[sport.ID]{}
	for _, x := range records.Matches {
		if !x.Deleted && w.Matches.At(world.Before, x.ID) == nil {
			homes.Add(x.Value.Base.HomeTeamID)
		}
	}
	teams := slices.Sorted(maps.Keys(homes))
	f.FixturesOf(ctx, teams)
	var matches []sport.Match
	for _, team := range teams {
		for _, id := range slices.Sorted(w.Fixtures.In(world.Before, team)) {
			e := w.Listed(world.Before, id)
			if e != nil && e.Home.ID == team && set.Find(dataset.Target{Kind: sport.KindMatch, ID: id}) == dataset.Unknown {
				m := sport.Match{ID: id, Status: e.Status, Season: e.Season, HomeTeamID: team, AwayTeamID: e.Away.ID, Kickoff: time.UnixMilli(e.Kickoff).UTC(), Round: e.Round}
				if e.Competition != nil {
					m.CompetitionID = e.Competition.ID
				}
				matches = append(matches, m)
			}
		}
	}
	return matches
}

// gone warns of matches that are deleted from a season that is completed and stays.
func (l *Checker) gone(ctx context.Context, set *dataset.Set) (found []dataset.Fault) {
	w := l.World
	for _, id := range w.Matches.Changes() {
		was, at := w.Matches.At(world.Before, id), set.Origin(sport.KindMatch, id)
		if was == nil || w.Matches.At(world.After, id) != nil || at.Line == 0 {
			continue
		}
		l.Fetch.Competitions(ctx, world.Present([]sport.ID{was.CompetitionID}))
		if c := w.Competitions.At(world.Before, was.SeasonID()); c != nil && c.Completed && w.Competitions.At(world.After, was.SeasonID()) != nil {
			found = append(found, dataset.Fault{File: at.File, Line: at.Line, Field: "id",
				Message: fmt.Sprintf("leaves season %d of %s, which is completed", was.Season, l.called(sport.KindCompetition, was.CompetitionID))})
		}
	}
	return found
}

// cups warns of those that nothing makes a knockout, and nothing a table either (D81).
func (l *Checker) cups(ctx context.Context, set *dataset.Set) (found []dataset.Fault) {
	w := l.World
	for _, x := range set.Competitions {
		c := &x.Value
		if x.Deleted || c.Type != sport.Cup || c.Format != "" || len(c.Groups) > 0 {
			continue
		}
		id := world.SeasonID{ID: x.ID, Season: c.Season}
		children := slices.Collect(l.Fetch.StagesIn(ctx, []world.SeasonID{id}))
		if !slices.ContainsFunc(children, func(child world.SeasonID) bool {
			stage := w.Competitions.At(world.After, child)
			return stage != nil && stage.ParentSeason() == id
		}) {
			found = append(found, dataset.Fault{File: x.Origin.File, Line: x.Origin.Line, Field: "format",
				Message: fmt.Sprintf("is missing: the cup %q has no groups, playoffs or playouts and is shown as a table; knockout shows its ties", c.Name)})
		}
	}
	return found
}

// ties warns of ties that are not as they should be (D66), in the line of the match that
// shows it. Where the set does not have that match, it warns only of what the load brings
// about, in the first line that may.
func (l *Checker) ties(ctx context.Context, set *dataset.Set) (found []dataset.Fault) {
	causes := l.knockouts(ctx, set)
	for id := range causes {
		l.Fetch.PlayedIn(ctx, []world.SeasonID{id})
		before := l.tieWarnings(world.Before, id)
		for _, t := range l.tieWarnings(world.After, id) {
			f := dataset.Fault{Field: t.Field, Message: t.Message}
			at := set.Origin(sport.KindMatch, t.MatchID)
			if at.Line == 0 {
				if slices.Contains(before, t) {
					continue
				}
				f = causes[id]
				f.Message = l.called(sport.KindMatch, t.MatchID) + ": " + t.Message
				at = dataset.Origin{File: f.File, Line: f.Line}
			}
			f.File, f.Line = at.File, at.Line
			found = append(found, f)
		}
	}
	return found
}

func (l *Checker) tieWarnings(v world.View, id world.SeasonID) []standings.TieWarning {
	c := l.World.Competitions.At(v, id)
	if c == nil {
		return nil
	}
	var matches []sport.Match
	for m := range l.World.Played.In(v, id) {
		if x := l.World.Result(v, m); x != nil && x.Visibility == sport.Public {
			matches = append(matches, *c.Ruled(x))
		}
	}
	return standings.TieWarnings(matches, &c.Rules)
}

// knockouts are those with matches that are finished, or were, and those with other rules
// for ties: each with the first place in the set that makes it so.
func (l *Checker) knockouts(ctx context.Context, set *dataset.Set) map[world.SeasonID]dataset.Fault {
	w := l.World
	causes := map[world.SeasonID]dataset.Fault{}
	add := func(id world.SeasonID, at dataset.Origin, field string) {
		if has, ok := causes[id]; !ok || has.Field == field && at.Line < has.Line {
			causes[id] = dataset.Fault{File: at.File, Line: at.Line, Field: field}
		}
	}
	for _, x := range set.Competitions {
		id := world.SeasonID{ID: x.ID, Season: x.Value.Season}
		if was, is := w.Competitions.At(world.Before, id), w.Competitions.At(world.After, id); was != nil && is != nil && was.Rules.TieRules() != is.Rules.TieRules() {
			add(id, x.Origin, "rules.ties")
		}
	}
	for _, id := range w.Matches.Changes() {
		for _, m := range w.Matches.Views(id) {
			if m.Status == sport.Finished {
				add(m.SeasonID(), set.Origin(sport.KindMatch, id), "id")
			}
		}
	}
	for id := range causes {
		l.Fetch.Competitions(ctx, world.Present([]sport.ID{id.ID}))
		if c := w.Competitions.At(world.After, id); c == nil || c.Format != sport.FormatKnockout {
			delete(causes, id)
		}
	}
	return causes
}
