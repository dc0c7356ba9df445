package loader

import (
	"context"
	"io/fs"

	"touchline/shared/loader/affected"
	"touchline/shared/loader/spool"
)

// Portion makes the loader write in portions of so many changes of lists, and note how
// many writes are made, as it does with large ones of long loads.
func (l *Loader) Portion(changes int) {
	l.portion = changes
	l.Spill()
}

// Spill makes the loader sort its writes in a file, and compare few records at a time, as
// it does with large loads.
func (l *Loader) Spill() { l.inMemory, l.batch = 100, 3 }

// KeepUndo bounds, in bytes, the way back that is kept of a load.
func (l *Loader) KeepUndo(bytes int) { l.undo = bytes }

// Has bounds the memory of the process, and says how much of it is in use.
func (l *Loader) Has(limit, live int64) {
	l.memory = memory{limit: func() int64 { return limit }, live: func() int64 { return live }}
}

// Found is what Find finds of a dataset: what it affects, and what that writes.
type Found struct {
	Affected *affected.Records
	Writes   []spool.Record
}

// Put implements diff.Sink.
func (f *Found) Put(r spool.Record) error {
	f.Writes = append(f.Writes, r)
	return nil
}

// Find finds what a dataset changes, and writes nothing.
func (l *Loader) Find(ctx context.Context, files fs.FS) (*Found, error) {
	empty, err := l.checkLayout(ctx)
	if err != nil {
		return nil, err
	}
	f := &Found{}
	r := newRun(l, empty, f)
	if _, err := r.read(ctx, l.opened(func(context.Context) (fs.FS, error) { return files, nil }), Options{}); err != nil {
		return nil, err
	}
	if f.Affected, err = affected.Find(ctx, r.world, r.fetch); err != nil {
		return nil, err
	}
	return f, r.project(f.Affected, nil)
}
