// Package encode writes records in the dataset format, each a line of its file
// (dataset.md).
//
// Reading the line with package dataset gives the record again, so that a journal
// can hold records as lines. Defaults are left out.
// Nothing is checked: what breaks a rule of dataset.md is written, too.
package encode

import (
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"touchline/shared/dataset"
	"touchline/shared/sport"
)

// Append appends a record to dst as a line of its file, line end included. A
// record without a Key is written with its ID. References are written as they
// are, so a writer may put keys where Value has ids.
func Append[T dataset.Entity](dst []byte, rec *dataset.Record[T]) []byte {
	w := &writer{out: append(dst, '{')}
	switch v := any(&rec.Value).(type) {
	case *sport.Organization:
		if !w.head(keyOf(rec.Key, rec.ID), rec.Deleted) {
			w.organization(v)
		}
	case *sport.Competition:
		if w.id("id", keyOf(rec.Key, rec.ID)); v.Season != 0 {
			w.int("season", v.Season)
		}
		if !w.deletion(rec.Deleted) {
			w.competition(v)
		}
	case *sport.Team:
		if !w.head(keyOf(rec.Key, rec.ID), rec.Deleted) {
			w.team(v)
		}
	case *sport.Player:
		if !w.head(keyOf(rec.Key, rec.ID), rec.Deleted) {
			w.player(v)
		}
	case *dataset.Match:
		if !w.head(keyOf(rec.Key, rec.ID), rec.Deleted) {
			w.match(v)
		}
	case *sport.GivenTable:
		w.id("competitionId", v.CompetitionID)
		w.int("season", v.Season)
		w.string("table", string(v.Table))
		if !w.deletion(rec.Deleted) {
			w.rows(v.Rows)
		}
	}
	return append(w.out, '}', '\n')
}

// keyOf is what a record is called: its key, or its id.
func keyOf(key string, id sport.ID) sport.ID {
	if key != "" {
		return sport.ID(key)
	}
	return id
}

// writer writes the fields of JSON objects.
type writer struct {
	out []byte
}

// name begins a field.
func (w *writer) name(name string) {
	w.comma()
	w.out = append(w.out, '"')
	w.out = append(w.out, name...)
	w.out = append(w.out, '"', ':')
}

// comma separates an element from the one before it.
func (w *writer) comma() {
	switch w.out[len(w.out)-1] {
	case '{', '[':
	default:
		w.out = append(w.out, ',')
	}
}

func (w *writer) string(name, v string) {
	w.name(name)
	w.quote(v)
}

// quote writes a JSON string. A string that is not UTF-8 cannot come from a
// dataset; its faulty bytes are replaced.
func (w *writer) quote(v string) {
	w.out, _ = jsontext.AppendQuote(w.out, v)
}

// text writes a string, unless it is empty or the default.
func (w *writer) text(name, v, byDefault string) {
	if v != "" && v != byDefault {
		w.string(name, v)
	}
}

func (w *writer) id(name string, id sport.ID) { w.string(name, string(id)) }

// nullable writes a reference, null for none.
func (w *writer) nullable(name string, id sport.ID) {
	if id != "" {
		w.id(name, id)
		return
	}
	w.name(name)
	w.out = append(w.out, "null"...)
}

// ref writes a reference, if there is one.
func (w *writer) ref(name string, id sport.ID) { w.text(name, string(id), "") }

func (w *writer) int(name string, v int) {
	w.name(name)
	w.out = strconv.AppendInt(w.out, int64(v), 10)
}

// number writes an integer other than 0.
func (w *writer) number(name string, v int) {
	if v != 0 {
		w.int(name, v)
	}
}

func (w *writer) bool(name string, v bool) {
	w.name(name)
	w.out = strconv.AppendBool(w.out, v)
}

// truth writes true; false is the default of every boolean.
func (w *writer) truth(name string, v bool) {
	if v {
		w.bool(name, true)
	}
}

// time writes an instant with milliseconds (D32).
func (w *writer) time(name string, t time.Time) {
	if !t.IsZero() {
		w.string(name, t.UTC().Format("2006-01-02T15:04:05.000Z"))
	}
}

// object writes a field that is an object.
func (w *writer) object(name string, fields func()) {
	w.name(name)
	w.braces(fields)
}

func (w *writer) braces(fields func()) {
	w.out = append(w.out, '{')
	fields()
	w.out = append(w.out, '}')
}

// list writes a field that is a list of n elements.
func (w *writer) list(name string, n int, element func(i int)) {
	w.name(name)
	w.out = append(w.out, '[')
	for i := range n {
		w.comma()
		element(i)
	}
	w.out = append(w.out, ']')
}

// head writes what a record begins with, and reports whether that is all.
func (w *writer) head(id sport.ID, deleted bool) bool {
	w.id("id", id)
	return w.deletion(deleted)
}

func (w *writer) deletion(deleted bool) bool {
	w.truth("deleted", deleted)
	return deleted
}

func (w *writer) organization(o *sport.Organization) {
	w.string("type", string(o.Type))
	w.string("name", o.Name)
	w.text("logo", o.Logo, "")
	w.ref("parentId", o.ParentID)
	if n := len(o.AdditionalParentIDs); n > 0 {
		w.list("additionalParentIds", n, func(i int) { w.quote(string(o.AdditionalParentIDs[i])) })
	}
	w.text("description", o.Description, "")
	w.number("season", o.Season)
	w.text("status", string(o.Status), string(sport.Active))
	w.text("visibility", string(o.Visibility), string(sport.Public))
	w.text("plan", string(o.Plan), string(sport.PlanPro))
}

func (w *writer) competition(c *sport.Competition) {
	if c.Current != nil {
		w.bool("current", *c.Current)
	}
	w.string("name", c.Name)
	w.text("logo", c.Logo, "")
	w.text("type", string(c.Type), string(sport.League))
	w.text("stage", string(c.Stage), string(sport.Regular))
	w.text("timezone", c.Timezone, "UTC")
	w.id("organizationId", c.OrganizationID)
	w.text("gender", string(c.Gender), "")
	w.truth("completed", c.Completed)
	w.time("endsAt", c.EndsAt)
	w.text("visibility", string(c.Visibility), string(sport.Public))
	w.ref("parentId", c.ParentID)
	w.text("format", string(c.Format), "")
	if len(c.Groups) > 0 {
		w.list("groups", len(c.Groups), func(i int) {
			w.braces(func() {
				w.id("id", keyOf(c.Groups[i].Key, c.Groups[i].ID))
				w.string("name", c.Groups[i].Name)
				w.int("order", c.Groups[i].Order)
			})
		})
	}
	w.rules(c.Rules)
	if len(c.Withdrawals) > 0 {
		w.list("withdrawals", len(c.Withdrawals), func(i int) {
			x := c.Withdrawals[i]
			w.braces(func() {
				w.id("teamId", x.TeamID)
				w.string("matches", string(x.Matches))
				w.time("from", x.From)
				w.number("goals", x.Goals)
			})
		})
	}
}

func (w *writer) team(t *sport.Team) {
	w.string("name", t.Name)
	w.string("shortName", t.ShortName)
	w.text("logo", t.Logo, "")
	w.ref("organizationId", t.OrganizationID)
	w.ref("competitionId", t.CompetitionID)
	w.number("season", t.Season)
	w.ref("group", t.GroupID)
	w.text("gender", string(t.Gender), "")
	w.text("status", string(t.Status), string(sport.Active))
	w.text("visibility", string(t.Visibility), string(sport.Public))
	w.number("startingPoints", t.StartingPoints)
	w.number("seed", t.Seed)
}

func (w *writer) player(p *sport.Player) {
	w.string("name", p.Name)
	w.id("teamId", p.TeamID)
	w.number("number", p.Number)
	if n := len(p.FormerNumbers); n > 0 {
		w.list("formerNumbers", n, func(i int) {
			w.braces(func() {
				w.int("number", p.FormerNumbers[i].Number)
				w.time("until", time.UnixMilli(p.FormerNumbers[i].Until))
			})
		})
	}
	w.text("position", string(p.Position), "")
	w.text("photo", p.Photo, "")
	w.text("status", string(p.Status), string(sport.Active))
	w.text("visibility", string(p.Visibility), string(sport.Public))
}

func (w *writer) rows(rows []sport.GivenRow) {
	w.list("rows", len(rows), func(i int) {
		r := rows[i]
		w.braces(func() {
			w.id("teamId", r.TeamID)
			w.int("rank", r.Rank)
			w.int("played", r.Played)
			w.int("won", r.Won)
			w.int("drawn", r.Drawn)
			w.int("lost", r.Lost)
			w.int("goalsFor", r.GoalsFor)
			w.int("goalsAgainst", r.GoalsAgainst)
			w.int("points", r.Points)
			w.number("startingPoints", r.StartingPoints)
			w.ref("group", r.GroupID)
		})
	})
}
