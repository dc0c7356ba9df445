package seed

import (
	"slices"
	"testing"
)

// TestEventsAgreeWithLineupsAndScore follows every match that has details: a
// player who scores, is booked or goes off is on the pitch; one who comes on was
// on the bench; and the goals add up to the score.
func TestEventsAgreeWithLineupsAndScore(t *testing.T) {
	demo, _ := write(t, Options{Demo: true})
	big, _ := write(t, Options{Size: 1, Details: 100})
	detailed, shootouts, extra, live := 0, 0, 0, 0
	for _, m := range append(each[match](t, demo["matches.ndjson"]), each[match](t, big["matches.ndjson"])...) {
		if m.Status == "upcoming" || m.Status == "postponed" {
			if m.Score != nil || m.Lineups != nil || m.Events != nil {
				t.Errorf("%s is %s and has been played", m.ID, m.Status)
			}
			continue
		}
		if m.Score == nil {
			t.Fatalf("%s has no score", m.ID)
		}
		if m.Lineups == nil {
			continue
		}
		detailed++
		if m.Penalties != nil {
			shootouts++
			if m.Penalties.Home == m.Penalties.Away || !m.ExtraTime {
				t.Errorf("%s: penalties %v, extra time %v", m.ID, m.Penalties, m.ExtraTime)
			}
		}
		if m.ExtraTime {
			extra++
		}
		if m.Status == "live" {
			live++
		}
		follow(t, m)
	}
	if detailed < 1500 || shootouts == 0 || extra == 0 || live == 0 {
		t.Errorf("followed %d matches, %d with extra time, %d with penalties, %d live", detailed, extra, shootouts, live)
	}
}

// board is one side's players at a moment of a match.
type board struct {
	pitch, bench []string
	booked       map[string]bool
}

func boardOf(t *testing.T, m match, q squad) *board {
	b := &board{booked: map[string]bool{}}
	for _, e := range q.Starting {
		b.pitch = append(b.pitch, e.PlayerID)
	}
	for _, e := range q.Bench {
		b.bench = append(b.bench, e.PlayerID)
	}
	all := slices.Sorted(slices.Values(append(slices.Clone(b.pitch), b.bench...)))
	if len(b.pitch) != starters || len(slices.Compact(all)) != len(b.pitch)+len(b.bench) {
		t.Errorf("%s: line-up %v, %v", m.ID, b.pitch, b.bench)
	}
	captains := 0
	for _, e := range q.Starting {
		if e.Captain {
			captains++
		}
	}
	if captains != 1 {
		t.Errorf("%s: %d captains", m.ID, captains)
	}
	return b
}

func follow(t *testing.T, m match) {
	t.Helper()
	sides := map[string]*board{homeSide: boardOf(t, m, m.Lineups.Home), awaySide: boardOf(t, m, m.Lineups.Away)}
	var goals, penalties score
	count := func(s *score, side string) {
		if side == homeSide {
			s.Home++
		} else {
			s.Away++
		}
	}
	last := 0
	for _, e := range m.Events {
		own := sides[e.Side]
		if e.Minute < last {
			t.Errorf("%s: minute %d after %d", m.ID, e.Minute, last)
		}
		last = e.Minute
		on := e.PlayerID
		switch e.Type {
		case "goal":
			count(&goals, e.Side)
			if e.Detail == "ownGoal" {
				own = sides[map[string]string{homeSide: awaySide, awaySide: homeSide}[e.Side]]
			}
		case "shootoutPenalty":
			if e.Detail == "scored" {
				count(&penalties, e.Side)
			}
		case "substitution":
			on = e.PlayerOutID
			if !slices.Contains(own.bench, e.PlayerInID) {
				t.Errorf("%s: %s comes on from nowhere", m.ID, e.PlayerInID)
			}
		}
		if !slices.Contains(own.pitch, on) {
			t.Errorf("%s: %s is not on the pitch at %d (%s %s)", m.ID, on, e.Minute, e.Type, e.Detail)
		}
		own.apply(t, m, e)
	}
	if goals != *m.Score {
		t.Errorf("%s: goals %v, score %v", m.ID, goals, *m.Score)
	}
	if m.Penalties != nil && penalties != *m.Penalties {
		t.Errorf("%s: penalties taken %v, given %v", m.ID, penalties, *m.Penalties)
	}
}

// apply updates who is on the pitch after an event.
func (b *board) apply(t *testing.T, m match, e event) {
	switch {
	case e.Type == "substitution":
		b.bench = without(b.bench, e.PlayerInID)
		b.pitch = append(without(b.pitch, e.PlayerOutID), e.PlayerInID)
	case e.Detail == "yellow":
		if b.booked[e.PlayerID] {
			t.Errorf("%s: %s has two first yellow cards", m.ID, e.PlayerID)
		}
		b.booked[e.PlayerID] = true
	case e.Detail == "secondYellow":
		if !b.booked[e.PlayerID] {
			t.Errorf("%s: %s has a second yellow card before a first", m.ID, e.PlayerID)
		}
		b.pitch = without(b.pitch, e.PlayerID)
	case e.Detail == "red":
		b.pitch = without(b.pitch, e.PlayerID)
	}
}
