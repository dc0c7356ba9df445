// Package rules reads the rules by which the table of a competition is made: the
// field rules of its record (dataset.md).
//
// [Read] fills in what is not given: by the regulation that the rules follow
// ("like"), or else by [Default]. A regulation of the catalogue is itself text of
// this format. Whether rules go with the rest of their competition is seen when
// the whole record has been read, by [Check].
package rules

import (
	"context"
	"slices"

	"touchline/shared/dataset/fault"
	"touchline/shared/dataset/ids"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/near"
	"touchline/shared/regulations"
	"touchline/shared/sport"
)

// draft is the rules of a competition while they are read.
type draft struct {
	like  string
	given []func(*sport.Rules) // what each field sets
}

func (d *draft) set(field func(*sport.Rules)) { d.given = append(d.given, field) }

// made are the rules: those of the draft's regulation, or the default, with the
// fields that are given.
func (d *draft) made() sport.Rules {
	r := Default()
	if d.like != "" {
		r, _ = likeRegulation(d.like)
	}
	for _, field := range d.given {
		field(&r)
	}
	return r
}

// ownFields are the fields of rules: of a regulation all, and of a dataset all but
// the name of the regulation that they follow.
var ownFields = []jsonl.Field[draft]{
	jsonl.Optional("sport", func(l *jsonl.Line, d *draft) {
		name := l.Text(maxSport)
		if name == football {
			name = ""
		}
		d.set(func(r *sport.Rules) { r.Sport = name })
	}),
	jsonl.Optional("periods", readPeriods),
	pointsOf("win", func(r *sport.Rules, n int) { r.Win = n }),
	pointsOf("draw", func(r *sport.Rules, n int) { r.Draw = n }),
	pointsOf("loss", func(r *sport.Rules, n int) { r.Loss = n }),
	pointsOf("extraTimeWin", func(r *sport.Rules, n int) { r.ExtraTimeWin = &n }),
	pointsOf("extraTimeLoss", func(r *sport.Rules, n int) { r.ExtraTimeLoss = &n }),
	pointsOf("shootoutWin", func(r *sport.Rules, n int) { r.ShootoutWin = &n }),
	pointsOf("shootoutLoss", func(r *sport.Rules, n int) { r.ShootoutLoss = &n }),
	jsonl.Optional("margins", readMargins),
	jsonl.Optional("tieBreakers", readTieBreakers),
	jsonl.Optional("table", func(l *jsonl.Line, d *draft) {
		table := l.Bool()
		d.set(func(r *sport.Rules) { r.NoTable = !table })
	}),
	jsonl.Optional("acrossGroups", func(l *jsonl.Line, d *draft) {
		across := l.Bool()
		d.set(func(r *sport.Rules) { r.AcrossGroups = across })
	}),
	jsonl.Optional("hidePlayers", func(l *jsonl.Line, d *draft) {
		hide := l.Bool()
		d.set(func(r *sport.Rules) { r.HidePlayers = hide })
	}),
	jsonl.Optional("carry", readCarry),
}

var fields = append([]jsonl.Field[draft]{jsonl.Optional("like", readLike)}, ownFields...)

var carryFields = []jsonl.Field[sport.Carry]{
	jsonl.Optional("points", func(l *jsonl.Line, c *sport.Carry) { c.Points = jsonl.Enum(l, carryPoints) }),
	jsonl.Optional("record", func(l *jsonl.Line, c *sport.Carry) { c.Record = l.Bool() }),
	jsonl.Optional("among", func(l *jsonl.Line, c *sport.Carry) { c.Among = jsonl.Enum(l, carryAmong) }),
}

// MaxPoints bounds the points of one match, in both directions: a thousand is more
// than any rule gives, and ten thousand matches of it stay a number.
const MaxPoints = 1000

// MaxGoals bounds a side of a score (D47).
const MaxGoals = 999

// The values that a criterion and the points carried over can have. Nothing writes
// to them.
var (
	carryPoints     = sport.CarryPointsValues()
	carryAmong      = sport.CarryAmongValues()
	tableCriteria   = sport.TableCriteria()
	olderHeadToHead = []sport.TieBreaker{sport.ByHeadToHeadPoints, sport.ByHeadToHeadGoalDiff, sport.ByHeadToHeadGoalsFor}
	tieBreakers     = slices.Concat(tableCriteria, []sport.TieBreaker{sport.ByName}, olderHeadToHead)
)

// maxCriteria bounds a list of tieBreakers, of which a block of head to head may be
// there again.
const maxCriteria = 32

// Default are those of a competition that gives none (D28).
func Default() sport.Rules {
	return sport.Rules{Win: 3, Draw: 1, Loss: 0, TieBreakers: sport.DefaultTieBreakers()}
}

// DefaultCarry is what a child carries over where its rules say no more than that
// it does (dataset.md, "Rules of the parts").
func DefaultCarry() sport.Carry {
	return sport.Carry{Points: sport.CarryFull, Among: sport.CarryAll}
}

// Fields are the names of the fields of rules.
func Fields() []string { return jsonl.Names(fields) }

// Read reads the value of the field.
func Read(l *jsonl.Line) sport.Rules {
	var d draft
	jsonl.Object(l, fields, &d)
	return d.made()
}

func readLike(l *jsonl.Line, d *draft) {
	name := l.Text(jsonl.MaxName)
	if name == "" {
		return
	}
	if _, known := likeRegulation(name); !known {
		l.Fault("", "must be a name of the catalogue of regulations"+jsonl.NotGiven(name)+near.Meant(name, regulations.Names()))
		return
	}
	d.like = name
}

// likeRegulation returns the rules of the catalogue's entry of a name; false if
// there isn't one.
func likeRegulation(name string) (sport.Rules, bool) {
	text, known := regulations.Rules(name)
	if !known {
		return sport.Rules{}, false
	}
	sound := true
	report := func(fault.Fault) { sound = false }
	l := jsonl.New(context.Background(), ids.NewTable(), report, report)
	l.Start(text, fault.Origin{})
	var d draft
	jsonl.Object(l, ownFields, &d)
	l.End()
	return d.made(), sound
}

func pointsOf(name string, set func(*sport.Rules, int)) jsonl.Field[draft] {
	return jsonl.Optional(name, func(l *jsonl.Line, d *draft) {
		n := l.Integer(-MaxPoints, MaxPoints)
		d.set(func(r *sport.Rules) { set(r, n) })
	})
}

// football is the sport of a competition that names none.
const football = "football"

// maxSport bounds the name of a sport (D61), in characters.
const maxSport = 40

// The bounds of periods (D47), in minutes. An event has a minute of at most three
// digits.
const (
	maxMinutes = 200
	maxExtra   = 100
	maxLength  = 999
)

var periodFields = []jsonl.Field[sport.Clock]{
	jsonl.Optional("count", func(l *jsonl.Line, c *sport.Clock) { c.Count = l.Integer(1, sport.MaxPeriods) }),
	jsonl.Optional("minutes", func(l *jsonl.Line, c *sport.Clock) { c.Minutes = l.Integer(1, maxMinutes) }),
	jsonl.Optional("extra", func(l *jsonl.Line, c *sport.Clock) { c.Extra = l.Integer(0, maxExtra) }),
}

func readPeriods(l *jsonl.Line, d *draft) {
	c := sport.Halves()
	jsonl.Object(l, periodFields, &c)
	if c.Length(true) > maxLength {
		l.Faultf("", "come to more than %d minutes", maxLength)
	}
	d.set(func(r *sport.Rules) {
		if r.Periods = &c; c == sport.Halves() {
			r.Periods = nil
		}
	})
}

var marginFields = []jsonl.Field[sport.Margin]{
	jsonl.Required("by", func(l *jsonl.Line, m *sport.Margin) { m.By = l.Integer(1, MaxGoals) }),
	jsonl.Optional("win", func(l *jsonl.Line, m *sport.Margin) { m.Win = new(l.Integer(-MaxPoints, MaxPoints)) }),
	jsonl.Optional("loss", func(l *jsonl.Line, m *sport.Margin) { m.Loss = new(l.Integer(-MaxPoints, MaxPoints)) }),
}

// maxMargins bounds the margins of a competition (D47).
const maxMargins = 16

func readMargins(l *jsonl.Line, d *draft) {
	var margins []sport.Margin
	l.List(maxMargins, func(int) {
		var m sport.Margin
		jsonl.Object(l, marginFields, &m)
		margins = append(margins, m)
	})
	d.set(func(r *sport.Rules) { r.Margins = margins })
}

func readCarry(l *jsonl.Line, d *draft) {
	c := DefaultCarry()
	jsonl.Object(l, carryFields, &c)
	d.set(func(r *sport.Rules) { r.Carry = &c })
}

// readTieBreakers reads the criteria in their order. An empty list leaves the
// order to the name, as what is left level after any list (dataset.md). A
// criterion of the whole table separates no teams the second time; a block of head
// to head may, since fewer teams are level by then.
func readTieBreakers(l *jsonl.Line, d *draft) {
	var list []sport.TieBreaker
	l.List(maxCriteria, func(int) {
		if l.AtObject() {
			list = append(list, readHeadToHead(l))
			return
		}
		t := jsonl.Enum(l, tieBreakers)
		if t != "" && slices.Contains(list[sinceOlder(list, t):], t) {
			l.Faultf("", "%q is in the list already", t)
		}
		list = append(list, t)
	})
	if len(list) == 0 {
		list = []sport.TieBreaker{sport.ByName}
	}
	d.set(func(r *sport.Rules) { r.TieBreakers = list })
}

// sinceOlder is where a criterion may not be there already: in the whole list, for
// an older name of head to head in those that it is one block with.
func sinceOlder(list []sport.TieBreaker, t sport.TieBreaker) int {
	at := len(list)
	if !slices.Contains(olderHeadToHead, t) {
		return 0
	}
	for at > 0 && slices.Contains(olderHeadToHead, list[at-1]) {
		at--
	}
	return at
}

// headToHeadDraft is a block of head to head while it is read.
type headToHeadDraft struct {
	criteria []sport.TieBreaker
	again    bool
}

var headToHeadFields = []jsonl.Field[headToHeadDraft]{
	jsonl.Required("headToHead", func(l *jsonl.Line, d *headToHeadDraft) {
		l.List(len(tableCriteria), func(int) {
			t := jsonl.Enum(l, tableCriteria)
			if t != "" && slices.Contains(d.criteria, t) {
				l.Faultf("", "%q is in the list already", t)
			}
			d.criteria = append(d.criteria, t)
		})
		if len(d.criteria) == 0 && !l.Broken() {
			l.Fault("", "must not be empty")
		}
	}),
	jsonl.Optional("again", func(l *jsonl.Line, d *headToHeadDraft) { d.again = l.Bool() }),
}

func readHeadToHead(l *jsonl.Line) sport.TieBreaker {
	d := headToHeadDraft{again: true}
	jsonl.Object(l, headToHeadFields, &d)
	return sport.HeadToHead(d.again, d.criteria...)
}

// Check refuses rules of a competition that ask for a parent's table if there isn't
// one. The path is at the competition.
func Check(l *jsonl.Line, c *sport.Competition) {
	r := &c.Rules
	if r.Carry != nil && c.ParentID == "" {
		l.Fault("rules.carry", "needs a parentId")
	}
	for _, by := range []sport.TieBreaker{sport.ByParentRank, sport.ByHalfPoint} {
		switch {
		case !sport.Uses(r.TieBreakers, by):
		case c.ParentID == "":
			l.Faultf("rules.tieBreakers", "%s needs a parentId", by)
		case by == sport.ByHalfPoint && r.Carry == nil:
			l.Faultf("rules.tieBreakers", "%s needs carry", by)
		}
	}
}
