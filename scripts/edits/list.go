package edits

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/sport"
)

// List is a field of a form that holds a list of objects: a row for each, then empty
// ones.
type List struct {
	Name  string // in a dataset
	Label string
	Help  string
	Rows  [][]Field
	Fault string
	Stale bool // the stored list is not the one that the form showed

	columns []Field
	zone    *time.Location // of days
	entered []int          // the rows of the entries, once they were read
	stored  []any
}

// freeRows is how many further entries a form takes.
const freeRows = 2

// lists are those of a kind.
func lists(kind sport.Kind, a *around, zone *time.Location) []*List {
	switch kind {
	case sport.KindCompetition:
		return []*List{{
			Name: "withdrawals", Label: "Teams that have withdrawn", zone: zone,
			Help: "What becomes of their matches, whatever their records say. An empty row is none.",
			columns: []Field{
				{Name: "teamId", Label: "Team", Input: "choice", Choices: optional("–", a.teams)},
				{Name: "matches", Label: "Its matches", Input: "choice", Choices: []Choice{{"", "–"}, {string(sport.MatchesAnnulled), "count nowhere"}, {string(sport.MatchesAwarded), "are won by the opponents"}}},
				{Name: "from", Label: "From the day on", Input: "date"},
				{Name: "goals", Label: "Goals of the opponents", Input: "number"},
			},
		}}
	case sport.KindPlayer:
		return []*List{{
			Name: "formerNumbers", Label: "Former shirt numbers", zone: time.UTC,
			Help:    "Line-ups of finished matches show the number of their day. In the order of time; an empty row is none.",
			columns: []Field{{Name: "number", Label: "Number", Input: "number"}, {Name: "until", Label: "Worn until the start of", Input: "date"}},
		}}
	}
	return nil
}

// show fills the rows with what is stored.
func (l *List) show(r *record) {
	l.stored, _ = r.fields[l.Name].([]any)
	for i := range len(l.stored) + freeRows {
		row := make([]Field, len(l.columns))
		for j, column := range l.columns {
			f := column
			f.Name = l.Name + "." + strconv.Itoa(i) + "." + column.Name
			if i < len(l.stored) {
				f.Value = l.value(r, text(object(l.stored[i]), column.Name), f.Input)
			}
			if f.Input == "choice" && !has(f.Choices, f.Value) {
				f.Choices = append(slices.Clip(f.Choices), Choice{f.Value, f.Value})
			}
			f.Was = f.Value
			row[j] = f
		}
		l.Rows = append(l.Rows, row)
	}
}

// value is a stored value as a form shows it: a day where it is the beginning of one, and
// what a dataset calls a record.
func (l *List) value(r *record, stored, input string) string {
	if at, err := time.Parse(time.RFC3339, stored); err == nil && input == "date" {
		if at = at.In(l.zone); at.Equal(time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, l.zone)) {
			return at.Format(time.DateOnly)
		}
	}
	return cmp.Or(r.called[sport.ID(stored)], stored)
}

// read takes over what was entered, unless the form showed another list.
func (l *List) read(form url.Values) {
	if !form.Has("was." + l.Rows[0][0].Name) {
		return // a form without it
	}
	for _, f := range slices.Concat(l.Rows...) {
		if form.Get("was."+f.Name) != f.Was {
			l.Stale, l.Fault = true, "Somebody else has changed it meanwhile. This is what is stored now: enter yours again."
			return
		}
	}
	for _, row := range l.Rows {
		for i := range row {
			row[i].Value = trimmed(form, row[i].Name)
		}
	}
}

func (l *List) changes() bool {
	return slices.ContainsFunc(slices.Concat(l.Rows...), func(f Field) bool { return f.Value != f.Was })
}

// entries is the list that was entered, nil for an empty one. What is as it was in an entry
// stays as it is stored.
func (l *List) entries() any {
	var all []Object
	l.entered = nil
	for i, row := range l.Rows {
		entry := Object{}
		for j := range row {
			f, name := &row[j], l.columns[j].Name
			switch {
			case f.Value == "":
			case f.Value == f.Was:
				entry[name] = object(l.stored[i])[name]
			default:
				entry[name] = f.value()
			}
		}
		if len(entry) > 0 {
			all, l.entered = append(all, entry), append(l.entered, i)
		}
	}
	if all == nil {
		return nil
	}
	return all
}

var entryPath = regexp.MustCompile(`^(\w+)\[(\d+)\]\.?(\w*)$`)

// blame puts a fault of an entry beside its field. False: it is none of this list.
func (l *List) blame(fault dataset.Fault) bool {
	if fault.Field == l.Name {
		l.Fault = fault.Message
		return true
	}
	m := entryPath.FindStringSubmatch(fault.Field)
	if m == nil || m[1] != l.Name {
		return false
	}
	if n, err := strconv.Atoi(m[2]); err == nil && n < len(l.entered) {
		for j := range l.columns {
			if l.columns[j].Name == m[3] {
				l.Rows[l.entered[n]][j].Fault = fault.Message
				return true
			}
		}
	}
	l.Fault = strings.TrimSpace(m[3] + " " + fault.Message)
	return true
}
