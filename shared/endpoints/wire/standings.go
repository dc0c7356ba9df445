package wire

import (
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// Standings are the tables of a competition's season.
type Standings struct {
	Competition      Competition   `json:"competition"`
	Standings        []StandingRow `json:"standings"` // never null
	PlayoffStandings *Phase        `json:"playoffStandings"`
	PlayoutStandings *Phase        `json:"playoutStandings"`
	PlayoffFormat    *sport.Format `json:"playoffFormat"`
	PlayoutFormat    *sport.Format `json:"playoutFormat"`
	PlayoffCompleted *bool         `json:"playoffCompleted"`
	PlayoutCompleted *bool         `json:"playoutCompleted"`
}

// StandingRow is a row of a table.
type StandingRow struct {
	Rank           int     `json:"rank"`
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

// Tie is a pairing of a knockout.
type Tie struct {
	Round     int          `json:"round"`
	Order     int          `json:"order"` // from 1 within the round (D43)
	Home      *Team        `json:"home"`
	Away      *Team        `json:"away"`
	Aggregate *Score       `json:"aggregate"` // null until a match is finished
	Penalties *Score       `json:"penalties"` // from the tie's home side
	Winner    sport.Winner `json:"winner"`
	MatchIDs  []sport.ID   `json:"matchIds"` // never null
}

// Phase is a playoff or playout: an array of rows where its format is league,
// an array of ties where it is knockout.
type Phase struct {
	Rows []StandingRow
	Ties []Tie // nil: a league
}

// MarshalJSON writes the array of the format, without HTML escaping (D32).
func (p Phase) MarshalJSON() ([]byte, error) {
	if p.Ties != nil {
		return unescaped(p.Ties)
	}
	return unescaped(p.Rows)
}

// StandingsOf shows the tables of a season.
func StandingsOf(c *records.CompetitionRef, t *records.TableRecord) Standings {
	out := Standings{Competition: CompetitionOf(c), Standings: rowsOf(t.Rows)}
	out.PlayoffStandings, out.PlayoffFormat, out.PlayoffCompleted = phaseOf(t.Playoff)
	out.PlayoutStandings, out.PlayoutFormat, out.PlayoutCompleted = phaseOf(t.Playout)
	return out
}

func phaseOf(p *records.Phase) (*Phase, *sport.Format, *bool) {
	if p == nil {
		return nil, nil, nil
	}
	if p.Format != sport.FormatKnockout {
		return &Phase{Rows: rowsOf(p.Rows)}, &p.Format, &p.Completed
	}
	ties := make([]Tie, 0, len(p.Ties))
	for i := range p.Ties {
		ties = append(ties, tieOf(&p.Ties[i]))
	}
	return &Phase{Ties: ties}, &p.Format, &p.Completed
}

func rowsOf(rows []records.TableRow) []StandingRow {
	out := make([]StandingRow, 0, len(rows))
	for i := range rows {
		r := &rows[i]
		out = append(out, StandingRow{
			Rank: r.Rank, Team: TeamOf(&r.Team),
			Played: r.Played, Won: r.Won, Drawn: r.Drawn, Lost: r.Lost,
			GoalsFor: r.GoalsFor, GoalsAgainst: r.GoalsAgainst, GoalDiff: r.GoalsFor - r.GoalsAgainst,
			Points: r.Points, StartingPoints: r.StartingPoints, Group: nullable(r.Group),
		})
	}
	return out
}

func tieOf(t *records.Tie) Tie {
	out := Tie{
		Round: t.Round, Order: t.Order,
		Aggregate: score(t.Aggregate), Penalties: score(t.Penalties),
		Winner: t.Winner, MatchIDs: t.MatchIDs,
	}
	if t.Home != nil {
		out.Home = new(TeamOf(t.Home))
	}
	if t.Away != nil {
		out.Away = new(TeamOf(t.Away))
	}
	if out.Winner == "" {
		out.Winner = sport.WinnerNone
	}
	if out.MatchIDs == nil {
		out.MatchIDs = []sport.ID{}
	}
	return out
}
