// Package erasure removes what is kept beside records that are erased (D64): a player from
// the line-ups and events of matches, and from what the table keeps of loads all that says
// something of such a record. Of loads nothing is rewritten: reports hold no text, and a way
// back loses the record, or goes whole.
package erasure

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/dataset/format"
	"touchline/shared/dataset/slips"
	"touchline/shared/loader/diff"
	"touchline/shared/loader/history"
	"touchline/shared/loader/integrity"
	"touchline/shared/loader/sources"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// unnamed takes the players that a dataset erases out of the stored matches that name
// them, and returns these matches. A player of a line-up keeps number and position.
func unnamed(ctx context.Context, l *integrity.Checker, erased []dataset.Target) ([]sport.ID, error) {
	w := l.World
	naming := map[sport.ID][]*world.Player{}
	for _, t := range erased {
		was := w.Players.At(world.Before, t.ID)
		if t.Kind != sport.KindPlayer || was == nil {
			continue
		}
		matches, err := l.Naming(ctx, was)
		if err != nil {
			return nil, err
		}
		for _, id := range matches {
			naming[id] = append(naming[id], was)
		}
	}
	ids := slices.Sorted(maps.Keys(naming))
	for _, id := range ids {
		was := w.Matches.At(world.Before, id)
		full, err := was.Full()
		if err != nil {
			return nil, err
		}
		for _, x := range naming[id] {
			unname(&full, x)
		}
		is := world.NewMatch(full, nil)
		is.Key = was.Key
		l.SetMatch(&dataset.Record[dataset.Match]{ID: id, Key: string(id), Value: dataset.Match{Base: full}}, is)
	}
	return ids, nil
}

// unname takes a player out of a match, whose details nobody else has.
func unname(m *sport.Match, x *world.Player) {
	if l := m.Lineups; l != nil {
		for _, entries := range l.Lists() {
			for i := range entries {
				if e := &entries[i]; e.PlayerID == x.ID {
					e.Number, e.Position = cmp.Or(e.Number, x.NumberAt(m.Kickoff)), cmp.Or(e.Position, x.Position)
				}
			}
		}
	}
	for r := range dataset.ReferencesOf(&dataset.Match{Base: *m}) {
		if r.ID == x.ID {
			*r.At = ""
		}
	}
}

// Erasure is what a load erases.
type Erasure struct {
	ids     []sport.ID
	matches []sport.ID // that named a player
	// Namesakes are the keys of other stored players who have the name of one that is erased.
	Namesakes []string
}

// Begin finds what a dataset erases, and takes its players out of stored matches; nil:
// nothing is erased.
func Begin(ctx context.Context, l *integrity.Checker, set *dataset.Set) (*Erasure, error) {
	if len(set.Erased) == 0 {
		return nil, nil //nolint:nilnil // it erases nothing
	}
	e := &Erasure{}
	for _, t := range set.Erased {
		e.ids = append(e.ids, t.ID)
	}
	var err error
	if e.matches, err = unnamed(ctx, l, set.Erased); err == nil {
		e.Namesakes, err = e.namesakes(ctx, l)
	}
	return e, err
}

// namesakes reads all players, a thousand at a time: lists lack those who are hidden.
func (e *Erasure) namesakes(ctx context.Context, l *integrity.Checker) (found []string, err error) {
	names := map[string]bool{}
	for _, id := range e.ids {
		if was := l.World.Players.At(world.Before, id); was != nil {
			names[slips.Folded(was.Name)] = true
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	for ids := range slices.Chunk(l.Fetch.Everything(ctx, sport.KindPlayer), 1000) {
		some := &world.Fetcher{Table: l.Fetch.Table, World: world.NewWorld()}
		for x := range some.Players(ctx, ids) {
			if names[slips.Folded(x.Name)] && !slices.Contains(e.ids, x.ID) {
				found = append(found, cmp.Or(x.Key, string(x.ID)))
			}
		}
		if err := some.Err(); err != nil {
			return nil, err
		}
	}
	slices.Sort(found) // who is yielded in each view
	return slices.Compact(found), l.Fetch.Err()
}

// Erases reports whether a record is erased, or is part of one.
func (e *Erasure) Erases(r *history.Record) bool { return e != nil && slices.Contains(e.ids, r.ID) }

// Final reports whether what a load does to a record is not undone: it is erased, or
// has named what is.
func (e *Erasure) Final(r *history.Record) bool {
	return e.Erases(r) || e != nil && r.Kind == sport.KindMatch && slices.Contains(e.matches, r.ID)
}

// Scrub removes from what the table keeps of loads all that says something of what is
// erased, nil for nothing, the notes and names of files, which may, and the journals: no
// load is under way that would need one. Keys of list entries that a journal deletes are
// made of names. It may be repeated.
func Scrub(ctx context.Context, table *store.Table, mark history.Mark, e *Erasure) error {
	loads, err := history.Read(ctx, table, mark, history.Range{})
	if err != nil {
		return err
	}
	var writes []store.Write
	kept := map[store.Key]bool{}
	for i := range loads {
		some, err := e.scrubbed(ctx, table, &loads[i])
		if err != nil {
			return fmt.Errorf("erase from load %d: %w", loads[i].Number, err)
		}
		for _, w := range some {
			kept[w.Key] = true
		}
		writes = append(writes, some...)
	}
	for _, prefix := range []string{"load#", "undo#"} { // of records.LoadKey and UndoKey, and of a journal's pieces
		items, err := table.Query(ctx, store.Query{PK: records.JournalPK, From: prefix, To: prefix + "~", Consistent: true})
		if err != nil {
			return err
		}
		for _, item := range items {
			if key := store.KeyOf(item); !kept[key] {
				writes = append(writes, store.Write{Key: key})
			}
		}
	}
	return table.Write(ctx, writes)
}

// scrubbed are the writes of a load without what may say something of what is erased.
func (e *Erasure) scrubbed(ctx context.Context, table *store.Table, of *history.Past) ([]store.Write, error) {
	of.More += len(of.Report.Changes)
	of.Report.Changes = slices.DeleteFunc(of.Report.Changes, func(c history.Change) bool { return e.Erases(&c.Record) })
	of.More -= len(of.Report.Changes)
	back, err := e.wayBack(ctx, table, of)
	if err != nil {
		return nil, err
	}
	of.Note, of.File, of.Journal = "", "", nil
	return of.Writes(back)
}

// wayBack is the way back of a load without the steps of what is erased. It goes whole, nil,
// where another record names what is erased: without that record the load would not be
// undone whole.
func (e *Erasure) wayBack(ctx context.Context, table *store.Table, of *history.Past) (*history.WayBack, error) {
	packed, err := of.Packed(ctx, table)
	if errors.Is(err, history.ErrNoWayBack) {
		return nil, nil //nolint:nilnil // the load cannot be undone
	}
	if err != nil {
		return nil, err
	}
	steps, err := history.StepsOf(packed)
	all := len(steps)
	steps = slices.DeleteFunc(steps, func(s history.Step) bool { return e.Erases(&s.Record) })
	named := slices.ContainsFunc(steps, func(s history.Step) bool { return e.named(s.Back) })
	switch {
	case err != nil:
		return nil, err
	case named:
		of.Erased = true
		return nil, nil //nolint:nilnil // it goes
	case len(steps) == all:
		return &history.WayBack{Kept: packed}, nil
	}
	back := &history.WayBack{Limit: history.LargestUndo}
	for _, s := range steps {
		err = cmp.Or(err, back.Add(s))
	}
	return back, err
}

// named reports whether a line refers to what is erased.
func (e *Erasure) named(line []byte) bool {
	return e != nil && slices.ContainsFunc(e.ids, func(id sport.ID) bool { return bytes.Contains(line, []byte(id)) })
}

// Erased are the records that were erased, with the day, as YYYY-MM-DD (D69).
type Erased map[dataset.Target]string

// ReadErased reads them, in one query of some 50 bytes each. A load does so only where the
// mark of the last one says that there are any.
func ReadErased(ctx context.Context, table *store.Table) (Erased, error) {
	items, err := table.Query(ctx, store.Query{PK: records.JournalPK, From: records.ErasedPrefix, To: records.ErasedPrefix + "~", Consistent: true})
	if err != nil {
		return nil, err
	}
	all := Erased{}
	for _, item := range items {
		r, err := store.Decode[records.ErasedRecord](item)
		if err != nil {
			return nil, err
		}
		all[dataset.Target{Kind: r.Kind, ID: r.ID, Season: r.Season}] = r.Day
	}
	return all, nil
}

// Back finds the records of a set that were erased: those that may come back, since their
// keys or ids are allowed, and the faults of the others.
func (e Erased) Back(set *dataset.Set, allowed []string) (let []dataset.Target, faults []dataset.Fault) {
	for t, day := range e {
		found := origins(set, t)
		switch {
		case len(found) == 0:
		case slices.Contains(allowed, set.Given(t.ID)), slices.Contains(allowed, string(t.ID)):
			let = append(let, t)
		default:
			for _, at := range found {
				faults = append(faults, dataset.Fault{
					File: at.File, Line: at.Line, Field: "id",
					Message: "was erased on " + day + `, and stays so: only "touchline import --allow-erased KEY" lets it come back`,
				})
			}
		}
	}
	return let, faults
}

// origins are where a set brings a record: of a competition, each season that was erased.
func origins(set *dataset.Set, t dataset.Target) (found []dataset.Origin) {
	if t.Kind != sport.KindCompetition {
		if set.Find(t) == dataset.Present {
			found = append(found, set.Origin(t.Kind, t.ID))
		}
		return found
	}
	for _, c := range set.Competitions {
		if c.ID == t.ID && !c.Deleted && (t.Season == 0 || t.Season == c.Value.Season) {
			found = append(found, c.Origin)
		}
	}
	return found
}

// Told are the erasures that a set tells of and the table does not keep (D92), and the faults
// of those that it does not take: of another federation, or of a record that is stored and
// that the set does not erase.
func (e Erased) Told(ctx context.Context, f *world.Fetcher, set *dataset.Set) (told Erased, faults []dataset.Fault, _ error) {
	told = Erased{}
	of := map[sport.Kind][]sport.ID{}
	for _, x := range set.Erasures {
		of[x.Kind] = append(of[x.Kind], x.ID)
		of[sport.KindOrganization] = append(of[sport.KindOrganization], x.Federation)
	}
	f.Records(ctx, of)
	stored := func(t dataset.Target) bool {
		return sources.Stored(f.World, history.Record{Kind: t.Kind, ID: t.ID, Season: t.Season})
	}
	for _, x := range set.Erasures {
		fault := dataset.Fault{File: x.Origin.File, Line: x.Origin.Line, Field: "id"}
		federation := dataset.Target{Kind: sport.KindOrganization, ID: x.Federation}
		switch {
		case !stored(federation) && set.Find(federation) != dataset.Present:
			fault.Field, fault.Message = "federation", "is neither stored here nor in the dataset: what was erased is taken by the table of its federation alone"
			faults = append(faults, fault)
		case stored(x.Target) && !slices.Contains(set.Erased, x.Target):
			key, _ := sources.Names(f.World, x.ID)
			fault.Message = fmt.Sprintf("%s was erased on %s where this file comes from, and is stored here: erase it here, too, with \"erase\": true", dataset.Quoted(x.Kind, key), x.Day)
			faults = append(faults, fault)
		case e[x.Target] == "":
			told[x.Target] = x.Day
		}
	}
	return told, faults, f.Err()
}

// Change keeps what was erased, and forgets what was let back, with the writes of a load.
func (e Erased) Change(items *diff.Items, erased Erased, let []dataset.Target) {
	put := func(v world.View, t dataset.Target, day string) {
		items.Put(v, records.ErasedKey(t.Kind, t.ID, t.Season), &records.ErasedRecord{Kind: t.Kind, ID: t.ID, Season: t.Season, Day: day})
	}
	for _, t := range let {
		put(world.Before, t, e[t])
	}
	for t, day := range erased {
		put(world.After, t, day)
	}
}

// Lines are the lines of erased.ndjson, in an order that depends on them alone.
func (e Erased) Lines(federation sport.ID) (lines [][]byte) {
	for t, day := range e {
		lines = append(lines, format.AppendErasure(nil, &dataset.Erasure{Target: t, Day: day, Federation: federation}))
	}
	slices.SortFunc(lines, bytes.Compare)
	return lines
}
