package loader

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/dataset/encode"
	"touchline/shared/loader/commit"
	"touchline/shared/loader/history"
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
	Undoes int       `json:"undoes,omitempty"` // the number of the load that it took back
	// Report is what Load returned, with the first of the changes; nil: it is lost.
	Report *Report `json:"report,omitempty"`
	More   int     `json:"moreChanges,omitempty"` // changes beyond those
}

// keptChanges bounds the changes that are kept of a load: those that a person
// reads.
const keptChanges = 100

// detail is what an entry of the history says, as JSON.
type detail struct {
	Report *Report `json:"report"`
	More   int     `json:"more,omitempty"`
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
	p := &Past{Number: e.Number, Began: e.Time(), By: e.By, Undoes: e.Undoes}
	if len(e.Detail) == 0 {
		return p, nil
	}
	var d detail
	if err := json.Unmarshal(e.Detail, &d); err != nil {
		return nil, fmt.Errorf("read what load %d did: %w", e.Number, err)
	}
	p.Report, p.More = d.Report, d.More
	return p, nil
}

// entry makes the entry of the load that is about to be decided, with a short journal.
func (r *run) entry(h *held, head *commit.Head, opts Options, journal []byte) ([]store.Write, error) {
	head.Number = h.mark.Number + 1
	e := &history.Entry{Began: h.now().UnixMilli(), By: h.Lease.Label, Journal: journal}
	if opts.undoes != nil {
		e.Undoes = opts.undoes.Number
	}
	return EntryOf(e, head, r.kept.changes, r.kept.count, r.kept.undo)
}

// EntryOf makes the writes that keep a load in the history: e says when it began and
// who loads, changes are the first of so many, and undo is the way back, nil for none.
func EntryOf(e *history.Entry, head *commit.Head, changes []history.Change, count int, undo *history.Undo) ([]store.Write, error) {
	e.Number, e.ID = head.Number, head.ID
	listed := changes[:min(len(changes), keptChanges)]
	report := *head.Report
	report.Changes = listed
	text, err := json.Marshal(detail{Report: &report, More: count - len(listed)})
	if err != nil {
		return nil, err
	}
	return e.Writes(text, undo)
}

// wayBack adds what it takes to undo the changes noted.
func (r *run) wayBack(ctx context.Context, noted []history.Record, undo *history.Undo) error {
	if err := r.fetchDetails(ctx, noted); err != nil {
		return err
	}
	for _, of := range noted {
		before, err := r.line(of, world.Before)
		if err != nil {
			return err
		}
		var after []byte
		if before != nil { // else nothing is compared
			if after, err = r.line(of, world.After); err != nil {
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
		return history.HashOf(append(encode.Append(nil, base), m.DetailHash...)), nil
	}
	line, err := r.line(of, v)
	if line == nil {
		return "", err
	}
	return history.HashOf(line), err
}
