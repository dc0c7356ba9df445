package client

import (
	"encoding/json"
	"fmt"

	"touchline/shared/sport"
)

// Standings are the tables of a competition's season. The fields of a playoff or
// playout are nil if there isn't one.
type Standings struct {
	Competition      Competition   `json:"competition"`
	Standings        []StandingRow `json:"standings"`
	PlayoffStandings *Phase        `json:"playoffStandings"`
	PlayoutStandings *Phase        `json:"playoutStandings"`
	PlayoffFormat    *sport.Format `json:"playoffFormat"`
	PlayoutFormat    *sport.Format `json:"playoutFormat"`
	PlayoffCompleted *bool         `json:"playoffCompleted"`
	PlayoutCompleted *bool         `json:"playoutCompleted"`
}

// StandingRow is a row of a table.
type StandingRow struct {
	Rank           int     `json:"rank"` // from 1 within a group
	Team           Team    `json:"team"`
	Played         int     `json:"played"`
	Won            int     `json:"won"`
	Drawn          int     `json:"drawn"`
	Lost           int     `json:"lost"`
	GoalsFor       int     `json:"goalsFor"`
	GoalsAgainst   int     `json:"goalsAgainst"`
	GoalDiff       int     `json:"goalDiff"`
	Points         int     `json:"points"`
	StartingPoints int     `json:"startingPoints"`
	Group          *string `json:"group"` // its name
}

// Phase is a playoff or playout: rows if its format is league, ties if it is
// knockout.
type Phase struct {
	Rows []StandingRow
	Ties []Tie
	// Raw is the array as received, which is all there is if the format is
	// neither.
	Raw json.RawMessage
}

// Tie is a pairing of a knockout.
type Tie struct {
	Round     int          `json:"round"`
	Order     int          `json:"order"` // from 1 within the round
	Home      *Team        `json:"home"`  // nil: not known yet
	Away      *Team        `json:"away"`
	Aggregate *Score       `json:"aggregate"` // nil until a match is finished
	Penalties *Score       `json:"penalties"` // from the tie's home side
	Winner    sport.Winner `json:"winner"`
	MatchIDs  []sport.ID   `json:"matchIds"`
}

// UnmarshalJSON keeps the array until the format is known.
func (p *Phase) UnmarshalJSON(b []byte) error {
	*p = Phase{Raw: append(json.RawMessage(nil), b...)}
	return nil
}

// MarshalJSON writes what was read.
func (p Phase) MarshalJSON() ([]byte, error) {
	switch {
	case p.Raw != nil:
		return p.Raw, nil
	case p.Ties != nil:
		return json.Marshal(p.Ties)
	}
	return json.Marshal(p.Rows)
}

// UnmarshalJSON reads each phase by its format.
func (s *Standings) UnmarshalJSON(b []byte) error {
	type plain Standings
	if err := json.Unmarshal(b, (*plain)(s)); err != nil {
		return err
	}
	if err := s.PlayoffStandings.read(s.PlayoffFormat); err != nil {
		return fmt.Errorf("playoffStandings: %w", err)
	}
	if err := s.PlayoutStandings.read(s.PlayoutFormat); err != nil {
		return fmt.Errorf("playoutStandings: %w", err)
	}
	return nil
}

func (p *Phase) read(format *sport.Format) error {
	switch {
	case p == nil || format == nil:
		return nil
	case *format == sport.FormatLeague:
		return json.Unmarshal(p.Raw, &p.Rows)
	case *format == sport.FormatKnockout:
		return json.Unmarshal(p.Raw, &p.Ties)
	}
	return nil
}

// Groups are the groups of a competition's season.
type Groups struct {
	Competition Competition `json:"competition"`
	Groups      []Group     `json:"groups"`
}

// Group is a group and the teams in it, by name.
type Group struct {
	ID        sport.ID `json:"id"`
	Name      string   `json:"name"`
	Order     int      `json:"order"`
	Completed bool     `json:"completed"`
	Teams     []Team   `json:"teams"`
}
