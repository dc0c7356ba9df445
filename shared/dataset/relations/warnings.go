package relations

import (
	"bytes"
	"cmp"
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

// Two matches of the same teams are one fixture under two ids if their kick-offs are as
// near as this.
const sameFixture = 24 * time.Hour

// farAhead is how many years from now nobody fixes a kick-off.
const farAhead = 3

// Warnings are those of a set, whose teams have their seasons. resolve fills in the season
// and the kick-off of a match, each time the same; nil: the set holds them. A match whose
// kick-off stays open is passed over.
func Warnings(s *dataset.Set, now time.Time, stored Stored, resolve func(*dataset.Record[dataset.Match])) []dataset.Fault {
	o := &oddities{checker: newChecker(s, stored), now: now, absent: map[entry]bool{}, unzoned: map[*sport.Competition]bool{}, met: map[pairing]meetings{}}
	all := make([]fixture, 0, s.Matches.Len()+len(stored.Matches))
	add := func(m *sport.Match, in int) {
		if !m.Kickoff.IsZero() {
			all = append(all, fixture{ids.Pack(m.HomeTeamID), ids.Pack(m.AwayTeamID), int32(in), m.Kickoff.UnixMilli()}) //nolint:gosec // matches are counted in millions
		}
	}
	for i := range stored.Matches {
		add(&stored.Matches[i], i-len(stored.Matches))
	}
	for i, m := range s.Matches.All() {
		if m.Deleted {
			continue
		}
		local := m.Value.KickoffLocal != "" && !m.Value.DayOnly
		if resolve != nil {
			resolve(m)
		}
		c := o.season(m.Value.Base.CompetitionID, m.Value.Base.Season)
		if local && s.Unzoned[c] && !o.unzoned[c] {
			o.unzoned[c] = true
			o.report(m.Origin, "kickoffLocal", "is taken as UTC, because %s gives no time zone: if that is meant, give UTC as its timezone", dataset.Quoted(sport.KindCompetition, s.Given(c.ID)))
		}
		o.meets(i, &m.Value.Base, c)
		o.entered(m)
		o.time(m)
		o.year(m)
		o.decided(m)
		add(&m.Value.Base, i)
	}
	o.fixtures(all)
	o.returns()
	o.teams()
	return o.found
}

type oddities struct {
	*checker
	now     time.Time
	absent  map[entry]bool              // teams that play without it, of which was told
	unzoned map[*sport.Competition]bool // of which was told
	met     map[pairing]meetings
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
				o.report(m.Origin, side.field, "%s is not entered in season %d of %s",
					dataset.Quoted(sport.KindTeam, o.set.Given(side.id)), b.Season, dataset.Quoted(sport.KindCompetition, o.set.Given(b.CompetitionID)))
			}
		} else if t != nil && t.GroupID != "" && b.GroupID != "" && t.GroupID != b.GroupID {
			o.report(m.Origin, "group", "is not that of %s", dataset.Quoted(sport.KindTeam, o.set.Given(side.id)))
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
	if m.Value.DayOnly && since > 0 {
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
	level, given := b.Score.Home == b.Score.Away, b.Points
	extra, shootout := c.Rules.ExtraTimeWin != nil || c.Rules.ExtraTimeLoss != nil, c.Rules.ShootoutWin != nil || c.Rules.ShootoutLoss != nil
	switch {
	case given != nil && b.ExtraTime && !level:
		b.Points = nil
		if home, away := c.Rules.Results(&b); home.Points != given.Home || away.Points != given.Away {
			o.report(m.Origin, "points", "are %d:%d in place of %d:%d, which the rules give after extra time", given.Home, given.Away, home.Points, away.Points)
		}
	case given == nil && level && b.Penalties == nil && c.Format != sport.FormatKnockout && b.Leg == 0 && !b.TwoLegs && (shootout || extra && !b.ExtraTime):
		o.report(m.Origin, "score", "is %d:%d, a draw, but the rules have points for a win after extra time or by a shoot-out: are extraTime and penalties missing?", b.Score.Home, b.Score.Away)
	}
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

// fixture is what distinguishes one fixture from another.
type fixture struct {
	home, away ids.Packed
	in         int32 // the set's matches, below 0: the stored ones, from their end
	kickoff    int64 // in milliseconds
}

// fixtures warns of one fixture under two ids: the same teams, the same one at
// home, within a day.
func (o *oddities) fixtures(all []fixture) {
	slices.SortFunc(all, func(a, b fixture) int {
		return cmp.Or(bytes.Compare(a.home[:], b.home[:]), bytes.Compare(a.away[:], b.away[:]), cmp.Compare(a.kickoff, b.kickoff), cmp.Compare(a.in, b.in))
	})
	for i := 1; i < len(all); i++ {
		a, b := all[i-1], all[i]
		in, first := int(max(a.in, b.in)), int(min(a.in, b.in)) // the later line is the one to look at
		if in < 0 || a.home != b.home || a.away != b.away || b.kickoff-a.kickoff >= sameFixture.Milliseconds() {
			continue
		}
		var id sport.ID
		if first < 0 {
			id = o.stored.Matches[len(o.stored.Matches)+first].ID
		} else {
			id = o.set.Matches.At(first).ID
		}
		o.report(o.set.Matches.At(in).Origin, "id", "is the same fixture as %s: the same teams within a day", dataset.Quoted(sport.KindMatch, o.set.Given(id)))
	}
}

// pairing is a home and an away team of a season.
type pairing struct {
	season
	home, away ids.Packed
}

// meetings are those of a pairing: how many, and the last of them among the set's matches.
type meetings struct{ times, last int32 }

// meets notes a match of a league, nil for one that is not known.
func (o *oddities) meets(at int, m *sport.Match, c *sport.Competition) {
	if m.CompetitionID == "" || m.Leg > 0 || c != nil && (c.Type != sport.League || c.Stage != sport.Regular) {
		return
	}
	p := pairing{seasonOf(m.CompetitionID, m.Season), ids.Pack(m.HomeTeamID), ids.Pack(m.AwayTeamID)}
	o.met[p] = meetings{o.met[p].times + 1, int32(at)} //nolint:gosec // matches are counted in millions
}

// returns warns of two teams of a league that meet twice at one home, where the others
// meet at both: home and away are the other way round in one of them.
func (o *oddities) returns() {
	both, wrong := map[season]int{}, map[season][]int{}
	for p, of := range o.met {
		switch back := o.met[pairing{p.season, p.away, p.home}]; {
		case of.times == 1 && back.times == 1:
			both[p.season]++ // counted from each side
		case of.times == 2 && back.times == 0:
			wrong[p.season] = append(wrong[p.season], int(of.last))
		}
	}
	for of, matches := range wrong {
		if both[of] < 4 || len(matches) > max(1, both[of]/20) {
			continue
		}
		for _, at := range matches {
			m := o.set.Matches.At(at)
			o.report(m.Origin, "homeTeamId", "%s is host of both matches against %s: are home and away the other way round in one of them?",
				dataset.Quoted(sport.KindTeam, o.set.Given(m.Value.Base.HomeTeamID)), dataset.Quoted(sport.KindTeam, o.set.Given(m.Value.Base.AwayTeamID)))
		}
	}
}

// noTeams are what plans of fixtures call the opponent of a team that rests, and sheets a
// row of sums.
var noTeams = []string{"bye", "spielfrei", "freilos", "exempt", "descansa", "riposo", "total", "totals", "totale", "sum", "summe", "gesamt"}

// teams warns of rows that are no team, and of points that a few teams of a season begin
// with: a deduction without its sign.
func (o *oddities) teams() {
	const few = 4 // one in so many teams
	entered, ahead := map[season]int{}, map[season]int{}
	each := func(do func(*dataset.Record[sport.Team], season)) {
		for _, t := range o.set.Teams {
			if !t.Deleted {
				do(t, seasonOf(t.Value.CompetitionID, t.Value.Season))
			}
		}
	}
	each(func(t *dataset.Record[sport.Team], of season) {
		if entered[of]++; t.Value.StartingPoints > 0 {
			ahead[of]++
		}
	})
	each(func(t *dataset.Record[sport.Team], of season) {
		v := &t.Value
		if c := o.season(v.CompetitionID, v.Season); (c == nil || c.Stage == sport.Regular) && v.StartingPoints > 0 && few*ahead[of] <= entered[of] {
			o.report(t.Origin, "startingPoints", "is %d, with which the team begins: a deduction is negative, -%[1]d", v.StartingPoints)
		}
		if slices.Contains(noTeams, strings.ToLower(strings.Trim(v.Name, " :="))) {
			o.report(t.Origin, "name", "is %q, which is no team: one that rests has no match, and a sum is no row", v.Name)
		}
	})
}
