package loader

import (
	"context"
	"maps"
	"strings"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/loader/affected"
	"touchline/shared/loader/change"
	"touchline/shared/loader/diff"
	"touchline/shared/loader/erasure"
	"touchline/shared/loader/integrity"
	"touchline/shared/loader/journal"
	"touchline/shared/loader/projection"
	"touchline/shared/sport"
)

// find finds what a dataset that was checked changes in the table, projects it, and puts the
// writes that this needs into a sink. It returns what the changes affect.
func (b *base) find(ctx context.Context, in *input, c *change.Changes, to *sink) (*affected.Records, error) {
	p := projection.New(b.world, to)
	in.keepErased(p.Items, c)
	perRecord := int64(changeMemory)
	if b.empty {
		perRecord = firstMemory
	}
	if err := b.room().enough(b.countChanges() * perRecord); err != nil {
		return nil, err
	}
	b.say("finding what changes", 0, 0)
	in.set.Release()
	p.Progress = func(done, all int) { b.say("computing what changes", done, all) }
	a, err := affected.Find(ctx, b.world, b.fetch)
	if err == nil {
		err = p.Project(a)
	}
	if err != nil {
		return nil, err
	}
	c.Report.SetTables(p.Moved)
	unfit := &dataset.Faults{}
	if integrity.Unfit(in.set, p.Items.TooLarge, p.Items.TooLong, unfit); unfit.Count() > 0 {
		return nil, unfit
	}
	return a, nil
}

// keepErased keeps what a dataset erases, and what it tells of.
func (in *input) keepErased(items *diff.Items, c *change.Changes) {
	keep := erasure.Erased{}
	maps.Copy(keep, in.told)
	for _, t := range in.set.Erased {
		if in.erased[t] == "" && keep[t] == "" {
			keep[t] = c.Now.UTC().Format(time.DateOnly)
		}
	}
	in.erased.Change(items, keep, in.back)
	if c.Journal != nil {
		for _, line := range keep.Lines(noFederation) {
			c.Journal.Add(journal.Erased, line)
		}
	}
}

// noFederation stands for the one of an erasure in a journal, which is of its own table.
var noFederation = sport.ID(strings.Repeat("0", sport.IDLength))

// countChanges is how many records change, but for organizations.
func (b *base) countChanges() int64 {
	w := b.world
	return int64(len(w.Competitions.Changes()) + len(w.Teams.Changes()) + len(w.Players.Changes()) + len(w.Matches.Changes()) + len(w.Tables.Changes()))
}
