package seed

import (
	"fmt"
	"strings"
	"time"
)

// demo is the small federation for a first look: three associations of eight
// clubs each, the current season and the one before. It has an example of
// everything that the API can show or must hide:
//
//   - est.premier, the men's league of twelve: a live match, past and future rounds,
//     a postponed match, an awarded one, a point deduction; last season with a
//     championship round (playoff, a table) and relegation ties (playout, two legs)
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
	key, name, home string
	entry           side // this season's league team
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

var demoAssociationKeys = [demoAssociations]string{key + ".north", key + ".coast", key + ".highlands"}

func writeDemo(w *writer, now time.Time) {
	d := &demo{scene: scene{w: w, now: now}, weeks: calendar{now: now, current: demoRound}}
	d.organizations()
	d.lastSeason()
	d.premier()
	d.regional()
	d.women()
	d.cup()
	d.trophy()
	d.friendlies()
}

func (d *demo) organizations() {
	season := d.weeks.season()
	d.w.organization(organization{
		ID: key, Type: "federation", Name: "Football Federation of " + country, Season: season,
		Description: "A made-up federation of a made-up country",
	})
	for a, association := range demoAssociationKeys {
		d.w.organization(organization{
			ID: association, Type: "association", Name: "Football Association of " + regionName(a), ParentID: key, Season: season,
		})
	}
	for n := range demoAssociations * demoClubs {
		name, home := clubName(n)
		c := demoClub{key: clubKey(n), name: name, home: home}
		o := organization{
			ID: c.key, Type: "club", Name: name, ParentID: demoAssociationKeys[n/demoClubs],
			Description: "Football club from " + home, Season: season,
		}
		switch n {
		case inactiveClub:
			o.Status, o.Description, o.Season = "inactive", "Dissolved after the last season", 0
		case hiddenClub:
			o.Visibility = "hidden"
		case borderClub:
			o.AdditionalParentIDs = []string{demoAssociationKeys[0]}
		}
		d.w.organization(o)
		d.clubs = append(d.clubs, c)
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

// team writes a club's entry in a competition, and its squad if it has players.
func (d *demo) team(c competition, club, players int, change func(*team)) side {
	of := d.clubs[club]
	t := team{
		ID: named(c) + strings.TrimPrefix(of.key, key), Name: of.name, ShortName: of.home,
		OrganizationID: of.key, CompetitionID: c.ID, Season: c.Season, Gender: c.Gender,
	}
	if change != nil {
		change(&t)
	}
	d.w.team(t)
	d.squad(t.ID, players, c.Gender == "women")
	return sideOf(t.ID, players)
}

// guest writes a club's entry in a cup, which plays with the players of the
// league team.
func (d *demo) guest(c competition, club int, change func(*team)) side {
	s := d.team(c, club, 0, change)
	league := d.clubs[club].entry
	s.player, s.players, s.edge, s.coach = league.player, league.players, league.edge, league.coach
	return s
}

// named begins the keys of a competition's teams, matches and groups. They have no
// year, so that the examples of the documentation are the demo's on any day.
func named(c competition) string {
	if c.Current != nil { // last season's
		return c.ID + ".last"
	}
	return c.ID
}

// id names a match of a competition.
func (d *demo) id(c competition, round int, home, away side) match {
	return match{
		ID:            fmt.Sprintf("%s.match.%d.%s-%s", named(c), round, clubOf(home), clubOf(away)),
		CompetitionID: c.ID, Season: c.Season, Round: round,
	}
}

// clubOf is the last part of a team's key.
func clubOf(s side) string { return s.team[strings.LastIndexByte(s.team, '.')+1:] }

// rounds writes a league in which each team plays each other twice, and returns
// its matches.
func (d *demo) rounds(c competition, sides []side, weeks calendar, change func(*match, *time.Time)) []match {
	place := map[int]int{}
	var out []match
	for _, p := range roundRobin(len(sides), true) {
		home, away := sides[p.home], sides[p.away]
		m := d.id(c, p.round, home, away)
		kickoff := weeks.kickoff(p.round, place[p.round])
		place[p.round]++
		if change != nil {
			change(&m, &kickoff)
		}
		out = append(out, d.fixture(m, kickoff, home, away, kind{details: !c.Completed}))
	}
	return out
}

// premier writes this season's league. The first match of next week's round is
// brought forward, so that one match is live on any day.
func (d *demo) premier() {
	c := competition{
		ID: key + ".premier", Season: d.weeks.season(), Name: country + " Premier League", Timezone: demoZone,
		OrganizationID: key, Gender: "men", EndsAt: stamp(d.weeks.round(23)),
	}
	d.w.competition(c)
	var sides []side
	for i, club := range first(0, 4) {
		s := d.team(c, club, squadPlayers, func(t *team) {
			if i == 6 {
				t.StartingPoints = -3
			}
		})
		d.clubs[club].entry = s
		sides = append(sides, s)
	}
	d.w.player(player{ID: playerKey(sides[0].team, 20), Name: person(draw("hidden"), false), TeamID: sides[0].team, Visibility: "hidden"})
	d.w.player(player{ID: playerKey(sides[0].team, 21), Name: person(draw("inactive"), false), TeamID: sides[0].team, Status: "inactive"})
	seen := map[int]int{}
	d.rounds(c, sides, d.weeks, func(m *match, kickoff *time.Time) {
		seen[m.Round]++
		switch at := [2]int{m.Round, seen[m.Round]}; at {
		case [2]int{demoRound + 1, 1}:
			*kickoff = d.now.Add(-68 * time.Minute).Truncate(5 * time.Minute)
		case [2]int{demoRound - 2, 2}:
			m.Status = "postponed"
		case [2]int{5, 3}:
			m.Status, m.Score, m.Winner = awarded, &score{3, 0}, homeSide
		}
	})
}

// regional writes the leagues of the associations: the other four clubs of each,
// except the inactive one.
func (d *demo) regional() {
	weeks := calendar{now: d.now, current: 4}
	for a, association := range demoAssociationKeys {
		c := competition{
			ID: association + ".league", Season: d.weeks.season(), Name: "League of " + regionName(a), Timezone: demoZone,
			OrganizationID: association, Gender: "men",
		}
		d.w.competition(c)
		var sides []side
		for i := range 4 {
			club := a*demoClubs + 4 + i
			if club == inactiveClub {
				continue
			}
			d.clubs[club].entry = d.team(c, club, 16, nil)
			sides = append(sides, d.clubs[club].entry)
		}
		d.rounds(c, sides, weeks, nil)
	}
}

// women writes the women's league, where matches between level teams decide
// first.
func (d *demo) women() {
	c := competition{
		ID: key + ".women", Season: d.weeks.season(), Name: country + " Women's League", Timezone: demoZone,
		OrganizationID: key, Gender: "women",
		Rules: &rules{Win: 3, Draw: 1, TieBreakers: []string{"points", "headToHeadPoints", "headToHeadGoalDiff", "goalDiff", "goalsFor", "name"}},
	}
	d.w.competition(c)
	var sides []side
	for _, club := range first(0, 3)[:8] {
		sides = append(sides, d.team(c, club, 18, nil))
	}
	d.rounds(c, sides, calendar{now: d.now, current: 9}, nil)
}
