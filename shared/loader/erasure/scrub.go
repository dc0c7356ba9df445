package erasure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"touchline/shared/dataset"
	"touchline/shared/dataset/fields"
	"touchline/shared/loader/change"
	"touchline/shared/loader/commit"
	"touchline/shared/loader/history"
	"touchline/shared/loader/integrity"
	"touchline/shared/loader/lines"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// Erased is a record that is erased, and what people call it.
type Erased struct {
	dataset.Target
	Texts []string // its keys and names
}

// Erasure is what a load erases.
type Erasure struct {
	Records []Erased
	matches []sport.ID // that named a player
}

// Begin finds what a dataset erases, and takes its players out of stored matches; nil:
// nothing is erased.
func Begin(ctx context.Context, l *integrity.Checker, c *change.Changes, set *dataset.Set) (*Erasure, error) {
	if len(set.Erased) == 0 {
		return nil, nil //nolint:nilnil // it erases nothing
	}
	e := &Erasure{}
	for _, t := range set.Erased {
		e.Records = append(e.Records, Erased{t, textsOf(l.World, t, set.Given(t.ID))})
	}
	var err error
	e.matches, err = unnamed(ctx, l, c, set.Erased)
	return e, err
}

// textsOf are what a record is called, by the dataset and in the table.
func textsOf(w *world.World, t dataset.Target, given string) []string {
	texts := []string{given}
	key, name, _ := lines.Called(w, world.Before, history.Record{Kind: t.Kind, ID: t.ID})
	texts = append(texts, key, name)
	if t.Kind == sport.KindCompetition {
		for c := range w.SeasonsOf(world.Before, t.ID) {
			texts = append(texts, c.Key, c.Name)
		}
	}
	return slices.DeleteFunc(texts, func(text string) bool { return text == string(t.ID) })
}

// Erases reports whether a record is erased.
func (e *Erasure) Erases(r *history.Record) bool {
	return e != nil && slices.ContainsFunc(e.Records, func(x Erased) bool { return x.is(r) })
}

// Final reports whether what a load does to a record is not undone: it is erased, or
// has named what is.
func (e *Erasure) Final(r *history.Record) bool {
	return e.Erases(r) || e != nil && r.Kind == sport.KindMatch && slices.Contains(e.matches, r.ID)
}

// Scrub is Scrub of what is erased; of nil nothing is.
func (e *Erasure) Scrub(ctx context.Context, table *store.Table, mark history.Mark) error {
	if e == nil {
		return nil
	}
	return Scrub(ctx, table, mark, e.Records)
}

// said stands for what a record said.
const said = "erased"

// Scrub takes what the erased records say out of all that the table keeps of loads. The
// journals go whole: no load is under way that would need one. It may be repeated.
func Scrub(ctx context.Context, table *store.Table, mark history.Mark, erased []Erased) error {
	entries, err := history.Read(ctx, table, mark, history.Range{})
	if err != nil {
		return err
	}
	erased = slices.Clone(erased)
	for i := range entries {
		if err := called(ctx, table, &entries[i], erased); err != nil {
			return fmt.Errorf("erase from load %d: %w", entries[i].Number, err)
		}
	}
	var writes []store.Write
	kept := map[store.Key]bool{}
	for i := range entries {
		some, err := scrubbed(ctx, table, &entries[i], erased)
		if err != nil {
			return fmt.Errorf("erase from load %d: %w", entries[i].Number, err)
		}
		for _, w := range some {
			kept[w.Key] = true
		}
		writes = append(writes, some...)
	}
	for _, prefix := range history.Prefixes() {
		items, err := table.Query(ctx, store.Query{PK: records.JournalPK, Prefix: prefix, Consistent: true})
		if err != nil {
			return err
		}
		for _, item := range items {
			if key := store.KeyOf(item); !kept[key] {
				writes = append(writes, store.Write{Key: key})
			}
		}
	}
	return table.Write(ctx, writes)
}

// called adds what the records were called in a load: a note, or a message of another
// load, may name one by its former name.
func called(ctx context.Context, table *store.Table, e *history.Entry, erased []Erased) error {
	d, err := commit.DetailOf(e)
	if err != nil {
		return err
	}
	add := func(r *history.Record, texts ...string) {
		for i := range erased {
			if x := &erased[i]; x.is(r) {
				x.Texts = slices.Concat(x.Texts, texts)
			}
		}
	}
	for r := d.Report; r != nil; r = r.Finished {
		for i := range r.Changes {
			c := &r.Changes[i]
			add(&c.Record, c.Key, c.Name)
			for _, f := range c.Fields {
				if f.Name == "name" {
					add(&c.Record, f.From, f.To)
				}
			}
		}
	}
	steps, err := e.Steps(ctx, table)
	if err != nil && !errors.Is(err, history.ErrNoWayBack) {
		return err
	}
	for i := range steps {
		x, _ := fields.Split(steps[i].Was) // nil, or a line that a load has written
		names := []jsontext.Value{x.Of("name")}
		for _, b := range steps[i].Back {
			if b.Name == "name" {
				names = append(names, b.Value)
			}
		}
		for _, value := range names {
			if text, err := jsontext.AppendUnquote(nil, value); err == nil {
				add(&steps[i].Record, string(text))
			}
		}
	}
	return nil
}

// scrubbed are the writes of an entry without what the erased records say.
func scrubbed(ctx context.Context, table *store.Table, e *history.Entry, erased []Erased) ([]store.Write, error) {
	d, err := commit.DetailOf(e)
	if err != nil {
		return nil, err
	}
	var undo *history.Undo
	switch steps, err := e.Steps(ctx, table); {
	case errors.Is(err, history.ErrNoWayBack):
	case err != nil:
		return nil, err
	default:
		undo = history.NewUndo()
		for i := range steps {
			if slices.ContainsFunc(erased, func(x Erased) bool { return x.is(&steps[i].Record) }) {
				continue
			}
			if err := steps[i].Map(func(v any) any { return forget(v, erased) }); err != nil {
				return nil, err
			}
			if err := undo.Add(steps[i]); err != nil {
				return nil, err
			}
		}
	}
	forgetReport(d.Report, erased)
	text, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	if d.Report == nil {
		text = nil
	}
	e.Note, e.File = without(e.Note, erased), without(e.File, erased)
	e.Journal, e.Class, e.Detail, e.Undo, e.Pieces = nil, 0, nil, nil, 0
	return e.Writes(text, undo)
}

func (x *Erased) is(r *history.Record) bool { return x.Kind == r.Kind && x.ID == r.ID }

// forgetReport takes what the erased records say out of a report; nil is no report.
func forgetReport(r *commit.Report, erased []Erased) {
	if r == nil {
		return
	}
	forgetReport(r.Finished, erased)
	for i := range r.Changes {
		c := &r.Changes[i]
		for j := range erased {
			if erased[j].is(&c.Record) {
				*c = history.Change{Op: c.Op, Record: c.Record, Erased: true}
			}
		}
	}
	for i := range r.Changes {
		c := &r.Changes[i]
		c.Name = without(c.Name, erased)
		for j := range c.Fields {
			f := &c.Fields[j]
			f.From, f.To = without(f.From, erased), without(f.To, erased)
		}
	}
	r.Moves = slices.DeleteFunc(r.Moves, func(m commit.Move) bool {
		return slices.ContainsFunc(erased, func(x Erased) bool { return x.ID == m.TeamID || x.ID == m.CompetitionID })
	})
	if r.Faults != nil {
		forgetFaults(r.Faults.List, erased)
		if r.Faults.Warnings != nil {
			forgetFaults(r.Faults.Warnings.List, erased)
		}
	}
	if r.Warnings != nil {
		forgetFaults(r.Warnings.List, erased)
	}
}

func forgetFaults(faults []dataset.Fault, erased []Erased) {
	for i := range faults {
		faults[i].Message = without(faults[i].Message, erased)
	}
}

// without is a text without what the erased records are called: where it is all of the
// text, between quotation marks, on a side of a match, or long enough to be nothing else.
func without(text string, erased []Erased) string {
	const long = 4
	for _, x := range erased {
		for _, name := range x.Texts {
			switch {
			case name == "":
			case text == name:
				return said
			case utf8.RuneCountInString(name) >= long:
				text = strings.ReplaceAll(text, name, said)
			default:
				text = strings.ReplaceAll(text, strconv.Quote(name), strconv.Quote(said))
				if away, ok := strings.CutPrefix(text, name+" - "); ok {
					text = said + " - " + away
				}
				if home, ok := strings.CutSuffix(text, " - "+name); ok {
					text = home + " - " + said
				}
			}
		}
	}
	return text
}

// forget takes references to erased players out of a value of a record: a player of a
// line-up is null, an event names nobody.
func forget(v any, erased []Erased) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = forget(v[i], erased)
		}
	case map[string]any:
		for name, of := range v {
			if id, ok := of.(string); ok && slices.ContainsFunc(erased, func(x Erased) bool { return x.Kind == sport.KindPlayer && string(x.ID) == id }) {
				if _, event := v["type"]; !event && name == "playerId" {
					v[name] = nil
				} else {
					delete(v, name)
				}
				continue
			}
			v[name] = forget(of, erased)
		}
	}
	return v
}
