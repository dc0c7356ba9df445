package upgrade

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/loader"
	"touchline/shared/loader/commit"
	"touchline/shared/loader/export"
	"touchline/shared/loader/history"
	"touchline/shared/store"
	"touchline/shared/store/generation"
	"touchline/shared/store/records"
	"touchline/shared/store/space"
)

// Upgrade makes the data of this build's layout from those of an earlier one.
type Upgrade struct {
	Table  *store.Table
	Leases store.LeaseDB
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
	Loads   int `json:"loads"`   // the first one, and those that caught up
	Last    int `json:"last"`    // number of the last load before the switch
}

// ErrCurrent is the error of a table whose data are of this build's layout.
var ErrCurrent = errors.New("the data are of this version's layout: there is nothing to upgrade")

const (
	// fewChanges are so few changed records that the last catching up can load them
	// while loads wait: a second or two.
	fewChanges = 200
	// mostRounds bounds the rounds before that: a round that changes as much as the
	// one before it gets no shorter.
	mostRounds = 10
	// mostTries bounds the tries to read a state of the table, while loads change it,
	// that fits together. After that loads have to wait.
	mostTries = 3
)

// From is the layout whose data an upgrade of the table would read, and whether the data
// of this build's layout are there already and closed. The error is ErrCurrent, or
// *generation.OtherError where there is nothing that an upgrade could read.
func From(ctx context.Context, table *store.Table) (from int, closed bool, err error) {
	state, err := generation.Read(ctx, table)
	other, foreign := errors.AsType[*generation.OtherError](err)
	switch {
	case err == nil && state.Moved == 0:
		return 0, false, ErrCurrent
	case err == nil && (state.Moved < space.Oldest || state.Moved > space.Layout):
		return 0, false, &generation.MovedError{Table: table.Name, To: state.Moved}
	case err == nil:
		return state.Moved, true, nil
	case foreign && other.Upgradable():
		return other.Open, false, nil
	}
	return 0, false, err
}

// Run upgrades the table, or goes on with an upgrade that was killed. Other errors than
// those of From are those of a load; it may be repeated.
func (u *Upgrade) Run(ctx context.Context) (*Report, error) {
	from, closed, err := From(ctx, u.Table)
	if err == nil {
		err = generation.Condemned(ctx, u.Table)
	}
	if err != nil {
		return nil, err
	}
	if closed {
		err := u.holding(ctx, u.Table, []int{from, space.Layout}, 0, func(ctx context.Context, table *store.Table, _ int) error {
			if err := generation.Condemned(ctx, table); err != nil {
				return err
			}
			return generation.Resume(ctx, table)
		})
		if err != nil {
			return nil, err
		}
	}
	r := &run{Upgrade: u, from: former(u.Table.DB, from), report: &Report{From: from, To: space.Layout}}
	if err := r.approach(ctx); err != nil {
		return nil, err
	}
	return r.report, r.open(ctx)
}

// run is an upgrade under way.
type run struct {
	*Upgrade
	from   *side
	loaded sources          // as they are in the new generation; nil: not known
	state  generation.State // of the new generation after that
	report *Report
}

// approach loads the records of the former generation until few are different.
func (r *run) approach(ctx context.Context) error {
	for rounds, tries := 0, 0; rounds < mostRounds && tries < mostTries; rounds++ {
		n, err := r.round(ctx)
		switch faults := new(dataset.Faults); {
		case errors.As(err, &faults), errors.Is(err, errTorn):
			tries++
		case err != nil:
			return err
		case n <= fewChanges && rounds > 0:
			return nil
		}
	}
	return nil
}

// errTorn is the error of records that could not be exported.
var errTorn = errors.New("the records do not fit together")

// round brings what is different into the new generation, and returns how many records
// that is.
func (r *run) round(ctx context.Context) (changed int, err error) {
	found, err := r.find(ctx, r.from)
	if err != nil {
		return 0, err
	}
	r.report.Records = len(found)
	wanted, n, whole, err := found.changedSince(r.loaded)
	if err != nil || n == 0 && !whole {
		return n, err
	}
	if n == 0 { // which no load takes
		return 0, r.nothing(ctx)
	}
	read, err := r.load(ctx, wanted, whole)
	if err != nil {
		return n, err
	}
	maps.Copy(found, read)
	r.loaded = found
	return n, nil
}

// nothing makes sure that the new generation is as empty as the former one.
func (r *run) nothing(ctx context.Context) error {
	own, err := r.find(ctx, building(r.Table.DB))
	if err == nil && len(own) > 0 {
		err = fmt.Errorf("layout %d has no records any more, and the upgrade has made some: remove them with --drop %d, and run it again", r.from.layout, space.Layout)
	}
	return err
}

// load loads records of the former generation into the new one, whole in the place of
// all that is there.
func (r *run) load(ctx context.Context, wanted *export.Records, whole bool) (sources, error) {
	folder, err := os.MkdirTemp("", "touchline-upgrade-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // a leftover with a name that says what it is
	read, err := r.export(ctx, r.from, wanted, folder)
	if err != nil {
		return nil, errors.Join(errTorn, err)
	}
	all := math.MaxInt
	l := &loader.Loader{
		Table: r.table(building(r.Table.DB)), Lease: r.lease(records.LockKey()),
		Progress: r.Progress, Patience: r.Patience, Now: r.Now, Begins: r.mayLoad,
		Finished: func(ctx context.Context, _ string, _ *loader.Report) (err error) {
			r.state, err = r.made(ctx)
			return err
		},
	}
	report, err := l.Load(ctx, os.DirFS(folder), loader.Options{Replace: whole, AllowDeletes: &all})
	if err != nil {
		return nil, err
	}
	if report.Entries > 0 {
		r.report.Loads++
	}
	return read, nil
}

// mayLoad ends a load of an upgrade that another process has finished meanwhile, and one
// of changes alone where another process has changed the new generation, or removed it.
func (r *run) mayLoad(ctx context.Context, _ commit.Position) error {
	_, err := generation.Read(ctx, r.Table)
	if err == nil {
		return ErrCurrent
	}
	if !errors.As(err, new(*generation.OtherError)) {
		return err
	}
	state, err := r.made(ctx)
	if err == nil && r.loaded != nil && state != r.state {
		r.loaded = nil
		return fmt.Errorf("%w: another upgrade, or --drop, has changed layout %d meanwhile", errTorn, space.Layout)
	}
	r.state = state
	return err
}

// made is the state of the new generation; zero: there isn't one.
func (r *run) made(ctx context.Context) (generation.State, error) {
	if err := generation.Condemned(ctx, r.Table); err != nil {
		return generation.State{}, err
	}
	state, err := generation.Read(ctx, r.table(building(r.Table.DB)))
	if generation.IsEmpty(err) {
		err = nil
	}
	return state, err
}

// open catches up for the last time, while loads wait, and opens the new generation.
func (r *run) open(ctx context.Context) error {
	old := r.holder(r.Table, r.from.layout)
	return old.Hold(ctx, false, func(ctx context.Context, table *store.Table, number int) error {
		for tries := 1; ; tries++ {
			_, err := r.round(ctx)
			if err == nil {
				err = r.finish(ctx, table, old.Lease.Mark(), number)
			}
			if !errors.Is(err, errTorn) || tries == mostTries {
				return err
			}
		}
	})
}

// finish opens the new generation under the lease of the former one, whose mark and number
// of the last load it takes over.
func (r *run) finish(ctx context.Context, table *store.Table, mark store.Item, number int) error {
	own := r.holder(table, space.Layout)
	return own.Hold(ctx, false, func(ctx context.Context, table *store.Table, _ int) error {
		if err := r.mayLoad(ctx, commit.Position{}); err != nil {
			return err
		}
		if err := r.copyHistory(ctx, table); err != nil {
			return err
		}
		if err := own.Lease.Complete(ctx, mark); err != nil {
			return err
		}
		r.report.Last = number
		return generation.Finish(ctx, table, r.from.layout, number, r.now())
	})
}

// copyHistory gives the new generation the loads of the former one, in the place of
// those of the upgrade.
func (r *run) copyHistory(ctx context.Context, table *store.Table) error {
	var writes []store.Write
	var all []store.Item
	for _, prefix := range history.Prefixes() {
		q := store.Query{PK: records.JournalPK, Prefix: prefix, Consistent: true}
		own, err := table.Query(ctx, q)
		if err != nil {
			return err
		}
		for _, item := range own {
			writes = append(writes, store.Write{Key: store.KeyOf(item)})
		}
		kept, err := r.table(former(table.DB, r.from.layout)).Query(ctx, q)
		if err != nil {
			return err
		}
		all = append(all, kept...)
	}
	moved, err := history.Moved(all) // of two writes for a key the last one counts
	if err != nil {
		return err
	}
	return table.Write(ctx, append(writes, moved...))
}

// Back opens the data of the layout that was upgraded to this one again, and returns the
// loads since, which they do not have: the newest first, as far as they are kept, and
// how many there were.
func (u *Upgrade) Back(ctx context.Context) (to int, since []loader.Past, loads int, err error) {
	all, err := generation.List(ctx, u.Table)
	if err != nil {
		return 0, nil, 0, err
	}
	last := 0
	for _, g := range all {
		if g.Moved == space.Layout {
			to, last = g.Layout, g.Last
		}
	}
	if to == 0 {
		return 0, nil, 0, fmt.Errorf("table %s has no data that were upgraded to layout %d: there is nothing to go back to", u.Table.Name, space.Layout)
	}
	err = u.holding(ctx, u.Table, []int{to, space.Layout}, 0, func(ctx context.Context, table *store.Table, number int) error {
		loads = number - last
		if since, err = loader.Loads(ctx, u.Table, history.Range{From: last + 1}); err != nil {
			return err
		}
		return generation.Back(ctx, table, to, number, u.now())
	})
	return to, since, loads, err
}

// Begun reports whether an upgrade to this build's layout has begun, and not ended.
func Begun(ctx context.Context, table *store.Table) (bool, error) {
	item, err := table.Get(ctx, records.BuildingKey(), true)
	return item != nil, err
}
