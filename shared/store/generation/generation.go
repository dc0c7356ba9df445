// Package generation keeps which data a table has: of which layout, in which
// version, and whether a load is being written.
//
// All of it is one item of the table, which says for each layout what loads have
// made of its data. A load says so there before it changes anything (Begin) and
// raises the version once all is written (End). Requests read it together with
// what they read anyway, and programs when they start (Read).
//
// # Invariants
//
//   - A build reads and writes data of its own Layout alone (D63). Whoever finds
//     none of it gets *OtherError.
//   - Two responses of one version without a plus are of one state of the data
//     (D56). For that a state is at most Life old, and the plus stays for Settle
//     after a load: what a worker keeps was read less than Settle ago.
//   - A load that was killed and is finished by the next one raises the version
//     once.
//   - One layout of a table is open: loads go to it. A build whose layout is not
//     (Moved) still shows its data, and refuses loads with *MovedError.
//   - No build reads data that are not whole, because an upgrade is making them or
//     somebody removes them (Suspend).
//   - Whoever changes the item holds the lease of the layout that is open.
package generation

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/store"
	"touchline/shared/store/records"
	"touchline/shared/store/space"
)

// Layout is the version of what this build stores. Data of another version is
// neither read nor written: its items would not be what this build takes them for.
const Layout = space.Layout

// Life is how long a worker may use the state that it has read. With the 15 s of
// D56 that leaves time for the read itself.
const Life = 10 * time.Second

// Settle is how long after its end a load counts as being written: somewhat longer
// than a worker keeps what it has read (package reader).
const Settle = 30 * time.Second

// State is the state of this build's data.
type State struct {
	Version int       // grows by one with each load that changed something; 0: none has ended
	Writing bool      // a load is being written
	Ended   time.Time // of the last load; zero: none has ended
	Moved   int       // the layout that loads go to instead, since an upgrade; 0: they go here
}

// Label is the data version as a response shows it (D56): the number, with a plus
// while workers may show what a load changes and what it was before.
func (s State) Label(now time.Time) string {
	label := strconv.Itoa(s.Version)
	if s.Writing || now.Before(s.Ended.Add(Settle)) {
		label += "+"
	}
	return label
}

// OtherError is the error of a table that has no data of this build's Layout.
type OtherError struct {
	Table   string // its name; empty: not known
	Layouts []int  // that it has data of, ascending; none: nothing was ever loaded
	Open    int    // the one of them that loads go to
	// Unreleased says that a build from before layout 1 was settled has loaded it, whose
	// numbers of layouts say nothing (D71).
	Unreleased bool
}

// Error says what the table has and what to do about it.
func (e *OtherError) Error() string {
	const carry = "export the dataset with the version that wrote it, and import it with this one into another table or folder. " +
		"Keys, quotas and what was loaded do not come along, so that no load from before can be undone; nor does what was erased, unless that version knows `export --erasures`: until then a stale file brings it back"
	switch {
	case e.Unreleased:
		return e.table() + " has data of a version from before layout 1 was settled, which this version does not read: " + carry
	case e.Empty():
		return e.table() + " is empty: load a dataset (touchline import)"
	}
	var have []string
	for _, layout := range e.Layouts {
		have = append(have, strconv.Itoa(layout))
	}
	what := "run the version that loaded it, or " + carry
	if e.Upgradable() {
		what = fmt.Sprintf("`touchline upgrade` makes data of layout %d of them", Layout)
	}
	return fmt.Sprintf("%s has data of layout %s, and this version reads and writes layout %d: %s", e.table(), strings.Join(have, " and "), Layout, what)
}

// Upgradable reports whether an upgrade makes data of this build's layout from those
// of the table (package upgrade).
func (e *OtherError) Upgradable() bool { return len(e.Layouts) > 0 && !e.Unreleased && e.Open < Layout }

func (e *OtherError) table() string {
	if e.Table == "" {
		return "the table of the data"
	}
	return "table " + e.Table
}

// Empty reports whether nothing was ever loaded.
func (e *OtherError) Empty() bool { return len(e.Layouts) == 0 && !e.Unreleased }

// MovedError refuses a load into data that were upgraded. The version that reads the
// layout To takes it.
type MovedError struct {
	Table string
	To    int
}

// Error says where loads go.
func (e *MovedError) Error() string {
	return fmt.Sprintf("table %s was moved to layout %d, and this version writes layout %d: the version that writes layout %d takes loads now", e.Table, e.To, Layout, e.To)
}

// IsEmpty reports whether err is that of a table into which nothing was ever loaded.
func IsEmpty(err error) bool {
	other, ok := errors.AsType[*OtherError](err)
	return ok && other.Empty()
}

// stored is the item.
type stored struct {
	Open    int           `dynamodbav:"o"`
	Layouts map[int]entry `dynamodbav:"s,omitempty"` // by layout
	// Unreleased is what builds before the form of layouts have written here.
	Unreleased int `dynamodbav:"v,omitempty"`
}

type entry struct {
	Version int   `dynamodbav:"n"`
	Writing bool  `dynamodbav:"w,omitempty"`
	Load    int   `dynamodbav:"l,omitempty"` // number of the load that raised Version; 0: something without one
	Ended   int64 `dynamodbav:"e,omitempty"` // ms since 1970
	Partial bool  `dynamodbav:"p,omitempty"` // the data are being made, or removed
	// Form is space.Form of the build that made the data.
	Form string `dynamodbav:"f,omitempty"`
}

func decode(item store.Item) (*stored, error) {
	s := &stored{}
	if item != nil {
		var err error
		if s, err = store.Decode[stored](item); err != nil {
			return nil, err
		}
	}
	if s.Layouts == nil {
		s.Layouts = map[int]entry{}
	}
	return s, nil
}

// own is the entry of this build's layout.
func (s *stored) own() (entry, error) {
	own, ok := s.Layouts[Layout]
	if ok && !own.Partial && own.Form == space.Form {
		return own, nil
	}
	other := &OtherError{Open: s.Open, Unreleased: s.Unreleased > 0 || ok && !own.Partial}
	for layout, e := range s.Layouts {
		if !e.Partial {
			other.Layouts = append(other.Layouts, layout)
		}
	}
	slices.Sort(other.Layouts)
	return entry{}, other
}

// Of is the state that the item at records.VersionKey says; nil is a table without
// one. The error is *OtherError where there is no data of this build's layout.
func Of(item store.Item) (State, error) {
	s, err := decode(item)
	if err != nil {
		return State{}, err
	}
	own, err := s.own()
	if err != nil {
		return State{}, err
	}
	state := State{Version: own.Version, Writing: own.Writing}
	if s.Open != Layout {
		state.Moved = s.Open
	}
	if own.Ended > 0 {
		state.Ended = time.UnixMilli(own.Ended)
	}
	return state, nil
}

// Read reads the state of a table, and sees every load that began before. The
// error is *OtherError where there is no data of this build's layout.
func Read(ctx context.Context, table *store.Table) (State, error) {
	item, err := table.Get(ctx, records.VersionKey(), true)
	if err != nil {
		return State{}, err
	}
	state, err := Of(item)
	if other, ok := errors.AsType[*OtherError](err); ok {
		other.Table = table.Name
	}
	return state, err
}

// Readable reports whether the build whose space.Reads is given reads the data of a table.
// Any build reads an empty one.
func Readable(ctx context.Context, table *store.Table, reads string) (bool, error) {
	item, err := table.Get(ctx, records.VersionKey(), true)
	if err != nil {
		return false, err
	}
	s, err := decode(item)
	if err != nil {
		return false, err
	}
	for layout, e := range s.Layouts {
		if !e.Partial && space.Of(layout)+e.Form == reads {
			return true, nil
		}
	}
	return len(s.Layouts) == 0 && s.Unreleased == 0, nil
}

// Begin notes that from now on the data changes. It may be repeated. An empty table gets
// a state. *OtherError refuses one with data of another layout, *MovedError one whose
// loads go to another.
func Begin(ctx context.Context, table *store.Table) error {
	return changeOwn(ctx, table, func(e *entry) { e.Writing = true })
}

// End notes that the data does not change any more, and raises the version: once
// for a load with a number (history.Mark), each time where that is 0. Its errors are
// those of Begin.
func End(ctx context.Context, table *store.Table, load int, now time.Time) error {
	return changeOwn(ctx, table, func(e *entry) {
		if load == 0 || load != e.Load {
			e.Version++
		}
		e.Writing, e.Load, e.Ended = false, load, now.UnixMilli()
	})
}

// Pass raises the version of data that take the place of others above that of these. An empty
// table stays so. Its errors are those of Begin.
func Pass(ctx context.Context, table *store.Table, version int, now time.Time) error {
	if _, err := Read(ctx, table); IsEmpty(err) {
		return nil
	}
	return changeOwn(ctx, table, func(e *entry) {
		e.Version, e.Load, e.Ended = max(e.Version, version)+1, 0, now.UnixMilli()
	})
}

// changeOwn changes the entry of this build's layout.
func changeOwn(ctx context.Context, table *store.Table, by func(*entry)) error {
	return change(ctx, table, func(s *stored) error {
		own, err := s.own()
		if other, ok := errors.AsType[*OtherError](err); ok && !other.Empty() {
			other.Table = table.Name
			return err
		}
		if err == nil && s.Open != Layout {
			return &MovedError{table.Name, s.Open}
		}
		by(&own)
		own.Form = space.Form
		s.Open, s.Layouts[Layout] = Layout, own
		return nil
	})
}

// change changes the item, for whoever holds the lease of the table. What stays as it is is
// not written.
func change(ctx context.Context, table *store.Table, by func(*stored) error) error {
	before, err := table.Get(ctx, records.VersionKey(), true)
	if err != nil {
		return err
	}
	s, err := decode(before)
	if err != nil {
		return err
	}
	if err := by(s); err != nil {
		return err
	}
	item, err := attributevalue.MarshalMap(s)
	if err != nil {
		return fmt.Errorf("encode the data version: %w", err)
	}
	maps.Copy(item, records.VersionKey().Item())
	if reflect.DeepEqual(item, before) {
		return nil
	}
	return table.Write(ctx, []store.Write{{Key: records.VersionKey(), Item: item}})
}

// An upgrade makes the data of a layout while another one is open, and a removal takes
// such data away. Either notes first that they are not whole. Each step may be repeated
// after it was killed.

// Listed is the data of a layout in a table.
type Listed struct {
	Layout  int
	Version int
	Open    bool // loads go to them
	Partial bool // an upgrade is making them, or was interrupted, or a removal
	// Unreleased is that of OtherError.
	Unreleased bool `json:",omitempty"`
}

// List reads which layouts a table has data of, ascending.
func List(ctx context.Context, table *store.Table) ([]Listed, error) {
	item, err := table.Get(ctx, records.VersionKey(), true)
	if err != nil {
		return nil, err
	}
	s, err := decode(item)
	if err != nil {
		return nil, err
	}
	var all []Listed
	for _, layout := range slices.Sorted(maps.Keys(s.Layouts)) {
		e := s.Layouts[layout]
		all = append(all, Listed{
			Layout: layout, Version: e.Version, Open: layout == s.Open, Partial: e.Partial,
			Unreleased: s.Unreleased > 0 || layout == Layout && !e.Partial && e.Form != space.Form,
		})
	}
	return all, nil
}

// Suspend notes that the data of a layout that is not open are not whole from now on: no
// build reads them.
func Suspend(ctx context.Context, table *store.Table, layout int) error {
	return change(ctx, table, func(s *stored) error {
		if s.Open == layout {
			return fmt.Errorf("layout %d of table %s is open: only data that loads do not go to can be removed", layout, table.Name)
		}
		e := s.Layouts[layout]
		e.Partial = true
		s.Layouts[layout] = e
		return nil
	})
}

// Switch opens the data of a layout, which are whole, instead of those that are open.
// Their version goes on from there.
func Switch(ctx context.Context, table *store.Table, to int, now time.Time) error {
	return change(ctx, table, func(s *stored) error {
		version := max(s.Layouts[s.Open].Version, s.Layouts[to].Version) + 1
		form := s.Layouts[to].Form
		if to == Layout {
			form = space.Form
		}
		s.Open, s.Layouts[to] = to, entry{Version: version, Ended: now.UnixMilli(), Form: form}
		return nil
	})
}

// Gone notes that nothing is left of the data of a layout.
func Gone(ctx context.Context, table *store.Table, layout int) error {
	return change(ctx, table, func(s *stored) error {
		delete(s.Layouts, layout)
		return nil
	})
}
