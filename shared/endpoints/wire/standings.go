package wire

import (
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// Standings are the tables of a competition's season.
type Standings struct {
	Competition      Competition   `json:"competition"`
	Standings        []StandingRow `json:"standings" doc:"The rows of the table, rank counting from 1 within a group."` // never null
	PlayoffStandings *Phase        `json:"playoffStandings" doc:"Rows where playoffFormat is league, ties where it is knockout, null where there is no playoff."`
	PlayoutStandings *Phase        `json:"playoutStandings" doc:"Rows where playoutFormat is league, ties where it is knockout, null where there is no playout."`
	PlayoffFormat    *sport.Format `json:"playoffFormat"`
	PlayoutFormat    *sport.Format `json:"playoutFormat"`
	PlayoffCompleted *bool         `json:"playoffCompleted"`
	PlayoutCompleted *bool         `json:"playoutCompleted"`
}

// StandingRow is a row of a table.
type StandingRow struct {
	Rank           int     `json:"rank" min:"1" doc:"From 1; equals share a rank."`
	Team           Team    `json:"team"`
	Played         int     `json:"played"`
	Won            int     `json:"won"`
	Drawn          int     `json:"drawn"`
	Lost           int     `json:"lost"`
	GoalsFor       int     `json:"goalsFor"`
	GoalsAgainst   int     `json:"goalsAgainst"`
	GoalDiff       int     `json:"goalDiff" signed:"true" doc:"goalsFor less goalsAgainst."`
	Points         int     `json:"points" signed:"true" doc:"With startingPoints; may be negative."`
	StartingPoints int     `json:"startingPoints" signed:"true" doc:"Given before the first match; a deduction is negative."`
	Group          *string `json:"group" doc:"The group's name."`
}

// Tie is a pairing of a knockout.
type Tie struct {
	Round     int          `json:"round"`
	Order     int          `json:"order" min:"1" doc:"From 1 within the round."` // D43
	Home      *Team        `json:"home"`
	Away      *Team        `json:"away"`
	Aggregate *Score       `json:"aggregate" doc:"Null until a match of the tie is finished."`
	Penalties *Score       `json:"penalties" doc:"From the side of the tie's home."`
	Winner    sport.Winner `json:"winner" doc:"none until it is finished."`
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
		return route.JSON(p.Ties)
	}
	return route.JSON(p.Rows)
}

// StandingsOf shows the tables of a season.
func StandingsOf(c *records.CompetitionRef, t *records.TableRecord) Standings {
	out := Standings{Competition: CompetitionOf(c), Standings: each(t.Rows, rowOf)}
	out.PlayoffStandings, out.PlayoffFormat, out.PlayoffCompleted = phaseOf(t.Playoff)
	out.PlayoutStandings, out.PlayoutFormat, out.PlayoutCompleted = phaseOf(t.Playout)
	return out
}

func phaseOf(p *records.Phase) (*Phase, *sport.Format, *bool) {
	if p == nil {
		return nil, nil, nil
	}
	if p.Format != sport.FormatKnockout {
		return &Phase{Rows: each(p.Rows, rowOf)}, &p.Format, &p.Completed
	}
	return &Phase{Ties: each(p.Ties, tieOf)}, &p.Format, &p.Completed
}

func rowOf(r *records.TableRow) StandingRow {
	return StandingRow{
		Rank: r.Rank, Team: TeamOf(&r.Team),
		Played: r.Played, Won: r.Won, Drawn: r.Drawn, Lost: r.Lost,
		GoalsFor: r.GoalsFor, GoalsAgainst: r.GoalsAgainst, GoalDiff: r.GoalsFor - r.GoalsAgainst,
		Points: r.Points, StartingPoints: r.StartingPoints, Group: nullable(r.Group),
	}
}

func tieOf(t *records.Tie) Tie {
	out := Tie{
		Round: t.Round, Order: t.Order,
		Home: orNull(t.Home, TeamOf), Away: orNull(t.Away, TeamOf),
		Aggregate: orNull(t.Aggregate, scoreOf), Penalties: orNull(t.Penalties, scoreOf),
		Winner: t.Winner, MatchIDs: t.MatchIDs,
	}
	if out.Winner == "" {
		out.Winner = sport.WinnerNone
	}
	if out.MatchIDs == nil {
		out.MatchIDs = []sport.ID{}
	}
	return out
}
