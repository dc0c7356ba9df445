package seed

import (
	"cmp"
	"slices"
	"time"
)

// localStamp is the format of a kickoff whose time zone was not recorded.
const localStamp = "2006-01-02T15:04"

// lastSeason writes the league of the year before, with the two rounds that
// followed the regular season. As in old data, line-ups are unknown and kickoffs
// are local times.
func (d *demo) lastSeason() {
	weeks := calendar{now: d.now, current: demoRound + 52}
	no := false
	c := competition{
		ID: key + ".premier", Season: weeks.season(), Current: &no, Name: country + " Premier League", Timezone: demoZone,
		OrganizationID: key, Gender: "men", Completed: true, EndsAt: stamp(weeks.round(23)),
	}
	d.w.competition(c)
	clubs := first(0, 4)
	clubs[3] = inactiveClub // the fourth club of the north was promoted in its place
	var sides []side
	for _, club := range clubs {
		sides = append(sides, d.team(c, club, 16, nil))
	}
	ended := d.rounds(c, sides, weeks, func(m *match, kickoff *time.Time) { old(m, *kickoff) })
	table := tableOf(sides, clubs, ended)
	d.championship(c, table[:6], weeks)
	d.relegation(c, table[8:], weeks)
}

func old(m *match, kickoff time.Time) {
	m.Status, m.KickoffLocal = "finished", kickoff.Format(localStamp)
}

// standing is the part of a row of last season's table that the following rounds
// need.
type standing struct {
	club               int
	side               side
	points, diff, goal int
}

func tableOf(sides []side, clubs []int, matches []match) []standing {
	rows := map[string]*standing{}
	var out []standing
	for i, s := range sides {
		rows[s.team] = &standing{club: clubs[i], side: s}
	}
	for _, m := range matches {
		home, away := rows[m.HomeTeamID], rows[m.AwayTeamID]
		home.add(m.Score.Home, m.Score.Away)
		away.add(m.Score.Away, m.Score.Home)
	}
	for _, s := range sides {
		out = append(out, *rows[s.team])
	}
	slices.SortStableFunc(out, func(a, b standing) int {
		return cmp.Or(b.points-a.points, b.diff-a.diff, b.goal-a.goal)
	})
	return out
}

func (s *standing) add(scored, conceded int) {
	s.goal += scored
	s.diff += scored - conceded
	switch {
	case scored > conceded:
		s.points += 3
	case scored == conceded:
		s.points++
	}
}

// child is a competition that follows the regular season of another.
func child(of competition, name, title, stage, format string) competition {
	return competition{
		ID: key + "." + name, Season: of.Season, Name: title, Stage: stage, Format: format, ParentID: of.ID,
		Timezone: of.Timezone, OrganizationID: of.OrganizationID, Gender: of.Gender, Completed: true,
	}
}

// entrant writes a team's entry in a round after the regular season. It plays
// with the season's players.
func (d *demo) entrant(c competition, row standing, change func(*team)) side {
	s := d.team(c, row.club, 0, change)
	s.player, s.players = row.side.player, row.side.players
	return s
}

// championship is the playoff of the first six, who keep half of their points.
func (d *demo) championship(of competition, rows []standing, weeks calendar) {
	c := child(of, "championship", country+" Championship Round", "playoff", "league")
	d.w.competition(c)
	var sides []side
	for _, row := range rows {
		sides = append(sides, d.entrant(c, row, func(t *team) { t.StartingPoints = row.points / 2 }))
	}
	weeks.current -= 23
	d.rounds(c, sides, weeks, func(m *match, kickoff *time.Time) { old(m, *kickoff) })
}

// relegation is the playout: twelfth against ninth and eleventh against tenth,
// home and away, with penalties if level.
func (d *demo) relegation(of competition, rows []standing, weeks calendar) {
	c := child(of, "relegation", country+" Relegation Ties", "playout", "knockout")
	d.w.competition(c)
	var sides []side
	for _, row := range rows {
		sides = append(sides, d.entrant(c, row, nil))
	}
	for i, pair := range [][2]side{{sides[3], sides[0]}, {sides[2], sides[1]}} {
		d.legs(c, 1, pair[0], pair[1], func(leg int) time.Time { return weeks.kickoff(23+leg, i) }, true)
	}
}

// legs writes a tie of two matches. The second ends with penalties if the
// aggregate is level.
func (d *demo) legs(c competition, round int, home, away side, kickoff func(leg int) time.Time, past bool) {
	var before *score
	for leg := 1; leg <= 2; leg++ {
		m := d.id(c, round, home, away)
		m.Leg, m.TwoLegs = leg, true
		at := kickoff(leg)
		if past {
			old(&m, at)
		}
		before = d.fixture(m, at, home, away, kind{details: !past, carried: before}).Score
		home, away = away, home
	}
}
