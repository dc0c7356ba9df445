package relations

import (
	"cmp"
	"slices"
	"time"

	"touchline/shared/dataset/ids"
	"touchline/shared/sport"
)

// twiceAtOnce warns of a team that has two matches at one time.
func (o *oddities) twiceAtOnce(all []fixture) {
	type hour struct {
		team    ids.Packed
		kickoff int64
	}
	first := map[hour]fixture{}
	for _, f := range all {
		if f.in < 0 || f.open || f.unset {
			continue
		}
		for _, team := range []ids.Packed{f.home, f.away} {
			before, plays := first[hour{team, f.kickoff}]
			if !plays {
				first[hour{team, f.kickoff}] = f
				continue
			}
			if before.home == f.home && before.away == f.away {
				continue // one fixture under two ids
			}
			m, other := o.set.Matches.At(int(max(f.in, before.in))), o.set.Matches.At(int(min(f.in, before.in)))
			o.name(m.Origin, "kickoffAt", "%s plays at this hour in %s, too", o.called(sport.KindTeam, team.ID()), o.called(sport.KindMatch, other.ID))
		}
	}
}

// inRounds warns of the one team of a round of a league that plays twice there, and of a
// kick-off far from the others of its round, near which it is with day and month exchanged.
func (o *oddities) inRounds(all []fixture) {
	type round struct {
		season
		number int32
	}
	rounds := map[round][]fixture{}
	for _, f := range all {
		if f.in >= 0 && !f.unset && f.inLeague && f.round > 0 {
			in := round{f.season, f.round}
			rounds[in] = append(rounds[in], f)
		}
	}
	for in, all := range rounds {
		if len(all) < 3 {
			continue
		}
		last := map[ids.Packed]int32{}
		var twice []ids.Packed
		for _, f := range all {
			for _, team := range []ids.Packed{f.home, f.away} {
				before, plays := last[team]
				if plays {
					twice = append(twice, team)
				}
				last[team] = max(before, f.in)
			}
		}
		if len(twice) == 1 {
			m := o.set.Matches.At(int(last[twice[0]]))
			o.name(m.Origin, "round", "%s plays twice in round %d, in which no other team does", o.called(sport.KindTeam, twice[0].ID()), in.number)
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

func (o *oddities) farFromRound(all []fixture) {
	slices.SortFunc(all, func(a, b fixture) int { return cmp.Or(cmp.Compare(a.kickoff, b.kickoff), cmp.Compare(a.in, b.in)) })
	middle := time.UnixMilli(all[len(all)/2].kickoff).UTC()
	days := func(t time.Time) float64 { return t.Sub(middle).Abs().Hours() / 24 }
	for _, f := range all {
		kickoff := time.UnixMilli(f.kickoff).UTC()
		year, month, day := kickoff.Date()
		if day > 12 || days(kickoff) < farFromRound {
			continue
		}
		exchanged := time.Date(year, time.Month(day), int(month), kickoff.Hour(), kickoff.Minute(), 0, 0, time.UTC)
		if days(exchanged) > nearRound {
			continue
		}
		o.name(o.set.Matches.At(int(f.in)).Origin, "kickoffAt", "is on %s, but round %d is around %s: are day and month exchanged?",
			kickoff.Format(time.DateOnly), f.round, middle.Format(time.DateOnly))
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
