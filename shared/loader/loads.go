package loader

import (
	"context"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/loader/commit"
	"touchline/shared/loader/history"
	"touchline/shared/loader/lines"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// Past is a load of the past as the table keeps it.
type Past struct {
	Number int       `json:"number"` // 1 for the first load of the table
	Began  time.Time `json:"began"`
	By     string    `json:"by,omitempty"`     // who loaded: Lease.Label
	Note   string    `json:"note,omitempty"`   // Options.Note
	File   string    `json:"file,omitempty"`   // Options.File
	Undoes int       `json:"undoes,omitempty"` // the number of the load that it took back
	// Report is what Load returned, with the first of the changes; nil: it is lost.
	Report *Report `json:"report,omitempty"`
	More   int     `json:"moreChanges,omitempty"` // changes beyond those
}

// Loads are the last loads that changed something, up to history.Kept of them,
// the newest first. It needs no lease.
func Loads(ctx context.Context, table *store.Table) ([]Past, error) {
	_, item, err := store.ReadLease(ctx, table, records.LockKey())
	if err != nil {
		return nil, err
	}
	mark, err := history.MarkOf(item)
	if err != nil {
		return nil, err
	}
	entries, err := history.Last(ctx, table, mark)
	if err != nil {
		return nil, err
	}
	loads := []Past{}
	for i := range entries {
		p, err := pastOf(&entries[i])
		if err != nil {
			return nil, err
		}
		loads = append(loads, *p)
	}
	return loads, nil
}

func pastOf(e *history.Entry) (*Past, error) {
	p := &Past{Number: e.Number, Began: e.Time(), By: e.By, Note: e.Note, File: e.File, Undoes: e.Undoes}
	d, err := commit.DetailOf(e)
	p.Report, p.More = d.Report, d.More
	return p, err
}

// entry makes the entry of the load that is about to be decided, with a short journal.
func (r *run) entry(h *held, head *commit.Head, opts Options, journal []byte) ([]store.Write, error) {
	head.Number = h.mark.Number + 1
	head.Report.Number = head.Number
	e := &history.Entry{Began: h.now().UnixMilli(), By: h.Lease.Label, Note: opts.Note, File: opts.File, Journal: journal}
	if opts.undoes != nil && len(opts.Only) == 0 {
		e.Undoes = opts.undoes.Number
	}
	return commit.EntryOf(e, head, r.kept.changes, r.kept.count, r.kept.undo)
}

// wayBack adds what it takes to undo the changes noted.
func (r *run) wayBack(ctx context.Context, noted []history.Record, undo *history.Undo) error {
	if err := r.fetchDetails(ctx, noted); err != nil {
		return err
	}
	for _, of := range noted {
		if r.erasure.Final(&of) {
			continue
		}
		before, err := lines.Of(r.world, of, world.Before)
		if err != nil {
			return err
		}
		var after []byte
		if before != nil { // else nothing is compared
			if after, err = lines.Of(r.world, of, world.After); err != nil {
				return err
			}
		}
		hash, err := r.hash(of, world.After)
		if err != nil {
			return err
		}
		step, err := history.NewStep(of, before, after, hash)
		if err != nil {
			return err
		}
		if err := undo.Add(step); err != nil {
			return err
		}
	}
	return nil
}

// hash is that of a record in a view, empty where it is not there. A match's
// parts come in by their own hash, so that they need not be unpacked.
func (r *run) hash(of history.Record, v world.View) (string, error) {
	if m := r.world.Matches.At(v, of.ID); of.Kind == sport.KindMatch && m != nil {
		base := &dataset.Record[dataset.Match]{ID: m.ID, Key: m.Key, Value: dataset.Match{Base: m.Match}}
		return history.HashOf(append(dataset.Append(nil, base), m.DetailHash...)), nil
	}
	line, err := lines.Of(r.world, of, v)
	if line == nil {
		return "", err
	}
	return history.HashOf(line), err
}
