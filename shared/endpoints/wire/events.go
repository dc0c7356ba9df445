package wire

import (
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// Events are what happened in a match (decisions.md, Bodies).
type Events struct {
	MatchID sport.ID `json:"matchId"`
	Events  []Event  `json:"events"` // in order, never null
}

// Event is one of them. Of an own goal side and team are those credited, and
// player is who scored it; an event of a period has neither (D45).
type Event struct {
	ID          sport.ID           `json:"id"`
	Order       int                `json:"order" doc:"Place among all events of the match, from 1."`
	Type        sport.EventType    `json:"type"`
	Detail      *sport.EventDetail `json:"detail"`
	Period      sport.Period       `json:"period" doc:"Of two periods firstHalf or secondHalf, then extraTimeFirst, extraTimeSecond and penaltyShootout; of another number period1 and so on, then overtime1 and so on."`
	Minute      int                `json:"minute" doc:"From the start of the match, stoppage time left out."`
	ExtraMinute *int               `json:"extraMinute"` // of stoppage time
	Minutes     int                `json:"minutes,omitempty" doc:"Length of a suspension, where it is known; only there."`
	Side        *sport.Side        `json:"side"`
	Team        *Team              `json:"team"`
	Player      *Person            `json:"player"`
	Assist      *Person            `json:"assist"`
	PlayerIn    *Person            `json:"playerIn"`
	PlayerOut   *Person            `json:"playerOut"`
	Score       *Score             `json:"score"` // after a goal
}

// Events shows the events of a match; nil if there aren't any.
func (s Players) Events(m *records.Match, r *records.EventsRecord) Events {
	out := Events{MatchID: m.ID, Events: []Event{}}
	if r == nil {
		return out
	}
	for i := range r.Events {
		out.Events = append(out.Events, s.event(m, i+1, &r.Events[i]))
	}
	return out
}

func (s Players) event(m *records.Match, order int, e *records.MatchEvent) Event {
	return Event{
		ID: e.ID, Order: order, Type: e.Type, Detail: nullable(e.Detail),
		Period: e.Period, Minute: e.Minute, ExtraMinute: nullable(e.Extra), Minutes: e.Minutes,
		Side: nullable(e.Side), Team: teamOn(m, e.Side),
		Player: orNull(e.Player, s.Person), Assist: orNull(e.Assist, s.Person),
		PlayerIn: orNull(e.PlayerIn, s.Person), PlayerOut: orNull(e.PlayerOut, s.Person),
		Score: orNull(e.Score, scoreOf),
	}
}

// teamOn is the team of a side; nil where there is no side.
func teamOn(m *records.Match, side sport.Side) *Team {
	switch side {
	case sport.SideHome:
		return new(TeamOf(&m.Home))
	case sport.SideAway:
		return new(TeamOf(&m.Away))
	}
	return nil
}
