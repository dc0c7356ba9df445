// Package rules reads the rules by which the table of a competition is made: the
// field rules of its record (dataset.md).
//
// [Value] reads them, and fills in what is not given: by the regulation that the rules follow
// ("like"), or else by [Default]. A regulation of the catalogue is itself text of
// this format. Whether rules go with the rest of their competition is seen when
// the whole record has been read, by [Check].
package rules

import (
	"reflect"
	"slices"
	"strconv"

	"touchline/shared/dataset/ids"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/slips"
	"touchline/shared/regulations"
	"touchline/shared/sport"
)

// draft is the rules of a competition while they are read.
type draft struct {
	like  string // the regulation whose rules hold where a field is not given
	hides *bool  // nil: not given
	sport.Rules
}

// Given are the rules of a record. Said is whether they say hidePlayers: where they do not,
// what is stored stays (D74).
type Given struct {
	sport.Rules
	Said bool
}

// ownFields are the fields of rules: of a regulation all, and of a dataset all but
// the name of the regulation that they follow.
var ownFields = []jsonl.Field[draft]{
	jsonl.Optional("sport", jsonl.String(readSport), func(d *draft) *string { return &d.Sport }),
	jsonl.Optional("periods", periods.ReadBy(readPeriods), func(d *draft) **sport.Clock { return &d.Periods }),
	jsonl.Optional("sets", jsonl.Integer(1, MaxSets).ReadBy(readSets), func(d *draft) *int { return &d.Sets }),
	jsonl.Optional("win", jsonl.Always(points), func(d *draft) *int { return &d.Win }),
	jsonl.Optional("draw", jsonl.Always(points), func(d *draft) *int { return &d.Draw }),
	jsonl.Optional("loss", jsonl.Always(points), func(d *draft) *int { return &d.Loss }),
	jsonl.Optional("extraTimeWin", jsonl.Pointer(points), func(d *draft) **int { return &d.ExtraTimeWin }),
	jsonl.Optional("extraTimeLoss", jsonl.Pointer(points), func(d *draft) **int { return &d.ExtraTimeLoss }),
	jsonl.Optional("shootoutWin", jsonl.Pointer(points), func(d *draft) **int { return &d.ShootoutWin }),
	jsonl.Optional("shootoutLoss", jsonl.Pointer(points), func(d *draft) **int { return &d.ShootoutLoss }),
	jsonl.Optional("shootoutGoal", jsonl.Bool(), func(d *draft) *bool { return &d.ShootoutGoal }),
	jsonl.Optional("margins", jsonl.ListOf(maxMargins, jsonl.Struct(marginFields), nil), func(d *draft) *[]sport.Margin { return &d.Margins }),
	jsonl.Optional("forfeit", forfeit, func(d *draft) **sport.Forfeit { return &d.Forfeit }),
	jsonl.Optional("tieBreakers", criteria, func(d *draft) *[]sport.TieBreaker { return &d.TieBreakers }),
	jsonl.Optional("table", negated, func(d *draft) *bool { return &d.NoTable }),
	jsonl.Optional("acrossGroups", jsonl.Bool(), func(d *draft) *bool { return &d.AcrossGroups }),
	jsonl.Optional("hidePlayers", jsonl.Pointer(jsonl.Bool()), func(d *draft) **bool { return &d.hides }),
	jsonl.Optional("carry", carry.ReadBy(readCarry), func(d *draft) **sport.Carry { return &d.Carry }),
	jsonl.Optional("ties", nilIfZero(ties.ReadBy(readTies)), func(d *draft) **sport.TieRules { return &d.Ties }),
}

// points are those of one match.
var points = jsonl.Integer(-MaxPoints, MaxPoints)

// negated is a value of which the opposite is kept.
var negated = jsonl.Value[bool]{
	Read:   func(l *jsonl.Line) bool { return !l.Bool() },
	Append: func(dst []byte, v bool) []byte { return strconv.AppendBool(dst, !v) },
	None:   func(v bool) bool { return !v },
	Shape:  jsonl.Bool().Shape,
}

var fields = append([]jsonl.Field[draft]{jsonl.Optional("like", jsonl.String(readLike), func(d *draft) *string { return &d.like })}, ownFields...)

var carryFields = []jsonl.Field[sport.Carry]{
	jsonl.Optional("points", jsonl.Default(jsonl.OneOf(sport.CarryPointsValues()), DefaultCarry().Points), func(c *sport.Carry) *sport.CarryPoints { return &c.Points }),
	jsonl.Optional("record", jsonl.Bool(), func(c *sport.Carry) *bool { return &c.Record }),
	jsonl.Optional("among", jsonl.Default(jsonl.OneOf(sport.CarryAmongValues()), DefaultCarry().Among), func(c *sport.Carry) *sport.CarryAmong { return &c.Among }),
}

var carry = jsonl.Pointer(jsonl.Struct(carryFields))

var tieFields = []jsonl.Field[sport.TieRules]{
	jsonl.Optional("bestOf", jsonl.Integer(3, MaxBestOf), func(t *sport.TieRules) *int { return &t.BestOf }),
	jsonl.Optional("awayGoals", jsonl.Bool(), func(t *sport.TieRules) *bool { return &t.AwayGoals }),
}

var ties = jsonl.Pointer(jsonl.Struct(tieFields))

// readTies reads how ties are decided.
func readTies(l *jsonl.Line) *sport.TieRules {
	var t sport.TieRules
	jsonl.ReadObject(l, tieFields, &t)
	if t.BestOf != 0 && t.BestOf%2 == 0 {
		l.Fault("bestOf", "must be odd")
	}
	return &t
}

// nilIfZero gives nil for a value that says nothing.
func nilIfZero[V comparable](value jsonl.Value[*V]) jsonl.Value[*V] {
	return value.ReadBy(func(l *jsonl.Line) *V {
		v, zero := value.Read(l), new(V)
		if *v == *zero {
			return nil
		}
		return v
	})
}

// MaxSets is how many sets a match can have (D80).
const MaxSets = 9

func readSets(l *jsonl.Line) int {
	n := l.Integer(1, MaxSets)
	if n > 0 && n%2 == 0 {
		l.Fault("", "must be odd")
		return 0
	}
	return n
}

// MaxBestOf is how many matches a series can have (D66).
const MaxBestOf = 15

// MaxPoints bounds the points of one match, in both directions: a thousand is more
// than any rule gives, and ten thousand matches of it stay a number.
const MaxPoints = 1000

// MaxGoals bounds a side of a score (D47).
const MaxGoals = 999

// The values that a criterion can have. Nothing writes to them.
var (
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

// Value is the value of the field. It is written in full, also what was taken from a
// regulation.
var Value = jsonl.Value[Given]{
	Read: func(l *jsonl.Line) Given { return readFields(l, fields) },
	Append: func(dst []byte, r Given) []byte {
		d := draft{Rules: r.Rules}
		if r.HidePlayers {
			d.hides = &r.HidePlayers
		}
		return jsonl.AppendObject(dst, ownFields, &d)
	},
	None:  func(r Given) bool { return reflect.DeepEqual(r.Rules, Default()) },
	Shape: jsonl.Struct(fields).Shape,
}

// readFields reads rules: those of the regulation that they are like, or the default, with the
// fields that are given.
func readFields(l *jsonl.Line, fields []jsonl.Field[draft]) Given {
	var d draft
	given := jsonl.ReadObject(l, fields, &d)
	all := draft{Rules: Default()}
	if d.like != "" {
		all.Rules, _ = Like(d.like)
		jsonl.Differ(fields, given, &d, &all, func(name, is, has string) {
			if slices.Contains(scoringFields, name) {
				l.Warnf(name, "is %s, but %s has %s: leave it out, unless it is meant", jsonl.Excerpt(is), d.like, jsonl.Excerpt(has))
			}
		})
	}
	jsonl.Copy(fields, given, &all, &d)
	if all.hides != nil {
		all.HidePlayers = *all.hides
	}
	return Given{all.Rules, all.hides != nil || all.HidePlayers}
}

// scoringFields are those that a regulation gives. Beside its name another value is what
// nobody took out of a form, perhaps: a warning.
var scoringFields = []string{"sport", "periods", "sets", "win", "draw", "loss", "extraTimeWin", "extraTimeLoss", "shootoutWin", "shootoutLoss", "tieBreakers"}

func readLike(l *jsonl.Line) string {
	name := l.Text(jsonl.MaxName)
	if name == "" {
		return ""
	}
	if _, known := Like(name); !known {
		l.Fault("", "must be a name of the catalogue of regulations"+jsonl.NotGiven(name)+slips.DidYouMean(name, regulations.Names()))
		return ""
	}
	return name
}

// Like returns the rules of the catalogue's entry of a name; false if
// there isn't one.
func Like(name string) (sport.Rules, bool) {
	of, known := regulations.Find(name)
	if !known {
		return sport.Rules{}, false
	}
	sound := true
	report := func(jsonl.Fault) { sound = false }
	l := jsonl.New(ids.NewTable(), report, report)
	l.Start(of.Rules, jsonl.Origin{})
	r := readFields(l, ownFields)
	l.End()
	return r.Rules, sound
}

// football is the sport of a competition that names none.
const football = "football"

// readSport reads the name of a sport, empty for football.
func readSport(l *jsonl.Line) string {
	if name := l.Text(maxSport); name != football {
		return name
	}
	return ""
}

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
	jsonl.Optional("count", jsonl.Always(jsonl.Integer(1, sport.MaxPeriods)), func(c *sport.Clock) *int { return &c.Count }),
	jsonl.Optional("minutes", jsonl.Always(jsonl.Integer(1, maxMinutes)), func(c *sport.Clock) *int { return &c.Minutes }),
	jsonl.Optional("extra", jsonl.Always(jsonl.Integer(0, maxExtra)), func(c *sport.Clock) *int { return &c.Extra }),
}

var periods = jsonl.Pointer(jsonl.Struct(periodFields))

// readPeriods reads periods. Those of football are the default and give nil.
func readPeriods(l *jsonl.Line) *sport.Clock {
	c := sport.Halves()
	jsonl.ReadObject(l, periodFields, &c)
	if c.Full()+2*c.Extra > maxLength {
		l.Faultf("", "come to more than %d minutes", maxLength)
	}
	if c == sport.Halves() {
		return nil
	}
	return &c
}

var marginFields = []jsonl.Field[sport.Margin]{
	jsonl.Required("by", jsonl.Integer(1, MaxGoals), func(m *sport.Margin) *int { return &m.By }),
	jsonl.Optional("win", jsonl.Pointer(points), func(m *sport.Margin) **int { return &m.Win }),
	jsonl.Optional("loss", jsonl.Pointer(points), func(m *sport.Margin) **int { return &m.Loss }),
}

// maxMargins bounds the margins of a competition (D47).
const maxMargins = 16

var forfeitFields = []jsonl.Field[sport.Forfeit]{
	jsonl.Optional("goals", jsonl.Integer(0, MaxGoals), func(f *sport.Forfeit) *int { return &f.Goals }),
	jsonl.Optional("setPoints", jsonl.Integer(0, MaxGoals), func(f *sport.Forfeit) *int { return &f.SetPoints }),
	jsonl.Optional("win", jsonl.Pointer(points), func(f *sport.Forfeit) **int { return &f.Win }),
	jsonl.Optional("loss", jsonl.Pointer(points), func(f *sport.Forfeit) **int { return &f.Loss }),
}

// forfeit is what one is worth; nil where that says nothing.
var forfeit = nilIfZero(jsonl.Pointer(jsonl.Struct(forfeitFields)))

func readCarry(l *jsonl.Line) *sport.Carry {
	c := DefaultCarry()
	jsonl.ReadObject(l, carryFields, &c)
	return &c
}

// criteria are a list of names, and of blocks of head to head.
var criteria = func() jsonl.Value[[]sport.TieBreaker] {
	list := jsonl.ListOf(maxCriteria, jsonl.Value[sport.TieBreaker]{Append: appendCriterion}, nil).ReadBy(readTieBreakers)
	list.None = func(list []sport.TieBreaker) bool { return slices.Equal(list, sport.DefaultTieBreakers()) }
	return list
}()

func appendCriterion(dst []byte, t sport.TieBreaker) []byte {
	block, headToHead := t.Block()
	if !headToHead {
		return jsonl.OneOf(tieBreakers).Append(dst, t)
	}
	return jsonl.AppendObject(dst, headToHeadFields, &block)
}

// readTieBreakers reads the criteria in their order. An empty list leaves the
// order to the name, as what is left level after any list (dataset.md). A
// criterion of the whole table separates no teams the second time; a block of head
// to head may, since fewer teams are level by then.
func readTieBreakers(l *jsonl.Line) []sport.TieBreaker {
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
	return list
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

var headToHeadFields = []jsonl.Field[sport.Block]{
	jsonl.Required("headToHead", jsonl.ListOf(len(tableCriteria), jsonl.OneOf(tableCriteria), checkCriterion), func(b *sport.Block) *[]sport.TieBreaker { return &b.Criteria }),
	jsonl.Optional("again", negated, func(b *sport.Block) *bool { return &b.Once }),
	jsonl.Optional("once", allPlayed, func(b *sport.Block) *bool { return &b.AllPlayed }),
}

// allPlayed is the one value that "once" of a block can have (D67).
var allPlayed = jsonl.Value[bool]{
	Read:   func(l *jsonl.Line) bool { return jsonl.Enum(l, whenPlayed) != "" },
	Append: func(dst []byte, _ bool) []byte { return jsonl.OneOf(whenPlayed).Append(dst, whenPlayed[0]) },
	None:   func(v bool) bool { return !v },
}

var whenPlayed = []string{"allPlayed"}

func checkCriterion(l *jsonl.Line, before []sport.TieBreaker, t *sport.TieBreaker) {
	if *t != "" && slices.Contains(before, *t) {
		l.Faultf("", "%q is in the list already", *t)
	}
}

func readHeadToHead(l *jsonl.Line) sport.TieBreaker {
	var block sport.Block
	before := l.Faults()
	if jsonl.ReadObject(l, headToHeadFields, &block); len(block.Criteria) == 0 && l.Faults() == before {
		l.Fault("headToHead", "must not be empty")
	}
	return sport.HeadToHead(block)
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
