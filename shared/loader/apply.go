package loader

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/loader/change"
	"touchline/shared/loader/integrity"
	"touchline/shared/sport"
)

// batchRecords is how many players, or matches, of a dataset are compared with the table
// at a time. Those that do not change are dropped then.
const batchRecords = 20_000

// applyAll brings a dataset into the view after, and where it replaces everything the deletion
// of what it does not hold. It returns both, but of players and matches only those that apply
// keeps.
func (b *base) applyAll(ctx context.Context, c *change.Changes, set *dataset.Set, replace bool) (*dataset.Part, error) {
	removed := &dataset.Part{}
	if replace && !b.empty {
		b.say("finding what to remove", 0, 0)
		var err error
		if removed, err = integrity.Rest(ctx, b.fetch, set); err != nil {
			return nil, err
		}
	}
	part := &dataset.Part{
		Organizations: slices.Concat(set.Organizations, removed.Organizations),
		Competitions:  slices.Concat(set.Competitions, removed.Competitions),
		Teams:         slices.Concat(set.Teams, removed.Teams),
	}
	b.say("reading the table", 0, 0)
	if err := b.apply(ctx, c, set, part, false); err != nil {
		return nil, err
	}
	size := cmp.Or(b.batch, batchRecords)
	forgets := set.Players.Len()+set.Matches.Len() > size
	for players := range batches(&set.Players, removed.Players, size) {
		p := &dataset.Part{Players: players}
		if err := b.apply(ctx, c, set, p, forgets); err != nil {
			return nil, err
		}
		part.Players = append(part.Players, p.Players...)
	}
	for matches := range batches(&set.Matches, removed.Matches, size) {
		p := &dataset.Part{Matches: matches}
		if err := b.apply(ctx, c, set, p, forgets); err != nil {
			return nil, err
		}
		part.Matches = append(part.Matches, p.Matches...)
	}
	part.Standings = slices.Concat(set.Standings, removed.Standings)
	return part, b.apply(ctx, c, set, &dataset.Part{Standings: part.Standings}, false)
}

// batches yields the records of a set so many at a time, and others with the last.
func batches[T dataset.Entity](records *dataset.Records[T], others []*dataset.Record[T], size int) iter.Seq[[]*dataset.Record[T]] {
	return func(yield func([]*dataset.Record[T]) bool) {
		var some []*dataset.Record[T]
		for _, x := range records.All() {
			if some = append(some, x); len(some) == size {
				if !yield(some) {
					return
				}
				some = nil
			}
		}
		if some = append(some, others...); len(some) > 0 {
			yield(some)
		}
	}
}

// apply turns records of a set into changes, with the defaults that need the competition. Of
// the part it drops the players and matches that do not change, and those that a first load
// creates; what was read of the first it forgets where that is wanted. References are known to
// hold.
func (b *base) apply(ctx context.Context, c *change.Changes, set *dataset.Set, part *dataset.Part, forgets bool) error {
	b.fetchStored(ctx, part)
	if err := cmp.Or(b.fetch.Err(), b.room().enough(0)); err != nil {
		return err
	}
	for _, x := range part.Organizations {
		c.Organization(x)
	}
	for _, x := range part.Competitions {
		c.Competition(x)
	}
	competitions := idsIn(part.Competitions)
	slices.Sort(competitions)
	for _, id := range slices.Compact(competitions) {
		b.world.SetCurrent(id)
	}
	for _, x := range part.Teams {
		if !x.Deleted && x.Value.CompetitionID != "" && x.Value.Season == 0 {
			x.Value.Season = b.world.CurrentSeason(x.Value.CompetitionID)
		}
		c.Team(x)
	}
	for _, x := range part.Matches {
		if err := resolve(c, x, set.Warnings); err != nil {
			return err
		}
	}
	part.Players = changing(part.Players, c.Player, b.empty, forgets, b.world.Players.Forget)
	part.Matches = changing(part.Matches, c.Match, b.empty, forgets, b.world.Matches.Forget)
	for _, x := range part.Standings {
		c.Table(x)
	}
	return nil
}

// changing brings records into the view after, and keeps those that apply keeps.
func changing[T dataset.Entity](records []*dataset.Record[T], change func(*dataset.Record[T]) bool, first, forgets bool, forget func(sport.ID)) []*dataset.Record[T] {
	kept := records[:0]
	for _, x := range records {
		switch changed := change(x); {
		case x.Deleted, changed && !first:
			kept = append(kept, x)
		case forgets: // of one that a first load creates nothing was read
			forget(x.ID)
		}
	}
	return kept
}

// fetchStored reads the records of the dataset as they are stored, and the
// competitions of its teams and matches.
func (b *base) fetchStored(ctx context.Context, part *dataset.Part) {
	if b.empty {
		return
	}
	competitions := idsIn(part.Competitions)
	for _, t := range part.Standings {
		competitions = append(competitions, t.Value.CompetitionID)
	}
	for _, t := range part.Teams {
		competitions = append(competitions, t.Value.CompetitionID)
	}
	for _, m := range part.Matches {
		competitions = append(competitions, m.Value.Base.CompetitionID)
	}
	slices.Sort(competitions)
	b.fetch.Records(ctx, map[sport.Kind][]sport.ID{
		sport.KindOrganization: idsIn(part.Organizations), sport.KindCompetition: slices.Compact(competitions), sport.KindTeam: idsIn(part.Teams),
		sport.KindPlayer: idsIn(part.Players), sport.KindMatch: idsIn(part.Matches),
	})
}

func idsIn[T dataset.Entity](records []*dataset.Record[T]) []sport.ID {
	ids := make([]sport.ID, 0, len(records))
	for _, r := range records {
		ids = append(ids, r.ID)
	}
	return ids
}

// resolve resolves a match, and warns of a kick-off that clocks do not show once.
func resolve(c *change.Changes, x *dataset.Record[dataset.Match], warnings *dataset.Warnings) error {
	at := dataset.Fault{File: x.Origin.File, Line: x.Origin.Line, Field: "kickoffLocal"}
	odd, err := c.Resolve(x)
	if err != nil {
		at.Message = err.Error()
		return &dataset.Faults{List: []dataset.Fault{at}}
	}
	if at.Message = odd; at.Message != "" {
		warnings.Add(at)
	}
	return nil
}
