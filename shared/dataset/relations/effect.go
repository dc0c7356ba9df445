package relations

import (
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/sport"
)

// Effect is a field that does something only where its competition has what it needs
// (D84).
type Effect struct {
	Of    string // as the file is named
	Field string
	Needs string
	has   func(*sport.Competition) bool
}

var (
	seed = Effect{"teams", "seed", "the criterion seed in rules.tieBreakers", func(c *sport.Competition) bool {
		return sport.Uses(c.Rules.TieBreakers, sport.BySeed)
	}}
	setPoints = Effect{"matches", "setPoints", "setPointsRatio or setPointsDiff in rules.tieBreakers", func(c *sport.Competition) bool {
		return c.Rules.UseSetPoints()
	}}
	tieWinner = Effect{"matches", "tieWinner", "a competition with the format knockout", func(c *sport.Competition) bool {
		return c.Format == sport.FormatKnockout
	}}
	acrossGroups = Effect{"competitions", "rules.acrossGroups", "two groups or more", func(c *sport.Competition) bool {
		return len(c.Groups) > 1
	}}
)

// Effects are all such fields.
func Effects() []Effect { return []Effect{seed, setPoints, tieWinner, acrossGroups} }

// noEffect is the warning of a field without one.
const noEffect = "has no effect: it needs %s"

// lacks reports whether a season, nil for a friendly or one that is not known, does not
// have what an effect needs.
func (k *checker) lacks(e Effect, c *sport.Competition, id sport.ID) bool {
	return id == "" || c != nil && !e.has(c)
}

// withoutEffect warns of fields of a match that do nothing.
func (o *oddities) withoutEffect(m *dataset.Record[dataset.Match], c *sport.Competition) {
	b := &m.Value.Base
	for _, x := range []struct {
		Effect
		given bool
	}{{setPoints, b.SetPoints != nil}, {tieWinner, b.TieWinner != ""}} {
		if x.given && o.lacks(x.Effect, c, b.CompetitionID) && !slices.Contains(m.Kept, x.Field) && !(x.Field == setPoints.Field && o.carried(c)) {
			o.report(m.Origin, x.Field, noEffect, x.Needs)
		}
	}
}

// carried reports whether set points of a season count in a playoff's or a playout's table.
func (o *oddities) carried(c *sport.Competition) bool {
	if c == nil {
		return false
	}
	counts := func(child *sport.Competition) bool { return child.Rules.Carry != nil && child.Rules.UseSetPoints() }
	return slices.ContainsFunc(o.set.Competitions, func(x *dataset.Record[sport.Competition]) bool {
		return !x.Deleted && x.Value.ParentID == c.ID && x.Value.Season == c.Season && counts(&x.Value)
	}) || o.stored.Stages != nil && slices.ContainsFunc(o.stored.Stages(c.ID, c.Season), counts)
}

// grouped are the matches of a season with groups: whether one gives its group, and the last
// round of those, and which give none, though their teams are in one.
type grouped struct {
	given   bool
	last    int
	lacking []int // of the set's matches
}

// group notes the group of a match.
func (o *oddities) group(at int, m *dataset.Record[dataset.Match], c *sport.Competition) {
	b := &m.Value.Base
	if c == nil || len(c.Groups) == 0 || c.Format == sport.FormatKnockout {
		return
	}
	of := seasonOf(c.ID, c.Season)
	g := o.grouped[of]
	if g == nil {
		g = &grouped{}
		o.grouped[of] = g
	}
	if b.GroupID != "" {
		g.given, g.last = true, max(g.last, b.Round)
		return
	}
	home, away := o.team(b.HomeTeamID), o.team(b.AwayTeamID)
	if home != nil && away != nil && home.GroupID != "" && home.GroupID == away.GroupID && !slices.Contains(m.Kept, "group") {
		g.lacking = append(g.lacking, at)
	}
}

// ungrouped warns of matches of two teams of one group that give none in a round up to the
// last of which one does, or where none of the season does: such a match counts in no table.
// One for the third place comes after the groups.
func (o *oddities) ungrouped() {
	for of, g := range o.grouped {
		for i, at := range g.lacking {
			m := o.set.Matches.At(at)
			b := &m.Value.Base
			if i == 0 && o.stored.Grouped != nil {
				given, last := o.stored.Grouped(of.competition.ID(), int(of.year))
				g.given, g.last = g.given || given, max(g.last, last)
			}
			if !g.given || b.Round > 0 && b.Round <= g.last {
				o.report(m.Origin, "group", "is missing: both teams are in one group, whose table the match does not count in")
			}
		}
	}
}
