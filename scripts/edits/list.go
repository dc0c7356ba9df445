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
	Moves bool // rows may be moved

	columns []Field
	free    int            // how many further entries a form takes
	zone    *time.Location // of days
	entered []int          // the rows of the entries, once they were read
	stored  []any
	// flat makes objects of what is stored, and fold what is stored of objects: of tells
	// for each element which of the objects is its first. nil: they are the same.
	flat func(stored []any) []any
	fold func(all []Object) (elements []any, of []int)
	of   []int
}

// maxRows bounds the entries of a list.
const maxRows = 100

// lists are those of a kind, of a new record if fresh.
func lists(kind sport.Kind, a *around, fresh bool) []*List {
	switch {
	case kind == sport.KindCompetition && fresh:
		return []*List{marginList(), orderList()}
	case kind == sport.KindCompetition:
		return []*List{marginList(), orderList(), {
			Name: "withdrawals", Label: "Teams that have withdrawn", zone: a.zone, free: 2,
			Help: "What becomes of their matches, whatever their records say. An empty row is none.",
			columns: []Field{
				{Name: "teamId", Label: "Team", Input: "choice", Choices: optional("–", a.teams)},
				{Name: "matches", Label: "Its matches", Input: "choice", Choices: []Choice{{"", "–"}, {string(sport.MatchesAnnulled), "count nowhere"}, {string(sport.MatchesAwarded), "are won by the opponents"}}},
				{Name: "from", Label: "From the day on", Input: "date"},
				{Name: "goals", Label: "Goals of the opponents", Input: "number"},
			},
		}}
	case kind == sport.KindPlayer && !fresh:
		return []*List{{
			Name: "formerNumbers", Label: "Former shirt numbers", zone: time.UTC, free: 2,
			Help:    "Line-ups of finished matches show the number of their day. In the order of time; an empty row is none.",
			columns: []Field{{Name: "number", Label: "Number", Input: "number"}, {Name: "until", Label: "Worn until the start of", Input: "date"}},
		}}
	}
	return nil
}

// marginList are the points by margin.
func marginList() *List {
	return &List{
		Name: "rules.margins", Label: "Points where the margin is small", free: 2,
		Help:    "Such as 1 point for a loss by at most 7 goals. Of several the first that fits counts; what is empty is as in any other match.",
		columns: []Field{{Name: "by", Label: "By at most", Input: "number"}, {Name: "win", Label: "For the win", Input: "number"}, {Name: "loss", Label: "For the loss", Input: "number"}},
	}
}

// show fills the rows with what is stored.
func (l *List) show(r *record) {
	l.stored, _ = r.at(l.Name).([]any)
	if l.flat != nil {
		l.stored = l.flat(l.stored)
	}
	for i, entry := range l.stored {
		l.more(1)
		for j := range l.columns {
			f := &l.Rows[i][j]
			f.Value = l.value(r, text(object(entry), l.columns[j].Name), f.Input)
			f.stay()
		}
	}
	l.more(l.free)
}

// more adds empty rows.
func (l *List) more(n int) {
	for range n {
		row := slices.Clone(l.columns)
		for j := range row {
			row[j].Name = l.Name + "." + strconv.Itoa(len(l.Rows)) + "." + row[j].Name
		}
		l.Rows = append(l.Rows, row)
	}
}

// arrange moves the entry of a row up or down, removes it, or adds rows.
func (l *List) arrange(how string, i int) {
	to := map[string]int{"up": i - 1, "down": i + 1, "remove": len(l.Rows) - 1, "more": i}[how]
	if i < 0 || i >= len(l.Rows) {
		return
	}
	to = max(0, min(to, len(l.Rows)-1))
	swap := func(a, b []Field) {
		for j := range a {
			a[j].Value, b[j].Value = b[j].Value, a[j].Value
		}
	}
	switch how {
	case "more":
		to = len(l.Rows)
		l.more(l.free)
	case "remove":
		for k := i; k < to; k++ {
			swap(l.Rows[k], l.Rows[k+1])
		}
		for j := range l.Rows[to] {
			l.Rows[to][j].Value = ""
		}
		to = i
	default:
		swap(l.Rows[i], l.Rows[to])
	}
	l.Rows[to][0].Focus = true
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
	for i := len(l.Rows); i < maxRows && form.Has(l.Name+"."+strconv.Itoa(i)+"."+l.columns[0].Name); i++ {
		l.more(1)
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
	switch {
	case all == nil:
		return nil
	case l.fold == nil:
		return all
	}
	elements, of := l.fold(all)
	l.of = of
	return elements
}

var entryPath = regexp.MustCompile(`^([\w.]+)\[(\d+)\](?:\.headToHead(?:\[(\d+)\])?)?\.?(\w*)$`)

// blame puts a fault of an entry beside its field. False: it is not of this list.
func (l *List) blame(fault dataset.Fault) bool {
	if fault.Field == l.Name {
		l.Fault = fault.Message
		return true
	}
	m := entryPath.FindStringSubmatch(fault.Field)
	if m == nil || m[1] != l.Name {
		return false
	}
	n, _ := strconv.Atoi(m[2])
	if l.fold != nil && n < len(l.of) {
		within, _ := strconv.Atoi(m[3])
		n, m[4] = l.of[n]+within, l.columns[0].Name
	}
	for j := range l.columns {
		if l.columns[j].Name == m[4] && n < len(l.entered) {
			l.Rows[l.entered[n]][j].Fault = fault.Message
			return true
		}
	}
	l.Fault = strings.TrimSpace(m[4] + " " + fault.Message)
	return true
}
