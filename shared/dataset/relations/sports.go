package relations

import (
	"fmt"
	"slices"
	"strings"

	"touchline/shared/dataset"
	"touchline/shared/dataset/details"
	"touchline/shared/dataset/slips"
	"touchline/shared/sport"
)

// Needs are the competitions and the teams that Faults asks Stored for.
func Needs(s *dataset.Set) (competitions, teams []sport.ID) {
	newChecker(s, Stored{
		Season:  func(id sport.ID, _ int) *sport.Competition { competitions = append(competitions, id); return nil },
		Current: func(sport.ID) int { return 0 },
		Team:    func(id sport.ID) *sport.Team { teams = append(teams, id); return nil },
	}).sports()
	slices.Sort(competitions)
	slices.Sort(teams)
	return slices.Compact(competitions), slices.Compact(teams)
}

// Faults finds periods, of a match that is divided otherwise, positions, in football, and
// scores with which no match over sets ends (D80).
// Where the competition of a record is not known nothing is found.
func Faults(s *dataset.Set, stored Stored) []dataset.Fault {
	k := newChecker(s, stored)
	k.sports()
	return k.found
}

func (k *checker) sports() {
	for _, p := range k.set.Players.All() {
		if position := p.Value.Position; !p.Deleted && ofOtherSport(position) {
			if t := k.team(p.Value.TeamID); t != nil {
				if c, known := k.competition(t.CompetitionID, t.Season); known {
					k.position(p.Origin, "position", position, c)
				}
			}
		}
	}
	for _, m := range k.set.Matches.All() {
		b := &m.Value.Base
		if m.Deleted || !m.Value.HasDetails() && (b.Status != sport.Finished || b.CompetitionID == "") {
			continue
		}
		c, known := k.competition(b.CompetitionID, b.Season)
		if known && m.Value.HasDetails() {
			k.match(m, c)
		}
		if c != nil && goalless(b, c) {
			k.report(m.Origin, "score", "must not be 0:0, which no match of %s ends with: a ruling gives its winner", c.Rules.Sport)
		}
		if c != nil && !Ends(b, c) {
			k.report(m.Origin, "score", "must be %d sets for one side and fewer for the other, since rules.sets is %d, not %d:%d", (c.Rules.Sets+1)/2, c.Rules.Sets, b.Score.Home, b.Score.Away)
		}
	}
}

// match finds what is wrong in a match of a competition; nil: a friendly.
func (k *checker) match(m *dataset.Record[dataset.Match], c *sport.Competition) {
	full := m.Value.Full()
	clock := sport.Halves()
	if c != nil {
		clock = c.Rules.Clock()
	}
	period := func(field string, p sport.Period) {
		if _, has := clock.Place(p); p != "" && !has {
			k.report(m.Origin, field, "must be one of %s where rules.periods.count is %d, not %q", clock.Names(), clock.Count, p)
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
				k.position(m.Origin, fmt.Sprintf("%s[%d].position", entries.Field, i), e.Position, c)
			}
		}
	}
}

// Ends reports whether a match of a season can end so: a ruling can whatever the score is.
func Ends(m *sport.Match, c *sport.Competition) bool {
	return c.Rules.Sets == 0 || !played(m, c) || c.Rules.Ends(m.Score)
}

// played reports whether a match is finished, and no ruling has decided it.
func played(m *sport.Match, c *sport.Competition) bool {
	_, _, ruled := m.Ruling()
	return m.Status == sport.Finished && m.Score != nil && c.Ruled(m) == m && !ruled
}

// scoring are the sports in which no match ends 0:0.
var scoring = []string{"handball", "basketball"}

// goalless reports whether a finished match has a score that its sport does not have: that of
// one that was awarded, without its winner.
func goalless(m *sport.Match, c *sport.Competition) bool {
	return played(m, c) && *m.Score == (sport.Score{}) && slices.Contains(scoring, c.Rules.Sport)
}

// position refuses a position of another sport in football.
func (k *checker) position(at dataset.Origin, field string, p sport.Position, c *sport.Competition) {
	if c != nil && c.Rules.Sport != "" {
		return
	}
	names := make([]string, 0, 4)
	for _, name := range sport.Positions() {
		names = append(names, string(name))
	}
	k.report(at, field, "must be one of %s, not %q%s; in a competition whose rules.sport is not football it may be any text", strings.Join(names, ", "), p, slips.DidYouMean(string(p), names))
}

// competition is a season of a competition, 0 for the current one; nil without an id.
func (k *checker) competition(id sport.ID, season int) (c *sport.Competition, known bool) {
	if id == "" {
		return nil, true
	}
	if season == 0 {
		if season = k.set.CurrentSeason(id); season == 0 && k.stored.Current != nil {
			season = k.stored.Current(id)
		}
	}
	c = k.season(id, season)
	return c, c != nil
}

func ofOtherSport(p sport.Position) bool { return p != "" && !slices.Contains(sport.Positions(), p) }
