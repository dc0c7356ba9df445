package seed

import (
	"fmt"

	"touchline/shared/dataset"
	"touchline/shared/dataset/rules"
	"touchline/shared/sport"
)

const (
	leagueTeams     = 20
	tournamentTeams = 30
	groupTeams      = 5
	leagueMatches   = leagueTeams / 2 // of a round
	squadPlayers    = 20

	// leagueRound is the current round of the leagues, out of nineteen.
	leagueRound = 12

	madeUp = "A made-up federation of a made-up country"
)

// federation is the numbers of a synthetic federation.
type federation struct {
	scene
	season                                    int
	associations, clubs, leagues, tournaments int
	// together makes all matches of the current round of the leagues kick off at
	// the same time.
	together bool
}

// newFederation is one of a size, or one of leagues whose current round is being
// played: all its matches kicked off at 14:00 on a Saturday.
func newFederation(w *writer, o Options) federation {
	f := federation{
		scene:        scene{writer: w, now: o.Now, details: o.Details},
		season:       calendar{now: o.Now, current: leagueRound}.season(),
		associations: 9 * o.Size, clubs: 220 * o.Size, leagues: 10 * o.Size, tournaments: 10 * o.Size,
	}
	if o.Live > 0 {
		f.together, f.leagues = true, o.Live/leagueMatches
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
func (f federation) associationOf(club int) int {
	first := f.clubs / 5
	if club < first {
		return 0
	}
	return 1 + (club-first)*(f.associations-1)/(f.clubs-first)
}

func (f federation) organizations() {
	f.put(sport.Organization{ID: key, Type: sport.Federation, Name: "Football Federation of " + country, Description: madeUp})
	for n := range f.associations {
		f.put(sport.Organization{ID: associationKey(n), Type: sport.Association, ParentID: key, Name: "Football Association of " + regionName(n)})
	}
	for n := range f.clubs {
		name, home := clubName(n)
		c := sport.Organization{ID: clubKey(n), Type: sport.Club, ParentID: associationKey(f.associationOf(n)), Name: name, Description: "Football club from " + home}
		if n%50 == 49 {
			c.Status = sport.Inactive
		}
		f.put(c)
	}
}

// competitions writes the leagues of the federation, then the tournaments, each of
// the association of its first team. Every second tournament has ended, the others
// are in the third of five rounds.
func (f federation) competitions() {
	for n := range f.leagues {
		c := sport.Competition{
			ID: named("%s.league.%d", key, n+1), Season: f.season, Name: fmt.Sprintf("%s League %d", country, n+1),
			OrganizationID: key, Gender: gender(n), Rules: rules.Default(),
		}
		f.competition(c, n*leagueTeams, leagueTeams, leagueTeams, calendar{now: f.now, current: leagueRound})
	}
	for n := range f.tournaments {
		slot, weeks := f.leagues*leagueTeams+n*tournamentTeams, calendar{now: f.now, current: 3 + n%2*4}
		c := sport.Competition{
			ID: named("%s.tournament.%d", key, n+1), Season: f.season, Name: fmt.Sprintf("%s Trophy %d", town(n), n+1),
			Type: sport.Tournament, OrganizationID: associationKey(f.associationOf(slot % f.clubs)), Gender: gender(n), Rules: rules.Default(),
			EndsAt: weeks.round(6), Completed: n%2 == 1,
		}
		for g := range tournamentTeams / groupTeams {
			letter := string(rune('A' + g))
			c.Groups = append(c.Groups, sport.Group{ID: named("%s/%d/%s", c.ID, c.Season, letter), Name: "Group " + letter, Order: g + 1})
		}
		f.competition(c, slot, tournamentTeams, groupTeams, weeks)
	}
}

func gender(n int) sport.Gender {
	if n%5 == 4 {
		return sport.Women
	}
	return sport.Men
}

// competition writes one with n teams, of consecutive clubs from slot on. Each plays
// each other of its group once.
func (f federation) competition(c sport.Competition, slot, n, inGroup int, weeks calendar) {
	f.put(c)
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
		sides[i] = f.side(t, squadPlayers)
	}
	places := map[int]int{} // how many matches a round has
	for from := 0; from < n; from += inGroup {
		for _, p := range roundRobin(inGroup, false) {
			home, away := from+p.home, from+p.away
			m := sport.Match{ID: named("%s/%d/%d-%d", c.ID, c.Season, home+1, away+1), CompetitionID: c.ID, Season: c.Season, Round: p.round}
			if c.Groups != nil {
				m.GroupID = c.Groups[from/inGroup].ID
			}
			place := places[p.round]
			places[p.round]++
			if f.together && p.round == weeks.current {
				place = 0
			}
			if !c.Completed && !f.together && draw(string(m.ID)+"/postponed").chance(1) {
				m.Status = sport.Postponed
			}
			f.fixture(dataset.Match{Base: m}, weeks.kickoff(p.round, place), sides[home], sides[away], kind{})
		}
	}
}
