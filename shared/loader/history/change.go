package history

import (
	"slices"
	"strings"

	"touchline/shared/dataset/jsonl"
	"touchline/shared/sport"
)

// Op is what a load does with a record.
type Op string

// What a load can do with a record.
const (
	Create Op = "create"
	Update Op = "change"
	Delete Op = "delete"
)

// Change is what a load does with one record.
type Change struct {
	Op Op `json:"op"`
	Record
	Key    string  `json:"key,omitempty"`    // the operator's own, where it is known
	Name   string  `json:"name,omitempty"`   // what people call it; of a match its teams
	Fields []Field `json:"fields,omitempty"` // that differ, of a record that stays
	Erased bool    `json:"erased,omitempty"` // it says nothing more of the record (D64)
}

// Field is a field of a record that differs. A value is given as people read it:
// a score as "1:0", a list by its length, a reference by its name or else the operator's own key.
// From and To are both empty where only something inside the value differs.
type Field struct {
	Name string `json:"field"`
	From string `json:"from,omitempty"` // empty: there was none
	To   string `json:"to,omitempty"`   // empty: there isn't one any more
}

// shown are fields whose values are kept of a change: beside states they are numbers and
// times, and name nobody.
var shown = append([]string{"score", "penalties", "winner", "kickoffAt", "round", "leg", "events", "completed"}, byDefault...)

// kept is the change as the history keeps it: keys and numbers, no text of the record.
func (c Change) kept() Change {
	c.Name, c.Fields = "", slices.Clone(c.Fields)
	for i := range c.Fields {
		if f := &c.Fields[i]; !slices.Contains(shown, f.Name) {
			f.From, f.To = "", ""
		}
	}
	return c
}

// String gives the change in one line, such as
//
//	~ match l6 (Kielby - Norby): score 0:0 to 1:0
func (c Change) String() string {
	text := map[Op]string{Create: "+", Update: "~", Delete: "-"}[c.Op] + " " + c.called(c.Key)
	if c.Erased {
		return text + ": erased"
	}
	if c.Op != Update {
		if c.Name != "" {
			text += ": " + c.Name
		}
		return text
	}
	if c.Name != "" && !slices.ContainsFunc(c.Fields, func(f Field) bool { return f.Name == "name" }) {
		text += " (" + c.Name + ")"
	}
	fields := make([]string, len(c.Fields))
	for i, f := range c.Fields {
		fields[i] = f.String()
	}
	return text + ": " + strings.Join(fields, ", ")
}

// String gives the field with both values.
func (f Field) String() string {
	if f.From == "" && f.To == "" {
		return f.Name + " changed"
	}
	none := func(text string) string {
		if text == "" {
			return "none"
		}
		return text
	}
	return f.Name + " " + none(f.From) + " to " + none(f.To)
}

// Difference is what becomes of a record.
type Difference struct {
	Record
	before  []byte // its line of a dataset; nil: it was not there
	was, is jsonl.Object
	op      Op
}

// Compare compares the lines of a record before and after a load, nil where it is not there.
func Compare(r Record, before, after []byte) (Difference, error) {
	d := Difference{Record: r, before: before, op: Update}
	var err error
	d.was, d.is, err = splitBoth(before, after)
	switch {
	case before == nil:
		d.op = Create
	case after == nil:
		d.op = Delete
	}
	return d, err
}

// Names say what an id is called.
type Names struct {
	Key  func(sport.ID) string // the operator's own key; the id where none is known
	Name func(sport.ID) string // what a reference shows: a name, else the Key
}

// Change is the difference as people read it.
func (d Difference) Change(n Names) Change {
	c := Change{Op: d.op, Record: d.Record}
	if key := n.Key(d.ID); key != string(d.ID) {
		c.Key = key
	}
	switch d.op {
	case Create:
		c.Name = n.of(d.Kind, d.is)
	case Delete:
		c.Name = n.of(d.Kind, d.was)
	case Update:
		c.Name, c.Fields = n.of(d.Kind, d.is), n.differing("", d.was, d.is)
	}
	return c
}

// differing are the fields that differ, their names behind a prefix: of rules, which are
// many, each for itself.
func (n Names) differing(prefix string, was, is jsonl.Object) (all []Field) {
	for _, name := range fieldsOf(was, is) {
		x, y := was.Of(name), is.Of(name)
		if string(x) == string(y) {
			continue
		}
		if rules, ruled, err := splitBoth(x, y); name == "rules" && err == nil {
			all = append(all, n.differing("rules.", rules, ruled)...)
			continue
		}
		f := Field{Name: prefix + name, From: n.text(x), To: n.text(y)}
		if f.From == f.To {
			f.From, f.To = "", ""
		}
		all = append(all, f)
	}
	return all
}

// byDefault are fields that hold a state rather than something that is recorded:
// that one has its default again is no loss.
var byDefault = []string{"status", "visibility", "plan", "type", "stage", "format", "timezone", "current", "season"}

// Lost are the fields that a record which stays had and has no more, in their order: what
// was recorded there is taken away. Flags and states are passed over.
func (d Difference) Lost() (lost []string) {
	for _, m := range d.was {
		if kind := m.Value.Kind(); d.op == Update && kind != 't' && kind != 'f' && d.is.Of(m.Name) == nil && !slices.Contains(byDefault, m.Name) {
			lost = append(lost, m.Name)
		}
	}
	return lost
}
