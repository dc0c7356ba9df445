package loader

import (
	"cmp"
	"context"
	"fmt"

	"touchline/shared/dataset"
	"touchline/shared/loader/history"
	"touchline/shared/loader/sources"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// account is what is said of a load once it is over.
type account struct {
	changes []history.Change // the first
	all     bool             // these are all, not only history.KeptChanges
	back    *history.WayBack // nil: it is not wanted
}

// remember keeps what changes, while the world is there that says it.
func (r *run) remember(ctx context.Context) error {
	var matches []sport.ID // whose line-ups, events and figures the lines need
	for _, of := range r.changes.Noted {
		if of.Kind == sport.KindMatch {
			matches = append(matches, of.ID)
		}
	}
	r.fetch.Details(ctx, matches)
	if err := r.fetch.Err(); err != nil {
		return err
	}
	for _, of := range r.changes.Noted {
		if err := r.note(of); err != nil {
			return err
		}
	}
	return nil
}

// note notes of a record that changes what it loses (D62), its change, and the way back.
func (r *run) note(of history.Record) error {
	a := r.account
	listed := a != nil && (a.all || len(a.changes) < history.KeptChanges)
	before, err := sources.Line(r.world, of, world.Before)
	var after []byte
	if err == nil && (before != nil || listed) {
		after, err = sources.Line(r.world, of, world.After)
	}
	if err != nil {
		return err
	}
	d, err := history.Compare(of, before, after)
	if err != nil {
		return fmt.Errorf("compare %s %s: %w", of.Kind, of.ID, err)
	}
	for _, field := range d.Lost() {
		r.changes.Report.Losses.Add(of.Kind, field)
	}
	if d.Rescored() {
		r.changes.Report.Rescored++
	}
	if a == nil {
		return nil
	}
	if listed {
		a.changes = append(a.changes, r.change(d))
	}
	if a.back == nil || a.back.TooLarge() || r.erasure.Final(&of) {
		return nil
	}
	left, err := r.digest(of, world.After)
	if err != nil {
		return err
	}
	return a.back.Add(d.Step(left))
}

// past is what the history keeps of the load; by says who loads.
func (r *run) past(by string, opts Options) *history.Past {
	a := r.account
	p := &history.Past{Began: r.loader.now(), By: by, Note: opts.Note, File: opts.File}
	if r.erasure != nil { // they may name what is erased
		p.Note, p.File = "", ""
	}
	if r.undoes != nil {
		p.Undoes = r.undoes.Number
	}
	p.Report = r.changes.Report.Kept(a.changes[:min(len(a.changes), history.KeptChanges)])
	p.More = len(r.changes.Noted) - len(p.Report.Changes)
	return p
}

// change says what becomes of a record, for people.
func (r *run) change(d history.Difference) history.Change {
	if r.erasure.Erases(&d.Record) {
		return history.Change{Op: history.Delete, Record: d.Record, Erased: true}
	}
	called := func(id sport.ID) string {
		return cmp.Or(r.group(d.Record, id), r.called(id))
	}
	return d.Change(history.Names{Key: called, Name: func(id sport.ID) string {
		_, name := sources.Names(r.world, id)
		return cmp.Or(name, called(id))
	}})
}

// group is the key of a group in the competition of a match or a team; empty where the id
// is of none, or no key is known.
func (r *run) group(of history.Record, id sport.ID) string {
	var competition sport.ID
	for m := range r.world.Matches.Both(of.ID) {
		competition = m.CompetitionID
	}
	for t := range r.world.Teams.Both(of.ID) {
		competition = t.CompetitionID
	}
	for c := range r.world.SeasonsOf(world.After, competition) {
		for _, g := range c.Groups {
			if g.ID == id {
				return g.Key
			}
		}
	}
	return ""
}

// called is what the operator calls an id: as the dataset does, or else as its record
// does.
func (r *run) called(id sport.ID) string {
	if key := r.given(id); key != string(id) {
		return key
	}
	key, _ := sources.Names(r.world, id)
	return key
}

// digest is that of a record in a view, empty where it is not there. A match's
// details come in by their own digest, so that they need not be unpacked.
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
