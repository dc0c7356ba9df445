package seed

import (
	"fmt"
	"testing"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/dataset/rules"
	"touchline/shared/sport"
)

const (
	leagueTeams     = 20
	tournamentTeams = 30
	groupTeams      = 5
	leagueMatches   = leagueTeams / 2 // of a round

	// leagueRound is the current round of the leagues, out of nineteen.
	leagueRound = 12

	// matchTime is how long a match is live.
	matchTime = 110 * time.Minute
)

// federation is the numbers of one, and the files that it is written to.
type federation struct {
	Options
	t                                         testing.TB
	dir                                       string
	files                                     map[string]file
	associations, clubs, leagues, tournaments int
}

func newFederation(t testing.TB, o Options) *federation {
	f := &federation{
		Options: o, t: t, dir: t.TempDir(), files: map[string]file{},
		associations: 9 * o.Size, clubs: 220 * o.Size, leagues: 10 * o.Size, tournaments: 10 * o.Size,
	}
	if o.Live > 0 {
		f.leagues = o.Live / leagueMatches
		f.associations, f.clubs = 2+f.leagues/10, 8*f.leagues
	}
	return f
}

func associationKey(n int) sport.ID { return named("%s.association.%d", key, n+1) }
func clubKey(n int) sport.ID        { return named("%s.club.%d", key, n+1) }

// named is a key.
func named(format string, args ...any) sport.ID { return sport.ID(fmt.Sprintf(format, args...)) }

// associationOf assigns the clubs: the first fifth to the first association, the
// others evenly to the rest.
func (f *federation) associationOf(club int) int {
	first := f.clubs / 5
	if club < first {
		return 0
	}
	return 1 + (club-first)*(f.associations-1)/(f.clubs-first)
}

func (f *federation) organizations() {
	organization := func(o sport.Organization) { put(f, "organizations", o.ID, o) }
	organization(sport.Organization{ID: key, Type: sport.Federation, Name: "Football Federation of " + country, Description: "A made-up federation of a made-up country"})
	for n := range f.associations {
		organization(sport.Organization{ID: associationKey(n), Type: sport.Association, ParentID: key, Name: "Football Association of " + regionName(n)})
	}
	for n := range f.clubs {
		name, home := clubName(n)
		c := sport.Organization{ID: clubKey(n), Type: sport.Club, ParentID: associationKey(f.associationOf(n)), Name: name, Description: "Football club from " + home}
		if n%50 == 49 {
			c.Status = sport.Inactive
		}
		organization(c)
	}
}

// competitions writes the leagues of the federation, then the tournaments, each of
// the association of its first team. Every second tournament has ended, the others
// are in the third of five rounds.
func (f *federation) competitions() {
	season := kickoffDay(1, leagueRound).Year() // D33
	for n := range f.leagues {
		c := sport.Competition{
			ID: named("%s.league.%d", key, n+1), Season: season, Name: fmt.Sprintf("%s League %d", country, n+1),
			OrganizationID: key, Gender: gender(n), Rules: rules.Default(),
		}
		f.competition(c, n*leagueTeams, leagueTeams, leagueTeams, leagueRound)
	}
	for n := range f.tournaments {
		slot, current := f.leagues*leagueTeams+n*tournamentTeams, 3+n%2*4
		c := sport.Competition{
			ID: named("%s.tournament.%d", key, n+1), Season: season, Name: fmt.Sprintf("%s Trophy %d", town(n), n+1),
			Type: sport.Tournament, OrganizationID: associationKey(f.associationOf(slot % f.clubs)), Gender: gender(n), Rules: rules.Default(),
			EndsAt: kickoffDay(6, current), Completed: n%2 == 1,
		}
		for g := range tournamentTeams / groupTeams {
			letter := string(rune('A' + g))
			c.Groups = append(c.Groups, sport.Group{ID: named("%s/%d/%s", c.ID, c.Season, letter), Name: "Group " + letter, Order: g + 1})
		}
		f.competition(c, slot, tournamentTeams, groupTeams, current)
	}
}

func gender(n int) sport.Gender {
	if n%5 == 4 {
		return sport.Women
	}
	return sport.Men
}

// competition writes one with n teams, of consecutive clubs from slot on, in its
// current round. Each plays each other of its group once.
func (f *federation) competition(c sport.Competition, slot, n, inGroup, current int) {
	if !f.Goals {
		put(f, "competitions", c.ID, c)
	}
	sides := make([]side, n)
	for i := range n {
		club := (slot + i) % f.clubs
		name, home := clubName(club)
		t := sport.Team{
			ID: named("%s/%d/%d", c.ID, c.Season, i+1), Name: name, ShortName: home,
			OrganizationID: clubKey(club), CompetitionID: c.ID, Season: c.Season, Gender: c.Gender,
		}
		if c.Groups != nil {
			t.GroupID = c.Groups[i/inGroup].ID
		}
		sides[i] = f.side(t)
	}
	places := map[int]int{} // how many matches a round has
	for from := 0; from < n; from += inGroup {
		for _, p := range roundRobin(inGroup) {
			home, away := from+p.home, from+p.away
			m := sport.Match{ID: named("%s/%d/%d-%d", c.ID, c.Season, home+1, away+1), CompetitionID: c.ID, Season: c.Season, Round: p.round}
			if c.Groups != nil {
				m.GroupID = c.Groups[from/inGroup].ID
			}
			m.Kickoff = kickoff(p.round, current, places[p.round])
			places[p.round]++
			if f.Live > 0 && p.round == current {
				m.Kickoff = kickoff(p.round, current, 0)
			}
			if !c.Completed && f.Live == 0 && draw(string(m.ID)+"/postponed").chance(1) {
				m.Status = sport.Postponed
			}
			f.fixture(m, sides[home], sides[away])
		}
	}
}

// side writes a team and its players.
func (f *federation) side(t sport.Team) side {
	of, r := draw(string(t.ID)+"/side"), draw(string(t.ID)+"/players")
	s := side{team: t.ID, edge: of.between(-12, 12), coach: person(of, false)}
	if f.Goals {
		return s
	}
	put(f, "teams", t.ID, t)
	for i, position := range positions {
		number := i + 1
		if i >= starters {
			number = i + 2 + i%3*7 // some numbers are left out
		}
		put(f, "players", s.player(i), sport.Player{ID: s.player(i), Name: person(r, t.Gender == sport.Women), TeamID: t.ID, Number: number, Position: position})
	}
	return s
}

// fixture writes a match between two sides. The kickoff decides whether it has been
// played, unless it has a status.
func (f *federation) fixture(m sport.Match, home, away side) {
	m.HomeTeamID, m.AwayTeamID = home.team, away.team
	r := draw(string(m.ID))
	switch {
	case m.Status != "":
	case m.Kickoff.After(now):
		m.Status = sport.Upcoming
	case m.Kickoff.Add(matchTime).After(now):
		m.Status = sport.Live
		playWithDetails(r, &m, home, away, minute(now.Sub(m.Kickoff)), f.Goals)
	default:
		m.Status = sport.Finished
		if r.chance(f.Details) {
			playWithDetails(r, &m, home, away, 90, false)
		} else {
			m.Score = result(r, home, away)
		}
	}
	if !f.Goals || m.Status == sport.Live {
		put(f, "matches", m.ID, dataset.Match{Base: m})
	}
}

// pairing is one match of a schedule: positions in a list of teams.
type pairing struct{ round, home, away int } // rounds from 1

// roundRobin pairs n teams by the circle method, so that each plays each other once. If
// n is odd, one team has no match in each round.
func roundRobin(n int) []pairing {
	even := n + n%2
	var out []pairing
	for r := range even - 1 {
		for i := range even / 2 {
			a, b := even-1, r
			if i > 0 {
				a, b = (r+i)%(even-1), (r-i+even-1)%(even-1)
			}
			if a >= n || b >= n {
				continue // has no match in this round
			}
			if (r+i)%2 == 1 {
				a, b = b, a
			}
			out = append(out, pairing{round: r + 1, home: a, away: b})
		}
	}
	return out
}

// kickoffDay is the Saturday, 00:00 UTC, of a round: one a week, the current one on the
// last Saturday.
func kickoffDay(round, current int) time.Time {
	return now.Truncate(24*time.Hour).AddDate(0, 0, 7*(round-current))
}

// kickoff is the time of the i-th match of a round: on Saturday every two and a half
// hours from 14:00, the rest on Sunday.
func kickoff(round, current, i int) time.Time {
	slots := []time.Duration{14 * time.Hour, 16*time.Hour + 30*time.Minute, 19 * time.Hour}
	return kickoffDay(round, current).AddDate(0, 0, i/5%2).Add(slots[i%len(slots)])
}

// minute is the minute of a match at a time after its kickoff, with a break of
// 15 minutes after 45.
func minute(elapsed time.Duration) int {
	n := int(elapsed/time.Minute) + 1
	return min(max(n-15, min(n, 45)), 90)
}
