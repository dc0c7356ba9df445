package upgrade

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"touchline/shared/loader"
	"touchline/shared/loader/history"
	"touchline/shared/loader/journal"
	"touchline/shared/store"
	"touchline/shared/store/generation"
	"touchline/shared/store/records"
	"touchline/shared/store/space"
)

// Upgrade makes the data of this build's layout from those of an earlier one.
type Upgrade struct {
	Table  *store.Table
	Leases store.Leases
	Holder string // unlike that of any other load, such as a random id
	Label  string // who that is, for the message to another
	// Progress, Patience and Now are those of loader.Loader.
	Progress func(what string, done, all int)
	Patience time.Duration
	Now      func() time.Time
}

// Report is what an upgrade has done.
type Report struct {
	From    int `json:"from"`
	To      int `json:"to"`
	Records int `json:"records"` // source records of the table
}

// ErrCurrent is the error of a table whose data are of this build's layout.
var ErrCurrent = errors.New("the data are of this version's layout: there is nothing to upgrade")

// From is the layout whose data an upgrade of the table would read. The error is
// ErrCurrent, or *generation.OtherError or *generation.MovedError where there is nothing
// that an upgrade could read.
func From(ctx context.Context, table *store.Table) (layout int, err error) {
	state, err := generation.Read(ctx, table)
	other, foreign := errors.AsType[*generation.OtherError](err)
	switch {
	case foreign && other.Upgradable():
		return other.Open, nil
	case err != nil:
		return 0, err
	case state.Moved == 0:
		return 0, ErrCurrent
	case state.Moved > space.Layout:
		return 0, &generation.MovedError{Table: table.Name, To: state.Moved}
	}
	return state.Moved, nil // somebody went back to it
}

// Run upgrades the table. Other errors than those of From are those of a load; it may be
// repeated.
func (u *Upgrade) Run(ctx context.Context) (*Report, error) {
	from, err := From(ctx, u.Table)
	if err != nil {
		return nil, err
	}
	report := &Report{From: from, To: space.Layout}
	return report, u.holding(ctx, from, func(ctx context.Context, table *store.Table, _ int) error {
		if _, err := generation.Part(ctx, table, space.Layout); err != nil {
			return err
		}
		former := formerOf(table, from)
		l := &loader.Loader{Table: table, Progress: u.Progress, Now: u.Now}
		if report.Records, err = l.Rebuild(ctx, former); err != nil {
			return err
		}
		if err := takeOver(ctx, table, former); err != nil {
			return err
		}
		return generation.Switch(ctx, table, space.Layout, u.now())
	})
}

// takeOver gives the data that were made what the former ones keep of loads, in the place
// of what is there: the history, the mark of the last one, and what was erased.
func takeOver(ctx context.Context, table, former *store.Table) error {
	q := store.Query{PK: records.JournalPK, Consistent: true}
	own, err := table.Query(ctx, q)
	if err != nil {
		return err
	}
	kept, err := former.Query(ctx, q)
	if err != nil {
		return err
	}
	var writes []store.Write // of two for a key the last one counts
	for _, item := range own {
		writes = append(writes, store.Write{Key: store.KeyOf(item)})
	}
	for _, item := range kept {
		key := store.KeyOf(item)
		if strings.HasPrefix(key.SK, records.JournalPrefix) {
			continue // no load needs it any more
		}
		if key == records.LockKey() {
			store.FreeLease(item)
		}
		writes = append(writes, store.Write{Key: key, Item: item})
	}
	return table.Write(ctx, writes)
}

// Back opens the data of the layout before this one again, and returns the loads since,
// which they do not have: the newest first, as far as they are kept, and how many there
// were.
func (u *Upgrade) Back(ctx context.Context) (to int, since []history.Past, loads int, err error) {
	err = u.holding(ctx, space.Layout, func(ctx context.Context, table *store.Table, number int) error {
		all, err := generation.List(ctx, table)
		if err != nil {
			return err
		}
		for _, g := range all {
			if g.Layout < space.Layout && !g.Partial {
				to = g.Layout
			}
		}
		if to == 0 {
			return fmt.Errorf("table %s has no data that were upgraded to layout %d: there is nothing to go back to", table.Name, space.Layout)
		}
		_, last, err := journal.Read(ctx, formerOf(table, to))
		if err != nil {
			return err
		}
		loads = number - last.Number
		if since, err = loader.Loads(ctx, u.Table, history.Range{From: last.Number + 1}); err != nil {
			return err
		}
		return generation.Switch(ctx, table, to, u.now())
	})
	return to, since, loads, err
}

// holding does something under the lease of the data that are open, those of the layout;
// last is the number of their last load.
func (u *Upgrade) holding(ctx context.Context, layout int, do func(ctx context.Context, table *store.Table, last int) error) error {
	l := &loader.Loader{
		Table: u.Table, Lease: u.lease(former{prefix: space.Of(layout)}.there(records.LockKey())), Progress: u.Progress, Patience: u.Patience,
	}
	return l.Hold(ctx, func(ctx context.Context, table *store.Table, last int) error {
		open, err := openOf(ctx, table)
		if err == nil && open != layout {
			err = fmt.Errorf("layout %d of table %s is not open", layout, table.Name)
		}
		if err != nil {
			return err
		}
		return do(ctx, table, last)
	})
}

// openOf is the layout that is open; 0: none is.
func openOf(ctx context.Context, table *store.Table) (layout int, err error) {
	all, err := generation.List(ctx, table)
	for _, g := range all {
		if g.Open {
			layout = g.Layout
		}
	}
	return layout, err
}
