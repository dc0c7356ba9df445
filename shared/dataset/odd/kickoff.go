package odd

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/sport"
)

// Nobody kicks off in the night, from just after midnight, which stands for a day
// alone, to dawn.
const dawn = 7

// clock warns of a kick-off at an hour that is likely another one: at night, for want of
// the half of the day or of the time zone, or after the end of the competition. local
// says that it is given in the time of the competition.
func (o *oddities) clock(m *dataset.Record[dataset.Match], local bool) {
	b := &m.Value.Base
	if b.Kickoff.IsZero() || b.CompetitionID == "" {
		return
	}
	in := season{b.CompetitionID, b.Season}
	c := o.season(in)
	if c == nil {
		return
	}
	s := o.scoresOf(in)
	if of := o.seasons[in]; local && !m.Value.DayOnly && of != nil && o.set.Unzoned[of] && !s.utc {
		s.utc = true
		o.warn(m.Origin, "kickoffLocal", "is taken as UTC, because %s gives no time zone: if that is meant, give UTC as its timezone", dataset.Quoted(sport.KindCompetition, o.set.Given(c.ID)))
	}
	if !c.EndsAt.IsZero() && b.Kickoff.After(c.EndsAt) {
		s.late.add(m.Origin)
	}
	at := b.Kickoff.In(o.zone(c.Timezone))
	if _, now := at.Zone(); m.Value.Offset > time.Duration(now)*time.Second {
		if _, then := at.AddDate(0, 6, 0).Zone(); m.Value.Offset == time.Duration(then)*time.Second {
			s.summer.add(m.Origin)
		}
	}
	if !m.Value.DayOnly && at.Hour() < dawn && (at.Hour() > 0 || at.Minute() > 0) {
		o.warn(m.Origin, "kickoffAt", "is at %s in the time zone of the competition, %s: is it meant for the afternoon, or is the time zone another?", at.Format("15:04"), c.Timezone)
	}
}

// zone is a time zone, UTC for one that is not known.
func (o *oddities) zone(name string) *time.Location {
	z := o.zones[name]
	if z == nil {
		var err error
		if z, err = time.LoadLocation(name); err != nil {
			z = time.UTC
		}
		o.zones[name] = z
	}
	return z
}

// hours warns of what the kick-offs of a season say of their times of day: an offset of the
// summer in winter, and a few in the morning where all others are hours later, of which
// twelve hours more make one of the others.
func (o *oddities) hours(s *scores, c *sport.Competition, zone *time.Location) {
	const enough, gap, noon = 6, 4 * time.Hour, 12 * time.Hour
	if s.late.n > 0 {
		o.warn(s.late.first, "kickoffAt", "is after the end of the competition, %s%s", o.local(c.EndsAt, c), s.late.more())
	}
	if s.summer.n > 0 {
		o.warn(s.summer.first, "kickoffAt", "has the offset that %s has in summer, but that day is in winter: it is shown too early%s", c.Timezone, s.summer.more())
	}
	var all []moment // since midnight
	for _, k := range s.kickoffs {
		at := time.UnixMilli(k.ms).In(zone)
		if k.ms = int64(at.Hour()*60+at.Minute()) * time.Minute.Milliseconds(); k.ms > 0 {
			all = append(all, k)
		}
	}
	if len(all) < enough {
		return
	}
	byTime(all, false)
	clock := func(ms int64) string { return time.UnixMilli(ms).UTC().Format("15:04") }
	for n := max(1, len(all)/20); n > 0; n-- {
		rest, last := all[n:], all[len(all)-1].ms
		if rest[0].ms-all[n-1].ms < gap.Milliseconds() || all[n-1].ms+noon.Milliseconds() > last+time.Hour.Milliseconds() {
			continue
		}
		for _, k := range all[:n] {
			if k.ms >= dawn*time.Hour.Milliseconds() {
				o.warn(dataset.Origin{File: s.file, Line: int(k.line)}, "kickoffAt", "is at %s in the time zone of the competition, while all others are from %s to %s: is it meant for %s?", clock(k.ms), clock(rest[0].ms), clock(last), clock(k.ms+noon.Milliseconds()))
			}
		}
		return
	}
}

// turned warns of kick-offs that are weeks from the others of their round, and would be
// among them with day and month the other way round. It gives their lines. The kick-offs
// are sorted by time.
func (o *oddities) turned(s *scores, zone *time.Location) (lines []int32) {
	const near, far = 4, 28 // days
	middle, all := s.kickoffs[len(s.kickoffs)/2], slices.Clone(s.kickoffs)
	byTime(all, true)
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].round == all[0].round {
			n++
		}
		round := all[:n]
		all = all[n:]
		for i, k := range round {
			other := n / 2
			if other == i {
				other--
			}
			at := time.UnixMilli(k.ms).In(zone)
			if k.round == 0 || n == 1 || at.Day() > 12 || n == 2 && daysBetween(k, middle) <= daysBetween(round[other], middle) {
				continue
			}
			meant := time.Date(at.Year(), time.Month(at.Day()), int(at.Month()), at.Hour(), at.Minute(), 0, 0, zone)
			if daysBetween(k, round[other]) >= far && daysBetween(moment{ms: meant.UnixMilli()}, round[other]) < near {
				lines = append(lines, k.line)
				o.warn(dataset.Origin{File: s.file, Line: int(k.line)}, "kickoffAt", "is on %s, the others of round %d about %s: are day and month the other way round?", at.Format(time.DateOnly), k.round, meant.Format(time.DateOnly))
			}
		}
	}
	return lines
}

// byTime sorts kick-offs by time, those of each round by itself or not.
func byTime(all []moment, rounds bool) {
	sort.Slice(all, func(i, j int) bool { // slices.SortFunc, compiled for this struct, adds 10 KB to ingest
		a, b := all[i], all[j]
		if rounds && a.round != b.round {
			return a.round < b.round
		}
		return cmp.Or(cmp.Compare(a.ms, b.ms), cmp.Compare(a.line, b.line)) < 0
	})
}

func daysBetween(a, b moment) int64 { return max(a.ms-b.ms, b.ms-a.ms) / day }

// day is one in milliseconds.
const day = 24 * 60 * 60 * 1000

// far warns of kick-offs that are months from those of the rest of the season.
func (o *oddities) far(s *scores, zone *time.Location) {
	all := s.kickoffs
	few := max(1, len(all)/20)
	if len(all) < 4 {
		return
	}
	byTime(all, false)
	turned := o.turned(s, zone)
	warn := func(some []moment, days int64) {
		for _, x := range some {
			if days >= months && !slices.Contains(turned, x.line) {
				o.warn(dataset.Origin{File: s.file, Line: int(x.line)}, "kickoffAt", "is %d days from all other matches of the season: are year, month and day right?", days)
			}
		}
	}
	for i, n := 1, len(all)-1; i <= few; i, n = i+1, n-1 {
		warn(all[:i], (all[i].ms-all[i-1].ms)/day)
		warn(all[n:], (all[n].ms-all[n-1].ms)/day)
	}
}

// months is how many days without a match part one season from another.
const months = 90
