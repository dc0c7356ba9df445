package loader

import (
	"cmp"
	"context"
	"io/fs"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/loader/affected"
	"touchline/shared/loader/diff"
	"touchline/shared/loader/division"
	"touchline/shared/sport"
)

// Division is a first load that was checked and divided, of which nothing is computed
// yet: each of its parts can be computed elsewhere (ComputePart).
type Division struct {
	Report *Report // its warnings, the faults of what was left out, and counts of deletions
	set    *dataset.Set
	parts  []division.Part
	// resolve fills in what a match takes from its competition.
	resolve func(*dataset.Record[dataset.Match]) error
}

// conductedRecords is how many records a part has that is computed elsewhere: more than
// one in turn, since the organizations are read with each.
const conductedRecords = 50_000

// Divide reads a dataset, checks it as Load does for an empty table, and divides it into
// parts. Each has at least size records; 0 is the usual size. Nothing is written. The
// errors are those of LoadFrom.
func (l *Loader) Divide(ctx context.Context, open func(context.Context) (fs.FS, error), opts Options, size int) (*Division, error) {
	r := newRun(l, true, new(counter))
	set, err := r.read(ctx, l.opened(open), opts)
	if err != nil {
		return nil, err
	}
	d := &Division{Report: r.changes.Report, set: set, resolve: r.resolve, parts: division.Divide(set, cmp.Or(size, conductedRecords))}
	return d, r.apply(ctx, division.Deletions(set))
}

// Organizations are those of the dataset, deletions included. No part contains them,
// and each part needs them.
func (d *Division) Organizations() *dataset.Part {
	return &dataset.Part{Organizations: d.set.Organizations}
}

// Parts is how many there are.
func (d *Division) Parts() int { return len(d.parts) }

// Part unpacks a part, and the records of other parts that it is computed from. The
// fields that a match takes from its competition are filled in.
func (d *Division) Part(i int) (part, around *dataset.Part, err error) {
	part, around = d.parts[i].Of(d.set), d.parts[i].Around.Of(d.set)
	for _, m := range slices.Concat(part.Matches, around.Matches) {
		if err := d.resolve(m); err != nil {
			return nil, nil, err
		}
	}
	return part, around, nil
}

// Largest is how many records the largest part is computed from, and which competition
// has most of them; nil where none has any.
func (d *Division) Largest() (records int, of *dataset.Record[sport.Competition]) {
	var largest *division.Part
	for i := range d.parts {
		if n := d.parts[i].Len() + d.parts[i].Around.Len(); n > records {
			largest, records = &d.parts[i], n
		}
	}
	if largest == nil {
		return 0, nil
	}
	entered, counts, most := map[sport.ID]sport.ID{}, map[sport.ID]int{}, 0
	for _, place := range largest.Teams {
		team := &d.set.Teams[place].Value
		entered[team.ID] = team.CompetitionID
	}
	for _, place := range largest.Players {
		counts[entered[d.set.Players.At(int(place)).Value.TeamID]]++
	}
	for _, place := range largest.Matches {
		counts[d.set.Matches.At(int(place)).Value.Base.CompetitionID]++
	}
	for _, place := range largest.Competitions {
		if x := d.set.Competitions[place]; counts[x.Value.ID] > most {
			of, most = x, counts[x.Value.ID]
		}
	}
	return records, of
}

// ComputePart computes a part of a first load, and puts the writes into the sink. The
// set holds the part and all organizations of the load. The writes of the organizations
// themselves come with the part that has nothing else. The records around the part are
// read, and their writes come with their own parts. ComputePart returns the counts with
// the first of the changes, and how many changes there are. The error is
// *dataset.Faults where the table cannot hold the part.
func (l *Loader) ComputePart(ctx context.Context, set *dataset.Set, around *dataset.Part, sink diff.Sink) (report *Report, changes int, err error) {
	r := newRun(l, true, sink)
	r.account, r.given = &account{}, set.Given
	part := set.Whole()
	if part.Len() > len(part.Organizations) { // else it is that of the organizations
		if err := r.uncounted(ctx, &dataset.Part{Organizations: part.Organizations}); err != nil {
			return nil, 0, err
		}
		if _, err := affected.Find(ctx, r.world, r.fetch); err != nil { // what follows from the hierarchy
			return nil, 0, err
		}
		part.Organizations = nil
		organizations := &r.world.Organizations
		r.renew()
		r.world.Organizations.Surround(organizations)
	}
	if err := r.bring(ctx, set, part, around); err != nil {
		return nil, 0, err
	}
	if faults := r.bounds(set); faults != nil {
		return nil, 0, faults
	}
	r.changes.Report.Changes = r.account.changes
	return r.changes.Report, r.account.count, nil
}
