// Package relations checks what one line of a dataset does not show by itself: what the
// sport of its competition does not have (D61, a fault), and what is strange but possible
// beside the clock or beside what the line refers to (D51, a warning).
//
// Competitions, teams and matches that the set does not hold may be stored: see [Stored].
package relations

import (
	"fmt"

	"touchline/shared/dataset"
	"touchline/shared/dataset/names"
	"touchline/shared/sport"
)

// Stored is what the table holds, as far as it matters for the records of a set and is
// not replaced by them. A function that is nil knows nothing; the zero value is an empty
// table.
type Stored struct {
	// Team and Season give what is not in the set, nil if there isn't one.
	Team    func(sport.ID) *sport.Team
	Season  func(competition sport.ID, season int) *sport.Competition
	Current func(competition sport.ID) (season int) // 0: none
	Matches []sport.Match                           // of teams whose home matches the set has
	// Entered are the teams of a season; those of the set may be among them.
	Entered func(competition sport.ID, season int) []*sport.Team
	// Stages are the seasons of that year of the competition's playoffs and playouts.
	Stages func(competition sport.ID, season int) []*sport.Competition
	// Grouped says whether a match of a season gives a group, and the last round of those.
	Grouped func(competition sport.ID, season int) (given bool, last int)
	Player  func(sport.ID) *sport.Player
	Given   func(sport.Kind, sport.ID) string // what the operator calls it; nil: as the set does
}

// checker checks the records of a set.
type checker struct {
	set    *dataset.Set
	stored Stored
	teams  map[sport.ID]*sport.Team
	found  []dataset.Fault
}

func newChecker(s *dataset.Set, stored Stored) *checker {
	k := &checker{set: s, stored: stored, teams: make(map[sport.ID]*sport.Team, len(s.Teams))}
	for _, t := range s.Teams {
		if !t.Deleted {
			k.teams[t.ID] = &t.Value
		}
	}
	return k
}

// report notes a fault or a warning, whose kind is the format.
func (k *checker) report(at dataset.Origin, field, format string, args ...any) {
	k.found = append(k.found, k.set.Placed(dataset.Fault{File: at.File, Line: at.Line, Field: field, Message: fmt.Sprintf(format, args...), Kind: format}))
}

// name is report for a warning that names what it is about, each time another.
func (k *checker) name(at dataset.Origin, field, format string, args ...any) {
	k.report(at, field, format, args...)
	k.found[len(k.found)-1].Kind = ""
}

// called names a record by what the operator calls it.
func (k *checker) called(kind sport.Kind, id sport.ID) string {
	given := k.set.Given(id)
	if given == string(id) && k.stored.Given != nil {
		given = k.stored.Given(kind, id)
	}
	if kind == sport.KindMatch && names.IsMade(kind, given) { // nobody knows that key
		if at := k.set.Origin(kind, id); at.Line > 0 {
			return fmt.Sprintf("the match on line %d", at.Line)
		}
	} else if kind == sport.KindTeam && names.IsMade(kind, given) {
		if t := k.team(id); t != nil {
			given = t.Name
		}
	}
	return dataset.Quoted(kind, given)
}

// team is a team of the set or the table, nil if neither has it.
func (k *checker) team(id sport.ID) *sport.Team {
	if t := k.teams[id]; t != nil || k.stored.Team == nil {
		return t
	}
	return k.stored.Team(id)
}

// season is a season of a competition, of the set or the table; nil if neither has it.
func (k *checker) season(id sport.ID, year int) *sport.Competition {
	if s := k.set.Season(id, year); s != nil || k.stored.Season == nil {
		return s
	}
	return k.stored.Season(id, year)
}
