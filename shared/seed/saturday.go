package seed

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"time"
)

// Saturday is an afternoon of the demo federation that is played in fast time:
// twelve matches of a competition of their own. Besides goals, cards and
// substitutions it has what a ticker has to stand: a goal that is annulled, a
// scorer who is corrected, and a match that is postponed.
//
// Its minutes are those of the matches. They are counted from Begins, and Speed
// of them pass in a minute of the clock, which kickoff times are in.
type Saturday struct {
	Begins time.Time
	Speed  int
}

// SaturdayCompetition is the key of its competition.
const SaturdayCompetition = key + ".saturday"

const (
	saturdayMatches = 12

	// The first eight kick off in minute 20, the others half an hour later.
	firstKickoff, lastKickoff, early = 20, 50, 8

	// The numbers of the matches in which something special happens, and the
	// minutes of it.
	annulledMatch, annulledFrom, annulledTo    = 0, 20, 30
	correctedMatch, correctedGoal, correctedAt = 1, 14, 24
	postponedMatch, postponedAt                = saturdayMatches - 1, 40
)

// SaturdayMinutes is when all its matches are over.
const SaturdayMinutes = lastKickoff + int(matchTime/time.Minute)

// Minute is the minute of the afternoon at a time of the clock.
func (s Saturday) Minute(now time.Time) int {
	return int(now.Sub(s.Begins) * time.Duration(s.Speed) / time.Minute)
}

// Write writes the competition with its teams and matches as they are before the
// first kickoff. The clubs that nobody sees or that are dissolved have a neighbour's
// second team in their place.
func (s Saturday) Write(dir string) (Counts, error) {
	w := &writer{dir: dir}
	return w.made(func() {
		c := competition{
			ID: SaturdayCompetition, Season: s.Begins.Year(), Name: country + " Saturday League", Timezone: demoZone, OrganizationID: key, Gender: "men",
		}
		w.put(c)
		for n := range 2 * saturdayMatches {
			club, second := n, ""
			if n == inactiveClub || n == hiddenClub {
				club, second = n-1, " II"
			}
			name, home := clubName(club)
			scene{writer: w}.side(team{
				ID: s.teamKey(n), Name: name + second, ShortName: home + second,
				OrganizationID: clubKey(club), CompetitionID: c.ID, Season: c.Season, Gender: c.Gender,
			}, squadPlayers)
		}
		for n := range saturdayMatches {
			w.put(s.match(n, 0))
		}
	})
}

// Changes writes the matches that are different in one minute than in another.
func (s Saturday) Changes(dir string, from, to int) (Counts, error) {
	w := &writer{dir: dir}
	return w.made(func() {
		for n := range saturdayMatches {
			if m := s.match(n, to); !reflect.DeepEqual(m, s.match(n, from)) {
				w.put(m)
			}
		}
	})
}

// teamKey is the key of the n-th team.
func (s Saturday) teamKey(n int) string {
	return fmt.Sprintf("%s/%d/%s", SaturdayCompetition, s.Begins.Year(), clubKey(n))
}

// match is a match as it is in a minute of the afternoon.
func (s Saturday) match(n, minuteOfDay int) match {
	kickoff := firstKickoff
	if n >= early {
		kickoff = lastKickoff
	}
	m := match{
		ID: fmt.Sprintf("%s/%d/%d", SaturdayCompetition, s.Begins.Year(), n+1), CompetitionID: SaturdayCompetition, Season: s.Begins.Year(), Round: 1,
		HomeTeamID: s.teamKey(2 * n), AwayTeamID: s.teamKey(2*n + 1),
		KickoffAt: stamp(s.Begins.Add(time.Duration(kickoff) * time.Minute / time.Duration(s.Speed))),
		Status:    "upcoming",
	}
	switch elapsed := time.Duration(minuteOfDay-kickoff) * time.Minute; {
	case n == postponedMatch && minuteOfDay >= postponedAt:
		m.Status = "postponed"
	case n == postponedMatch || elapsed < 0:
	case elapsed < matchTime:
		m.Status = "live"
		s.play(&m, n, elapsed)
	default:
		m.Status = "finished"
		s.play(&m, n, matchTime)
	}
	return m
}

// play adds what has happened a time after the kickoff. Every event has an id, by
// which a ticker knows it again where it is corrected.
func (s Saturday) play(m *match, n int, elapsed time.Duration) {
	now, r := minute(elapsed), draw(m.ID)
	home, away := sideOf(m.HomeTeamID, squadPlayers), sideOf(m.AwayTeamID, squadPlayers)
	g := newGame(r, home, away)
	g.plan(score{goals(r, home.edge-away.edge), goals(r, away.edge-home.edge)}, 88)
	if n == correctedMatch {
		g.moments = append(g.moments, moment{minute: correctedGoal, what: goal})
	}
	g.run(now)
	for i := range g.events {
		g.events[i].ID = fmt.Sprintf("%s/%d", m.ID, i+1)
	}
	forwards := g.sides[0].Starting[starters-2:]
	switch {
	case n == annulledMatch && now >= annulledFrom && now < annulledTo:
		g.score.Home++
		g.events = append(g.events, event{ID: m.ID + "/annulled", Type: "goal", Detail: "regular", Minute: annulledFrom, Side: homeSide, PlayerID: forwards[0].PlayerID})
	case n == correctedMatch && now < correctedAt:
		for i, e := range g.events {
			if e.Type == "goal" && e.Minute == correctedGoal {
				wrong := forwards[0].PlayerID
				if e.PlayerID == wrong {
					wrong = forwards[1].PlayerID
				}
				g.events[i].PlayerID, g.events[i].AssistID = wrong, ""
			}
		}
	}
	g.report(m)
	if m.Status == "live" {
		m.Statistics = nil
	}
	for _, w := range []struct { // of the halves
		at            time.Duration
		minute, extra int
		id, detail    string
		period        string
	}{
		{0, 0, 0, "start1", "start", "firstHalf"}, {46 * time.Minute, 45, 5, "end1", "end", "firstHalf"},
		{60 * time.Minute, 46, 0, "start2", "start", "secondHalf"}, {matchTime, 90, 5, "end2", "end", "secondHalf"},
	} {
		if elapsed >= w.at {
			m.Events = append(m.Events, event{ID: m.ID + "/" + w.id, Type: "period", Detail: w.detail, Period: w.period, Minute: w.minute, ExtraMinute: w.extra})
		}
	}
	slices.SortStableFunc(m.Events, func(a, b event) int { return cmp.Or(a.Minute-b.Minute, a.ExtraMinute-b.ExtraMinute) })
}
