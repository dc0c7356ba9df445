package records

import (
	"errors"
	"fmt"
	"time"

	"touchline/shared/packed"
)

// FixturesRecord holds the matches of a team in a quarter of a year, as far as
// they may be shown: FixturesKey. They are on the team's list too
// (TeamMatches), but finding them there takes a round trip for the list's head
// first. This record is found by team and kickoff alone.
type FixturesRecord struct {
	// Packed are fixtures, packed and deflated, so that a live score, which is
	// written here for both teams, stays cheap.
	Packed []byte `dynamodbav:"z"`
}

// fixtures are matches, by kickoff, then id. What they have in common is there
// once.
type fixtures struct {
	Teams        []TeamRef
	Competitions []CompetitionRef
	Matches      []fixture
}

// fixture is a Match without its teams and its competition, which it numbers:
// teams from 0, competitions from 1, with 0 for a friendly.
type fixture struct {
	Match
	Home, Away, Competition int
}

// errFixtures is the error of a record whose numbers name nothing.
var errFixtures = errors.New("fixtures name teams that they do not hold")

// Quarter numbers the quarter of a year, in UTC, that a kickoff in Unix
// milliseconds falls in.
func Quarter(kickoff int64) int {
	at := time.UnixMilli(kickoff).UTC()
	return at.Year()*4 + int(at.Month()-1)/3
}

// NewFixtures is the record of matches.
func NewFixtures(matches []Match) *FixturesRecord {
	var f fixtures
	teams, competitions := map[TeamRef]int{}, map[CompetitionRef]int{}
	for _, m := range matches {
		x := fixture{Match: m, Home: number(teams, &f.Teams, m.Home), Away: number(teams, &f.Teams, m.Away)}
		if m.Competition != nil {
			x.Competition = 1 + number(competitions, &f.Competitions, *m.Competition)
		}
		x.Match.Home, x.Match.Away, x.Match.Competition = TeamRef{}, TeamRef{}, nil
		f.Matches = append(f.Matches, x)
	}
	return &FixturesRecord{Packed: packed.Deflate(&f)}
}

// number is the place of what is on a list, put there where it is not yet.
func number[T comparable](places map[T]int, list *[]T, what T) int {
	at, known := places[what]
	if !known {
		at = len(*list)
		places[what], *list = at, append(*list, what)
	}
	return at
}

// Matches are what the record was made of.
func (r *FixturesRecord) Matches() ([]Match, error) {
	var f fixtures
	if err := packed.Unmarshal(r.Packed, &f); err != nil {
		return nil, fmt.Errorf("decode fixtures: %w", err)
	}
	matches := make([]Match, 0, len(f.Matches))
	for _, x := range f.Matches {
		if min(x.Home, x.Away, x.Competition) < 0 || max(x.Home, x.Away) >= len(f.Teams) || x.Competition > len(f.Competitions) {
			return nil, errFixtures
		}
		m := x.Match
		m.Home, m.Away = f.Teams[x.Home], f.Teams[x.Away]
		if x.Competition > 0 {
			m.Competition = &f.Competitions[x.Competition-1]
		}
		matches = append(matches, m)
	}
	return matches, nil
}
