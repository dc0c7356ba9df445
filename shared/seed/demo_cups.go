package seed

import (
	"fmt"
	"time"
)

// cup writes the cup: sixteen teams, two complete rounds, and the first legs of
// the semi-finals.
func (d *demo) cup() {
	c := competition{
		ID: key + ".cup", Season: d.weeks.season(), Name: country + " Cup", Type: "cup", Timezone: demoZone,
		OrganizationID: key, Gender: "men",
	}
	d.w.competition(c)
	clubs := append(first(0, 4), first(4, 2)[:4]...)
	var left []side
	for _, club := range clubs {
		left = append(left, d.guest(c, club, nil))
	}
	order(draw(c.ID), left)
	for round := 1; round <= 2; round++ {
		var through []side
		for i := 0; i < len(left); i += 2 {
			home, away := left[i], left[i+1]
			m := d.fixture(d.id(c, round, home, away), d.midweek(-15+5*round, i/2), home, away, kind{details: true, knockout: true})
			through = append(through, winner(m, home, away))
		}
		left = through
	}
	for i := 0; i < len(left); i += 2 {
		d.legs(c, 3, left[i], left[i+1], func(leg int) time.Time { return d.midweek(-7+4*leg, i/2) }, false)
	}
}

// midweek is a Wednesday evening, a number of weeks from now; negative: ago.
func (d *demo) midweek(weeks, i int) time.Time {
	return d.weeks.round(demoRound+weeks).AddDate(0, 0, 4).Add(18*time.Hour + time.Duration(i%2)*30*time.Minute)
}

// order shuffles sides.
func order(r *random, sides []side) {
	for i := len(sides) - 1; i > 0; i-- {
		j := r.below(i + 1)
		sides[i], sides[j] = sides[j], sides[i]
	}
}

// winner of a knockout match that is finished.
func winner(m match, home, away side) side {
	s := *m.Score
	if s.Home == s.Away {
		s = *m.Penalties
	}
	if s.Home > s.Away {
		return home
	}
	return away
}

// trophy writes a tournament that has ended: two groups of four, semi-finals and
// a final.
func (d *demo) trophy() {
	host := demoAssociationKeys[1]
	days := d.weeks.round(2)
	c := competition{
		ID: key + ".trophy", Season: d.weeks.season(), Name: "Amber Coast Trophy", Type: "tournament", Timezone: demoZone,
		OrganizationID: host, Gender: "men", Completed: true, EndsAt: stamp(days.AddDate(0, 0, 6)),
	}
	for i, letter := range []string{"A", "B"} {
		c.Groups = append(c.Groups, group{ID: named(c) + "." + letter, Name: "Group " + letter, Order: i + 1})
	}
	d.w.competition(c)
	clubs := append(first(0, 2), demoClubs+2, demoClubs+3)
	var finalists [][]standing
	for g, in := range c.Groups {
		var sides []side
		mine := clubs[4*g : 4*g+4]
		for n, club := range mine {
			sides = append(sides, d.guest(c, club, func(t *team) { t.Group, t.Seed = in.ID, n+1 }))
		}
		var played []match
		for i, p := range roundRobin(4, false) {
			home, away := sides[p.home], sides[p.away]
			m := d.id(c, p.round, home, away)
			m.Group = in.ID
			at := days.AddDate(0, 0, p.round-1).Add(time.Duration(10+3*(i%2)+g) * time.Hour)
			played = append(played, d.fixture(m, at, home, away, kind{details: true}))
		}
		finalists = append(finalists, tableOf(sides, mine, played))
	}
	knockout := func(round, hour int, home, away side) side {
		at := days.AddDate(0, 0, round-1).Add(time.Duration(hour) * time.Hour)
		m := d.fixture(d.id(c, round, home, away), at, home, away, kind{details: true, knockout: true})
		return winner(m, home, away)
	}
	a, b := finalists[0], finalists[1]
	one := knockout(4, 14, a[0].side, b[1].side)
	two := knockout(4, 17, b[0].side, a[1].side)
	knockout(5, 16, one, two)
}

// friendlies writes matches without a competition; two of them are of a team
// that is in none.
func (d *demo) friendlies() {
	club := d.clubs[0]
	reserves := team{
		ID: key + ".friendly/" + club.key, Name: club.name + " Reserves", ShortName: club.home + " II",
		OrganizationID: club.key, Gender: "men",
	}
	d.w.team(reserves)
	d.squad(reserves.ID, 14, false)
	young := sideOf(reserves.ID, 14)
	for i, with := range []int{demoClubs, 2 * demoClubs} {
		other := d.clubs[with].entry
		m := match{ID: fmt.Sprintf("%s.friendly/%d", key, i+1)}
		d.fixture(m, d.midweek(-4+8*i, i), young, other, kind{details: true})
	}
	home, away := d.clubs[1].entry, d.clubs[demoClubs+1].entry
	m := match{ID: key + ".friendly/3", Season: d.weeks.season()}
	d.fixture(m, d.midweek(-13, 0), home, away, kind{details: true})
}
