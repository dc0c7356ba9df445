package relations

import (
	"slices"
	"strings"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/dataset/ids"
	"touchline/shared/dataset/times"
	"touchline/shared/sport"
)

// How long after its kick-off a match is taken to be going on, and to be about
// to begin: D51 sets the first.
const (
	longestMatch = 6 * time.Hour
	latestStart  = 3 * time.Hour
)

// farAhead is how many years from now nobody fixes a kick-off.
const farAhead = 3

// Warnings are those of a set, whose teams have their seasons. resolve fills in the season
// and the kick-off of a match, each time the same; nil: the set holds them. A match whose
// kick-off stays open is passed over.
func Warnings(s *dataset.Set, now time.Time, stored Stored, resolve func(*dataset.Record[dataset.Match])) []dataset.Fault {
	o := &oddities{checker: newChecker(s, stored), now: now, absent: map[entry]bool{}, unzoned: map[*sport.Competition]bool{}, grouped: map[season]*grouped{}}
	all := make([]fixture, 0, s.Matches.Len()+len(stored.Matches))
	for i := range stored.Matches {
		all = append(all, o.fixture(&stored.Matches[i], i-len(stored.Matches)))
	}
	for i, m := range s.Matches.All() {
		if m.Deleted {
			continue
		}
		local := m.Value.KickoffLocal != "" && !m.Value.Base.KickoffTimeOpen
		if resolve != nil {
			resolve(m)
		}
		c := o.season(m.Value.Base.CompetitionID, m.Value.Base.Season)
		if local && s.Unzoned[c] && !o.unzoned[c] {
			o.unzoned[c] = true
			o.report(m.Origin, "kickoffLocal", "is taken as UTC, because %s gives no time zone: if that is meant, give UTC as its timezone", o.called(sport.KindCompetition, c.ID))
		}
		o.entered(m)
		o.time(m)
		o.year(m)
		o.decided(m)
		o.withoutEffect(m, c)
		o.group(i, m, c)
		o.sides(m)
		o.extra(i, c)
		all = append(all, o.fixture(&m.Value.Base, i))
	}
	o.fixtures(all)
	o.ungrouped()
	o.returns(all)
	o.twiceAtOnce(all)
	o.inRounds(all)
	o.entries()
	return o.found
}

type oddities struct {
	*checker
	now     time.Time
	absent  map[entry]bool              // teams that play without it, of which was told
	unzoned map[*sport.Competition]bool // of which was told
	grouped map[season]*grouped
	players map[ids.Packed]ids.Packed // of the set, and their teams; nil: not made yet
	zones   times.Zones
}

// season is one of a competition.
type season struct {
	competition ids.Packed
	year        int32
}

func seasonOf(competition sport.ID, year int) season {
	return season{ids.Pack(competition), int32(year)} //nolint:gosec // four digits
}

// entry is a team in a season.
type entry struct {
	season
	team ids.Packed
}

// entered warns of the first match of a team in a competition and season in which it is
// not entered.
func (o *oddities) entered(m *dataset.Record[dataset.Match]) {
	b := &m.Value.Base
	if b.CompetitionID == "" {
		if b.Round > 0 {
			o.report(m.Origin, "competitionId", "is missing, which makes the match a friendly, but it has a round: which competition is it of?")
		}
		return
	}
	for _, side := range []struct {
		field string
		id    sport.ID
	}{{"homeTeamId", b.HomeTeamID}, {"awayTeamId", b.AwayTeamID}} {
		if t := o.team(side.id); t != nil && (t.CompetitionID != b.CompetitionID || t.Season != b.Season) {
			if who := (entry{seasonOf(b.CompetitionID, b.Season), ids.Pack(side.id)}); !o.absent[who] {
				o.absent[who] = true
				o.name(m.Origin, side.field, "%s is not entered in season %d of %s",
					o.called(sport.KindTeam, side.id), b.Season, o.called(sport.KindCompetition, b.CompetitionID))
			}
		} else if t != nil && b.GroupID != "" && t.GroupID == "" {
			o.report(m.Origin, "group", "is given, but %s is in no group", o.called(sport.KindTeam, side.id))
		} else if t != nil && b.GroupID != "" && t.GroupID != b.GroupID {
			o.name(m.Origin, "group", "is not that of %s", o.called(sport.KindTeam, side.id))
		}
	}
}

// time warns of a status that does not go with the kick-off.
func (o *oddities) time(m *dataset.Record[dataset.Match]) {
	b := &m.Value.Base
	if b.Kickoff.IsZero() {
		return
	}
	since := o.now.Sub(b.Kickoff)
	if b.KickoffTimeOpen && since > 0 {
		since = max(since-24*time.Hour, 0)
	}
	warn := func(format string) { o.report(m.Origin, "status", format, o.local(b)) }
	switch {
	case b.Status == sport.Finished && since < 0:
		warn("is finished, but the kick-off, %s, is still to come")
	case b.Status == sport.Upcoming && since > latestStart:
		warn("is upcoming, but the kick-off was at %s")
	case b.Status == sport.Live && since < -latestStart:
		warn("is live, but the kick-off, %s, is still to come")
	case b.Status == sport.Live && since > longestMatch:
		warn("is live for more than 6 hours: the kick-off was at %s")
	}
}

// local is a kick-off as the clocks of the competition show it, else in UTC.
func (o *oddities) local(m *sport.Match) string {
	if c := o.season(m.CompetitionID, m.Season); c != nil && c.Timezone != "UTC" && c.Timezone != "" {
		if zone, err := o.zones.Load(c.Timezone); err == nil {
			return m.Kickoff.In(zone).Format("2006-01-02 15:04 ") + "(" + c.Timezone + ")"
		}
	}
	return m.Kickoff.UTC().Format("2006-01-02T15:04Z")
}

// decided warns of points that are not those of the rules after extra time, and of a draw
// where the rules have points for whoever wins after it.
func (o *oddities) decided(m *dataset.Record[dataset.Match]) {
	b := m.Value.Base
	c := o.season(b.CompetitionID, b.Season)
	if c == nil || b.Status != sport.Finished || b.Score == nil {
		return
	}
	if _, _, ruled := b.Ruling(); ruled {
		return
	}
	o.setPoints(m, c)
	level, given := b.Score.Home == b.Score.Away, b.Points
	extra, shootout := c.Rules.ExtraTimeWin != nil || c.Rules.ExtraTimeLoss != nil, c.Rules.ShootoutWin != nil || c.Rules.ShootoutLoss != nil
	switch {
	case given != nil && b.ExtraTime && !level:
		b.Points = nil
		if home, away := c.Rules.Results(&b); home.Points != given.Home || away.Points != given.Away {
			o.report(m.Origin, "points", "are %d:%d in place of %d:%d, which the rules give after extra time", given.Home, given.Away, home.Points, away.Points)
		}
	case given != nil && !c.Rules.NoTable:
		b.Points = nil
		home, away := c.Rules.Results(&b)
		if given.Home < home.Points || given.Away < away.Points {
			o.report(m.Origin, "points", "are %d:%d, less than the %d:%d that the rules give for the score: they are all of the match's points, a bonus included", given.Home, given.Away, home.Points, away.Points)
		} else if max(given.Home, given.Away) > 2*c.Rules.Win && c.Rules.Win > 0 {
			o.report(m.Origin, "points", "are %d:%d, but a win gives %d", given.Home, given.Away, c.Rules.Win)
		}
	case given == nil && level && b.Penalties == nil && inLeague(&b, c) && (shootout || extra && !b.ExtraTime):
		o.report(m.Origin, "score", "is %d:%d, a draw, but the rules have points for a win after extra time or by a shoot-out: are extraTime and penalties missing?", b.Score.Home, b.Score.Away)
	case given == nil && level && !shootout && !c.Rules.NoTable && c.Rules.Draw <= c.Rules.Loss && inLeague(&b, c):
		o.report(m.Origin, "score", "is %d:%d, a draw, for which the rules give no more points than for a loss: has a side won?", b.Score.Home, b.Score.Away)
	}
}

// setPoints warns of a match without the points of its sets, where the order of the table
// asks for them, and of those that the side that won every set has no more of (D80).
func (o *oddities) setPoints(m *dataset.Record[dataset.Match], c *sport.Competition) {
	b := &m.Value.Base
	if !c.Rules.UseSetPoints() || c.Format == sport.FormatKnockout || c.Ruled(b) != b {
		return
	}
	switch p := b.SetPoints; {
	case p == nil:
		o.report(m.Origin, "setPoints", "is missing, but rules.tieBreakers ask for it")
	case b.Score.Lead() != 0 && min(b.Score.Home, b.Score.Away) == 0 && p.Lead() != b.Score.Lead():
		o.report(m.Origin, "setPoints", "are %d:%d, but the score is %d:%d: who wins every set has more of them", p.Home, p.Away, b.Score.Home, b.Score.Away)
	}
}

// inLeague reports whether a match belongs to no tie.
func inLeague(m *sport.Match, c *sport.Competition) bool {
	return c.Format != sport.FormatKnockout && m.Leg == 0 && !m.TwoLegs
}

// year warns of a kick-off that is not near its season, or years away: a wrong digit.
// A season is named by the year in which it starts (D33); qualifying for it may have
// begun before, and it may end a year late.
func (o *oddities) year(m *dataset.Record[dataset.Match]) {
	b := &m.Value.Base
	if b.Kickoff.IsZero() {
		return
	}
	year, season := b.Kickoff.Year(), b.Season
	switch {
	case season != 0 && (year < season-2 || year > season+3):
		o.report(m.Origin, "kickoffAt", "is in %d, but the season is %d", year, season)
	case year > o.now.Year()+farAhead:
		o.report(m.Origin, "kickoffAt", "is in %d, years ahead", year)
	}
}

// noTeams are what plans of fixtures call the opponent of a team that rests, and sheets a
// row of sums.
var noTeams = []string{"bye", "spielfrei", "freilos", "exempt", "descansa", "riposo", "total", "totals", "totale", "sum", "summe", "gesamt"}

// entries warns of entries that stand for no team, of points that a few teams of a season begin with (a
// deduction without its sign), and of what has no effect.
func (o *oddities) entries() {
	for _, c := range o.set.Competitions {
		if o.set.Across[&c.Value] && !acrossGroups.has(&c.Value) {
			o.report(c.Origin, acrossGroups.Field, noEffect, acrossGroups.Needs)
		}
	}
	began := map[season]bool{} // few of whose teams begin with points
	for _, t := range o.set.Teams {
		v := &t.Value
		if t.Deleted {
			continue
		}
		c := o.season(v.CompetitionID, v.Season)
		if v.Seed != 0 && o.lacks(seed, c, v.CompetitionID) && !slices.Contains(t.Kept, seed.Field) {
			o.report(t.Origin, seed.Field, noEffect, seed.Needs)
		}
		of := seasonOf(v.CompetitionID, v.Season)
		if _, known := began[of]; !known && v.StartingPoints > 0 {
			began[of] = o.few(v)
		}
		if c != nil && c.Rules.Carry != nil && v.StartingPoints > 0 {
			o.report(t.Origin, "startingPoints", "is %d and changes nothing: the team brings points along (rules.carry), and only a deduction counts besides, -%[1]d", v.StartingPoints)
		} else if (c == nil || c.Stage == sport.Regular) && v.StartingPoints > 0 && began[of] {
			o.report(t.Origin, "startingPoints", "is %d, with which the team begins: a deduction is negative, -%[1]d", v.StartingPoints)
		}
		if slices.Contains(noTeams, strings.ToLower(strings.Trim(v.Name, " :="))) {
			o.name(t.Origin, "name", "is %q, which is no team: one that rests has no match, and a sum is no row", v.Name)
		}
	}
}

// few reports whether one team in four, or fewer, of a team's season begin with points:
// of those that are stored as well.
func (o *oddities) few(of *sport.Team) bool {
	entered, ahead := 0, 0
	count := func(t *sport.Team) {
		if entered++; t.StartingPoints > 0 {
			ahead++
		}
	}
	for _, t := range o.set.Teams {
		if !t.Deleted && t.Value.CompetitionID == of.CompetitionID && t.Value.Season == of.Season {
			count(&t.Value)
		}
	}
	if o.stored.Entered != nil {
		for _, t := range o.stored.Entered(of.CompetitionID, of.Season) {
			if o.teams[t.ID] == nil {
				count(t)
			}
		}
	}
	return 4*ahead <= entered
}
