package records

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// FixturesRecord holds the matches of a team in a quarter of a year, as far as
// they may be shown: FixturesKey. They are on its list too (TeamMatches), but
// where on it the list's head tells, a round trip later; this can be read by who
// knows the team and the kickoff.
type FixturesRecord struct {
	// Parts is the JSON of fixtures, deflated, so that a live score, which is
	// written here for both teams, stays cheap.
	Parts []byte `dynamodbav:"z"`
}

// fixtures are matches, by kickoff, then id. What they have in common is there
// once.
type fixtures struct {
	Teams        []TeamRef
	Competitions []CompetitionRef
	Matches      []fixture
}

// fixture is a Match that numbers its teams and its competition, which is from
// 1; 0 is a friendly.
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

// NewFixtures makes the record of matches; deflate is that of RFC 1951.
func NewFixtures(matches []Match, deflate func([]byte) ([]byte, error)) (*FixturesRecord, error) {
	var f fixtures
	teams, competitions := map[TeamRef]int{}, map[CompetitionRef]int{}
	for _, m := range matches {
		x := fixture{Match: m, Home: number(teams, &f.Teams, m.Home), Away: number(teams, &f.Teams, m.Away)}
		if m.Competition != nil {
			x.Competition = 1 + number(competitions, &f.Competitions, *m.Competition)
		}
		f.Matches = append(f.Matches, x)
	}
	data, err := json.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("encode fixtures: %w", err)
	}
	parts, err := deflate(data)
	if err != nil {
		return nil, fmt.Errorf("encode fixtures: %w", err)
	}
	return &FixturesRecord{Parts: parts}, nil
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
	if err := json.NewDecoder(flate.NewReader(bytes.NewReader(r.Parts))).Decode(&f); err != nil {
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
