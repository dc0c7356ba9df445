package encode

import (
	"reflect"
	"slices"

	"touchline/shared/dataset/rules"
	"touchline/shared/sport"
)

// rules writes the rules in full, also those that were taken from a regulation.
func (w *writer) rules(r sport.Rules) {
	byDefault := rules.Default()
	if reflect.DeepEqual(r, byDefault) {
		return
	}
	w.object("rules", func() {
		w.text("sport", r.Sport, "")
		if r.Periods != nil {
			w.periods(*r.Periods)
		}
		w.int("win", r.Win)
		w.int("draw", r.Draw)
		w.int("loss", r.Loss)
		w.known("extraTimeWin", r.ExtraTimeWin)
		w.known("extraTimeLoss", r.ExtraTimeLoss)
		w.known("shootoutWin", r.ShootoutWin)
		w.known("shootoutLoss", r.ShootoutLoss)
		if len(r.Margins) > 0 {
			w.list("margins", len(r.Margins), func(i int) { w.braces(func() { w.margin(r.Margins[i]) }) })
		}
		if !slices.Equal(r.TieBreakers, byDefault.TieBreakers) {
			w.list("tieBreakers", len(r.TieBreakers), func(i int) { w.criterion(r.TieBreakers[i]) })
		}
		if r.NoTable {
			w.bool("table", false)
		}
		w.truth("acrossGroups", r.AcrossGroups)
		w.truth("hidePlayers", r.HidePlayers)
		if r.Carry != nil {
			w.carry(*r.Carry)
		}
	})
}

func (w *writer) periods(c sport.Clock) {
	w.object("periods", func() {
		w.int("count", c.Count)
		w.int("minutes", c.Minutes)
		w.int("extra", c.Extra)
	})
}

func (w *writer) margin(m sport.Margin) {
	w.int("by", m.By)
	w.known("win", m.Win)
	w.known("loss", m.Loss)
}

// known writes an integer that is given, also 0.
func (w *writer) known(name string, v *int) {
	if v != nil {
		w.int(name, *v)
	}
}

// criterion writes a criterion of tieBreakers: a name, or a block of head to head.
func (w *writer) criterion(t sport.TieBreaker) {
	block, again, headToHead := t.Block()
	if !headToHead {
		w.quote(string(t))
		return
	}
	w.braces(func() {
		w.list("headToHead", len(block), func(i int) { w.quote(string(block[i])) })
		if !again {
			w.bool("again", false)
		}
	})
}

func (w *writer) carry(c sport.Carry) {
	byDefault := rules.DefaultCarry()
	w.object("carry", func() {
		w.text("points", string(c.Points), string(byDefault.Points))
		w.truth("record", c.Record)
		w.text("among", string(c.Among), string(byDefault.Among))
	})
}
