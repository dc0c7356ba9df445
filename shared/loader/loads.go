package loader

import (
	"context"

	"touchline/shared/dataset"
	"touchline/shared/loader/commit"
	"touchline/shared/loader/history"
	"touchline/shared/loader/sources"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store"
)

// Past is a load of the past as the table keeps it.
type Past = commit.Past

// Loads are the loads of a range that changed something, as far as they are kept, the
// newest first. It needs no lease.
func Loads(ctx context.Context, table *store.Table, of history.Range) ([]Past, error) {
	_, last, err := commit.Read(ctx, table)
	if err != nil {
		return nil, err
	}
	entries, err := history.Read(ctx, table, last, of)
	if err != nil {
		return nil, err
	}
	loads := make([]Past, len(entries))
	for i := range entries {
		if loads[i], err = commit.PastOf(&entries[i]); err != nil {
			return nil, err
		}
	}
	return loads, nil
}

// Keep says how many days loads are kept from now on. A load that was interrupted is
// left alone, and what was said before holds until the next call.
func (l *Loader) Keep(ctx context.Context, days int) error {
	if _, last, err := commit.Read(ctx, l.Table); err != nil || last.Kept.Days == days {
		return err
	}
	ctx, held, err := l.lock(ctx)
	if err != nil {
		return err
	}
	defer held.free()
	if held.Head != nil {
		return nil
	}
	held.Mark.Kept.Days = days
	mark, err := held.Mark.Item()
	if err != nil {
		return err
	}
	return held.Lease.Complete(ctx, mark)
}

// enter writes the entry of the load that is about to be decided.
func (r *run) enter(ctx context.Context, h *held, opts Options) error {
	e := &history.Entry{Began: h.loader.now().UnixMilli(), By: h.Lease.Label, Note: opts.Note, File: opts.File}
	if r.erasure.Names(e.Note) || r.erasure.Names(e.File) {
		e.Note, e.File = "", ""
	}
	if opts.undoes != nil {
		e.Undoes = opts.undoes.Number
	}
	return h.Enter(ctx, e, h.loader.KeepDays, r.account.changes, r.account.count, r.account.undo)
}

// digest is that of a record in a view, empty where it is not there. A match's
// parts come in by their own digest, so that they need not be unpacked.
func (r *run) digest(of history.Record, v world.View) (string, error) {
	if m := r.world.Matches.At(v, of.ID); of.Kind == sport.KindMatch && m != nil {
		base := &dataset.Record[dataset.Match]{ID: m.ID, Key: m.Key, Value: dataset.Match{Base: m.Match}}
		return history.DigestOf(append(dataset.Append(nil, base), m.DetailHash...)), nil
	}
	line, err := sources.Line(r.world, of, v)
	if line == nil {
		return "", err
	}
	return history.DigestOf(line), err
}
