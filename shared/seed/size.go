package seed

import (
	"fmt"
	"strconv"
)

const (
	leagueTeams     = 20
	tournamentTeams = 30
	groupTeams      = 5
	leagueMatches   = leagueTeams / 2 // of a round
	squadPlayers    = 20

	// leagueRound is the current round of the leagues, out of nineteen.
	leagueRound = 12
)

// federation is the numbers of a synthetic federation.
type federation struct {
	scene
	season                       int
	associations, clubs, leagues int
	// together makes all matches of the current round of the leagues kick off at
	// the same time.
	together bool
}

func writeSize(w *writer, o Options) {
	f := federation{
		scene:        scene{w: w, now: o.Now, details: o.Details},
		season:       calendar{now: o.Now, current: leagueRound}.season(),
		associations: 9 * o.Size, clubs: 220 * o.Size, leagues: 10 * o.Size,
	}
	f.organizations()
	for n := range f.leagues {
		f.league(n)
	}
	for n := range 10 * o.Size {
		f.tournament(n)
	}
}

func associationKey(n int) string { return fmt.Sprintf("%s.association.%d", key, n+1) }
func clubKey(n int) string        { return fmt.Sprintf("%s.club.%d", key, n+1) }

// associationOf assigns the clubs: the first fifth to the first association, the
// others evenly to the rest.
func (f federation) associationOf(club int) int {
	first := f.clubs / 5
	if club < first {
		return 0
	}
	return 1 + (club-first)*(f.associations-1)/(f.clubs-first)
}

func (f federation) organizations() {
	f.w.organization(organization{
		ID: key, Type: "federation", Name: "Football Federation of " + country,
		Description: "A made-up federation of a made-up country",
	})
	for n := range f.associations {
		f.w.organization(organization{
			ID: associationKey(n), Type: "association", ParentID: key,
			Name: "Football Association of " + regionName(n),
		})
	}
	for n := range f.clubs {
		name, home := clubName(n)
		c := organization{
			ID: clubKey(n), Type: "club", ParentID: associationKey(f.associationOf(n)),
			Name: name, Description: "Football club from " + home,
		}
		if n%50 == 49 {
			c.Status = "inactive"
		}
		f.w.organization(c)
	}
}

// entries writes the n teams of a competition, of consecutive clubs from slot
// on, and returns their sides.
func (f federation) entries(c competition, slot, n int) []side {
	sides := make([]side, n)
	for i := range n {
		club := (slot + i) % f.clubs
		name, home := clubName(club)
		t := team{
			ID: fmt.Sprintf("%s/%d/%d", c.ID, c.Season, i+1), Name: name, ShortName: home,
			OrganizationID: clubKey(club), CompetitionID: c.ID, Season: c.Season, Gender: c.Gender,
		}
		if c.Groups != nil {
			t.Group = c.Groups[i/groupTeams].ID
		}
		f.w.team(t)
		f.squad(t.ID, squadPlayers, c.Gender == "women")
		sides[i] = sideOf(t.ID, squadPlayers)
	}
	return sides
}

func gender(n int) string {
	if n%5 == 4 {
		return "women"
	}
	return "men"
}

// league writes the n-th league of the federation.
func (f federation) league(n int) {
	c := competition{
		ID: fmt.Sprintf("%s.league.%d", key, n+1), Season: f.season, Name: fmt.Sprintf("%s League %d", country, n+1),
		OrganizationID: key, Gender: gender(n),
	}
	f.w.competition(c)
	sides := f.entries(c, n*leagueTeams, leagueTeams)
	weeks := calendar{now: f.now, current: leagueRound}
	place := map[int]int{}
	for _, p := range roundRobin(leagueTeams, false) {
		f.pair(c, p, sides, weeks, place, "")
	}
}

// tournament writes the n-th tournament, of the association of its first team.
// Every second one has ended, the others are in the third of five rounds.
func (f federation) tournament(n int) {
	slot := f.leagues*leagueTeams + n*tournamentTeams
	weeks := calendar{now: f.now, current: 3 + n%2*4}
	c := competition{
		ID: fmt.Sprintf("%s.tournament.%d", key, n+1), Season: f.season, Name: fmt.Sprintf("%s Trophy %d", town(n), n+1),
		Type: "tournament", OrganizationID: associationKey(f.associationOf(slot % f.clubs)), Gender: gender(n),
		EndsAt: stamp(weeks.round(6)), Completed: n%2 == 1,
	}
	for g := range tournamentTeams / groupTeams {
		letter := string(rune('A' + g))
		c.Groups = append(c.Groups, group{ID: fmt.Sprintf("%s/%d/%s", c.ID, c.Season, letter), Name: "Group " + letter, Order: g + 1})
	}
	f.w.competition(c)
	sides := f.entries(c, slot, tournamentTeams)
	place := map[int]int{}
	for g, in := range c.Groups {
		for _, p := range roundRobin(groupTeams, false) {
			p.home += g * groupTeams
			p.away += g * groupTeams
			f.pair(c, p, sides, weeks, place, in.ID)
		}
	}
}

// pair writes one match of a competition; place counts the matches of a round.
func (f federation) pair(c competition, p pairing, sides []side, weeks calendar, place map[int]int, in string) {
	m := match{
		ID:            c.ID + "/" + strconv.Itoa(c.Season) + "/" + strconv.Itoa(p.home+1) + "-" + strconv.Itoa(p.away+1),
		CompetitionID: c.ID, Season: c.Season, Round: p.round, Group: in,
	}
	kickoff := weeks.kickoff(p.round, place[p.round])
	if f.together && p.round == weeks.current {
		kickoff = weeks.kickoff(p.round, 0)
	}
	place[p.round]++
	if !c.Completed && !f.together && draw(m.ID+"/postponed").chance(1) {
		m.Status = "postponed"
	}
	f.fixture(m, kickoff, sides[p.home], sides[p.away], kind{})
}
