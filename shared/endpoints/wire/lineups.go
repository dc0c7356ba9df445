package wire

import (
	"cmp"

	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// Lineups are the two sides of a match (decisions.md, Bodies).
type Lineups struct {
	MatchID   sport.ID `json:"matchId"`
	Confirmed bool     `json:"confirmed"`
	Home      Lineup   `json:"home"`
	Away      Lineup   `json:"away"`
}

// Lineup is one side: who started, and who was on the bench.
type Lineup struct {
	Team      Team           `json:"team"`
	Formation *string        `json:"formation"`
	Coach     *Coach         `json:"coach"`
	Starting  []LineupPlayer `json:"starting"` // never null
	Bench     []LineupPlayer `json:"bench"`    // never null
}

// Coach is who leads a side.
type Coach struct {
	Name string `json:"name"`
}

// LineupPlayer is one player of a side. Minutes are those of the match.
type LineupPlayer struct {
	Player    *Person         `json:"player" doc:"null: the player is not named."`
	Number    int             `json:"number" doc:"On the shirt in this match; 0 where it is not known."`
	Captain   bool            `json:"captain"`
	Position  *sport.Position `json:"position" doc:"In this match. In football goalkeeper, defender, midfielder or forward; in another sport any text."`
	Grid      *string         `json:"grid"`      // row:col
	MinuteIn  *int            `json:"minuteIn"`  // 0 for who started; null: did not come on
	MinuteOut *int            `json:"minuteOut"` // null: was not taken or sent off
}

// Lineups shows the line-ups of a match, nil being not published (D45).
func (s Players) Lineups(m *records.Match, l *records.LineupsRecord) Lineups {
	published := l != nil
	if !published {
		l = &records.LineupsRecord{}
	}
	return Lineups{
		MatchID: m.ID, Confirmed: published,
		Home: s.lineup(&m.Home, &l.Home),
		Away: s.lineup(&m.Away, &l.Away),
	}
}

func (s Players) lineup(t *records.TeamRef, l *records.SquadRecord) Lineup {
	out := Lineup{
		Team: TeamOf(t), Formation: nullable(l.Formation),
		Starting: each(l.Starting, s.lineupPlayer), Bench: each(l.Bench, s.lineupPlayer),
	}
	if l.Coach != "" {
		out.Coach = &Coach{Name: l.Coach}
	}
	return out
}

func (s Players) lineupPlayer(p *records.LineupPlayer) LineupPlayer {
	out := LineupPlayer{
		Number: cmp.Or(p.Shirt, p.Number), Captain: p.Captain, Position: nullable(p.Role),
		Grid: nullable(p.Grid), MinuteIn: p.In, MinuteOut: p.Out,
	}
	if p.ID != "" {
		out.Player = new(s.Person(&p.PlayerRef))
	} else {
		out.Position = nullable(cmp.Or(p.Role, p.PlayerRef.Position))
	}
	return out
}
