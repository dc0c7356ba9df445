// Package sports finds what a dataset gives that the sport of its competition does not
// have (D61): periods, of a match that is divided otherwise, and positions, in football.
//
// A line alone does not show it: competitions are in another file, or are stored.
package sports

import (
	"fmt"
	"slices"
	"strings"

	"touchline/shared/dataset"
	"touchline/shared/dataset/details"
	"touchline/shared/dataset/near"
	"touchline/shared/sport"
)

// Stored is what the table holds of what a set refers to and does not hold itself. Each
// is nil for what is not known, and then nothing is found. The zero value knows nothing.
type Stored struct {
	Team    func(sport.ID) *sport.Team
	Season  func(competition sport.ID, season int) *sport.Competition
	Current func(competition sport.ID) (season int) // 0: none
}

// Needs are the competitions and the teams that Find asks Stored for.
func Needs(s *dataset.Set) (competitions, teams []sport.ID) {
	f := newFinder(s, Stored{
		Season:  func(id sport.ID, _ int) *sport.Competition { competitions = append(competitions, id); return nil },
		Current: func(sport.ID) int { return 0 },
		Team:    func(id sport.ID) *sport.Team { teams = append(teams, id); return nil },
	})
	f.find()
	slices.Sort(competitions)
	slices.Sort(teams)
	return slices.Compact(competitions), slices.Compact(teams)
}

// Find gives the faults of a set.
func Find(s *dataset.Set, stored Stored) []dataset.Fault {
	f := newFinder(s, stored)
	f.find()
	return f.found
}

type finder struct {
	set    *dataset.Set
	stored Stored
	teams  map[sport.ID]*sport.Team
	found  []dataset.Fault
}

func newFinder(s *dataset.Set, stored Stored) *finder {
	f := &finder{set: s, stored: stored, teams: make(map[sport.ID]*sport.Team, len(s.Teams))}
	for _, t := range s.Teams {
		if !t.Deleted {
			f.teams[t.ID] = &t.Value
		}
	}
	return f
}

func (f *finder) find() {
	for _, p := range f.set.Players.All() {
		if position := p.Value.Position; !p.Deleted && ofOtherSport(position) {
			if c, known := f.competitionOf(f.team(p.Value.TeamID)); known {
				f.position(p.Origin, "position", position, c)
			}
		}
	}
	for _, m := range f.set.Matches.All() {
		if m.Deleted || !m.Value.HasDetails() {
			continue
		}
		b := &m.Value.Base
		c, known := f.competition(b.CompetitionID, b.Season)
		if known && (m.Value.OtherSport || clockOf(c).Count != sport.Halves().Count) {
			f.match(m, c)
		}
	}
}

// match finds what is wrong in a match of a competition; nil: a friendly.
func (f *finder) match(m *dataset.Record[dataset.Match], c *sport.Competition) {
	full := m.Value.Full()
	clock := clockOf(c)
	period := func(field string, p sport.Period) {
		if _, has := clock.Place(p); p != "" && !has {
			f.fault(m.Origin, field, "must be one of %s where rules.periods.count is %d, not %q", clock.Names(), clock.Count, p)
		}
	}
	for i, e := range full.Events {
		period(fmt.Sprintf("events[%d].period", i), e.Period)
	}
	if s := full.Statistics; s != nil {
		for i, p := range s.Periods {
			period(fmt.Sprintf("statistics.periods[%d].period", i), p.Period)
		}
	}
	if full.Lineups == nil {
		return
	}
	for _, entries := range details.EntriesOf(full.Lineups) {
		for i, e := range entries.List {
			if ofOtherSport(e.Position) {
				f.position(m.Origin, fmt.Sprintf("%s[%d].position", entries.Field, i), e.Position, c)
			}
		}
	}
}

// position refuses a position of another sport in football.
func (f *finder) position(at dataset.Origin, field string, p sport.Position, c *sport.Competition) {
	if c != nil && c.Rules.Sport != "" {
		return
	}
	names := make([]string, 0, 4)
	for _, name := range sport.Positions() {
		names = append(names, string(name))
	}
	f.fault(at, field, "must be one of %s, not %q%s; in a competition whose rules.sport is not football it may be any text", strings.Join(names, ", "), p, near.Meant(string(p), names))
}

func (f *finder) fault(at dataset.Origin, field, format string, args ...any) {
	f.found = append(f.found, dataset.Fault{File: at.File, Line: at.Line, Field: field, Message: fmt.Sprintf(format, args...)})
}

func (f *finder) team(id sport.ID) *sport.Team {
	if t := f.teams[id]; t != nil || f.stored.Team == nil {
		return t
	}
	return f.stored.Team(id)
}

// competitionOf is the competition of a team, nil for one that plays friendlies.
func (f *finder) competitionOf(t *sport.Team) (c *sport.Competition, known bool) {
	if t == nil {
		return nil, false
	}
	return f.competition(t.CompetitionID, t.Season)
}

// competition is a season of a competition, 0 for the current one; nil without an id.
func (f *finder) competition(id sport.ID, season int) (c *sport.Competition, known bool) {
	if id == "" {
		return nil, true
	}
	if season == 0 {
		if season = f.set.CurrentSeason(id); season == 0 && f.stored.Current != nil {
			season = f.stored.Current(id)
		}
	}
	if c = f.set.Season(id, season); c == nil && f.stored.Season != nil {
		c = f.stored.Season(id, season)
	}
	return c, c != nil
}

// clockOf is how the matches of a competition are divided; nil: friendlies.
func clockOf(c *sport.Competition) sport.Clock {
	if c == nil {
		return sport.Halves()
	}
	return c.Rules.Clock()
}

func ofOtherSport(p sport.Position) bool { return p != "" && !slices.Contains(sport.Positions(), p) }
