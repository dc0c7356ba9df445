package history

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"touchline/shared/dataset"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/sport"
)

// KindStandings is the kind of a given table, which has no id of its own.
const KindStandings sport.Kind = "standings"

// Record says which record of a dataset is meant.
type Record struct {
	Kind   sport.Kind      `json:"kind"`
	ID     sport.ID        `json:"id"`               // of a given table: that of its competition
	Season int             `json:"season,omitempty"` // of a competition or a given table
	Table  sport.TableName `json:"table,omitempty"`  // of a given table
}

// called names the record: by the operator's key, where it is known.
func (r Record) called(key string) string {
	text := string(r.Kind) + " " + cmp.Or(key, string(r.ID))
	if r.Season != 0 {
		text += fmt.Sprintf(" %d", r.Season)
	}
	if r.Table != "" {
		text += " " + string(r.Table)
	}
	return text
}

// RecordOf says which record a dataset gives.
func RecordOf[T dataset.Entity](r *dataset.Record[T]) Record {
	switch v := any(&r.Value).(type) {
	case *sport.Organization:
		return Record{Kind: sport.KindOrganization, ID: r.ID}
	case *sport.Competition:
		return Record{Kind: sport.KindCompetition, ID: r.ID, Season: v.Season}
	case *sport.Team:
		return Record{Kind: sport.KindTeam, ID: r.ID}
	case *sport.Player:
		return Record{Kind: sport.KindPlayer, ID: r.ID}
	case *dataset.Match:
		return Record{Kind: sport.KindMatch, ID: r.ID}
	case *sport.GivenTable:
		return Record{Kind: KindStandings, ID: v.CompetitionID, Season: v.Season, Table: v.Table}
	}
	panic("history: a record of no kind")
}

// deletion is the line that deletes a record.
func (r Record) deletion() []byte {
	line := struct {
		ID            sport.ID        `json:"id,omitempty"`
		CompetitionID sport.ID        `json:"competitionId,omitempty"`
		Season        int             `json:"season,omitempty"`
		Table         sport.TableName `json:"table,omitempty"`
		Deleted       bool            `json:"deleted"`
	}{r.ID, "", r.Season, r.Table, true}
	if r.Kind == KindStandings {
		line.ID, line.CompetitionID = "", r.ID
	}
	text, _ := json.Marshal(line) // strings and numbers
	return text
}

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
	Op Op `json:"op,omitempty"`
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

// valued are the fields of which the history keeps the values of a change: states, numbers
// and times, which name nobody.
var valued = append([]string{"score", "penalties", "winner", "kickoffAt", "round", "leg", "events", "completed"}, byDefault...)

// kept is the change as the history keeps it: keys and numbers, no text of the record.
func (c Change) kept() Change {
	c.Name, c.Fields = "", slices.Clone(c.Fields)
	for i := range c.Fields {
		if f := &c.Fields[i]; !slices.Contains(valued, f.Name) {
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
		if f.From == f.To { // of two records with one name
			keys := Names{Key: n.Key, Name: n.Key}
			f.From, f.To = keys.text(x), keys.text(y)
		}
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
// was recorded there is taken away, of events or a line-up also a part. Flags and states are
// passed over.
func (d Difference) Lost() (lost []string) {
	for _, m := range d.was {
		if each := element[m.Name]; d.op == Update && each != "" && d.is.Of(m.Name) != nil && strings.Count(string(d.is.Of(m.Name)), each) < strings.Count(string(m.Value), each) {
			lost = append(lost, "some "+m.Name)
		}
		if kind := m.Value.Kind(); d.op == Update && kind != 't' && kind != 'f' && d.is.Of(m.Name) == nil && !slices.Contains(byDefault, m.Name) {
			lost = append(lost, m.Name)
		}
	}
	return lost
}

// element is a field that each element of a list has.
var element = map[string]string{"events": `"type":`, "lineups": `"playerId":`}

// Rescored reports whether a match that was finished gets another score.
func (d Difference) Rescored() bool {
	was, is := d.was.Of("score"), d.is.Of("score")
	return d.Kind == sport.KindMatch && string(d.was.Of("status")) == `"finished"` && was != nil && is != nil && string(was) != string(is)
}

// split gives the fields of a line; none for nil.
func split(text []byte) (jsonl.Object, error) {
	if text == nil {
		return nil, nil
	}
	all, ok := jsonl.Split(text)
	if !ok {
		return nil, errors.New("read a record: it is not an object")
	}
	return all, nil
}

// splitBoth splits a record's line before a load, and the one after it.
func splitBoth(before, after []byte) (was, is jsonl.Object, err error) {
	if was, err = split(before); err == nil {
		is, err = split(after)
	}
	return was, is, err
}

// fieldsOf are the fields of both lines, in the order of the second.
func fieldsOf(was, is jsonl.Object) []string {
	var all []string
	for _, l := range []jsonl.Object{is, was} {
		for _, m := range l {
			if !slices.Contains(all, m.Name) {
				all = append(all, m.Name)
			}
		}
	}
	return all
}

// longest bounds a value in a change, in characters.
const longest = 80

// text is a value in short, empty for none.
func (n Names) text(v jsontext.Value) string {
	switch v.Kind() {
	case '"':
		plain, err := jsontext.AppendUnquote(nil, v)
		if err != nil {
			return excerpt(string(v))
		}
		if sport.IsID(string(plain)) {
			return n.Name(sport.ID(plain))
		}
		return strconv.Quote(excerpt(string(plain)))
	case '[':
		elements, _ := jsonl.Items(v)
		if teams := n.withdrawn(elements); teams != "" {
			return excerpt(teams)
		}
		return strconv.Itoa(len(elements))
	case '{':
		of, _ := jsonl.Split(v)
		if home, away := of.Of("home"), of.Of("away"); len(of) == 2 && home.Kind() == '0' && away.Kind() == '0' {
			return string(home) + ":" + string(away)
		}
		if utf8.RuneCount(v) > longest {
			return "{…}"
		}
	}
	return excerpt(string(v))
}

// withdrawn are the teams of withdrawals, and what becomes of their matches; empty for
// another list.
func (n Names) withdrawn(elements []jsontext.Value) string {
	var teams []string
	for _, e := range elements {
		of, _ := jsonl.Split(e)
		team, matches := jsonl.TextOf(of.Of("teamId")), jsonl.TextOf(of.Of("matches"))
		if team == "" || matches == "" {
			return ""
		}
		teams = append(teams, strconv.Quote(n.Name(sport.ID(team)))+" ("+matches+")")
	}
	return strings.Join(teams, ", ")
}

// of is what people call a record.
func (n Names) of(kind sport.Kind, l jsonl.Object) string {
	plain := func(name string) string { return jsonl.TextOf(l.Of(name)) }
	if kind == sport.KindMatch {
		if l.Of("homeTeamId") == nil {
			return ""
		}
		return n.Name(sport.ID(plain("homeTeamId"))) + " - " + n.Name(sport.ID(plain("awayTeamId")))
	}
	return excerpt(plain("name"))
}

func excerpt(text string) string {
	if utf8.RuneCountInString(text) <= longest {
		return text
	}
	return string([]rune(text)[:longest-1]) + "…"
}
