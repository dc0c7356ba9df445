package relations

import (
	"cmp"
	"slices"
	"time"

	"touchline/shared/dataset/ids"
	"touchline/shared/dataset/names"
	"touchline/shared/sport"
)

// played is a match of the set that was not postponed.
type played struct {
	at      int // of the set's matches
	kickoff time.Time
	open    bool // its time of day is
	home    sport.ID
	away    sport.ID
}

// roundOf is a round of a league.
type roundOf struct {
	season
	round int32
}

// plays notes a match for the warnings of teams that play twice, and of its round.
func (o *oddities) plays(at int, m *sport.Match, c *sport.Competition) {
	if m.Status == sport.Postponed || m.Kickoff.IsZero() {
		return
	}
	p := played{at, m.Kickoff, m.KickoffTimeOpen, m.HomeTeamID, m.AwayTeamID}
	if !p.open {
		for _, team := range []sport.ID{m.HomeTeamID, m.AwayTeamID} {
			o.hours[hour{ids.Pack(team), m.Kickoff.UnixMilli()}] = append(o.hours[hour{ids.Pack(team), m.Kickoff.UnixMilli()}], int32(at)) //nolint:gosec // matches are counted in millions
		}
	}
	if m.Round > 0 && c != nil && inLeague(m, c) && c.Type == sport.League {
		in := roundOf{seasonOf(c.ID, c.Season), int32(m.Round)} //nolint:gosec // a count
		o.rounds[in] = append(o.rounds[in], p)
	}
}

// hour is a team at a kick-off.
type hour struct {
	team    ids.Packed
	kickoff int64
}

// twiceAtOnce warns of a team that has two matches at one time.
func (o *oddities) twiceAtOnce() {
	for h, at := range o.hours {
		for _, second := range at[min(1, len(at)):] {
			m, first := o.set.Matches.At(int(second)), o.set.Matches.At(int(at[0]))
			if f, s := &first.Value.Base, &m.Value.Base; f.HomeTeamID == s.HomeTeamID && f.AwayTeamID == s.AwayTeamID {
				continue // one fixture under two ids
			}
			if names.IsMade(sport.KindMatch, first.Key) {
				o.name(m.Origin, "kickoffAt", "%s plays at this hour on line %d, too", o.called(sport.KindTeam, h.team.ID()), first.Origin.Line)
				continue
			}
			o.name(m.Origin, "kickoffAt", "%s plays at this hour in %s, too", o.called(sport.KindTeam, h.team.ID()), o.called(sport.KindMatch, first.ID))
		}
	}
}

// inRounds warns of the one team of a round that plays twice there, and of a kick-off far
// from the others of its round, near which it is with day and month exchanged.
func (o *oddities) inRounds() {
	for in, all := range o.rounds {
		if len(all) < 3 {
			continue
		}
		last := map[sport.ID]int{}
		var twice []sport.ID
		for _, p := range all {
			for _, team := range []sport.ID{p.home, p.away} {
				if _, before := last[team]; before {
					twice = append(twice, team)
				}
				last[team] = p.at
			}
		}
		if len(twice) == 1 {
			m := o.set.Matches.At(last[twice[0]])
			o.name(m.Origin, "round", "%s plays twice in round %d, in which no other team does", o.called(sport.KindTeam, twice[0]), in.round)
		}
		o.farFromRound(all)
	}
}

// The days between a kick-off and the middle of its round that make it far from it, and
// those within which it is near it.
const (
	farFromRound = 20
	nearRound    = 10
)

func (o *oddities) farFromRound(all []played) {
	slices.SortFunc(all, func(a, b played) int { return cmp.Or(a.kickoff.Compare(b.kickoff), a.at-b.at) })
	middle := all[len(all)/2].kickoff
	days := func(t time.Time) float64 { return t.Sub(middle).Abs().Hours() / 24 }
	for _, p := range all {
		year, month, day := p.kickoff.Date()
		if day > 12 || days(p.kickoff) < farFromRound {
			continue
		}
		exchanged := time.Date(year, time.Month(day), int(month), p.kickoff.Hour(), p.kickoff.Minute(), 0, 0, time.UTC)
		if days(exchanged) > nearRound {
			continue
		}
		m := o.set.Matches.At(p.at)
		o.name(m.Origin, "kickoffAt", "is on %s, but round %d is around %s: are day and month exchanged?",
			p.kickoff.Format(time.DateOnly), m.Value.Base.Round, middle.UTC().Format(time.DateOnly))
	}
}

// extra warns of events of extra time or of a shoot-out in a finished match that says nothing
// of either: its points would be those of the regular time.
func (o *oddities) extra(at int, c *sport.Competition) {
	m := o.set.Matches.At(at)
	b := &m.Value.Base
	if b.Status != sport.Finished || !m.Value.HasDetails() || b.ExtraTime && b.Penalties != nil {
		return
	}
	clock, full := sport.Halves(), m.Value.Full()
	if c != nil {
		clock = c.Rules.Clock()
	}
	for i := range full.Events {
		e := &full.Events[i]
		period := clock.Of(e)
		place, known := clock.Place(period)
		switch {
		case e.Period == "" && e.Type != sport.EventGoal && e.Type != sport.EventShootoutPenalty: // stoppage time, perhaps
		case period == sport.PenaltyShootout && b.Penalties == nil:
			o.report(m.Origin, "penalties", "is missing, but there are events of a shoot-out")
			return
		case known && place >= clock.Count && period != sport.PenaltyShootout && !b.ExtraTime:
			o.report(m.Origin, "extraTime", "is not true, but there are events of extra time")
			return
		}
	}
}
