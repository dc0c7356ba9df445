package loader

import (
	"context"

	"touchline/shared/dataset"
	"touchline/shared/loader/affected"
	"touchline/shared/loader/history"
	"touchline/shared/loader/projection"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// find finds what a dataset that was checked changes in the table, and projects it. It
// returns what that affects, and what moves in tables.
func (b *base) find(ctx context.Context, set *dataset.Set, p *projection.Projector) (a *affected.Records, tables []string, err error) {
	perRecord := int64(changeMemory)
	if b.empty {
		perRecord = firstMemory
	}
	if err := b.room().enough(b.countChanges() * perRecord); err != nil {
		return nil, nil, err
	}
	b.say("finding what changes", 0, 0)
	set.Release()
	p.Progress = func(done, all int) { b.say("computing what changes", done, all) }
	p.Tabled = func(of *world.Competition, was, is []records.TableRow) {
		if of.Format == sport.FormatKnockout || of.Rules.NoTable {
			return // its table shows nobody who goes on
		}
		tables = append(tables, history.Moved(records.CompetitionRefOf(&of.Competition), was, is)...)
	}
	a, err = b.findAndProject(ctx, p)
	return a, tables, err
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
