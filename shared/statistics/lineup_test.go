package statistics_test

import (
	"fmt"
	"testing"

	"touchline/shared/sport"
	"touchline/shared/statistics"
)

// span shows the minutes of a player: "0-66", "66-", or "-" for never on.
func span(spell statistics.Spell) string {
	show := func(m *int) string {
		if m == nil {
			return ""
		}
		return fmt.Sprint(*m)
	}
	return show(spell.In) + "-" + show(spell.Out)
}

func TestMinutesOnThePitch(t *testing.T) {
	home := sport.SideHome
	halfTime := substitution(45, 0, "a", "s")
	halfTime.Period = sport.SecondHalf
	absolute := substitution(48, 0, "a", "s")
	absolute.Period = sport.FirstHalf
	shootout := card(sport.CardRed, 120, home, "a")
	shootout.Period = sport.PenaltyShootout
	early := substitution(107, 0, "a", "s")
	early.Period = sport.ExtraTimeFirst
	late := substitution(46, 0, "s", "b")
	for name, c := range map[string]struct {
		extraTime bool
		status    sport.MatchStatus
		events    []sport.Event
		a, s      string // the starter's span, the substitute's
		minA      int
		minS      int
	}{
		"nothing happens":                     {a: "0-", s: "-", minA: 90},
		"extra time is played":                {extraTime: true, a: "0-", s: "-", minA: 120},
		"substitution":                        {events: []sport.Event{substitution(66, 0, "a", "s")}, a: "0-66", s: "66-", minA: 66, minS: 24},
		"at half-time":                        {events: []sport.Event{halfTime}, a: "0-45", s: "45-", minA: 45, minS: 45},
		"in stoppage time of the first":       {events: []sport.Event{substitution(45, 2, "a", "s")}, a: "0-45", s: "45-", minA: 45, minS: 45},
		"stoppage time counted on":            {events: []sport.Event{absolute}, a: "0-45", s: "45-", minA: 45, minS: 45},
		"in stoppage time of the second":      {events: []sport.Event{substitution(90, 4, "a", "s")}, a: "0-90", s: "90-", minA: 90, minS: 0},
		"past the end without extra time":     {events: []sport.Event{substitution(93, 0, "a", "s")}, a: "0-90", s: "90-", minA: 90},
		"in stoppage time of extra time":      {extraTime: true, events: []sport.Event{substitution(105, 1, "a", "s")}, a: "0-105", s: "105-", minA: 105, minS: 15},
		"in extra time":                       {extraTime: true, events: []sport.Event{substitution(97, 0, "a", "s")}, a: "0-97", s: "97-", minA: 97, minS: 23},
		"second yellow":                       {events: []sport.Event{card(sport.CardYellow, 10, home, "a"), card(sport.CardSecondYellow, 30, home, "a")}, a: "0-30", s: "-", minA: 30},
		"red":                                 {events: []sport.Event{card(sport.CardRed, 89, home, "a")}, a: "0-89", s: "-", minA: 89},
		"red in the shoot-out":                {extraTime: true, events: []sport.Event{shootout}, a: "0-120", s: "-", minA: 120},
		"red in a shoot-out after 90 minutes": {events: []sport.Event{shootout}, a: "0-90", s: "-", minA: 90},
		"extra time's first half counted on":  {extraTime: true, events: []sport.Event{early}, a: "0-105", s: "105-", minA: 105, minS: 15},
		"stoppage time out of order":          {events: []sport.Event{substitution(90, 4, "s", "b"), substitution(90, 1, "a", "s")}, a: "0-90", s: "90-90", minA: 90},
		"halves out of order":                 {events: []sport.Event{late, absolute}, a: "0-45", s: "45-46", minA: 45, minS: 1},
		"yellow changes nothing":              {events: []sport.Event{card(sport.CardYellow, 10, home, "a")}, a: "0-", s: "-", minA: 90},
		"red on the bench":                    {events: []sport.Event{card(sport.CardRed, 50, home, "s")}, a: "0-", s: "-", minA: 90},
		"red after going off":                 {events: []sport.Event{substitution(60, 0, "a", "s"), card(sport.CardRed, 70, home, "a")}, a: "0-60", s: "60-", minA: 60, minS: 30},
		"comes on and is sent off":            {events: []sport.Event{substitution(60, 0, "a", "s"), card(sport.CardRed, 70, home, "s")}, a: "0-60", s: "60-70", minA: 60, minS: 10},
		"comes on and goes off":               {events: []sport.Event{substitution(60, 0, "a", "s"), substitution(80, 0, "s", "b")}, a: "0-60", s: "60-80", minA: 60, minS: 20},
		"comes back":                          {events: []sport.Event{substitution(20, 0, "a", "s"), substitution(50, 0, "s", "a")}, a: "0-", s: "20-50", minA: 60, minS: 30},
		"comes back for the end":              {events: []sport.Event{substitution(20, 0, "a", "s"), substitution(70, 0, "s", "a")}, a: "0-", s: "20-70", minA: 40, minS: 50},
		"comes back and goes again":           {events: []sport.Event{substitution(20, 0, "a", "s"), substitution(50, 0, "s", "a"), card(sport.CardRed, 60, home, "a")}, a: "0-60", s: "20-50", minA: 30, minS: 30},
		"is not brought back after a red":     {events: []sport.Event{card(sport.CardRed, 20, home, "a"), substitution(50, 0, "s", "a")}, a: "0-20", s: "-", minA: 20},
		"record out of order":                 {events: []sport.Event{substitution(80, 0, "s", "b"), substitution(60, 0, "a", "s")}, a: "0-60", s: "60-80", minA: 60, minS: 20},
		"players who are not listed":          {events: []sport.Event{substitution(60, 0, "x", "y"), card(sport.CardRed, 3, home, "x")}, a: "0-", s: "-", minA: 90},
		"only one player named":               {events: []sport.Event{substitution(60, 0, "a", "")}, a: "0-60", s: "-", minA: 60},
		"live, on the pitch":                  {status: sport.Live, events: []sport.Event{substitution(60, 0, "b", "s"), card(sport.CardYellow, 71, home, "a")}, a: "0-", s: "60-"},
		"live, after going off":               {status: sport.Live, events: []sport.Event{substitution(60, 0, "a", "s")}, a: "0-60", s: "60-", minA: 60},
		"live, back on the pitch":             {status: sport.Live, events: []sport.Event{substitution(20, 0, "a", "s"), substitution(50, 0, "s", "a")}, a: "0-", s: "20-50", minS: 30},
		"live, nothing known yet":             {status: sport.Live, a: "0-", s: "-"},
		"not begun":                           {status: sport.Upcoming, a: "0-", s: "-"},
	} {
		t.Run(name, func(t *testing.T) {
			m := played("m", "H", 0, 0, "A", 0)
			m.ExtraTime, m.Events = c.extraTime, c.events
			if c.status != "" {
				m.Status = c.status
			}
			m.Lineups = &sport.Lineups{Confirmed: true, Home: squad([]string{"a", "b"}, []string{"s"})}
			got := statistics.Spells(m, sport.Halves())
			if a, s := span(got["a"]), span(got["s"]); a != c.a || s != c.s {
				t.Errorf("starter %s, substitute %s; want %s and %s", a, s, c.a, c.s)
			}
			pa, ps := performance(m, "a"), performance(m, "s")
			if pa.Minutes != c.minA || ps.Minutes != c.minS {
				t.Errorf("minutes %d and %d, want %d and %d", pa.Minutes, ps.Minutes, c.minA, c.minS)
			}
			if want := m.Status != sport.Upcoming; pa.Appeared != want || pa.ShutOut != (m.Status == sport.Finished) {
				t.Errorf("the starter appeared: %v, conceded nothing: %v", pa.Appeared, pa.ShutOut)
			}
			if want := c.s != "-"; ps.Appeared != want || ps.SubstitutedIn != want {
				t.Errorf("the substitute appeared: %v, came on: %v; want %v", ps.Appeared, ps.SubstitutedIn, want)
			}
		})
	}
}
