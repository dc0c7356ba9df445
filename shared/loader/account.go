package loader

import (
	"cmp"
	"context"
	"fmt"

	"touchline/shared/dataset"
	"touchline/shared/dataset/format"
	"touchline/shared/loader/change"
	"touchline/shared/loader/erasure"
	"touchline/shared/loader/history"
	"touchline/shared/loader/journal"
	"touchline/shared/loader/sources"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// planned is what a load will do, besides its writes.
type planned struct {
	report  *Report
	first   *journal.Archive // the records of a first load; nil: there was one before
	erasure *erasure.Erasure // nil: it erases nothing
	past    *history.Past    // what the history keeps; nil in a dry run
	back    *history.WayBack
}

// account is what is said of a load once it is over.
type account struct {
	*base
	called  func(sport.ID) string
	erasure *erasure.Erasure
	changes []history.Change // the first
	most    int              // of these
	back    *history.WayBack // nil: it is not wanted
}

// account says what a load will do, while the world is there that says it.
func (b *base) account(ctx context.Context, in *input, c *change.Changes, e *erasure.Erasure, opts Options) (*planned, error) {
	a := &account{base: b, called: in.called, erasure: e}
	if !opts.DryRun && in.undoes == nil {
		a.back = &history.WayBack{Limit: cmp.Or(b.Loader.undo, history.LargestUndo)}
	}
	switch {
	case opts.Diff:
		a.most = len(c.Noted)
	case !opts.DryRun:
		a.most = history.KeptChanges
	}
	if err := a.remember(ctx, c); err != nil {
		return nil, err
	}
	done := &planned{report: c.Report, first: c.Journal, erasure: e, back: a.back}
	if opts.Diff {
		done.report.Changes = a.changes
	}
	if !opts.DryRun {
		done.past = a.past(in, c, opts)
	}
	return done, nil
}

// remember keeps what changes.
func (a *account) remember(ctx context.Context, c *change.Changes) error {
	var matches []sport.ID // whose line-ups, events and figures the lines need
	for _, of := range c.Noted {
		if of.Kind == sport.KindMatch {
			matches = append(matches, of.ID)
		}
	}
	a.fetch.Details(ctx, matches)
	if err := a.fetch.Err(); err != nil {
		return err
	}
	for _, of := range c.Noted {
		if err := a.note(of, c.Report); err != nil {
			return err
		}
	}
	return nil
}

// note notes of a record that changes what it loses (D62), its change, and the way back.
func (a *account) note(of history.Record, report *history.Report) error {
	listed := len(a.changes) < a.most
	before, err := sources.Line(a.world, of, world.Before)
	var after []byte
	if err == nil && (before != nil || listed) {
		after, err = sources.Line(a.world, of, world.After)
	}
	if err != nil {
		return err
	}
	d, err := history.Compare(of, before, after)
	if err != nil {
		return fmt.Errorf("compare %s %s: %w", of.Kind, of.ID, err)
	}
	for _, field := range d.Lost() {
		report.Losses.Add(of.Kind, field)
	}
	if d.Rescored() {
		report.Rescored++
	}
	if listed {
		a.changes = append(a.changes, a.change(d))
	}
	if a.back == nil || a.back.TooLarge() || a.erasure.Final(&of) {
		return nil
	}
	left, err := a.digest(of, world.After)
	if err != nil {
		return err
	}
	return a.back.Add(d.Step(left))
}

// past is what the history keeps of the load.
func (a *account) past(in *input, c *change.Changes, opts Options) *history.Past {
	p := &history.Past{Began: a.now(), Note: opts.Note, File: opts.File}
	if a.erasure != nil { // they may name what is erased
		p.Note, p.File = "", ""
	}
	if in.undoes != nil {
		p.Undoes = in.undoes.Number
	}
	p.Report = c.Report.Kept(a.changes[:min(len(a.changes), history.KeptChanges)])
	p.More = len(c.Noted) - len(p.Report.Changes)
	return p
}

// change says what becomes of a record, for people.
func (a *account) change(d history.Difference) history.Change {
	if a.erasure.Erases(&d.Record) {
		return history.Change{Op: history.Delete, Record: d.Record, Erased: true}
	}
	called := func(id sport.ID) string {
		return cmp.Or(a.group(d.Record, id), a.called(id))
	}
	return d.Change(history.Names{Key: called, Name: func(id sport.ID) string {
		_, name := sources.Names(a.world, id)
		return cmp.Or(name, called(id))
	}})
}

// group is the key of a group in the competition of a match or a team; empty where the id
// is of none, or no key is known.
func (b *base) group(of history.Record, id sport.ID) string {
	var competition sport.ID
	for m := range b.world.Matches.Both(of.ID) {
		competition = m.CompetitionID
	}
	for t := range b.world.Teams.Both(of.ID) {
		competition = t.CompetitionID
	}
	for c := range b.world.SeasonsOf(world.After, competition) {
		for _, g := range c.Groups {
			if g.ID == id {
				return g.Key
			}
		}
	}
	return ""
}

// digest is that of a record in a view, empty where it is not there. A match's
// details come in by their own digest, so that they need not be unpacked.
func (b *base) digest(of history.Record, v world.View) (string, error) {
	if m := b.world.Matches.At(v, of.ID); of.Kind == sport.KindMatch && m != nil {
		base := &dataset.Record[dataset.Match]{ID: m.ID, Key: m.Key, Value: dataset.Match{Base: m.Match}}
		return history.DigestOf(append(format.Append(nil, base), m.DetailHash...)), nil
	}
	line, err := sources.Line(b.world, of, v)
	if line == nil {
		return "", err
	}
	return history.DigestOf(line), err
}
