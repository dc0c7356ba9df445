package seed

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/dataset/rules"
	"touchline/shared/sport"
)

// demo is the small federation for a first look: three associations of eight
// clubs each, the current season and the one before. It has an example of most
// that the API can show or must hide:
//
//   - est.premier, the men's league of twelve: a live match, past and future rounds,
//     a postponed match, an awarded one, a point deduction; and last season, where
//     line-ups are unknown and kickoffs are local times
//   - est.women, the women's league of eight
//   - est.cup, a cup with extra time, penalties and semi-finals in two legs
//   - est.trophy, a completed tournament with groups and a final
//   - a league in each association
//   - friendlies, an inactive and a hidden club, a club of two associations, a hidden
//     and an inactive player, a team that only plays friendlies
type demo struct {
	scene
	weeks calendar
	clubs []demoClub
}

type demoClub struct {
	key        sport.ID
	name, home string
	entry      side // this season's league team
}

const (
	demoAssociations = 3
	demoClubs        = 8 // of each association
	demoZone         = "Europe/Ljubljana"

	// demoRound is the current round of est.premier, out of 22.
	demoRound = 15

	// Positions in demo.clubs: the association's number times demoClubs, plus
	// the club's. The first four of each association play in est.premier.
	inactiveClub = 0*demoClubs + 7
	hiddenClub   = 1*demoClubs + 7
	borderClub   = 2*demoClubs + 4
)

var demoAssociationKeys = [demoAssociations]sport.ID{key + ".north", key + ".coast", key + ".highlands"}

func writeDemo(w *writer, now time.Time) {
	d := &demo{scene: scene{writer: w, now: now}, weeks: calendar{now: now, current: demoRound}}
	d.organizations()
	d.leagues()
	d.cup()
	d.trophy()
	d.friendlies()
}

func (d *demo) organizations() {
	season := d.weeks.season()
	d.put(sport.Organization{ID: key, Type: sport.Federation, Name: "Football Federation of " + country, Season: season, Description: madeUp})
	for a, association := range demoAssociationKeys {
		d.put(sport.Organization{ID: association, Type: sport.Association, Name: "Football Association of " + regionName(a), ParentID: key, Season: season})
	}
	for n := range demoAssociations * demoClubs {
		name, home := clubName(n)
		o := sport.Organization{
			ID: clubKey(n), Type: sport.Club, Name: name, ParentID: demoAssociationKeys[n/demoClubs], Description: "Football club from " + home, Season: season,
		}
		switch n {
		case inactiveClub:
			o.Status, o.Description, o.Season = sport.Inactive, "Dissolved after the last season", 0
		case hiddenClub:
			o.Visibility = sport.Hidden
		case borderClub:
			o.AdditionalParentIDs = demoAssociationKeys[:1]
		}
		d.put(o)
		d.clubs = append(d.clubs, demoClub{key: o.ID, name: name, home: home})
	}
}

// first lists the positions of n clubs of each association, beginning with from.
func first(from, n int) []int {
	var out []int
	for a := range demoAssociations {
		for i := range n {
			out = append(out, a*demoClubs+from+i)
		}
	}
	return out
}

// competition is one of this season's, with what is the same in all.
func (d *demo) competition(c sport.Competition) sport.Competition {
	c.Season, c.Timezone = cmp.Or(c.Season, d.weeks.season()), demoZone
	c.OrganizationID, c.Gender = cmp.Or(c.OrganizationID, key), cmp.Or(c.Gender, sport.Men)
	if c.Rules.TieBreakers == nil {
		c.Rules = rules.Default()
	}
	d.put(c)
	return c
}

// leagues writes last season's league, and the leagues of this one.
func (d *demo) leagues() {
	no, last, now := false, calendar{now: d.now, current: demoRound + 52}, d.weeks
	clubs := first(0, 4)
	clubs[3] = inactiveClub // the fourth club of the north was promoted in its place
	c := d.competition(sport.Competition{
		ID: key + ".premier", Season: last.season(), Current: &no, Name: country + " Premier League", Completed: true, EndsAt: last.round(23),
	})
	d.league(c, d.teams(c, clubs, 16), last, func(m *dataset.Match, kickoff *time.Time, _ int) { m.KickoffLocal = kickoff.Format("2006-01-02T15:04") })

	// The first match of next week's round is brought forward, so that one match is
	// live on any day.
	c = d.competition(sport.Competition{ID: key + ".premier", Name: country + " Premier League", EndsAt: now.round(23)})
	sides := d.teams(c, first(0, 4), squadPlayers)
	d.put(sport.Player{ID: sides[0].player(20), Name: person(draw("hidden"), false), TeamID: sides[0].team, Visibility: sport.Hidden})
	d.put(sport.Player{ID: sides[0].player(21), Name: person(draw("inactive"), false), TeamID: sides[0].team, Status: sport.Inactive})
	d.league(c, sides, now, func(m *dataset.Match, kickoff *time.Time, place int) {
		switch b := &m.Base; [2]int{b.Round, place} {
		case [2]int{demoRound + 1, 0}:
			*kickoff = d.now.Add(-68 * time.Minute).Truncate(5 * time.Minute)
		case [2]int{demoRound - 2, 1}:
			b.Status = sport.Postponed
		case [2]int{5, 2}:
			b.Status, b.Score, b.Winner = sport.Finished, &sport.Score{Home: 3}, sport.WinnerHome // awarded
		}
	})

	for a, association := range demoAssociationKeys {
		c := d.competition(sport.Competition{ID: association + ".league", Name: "League of " + regionName(a), OrganizationID: association})
		clubs := slices.DeleteFunc(first(4, 4)[4*a:4*a+4], func(club int) bool { return club == inactiveClub })
		d.league(c, d.teams(c, clubs, 16), calendar{now: d.now, current: 4}, nil)
	}

	// Matches between level teams decide first.
	c = d.competition(sport.Competition{ID: key + ".women", Name: country + " Women's League", Gender: sport.Women, Rules: sport.Rules{Win: 3, Draw: 1, TieBreakers: []sport.TieBreaker{
		sport.ByPoints, sport.ByHeadToHeadPoints, sport.ByHeadToHeadGoalDiff, sport.ByGoalDiff, sport.ByGoalsFor, sport.ByName,
	}}})
	d.league(c, d.teams(c, first(0, 3)[:8], 18), calendar{now: d.now, current: 9}, nil)
}

// teams writes the clubs' entries in a league, and their squads.
func (d *demo) teams(c sport.Competition, clubs []int, players int) []side {
	var sides []side
	for i, club := range clubs {
		s := d.team(c, club, players, func(t *sport.Team) {
			if players == squadPlayers && i == 6 {
				t.StartingPoints = -3
			}
		})
		if c.Current == nil && c.Gender == sport.Men {
			d.clubs[club].entry = s
		}
		sides = append(sides, s)
	}
	return sides
}

// team writes a club's entry in a competition, and its squad. Without players it
// plays with those of the club's league team.
func (d *demo) team(c sport.Competition, club, players int, change func(*sport.Team)) side {
	of := d.clubs[club]
	t := sport.Team{
		ID: prefix(c) + sport.ID(strings.TrimPrefix(string(of.key), key)), Name: of.name, ShortName: of.home,
		OrganizationID: of.key, CompetitionID: c.ID, Season: c.Season, Gender: c.Gender,
	}
	if change != nil {
		change(&t)
	}
	s := d.side(t, players)
	if players == 0 {
		s = of.entry
		s.team = t.ID
	}
	return s
}

// prefix begins the keys of a competition's teams, matches and groups. They have no
// year, so that the examples of the documentation are the demo's on any day.
func prefix(c sport.Competition) sport.ID {
	if c.Current != nil { // last season's
		return c.ID + ".last"
	}
	return c.ID
}

// id names a match of a competition.
func (d *demo) id(c sport.Competition, round int, home, away side) sport.Match {
	club := func(s side) sport.ID { return s.team[strings.LastIndexByte(string(s.team), '.')+1:] }
	return sport.Match{
		ID:            named("%s.match.%d.%s-%s", prefix(c), round, club(home), club(away)),
		CompetitionID: c.ID, Season: c.Season, Round: round,
	}
}

// league writes the matches of a league in which each team plays each other twice.
// place is the number of a match in its round.
func (d *demo) league(c sport.Competition, sides []side, weeks calendar, change func(m *dataset.Match, kickoff *time.Time, place int)) {
	places := map[int]int{}
	for _, p := range roundRobin(len(sides), true) {
		m := dataset.Match{Base: d.id(c, p.round, sides[p.home], sides[p.away])}
		kickoff := weeks.kickoff(p.round, places[p.round])
		if change != nil {
			change(&m, &kickoff, places[p.round])
		}
		places[p.round]++
		d.fixture(m, kickoff, sides[p.home], sides[p.away], kind{details: !c.Completed})
	}
}

// midweek is a Wednesday evening, a number of weeks from now; negative: ago.
func (d *demo) midweek(weeks, i int) time.Time {
	return d.weeks.round(demoRound+weeks).AddDate(0, 0, 4).Add(18*time.Hour + time.Duration(i%2)*30*time.Minute)
}

// knockout writes a match that has a winner, and returns that.
func (d *demo) knockout(c sport.Competition, round int, kickoff time.Time, home, away side) side {
	m := d.fixture(dataset.Match{Base: d.id(c, round, home, away)}, kickoff, home, away, kind{details: true, knockout: true})
	s := *m.Score
	if m.Penalties != nil {
		s = *m.Penalties
	}
	if s.Home > s.Away {
		return home
	}
	return away
}

// cup writes the cup: sixteen teams, two complete rounds, and the semi-finals, whose
// second legs are to come.
func (d *demo) cup() {
	c := d.competition(sport.Competition{ID: key + ".cup", Name: country + " Cup", Type: sport.Cup, Format: sport.FormatKnockout})
	var left []side
	for _, club := range append(first(0, 4), first(4, 2)[:4]...) {
		left = append(left, d.team(c, club, 0, nil))
	}
	r := draw(string(c.ID))
	for i := len(left) - 1; i > 0; i-- {
		j := r.below(i + 1)
		left[i], left[j] = left[j], left[i]
	}
	for round := 1; round <= 2; round++ {
		for i := range len(left) / 2 {
			left[i] = d.knockout(c, round, d.midweek(-15+5*round, i), left[2*i], left[2*i+1])
		}
		left = left[:len(left)/2]
	}
	for i := 0; i < len(left); i += 2 {
		home, away := left[i], left[i+1]
		for leg := 1; leg <= 2; leg++ {
			m := d.id(c, 3, home, away)
			m.Leg, m.TwoLegs = leg, true
			d.fixture(dataset.Match{Base: m}, d.midweek(-7+4*leg, i/2), home, away, kind{details: true})
			home, away = away, home
		}
	}
}

// trophy writes a tournament that has ended: two groups of four, semi-finals and
// a final.
func (d *demo) trophy() {
	days := d.weeks.round(2)
	c := sport.Competition{
		ID: key + ".trophy", Name: "Amber Coast Trophy", Type: sport.Tournament, OrganizationID: demoAssociationKeys[1],
		Completed: true, EndsAt: days.AddDate(0, 0, 6),
	}
	for i, letter := range []string{"A", "B"} {
		c.Groups = append(c.Groups, sport.Group{ID: c.ID + sport.ID("."+letter), Name: "Group " + letter, Order: i + 1})
	}
	c = d.competition(c)
	at := func(day, hour int) time.Time { return days.AddDate(0, 0, day-1).Add(time.Duration(hour) * time.Hour) }
	clubs := append(first(0, 2), demoClubs+2, demoClubs+3)
	var best [2][]side
	for g, in := range c.Groups {
		var sides []side
		for n, club := range clubs[4*g : 4*g+4] {
			sides = append(sides, d.team(c, club, 0, func(t *sport.Team) { t.GroupID, t.Seed = in.ID, n+1 }))
		}
		worth := map[side]int{} // by points, difference and goals
		for i, p := range roundRobin(4, false) {
			home, away := sides[p.home], sides[p.away]
			m := d.id(c, p.round, home, away)
			m.GroupID = in.ID
			s := d.fixture(dataset.Match{Base: m}, at(p.round, 10+3*(i%2)+g), home, away, kind{details: true}).Score
			points := 3 * cmp.Compare(s.Home, s.Away)
			worth[home] += 10_000*max(points, 0) + 101*s.Home - 100*s.Away
			worth[away] += 10_000*max(-points, 0) + 101*s.Away - 100*s.Home
			if points == 0 {
				worth[home] += 10_000
				worth[away] += 10_000
			}
		}
		slices.SortStableFunc(sides, func(a, b side) int { return worth[b] - worth[a] })
		best[g] = sides
	}
	one := d.knockout(c, 4, at(4, 14), best[0][0], best[1][1])
	two := d.knockout(c, 4, at(4, 17), best[1][0], best[0][1])
	d.knockout(c, 5, at(5, 16), one, two)
}

// friendlies writes matches without a competition; two of them are of a team
// that is in none.
func (d *demo) friendlies() {
	club := d.clubs[0]
	friendly := func(n int) dataset.Match {
		return dataset.Match{Base: sport.Match{ID: named("%s.friendly/%d", key, n)}}
	}
	young := d.side(sport.Team{
		ID: key + ".friendly/" + club.key, Name: club.name + " Reserves", ShortName: club.home + " II", OrganizationID: club.key, Gender: sport.Men,
	}, 14)
	d.fixture(friendly(1), d.midweek(-4, 0), young, d.clubs[demoClubs].entry, kind{details: true})
	d.fixture(friendly(2), d.midweek(4, 1), young, d.clubs[2*demoClubs].entry, kind{details: true})
	third := friendly(3)
	third.Base.Season = d.weeks.season()
	d.fixture(third, d.midweek(-13, 0), d.clubs[1].entry, d.clubs[demoClubs+1].entry, kind{details: true})
}
