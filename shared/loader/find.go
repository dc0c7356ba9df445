package loader

import (
	"context"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/loader/affected"
	"touchline/shared/loader/history"
	"touchline/shared/loader/integrity"
	"touchline/shared/loader/projection"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// found is what people are told of what changes.
type found struct {
	shown   []history.Shown   // who was hidden
	exposed *dataset.Warnings // of whom is seen
	tables  []string          // what moves in them
}

// find finds what a dataset that was checked changes in the table, and projects it.
func (b *base) find(ctx context.Context, set *dataset.Set, p *projection.Projector) (*found, error) {
	perRecord := int64(changeMemory)
	if b.empty {
		perRecord = firstMemory
	}
	if err := b.room().enough(b.countChanges() * perRecord); err != nil {
		return nil, err
	}
	b.say("finding what changes", 0, 0)
	set.Release()
	f := &found{exposed: &dataset.Warnings{}}
	p.Progress = func(done, all int) { b.say("computing what changes", done, all) }
	p.Tabled = func(of *world.Competition, was, is []records.TableRow) {
		if of.Format == sport.FormatKnockout || of.Rules.NoTable {
			return // its table shows nobody who goes on
		}
		f.tables = append(f.tables, history.Moved(records.CompetitionRefOf(&of.Competition), was, is)...)
	}
	a, err := b.findAndProject(ctx, p)
	if err != nil {
		return nil, err
	}
	players, called := a.Players.Keys(), b.called(set)
	for _, w := range slices.Concat(integrity.Exposed(b.world, set, players), integrity.Namesakes(ctx, b.fetch, set, players, called)) {
		f.exposed.Add(w)
	}
	f.shown = b.shown(a, called)
	return f, b.fetch.Err()
}

// countChanges is how many records change, but for organizations.
func (b *base) countChanges() int64 {
	w := b.world
	return int64(len(w.Competitions.Changes()) + len(w.Teams.Changes()) + len(w.Players.Changes()) + len(w.Matches.Changes()) + len(w.Tables.Changes()))
}

// findAndProject finds the records that may show something of what was applied, and computes
// what of them differs from the table.
func (b *base) findAndProject(ctx context.Context, p *projection.Projector) (*affected.Records, error) {
	a, err := affected.Find(ctx, b.world, b.fetch)
	if err != nil {
		return nil, err
	}
	return a, p.Project(a)
}
