package wire

import (
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// Match is a match (read-api, Resources).
type Match struct {
	ID        sport.ID          `json:"id"`
	Status    sport.MatchStatus `json:"status"`
	KickoffAt Instant           `json:"kickoffAt" doc:"In UTC."`
	TimeOpen  bool              `json:"kickoffTimeOpen,omitempty" doc:"True where the day is known and the hour is not: kickoffAt is then the midnight that begins it, in the competition's time zone. Never false."`
	Home      Team              `json:"home"`
	Away      Team              `json:"away"`
	Score     Score             `json:"score" doc:"With extra time, without a shoot-out; 0:0 before kickoff."`
	Penalties *Score            `json:"penalties" doc:"The shoot-out, null where there was none."`
	Leg       *int              `json:"leg" min:"1" max:"15"`
	TwoLegs   bool              `json:"twoLegs" doc:"Whether the pairing is played over two matches."`
	Winner    sport.Winner      `json:"winner" doc:"none until it is finished."`
	Round     int               `json:"round"`
	Group     *string           `json:"group" doc:"The group's name."`
}

// MatchEntryOf shows a match of a list.
func MatchEntryOf(e *records.MatchEntry) Match { return MatchOf(&e.Match) }

// MatchOf shows a match.
func MatchOf(m *records.Match) Match {
	out := Match{
		ID: m.ID, Status: m.Status, KickoffAt: AtMilli(m.Kickoff), TimeOpen: m.TimeOpen,
		Home: TeamOf(&m.Home), Away: TeamOf(&m.Away),
		Penalties: orNull(m.Penalties, scoreOf),
		Leg:       nullable(m.Leg), TwoLegs: m.TwoLegs,
		Winner: m.Winner, Round: m.Round, Group: nullable(m.GroupName),
	}
	if m.Score != nil {
		out.Score = scoreOf(m.Score)
	}
	if m.Status != sport.Finished || m.Winner == "" {
		out.Winner = sport.WinnerNone
	}
	return out
}
