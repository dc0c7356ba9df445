package edits

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"touchline/shared/dataset"
	"touchline/shared/sport"
)

// Form is a record as people edit it: a stored one, or one to be made.
type Form struct {
	Kind   sport.Kind
	ID     sport.ID // empty: a new record
	Key    string   // what a dataset calls it
	Season int      // of a competition
	Fields []Field
	Lists  []*List

	stored Object
}

// Field is a field of a form.
type Field struct {
	Name    string // in a dataset; a dot leads into an object
	Label   string
	Input   string // text, number, choice, check, local (a time), date or list (a text with suggestions)
	Choices []Choice
	Help    string
	Value   string
	Was     string // what the form showed
	Fault   string
	Focus   bool // the page begins there
}

// Choice is a value of a field, and what people call it.
type Choice struct{ Value, Text string }

// Field is the field with a name, nil for none.
func (f *Form) Field(name string) *Field {
	for i := range f.Fields {
		if f.Fields[i].Name == name {
			return &f.Fields[i]
		}
	}
	return nil
}

// FieldsOf are the fields of rules, which few records have, or the others.
func (f *Form) FieldsOf(rules bool) []Field {
	return slices.DeleteFunc(slices.Clone(f.Fields), func(field Field) bool { return strings.HasPrefix(field.Name, "rules.") != rules })
}

// ListsOf are the lists of rules, or the others.
func (f *Form) ListsOf(rules bool) []*List {
	return slices.DeleteFunc(slices.Clone(f.Lists), func(l *List) bool { return strings.HasPrefix(l.Name, "rules.") != rules })
}

// RulesOpen reports whether there is something to look at among the fields of rules.
func (f *Form) RulesOpen() bool {
	all := f.FieldsOf(true)
	for _, l := range f.ListsOf(true) {
		all = append(slices.Concat(append(l.Rows, all)...), Field{Fault: l.Fault})
	}
	return slices.ContainsFunc(all, func(field Field) bool { return field.Value != "" || field.Fault != "" || field.Focus })
}

// Title is what the record is called.
func (f *Form) Title() string {
	if f.ID == "" {
		return "New " + string(f.Kind)
	}
	if name := f.Field("name"); name != nil {
		return name.Was
	}
	return f.Field("homeTeamId").text() + " – " + f.Field("awayTeamId").text()
}

// Called is what people call the value of a field that is typed; empty: nothing else.
func (f *Field) Called() string {
	if name := f.text(); f.Input == "list" && name != f.Was {
		return name
	}
	return ""
}

// text is what people call the value that the form showed.
func (f *Field) text() string {
	for _, c := range f.Choices {
		if c.Value == f.Was {
			return c.Text
		}
	}
	return f.Was
}

// Read takes over what was entered.
func (f *Form) Read(form url.Values) {
	for i := range f.Fields {
		field := &f.Fields[i]
		field.Value, field.Was = trimmed(form, field.Name), form.Get("was."+field.Name)
	}
	for _, list := range f.Lists {
		list.read(form)
	}
	if f.ID == "" {
		if f.Key = trimmed(form, "id"); f.Key == "" && !form.Has("arrange") {
			f.Key = newKey(cmp.Or(trimmed(form, "name"), string(f.Kind)))
		}
	}
}

// Arrange moves a row of a list, or adds rows: it is told the list, how, and the row.
func (f *Form) Arrange(what string) {
	if words := strings.Fields(what); len(words) == 3 {
		row, err := strconv.Atoi(words[2])
		for _, l := range f.Lists {
			if err == nil && l.Name == words[0] {
				l.arrange(words[1], row)
			}
		}
	}
}

// Rule enters a ruling about a match: that it is postponed, or the side, home or away,
// that it is awarded to. One without a score then has 0:0.
func (f *Form) Rule(what string) {
	enter := func(name, value string) {
		if field := f.Field(name); field != nil {
			field.Value = value
		}
	}
	switch what {
	case string(sport.Postponed):
		enter("status", what)
	case string(sport.SideHome), string(sport.SideAway):
		enter("status", string(sport.Finished))
		enter("winner", what)
		for _, name := range []string{"score.home", "score.away"} {
			if field := f.Field(name); field != nil && field.Value == "" {
				field.Value = "0"
			}
		}
	}
}

// newKey makes a key of a name: what is readable of it, and a random part.
func newKey(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r):
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() > 60 {
			break
		}
	}
	return strings.TrimSuffix(b.String(), "-") + "-" + strings.ToLower(rand.Text()[:5])
}

// Record is the record that the form makes: a patch of what differs, or a new record.
func (f *Form) Record() Object {
	record := Object{"id": f.Key}
	if f.ID != "" {
		record = Patch(f.Key)
	}
	if f.Kind == sport.KindCompetition && f.ID != "" {
		record["season"] = f.Season
	}
	put := func(name string, v any) {
		path, stored := strings.Split(name, "."), f.stored
		if like := f.Field("rules.like"); path[0] == "rules" && like.Value != like.Was {
			stored = nil // it replaces the rules
		}
		if len(path) == 1 { // nothing is a value of it, too
			record[name] = v
		} else {
			record.put(stored, path, v)
		}
	}
	for i := range f.Fields {
		if field := &f.Fields[i]; field.Value != field.Was {
			put(field.Name, field.value())
		}
	}
	for _, list := range f.Lists {
		if list.changes() {
			put(list.Name, list.entries())
		}
	}
	for name, v := range record {
		if object, ok := v.(Object); ok && len(object) == 0 {
			record[name] = nil
		}
	}
	return record
}

// Changes reports whether there is anything to save.
func (f *Form) Changes() bool {
	for _, field := range f.Fields {
		if field.Value != field.Was {
			return true
		}
	}
	for _, list := range f.Lists {
		if list.changes() {
			return true
		}
	}
	return f.ID == ""
}

// put puts a value into an object in the object; what is stored beside it stays.
func (o Object) put(stored Object, path []string, v any) {
	name := path[0]
	if len(path) == 1 {
		if o[name] = v; v == nil {
			delete(o, name)
		}
		return
	}
	inner, given := o[name].(Object)
	if !given {
		inner = maps.Clone(object(stored[name]))
		if inner == nil {
			inner = Object{}
		}
	}
	inner.put(object(stored[name]), path[1:], v)
	o[name] = inner
}

// Stale reports whether a list of the form was changed by somebody else while it was
// filled in.
func (f *Form) Stale() bool {
	return slices.ContainsFunc(f.Lists, func(l *List) bool { return l.Stale })
}

// value is what was entered as a value of JSON; nil for nothing.
func (f *Field) value() any {
	switch {
	case f.Value == "":
		return nil
	case f.Input == "check":
		return true
	case f.Input == "choice" && f.Value == "false":
		return false
	case f.Input == "number", f.Name == "season":
		return value(f.Value)
	}
	return f.Value
}

// Blame puts faults of the record beside their fields; what belongs to none is
// returned.
func (f *Form) Blame(faults *dataset.Faults) []string {
	var others []string
	for _, fault := range faults.List {
		field := f.Field(fault.Field)
		if field == nil && (fault.Field == "kickoffAt" || fault.Field == "score") {
			field = f.Field(map[string]string{"kickoffAt": "kickoffLocal", "score": "score.home"}[fault.Field])
		}
		if slices.ContainsFunc(f.Lists, func(l *List) bool { return l.blame(fault) }) {
			continue
		}
		if field == nil || field.Input == "hidden" {
			others = append(others, strings.TrimSpace(fault.Field+" "+fault.Message))
			continue
		}
		field.Fault = strings.TrimSuffix(fault.Message, ", and so is kickoffLocal") // which is the field
	}
	return others
}

// Form is the form of a stored record; the season is that of a competition, 0 for the
// current one.
func (b Book) Form(ctx context.Context, kind sport.Kind, id sport.ID, season int) (*Form, error) {
	r, err := b.record(ctx, kind, id, season)
	if err != nil {
		return nil, err
	}
	f := &Form{Kind: kind, ID: id, Key: r.key, Season: r.season, stored: r.fields}
	around, err := b.around(ctx, r.competition, r.season)
	if err != nil {
		return nil, err
	}
	if f.Fields, err = b.fields(ctx, kind, around, false); err != nil {
		return nil, err
	}
	f.Lists = lists(kind, around, false)
	for _, list := range f.Lists {
		list.show(r)
	}
	for i := range f.Fields {
		field := &f.Fields[i]
		field.Value = r.text(field.Name)
		if field.Input == "list" || field.Input == "choice" && strings.HasSuffix(field.Name, "Id") {
			field.Value = cmp.Or(r.called[sport.ID(field.Value)], field.Value)
		}
		field.stay()
	}
	return f, nil
}

// stay notes that the value is the stored one, which a choice then has.
func (f *Field) stay() {
	f.Was = f.Value
	if f.Input == "choice" && !slices.ContainsFunc(f.Choices, func(c Choice) bool { return c.Value == f.Value }) {
		f.Choices = append(slices.Clip(f.Choices), Choice{f.Value, f.Value})
	}
}

// NewForm is the form of a record that is to be made, with values by the names of
// fields. A team and a match belong to a season of a competition.
func (b Book) NewForm(ctx context.Context, kind sport.Kind, competition sport.ID, season int, values url.Values) (*Form, error) {
	f := &Form{Kind: kind}
	if kind == sport.KindPlayer && competition == "" { // that of the team
		if r, err := b.record(ctx, sport.KindTeam, sport.ID(values.Get("teamId")), 0); err == nil {
			competition, season = r.competition, r.season
		}
	}
	around, err := b.around(ctx, competition, season)
	if err != nil {
		return nil, err
	}
	if f.Fields, err = b.fields(ctx, kind, around, true); err != nil {
		return nil, err
	}
	f.Lists = lists(kind, around, true)
	for _, list := range f.Lists {
		list.show(&record{})
	}
	for i := range f.Fields {
		field := &f.Fields[i]
		field.Value = values.Get(field.Name)
		of := sport.KindOrganization
		if field.Name == "teamId" {
			of = sport.KindTeam
		}
		for _, c := range field.Choices {
			if field.Input == "list" && string(dataset.ID(of, c.Value)) == field.Value {
				field.Value = c.Value
			}
		}
	}
	return f, nil
}

// Taken reports whether the key of a new record is that of one that is stored.
func (b Book) Taken(ctx context.Context, f *Form) (bool, error) {
	season := 0
	if field := f.Field("season"); f.Kind == sport.KindCompetition && field != nil {
		season, _ = value(field.Value).(int)
	}
	_, err := b.record(ctx, f.Kind, dataset.ID(f.Kind, f.Key), max(season, 0))
	if err == ErrNotFound { //nolint:errorlint // record returns it as it is
		return false, nil
	}
	return err == nil, err
}

// at is the value of a field; a dot leads into an object.
func (r *record) at(name string) any {
	var v any = map[string]any(r.fields)
	for part := range strings.SplitSeq(name, ".") {
		v = object(v)[part]
	}
	return v
}

// text is the value of a field of a stored record as a form shows it.
func (r *record) text(name string) string {
	if name == "kickoffLocal" {
		at, err := time.Parse(time.RFC3339, fmt.Sprint(r.fields["kickoffAt"]))
		if err != nil {
			return ""
		}
		return at.In(r.zone).Format("2006-01-02T15:04")
	}
	if v := r.at(name); v != nil {
		return fmt.Sprint(v)
	}
	return ""
}

// decoded are the fields of a line.
func decoded(line []byte) (Object, error) {
	d := json.NewDecoder(strings.NewReader(string(line)))
	d.UseNumber()
	var o Object
	return o, d.Decode(&o)
}
