// Package since brings to a copy of a table what was decided in the table after the copy was
// made, before the copy takes its place (D91): who was erased stays erased, who was hidden
// stays hidden, and the version of the data grows. What else the copy takes back, records
// that were deleted and loads, it names.
//
// Who is hidden is compared by effect: a player whom nobody sees in the table is hidden in the
// copy, whatever hid him, and so is whoever has there the name of a hidden player of his
// club, unless he is shown under it in the table. Kinds are compared from the organizations
// down, each once those above it are hidden, so that what follows from them is not written into
// records.
package since

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/loader"
	"touchline/shared/loader/erasure"
	"touchline/shared/loader/history"
	"touchline/shared/loader/journal"
	"touchline/shared/loader/sources"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/generation"
)

// Since is a table, and a copy of it as it was before. Nobody reads the copy, and no load of
// the table is unfinished.
type Since struct {
	Table, Copy *store.Table
	// Load loads a dataset into the copy, and may delete all of it.
	Load func(context.Context, fs.FS) error
	// ShowAgain leaves those shown who were hidden since.
	ShowAgain bool
	Now       func() time.Time
}

// Report says what Take has brought to the copy, and what the copy takes back.
type Report struct {
	Erased int             `json:"erased"`           // that were erased since
	Hidden []history.Shown `json:"hidden,omitempty"` // that were hidden since
	Back   []history.Shown `json:"back,omitempty"`   // that were deleted since, and are there again
	Lost   int             `json:"lost,omitempty"`   // loads that were made since
	Loads  []history.Past  `json:"loads,omitempty"`  // the last of them, without their reports
}

// maxLoads bounds the loads of a Report.
const maxLoads = 20

// kinds are those of records, from the top.
var kinds = []sport.Kind{sport.KindOrganization, sport.KindCompetition, sport.KindTeam, sport.KindPlayer, sport.KindMatch}

// Take brings to the copy what was decided since. It may be repeated.
func (s *Since) Take(ctx context.Context) (*Report, error) {
	report := &Report{}
	state, err := generation.Read(ctx, s.Table)
	if generation.IsEmpty(err) {
		return report, nil
	}
	if err == nil {
		err = s.lost(ctx, report)
	}
	var back []history.Record
	if err == nil {
		back, err = s.back(ctx)
	}
	if err == nil {
		back, err = s.erase(ctx, report, back)
	}
	if err == nil {
		report.Back, err = s.named(ctx, back)
	}
	for _, kind := range kinds {
		if err == nil && !s.ShowAgain {
			err = s.hide(ctx, kind, report)
		}
	}
	if err == nil {
		err = generation.Pass(ctx, s.Copy, state.Version, s.Now())
	}
	return report, err
}

// lost finds the loads that the copy does not have.
func (s *Since) lost(ctx context.Context, report *Report) error {
	_, had, err := journal.Read(ctx, s.Copy)
	if err != nil {
		return err
	}
	_, has, err := journal.Read(ctx, s.Table)
	if err != nil {
		return err
	}
	from, err := history.Read(ctx, s.Table, has, history.Range{From: had.Number, To: had.Number})
	if err != nil {
		return err
	}
	if had.Number > has.Number || len(from) > 0 && from[0].ID != had.ID { // it is not of this table
		had.Number = 0
	}
	report.Lost = has.Number - had.Number
	report.Loads, err = history.Read(ctx, s.Table, has, history.Range{From: had.Number + 1, Limit: maxLoads})
	for i := range report.Loads {
		report.Loads[i].Report = nil
	}
	return err
}

// all are the records of a kind in a table.
func all(ctx context.Context, table *store.Table, kind sport.Kind) ([]history.Record, error) {
	f := &world.Fetcher{Table: table, World: world.NewWorld()}
	return sources.All(ctx, f, kind), f.Err()
}

// back are the records of the copy that the table does not have.
func (s *Since) back(ctx context.Context) (back []history.Record, _ error) {
	for _, kind := range append(slices.Clone(kinds), history.KindStandings) {
		then, err := all(ctx, s.Copy, kind)
		if err != nil {
			return nil, err
		}
		now, err := all(ctx, s.Table, kind)
		if err != nil {
			return nil, err
		}
		has := make(map[history.Record]bool, len(now))
		for _, r := range now {
			has[r] = true
		}
		back = append(back, slices.DeleteFunc(then, func(r history.Record) bool { return has[r] })...)
	}
	return back, nil
}

// erase erases what was erased since. Where others refer to it, all that was deleted since is
// deleted with it. It returns what is there again.
func (s *Since) erase(ctx context.Context, report *Report, back []history.Record) ([]history.Record, error) {
	now, err := erasure.ReadErased(ctx, s.Table)
	if err != nil {
		return nil, err
	}
	then, err := erasure.ReadErased(ctx, s.Copy)
	for t := range then {
		delete(now, t)
	}
	if report.Erased = len(now); err != nil || len(now) == 0 {
		return back, err
	}
	isErased := func(r history.Record) bool {
		return now[dataset.Target{Kind: r.Kind, ID: r.ID, Season: r.Season}] != "" || now[dataset.Target{Kind: r.Kind, ID: r.ID}] != ""
	}
	back = slices.DeleteFunc(back, isErased)
	err = s.load(ctx, now, nil)
	if errors.As(err, new(*dataset.Faults)) {
		err, back = s.load(ctx, now, back), nil
	}
	if err != nil {
		return nil, fmt.Errorf("what was erased since can't be erased in the backup: %w", err)
	}
	return back, nil
}

// load erases some records of the copy, and deletes others.
func (s *Since) load(ctx context.Context, erased erasure.Erased, deleted []history.Record) error {
	lines := map[sport.Kind][][]byte{}
	for t := range erased {
		line, err := json.Marshal(struct {
			ID     sport.ID `json:"id"`
			Season int      `json:"season,omitempty"`
			Erase  bool     `json:"erase"`
		}{t.ID, t.Season, true})
		if err != nil {
			return err
		}
		lines[t.Kind] = append(lines[t.Kind], line)
	}
	for _, r := range deleted {
		line, err := (&history.Step{Record: r}).Line(nil)
		if err != nil {
			return err
		}
		lines[r.Kind] = append(lines[r.Kind], line)
	}
	if top, err := all(ctx, s.Copy, sport.KindOrganization); err != nil {
		return err
	} else if len(top) > 0 { // so that they keep their days
		lines[journal.Erased] = erased.Lines(top[0].ID)
	}
	return s.lines(ctx, lines)
}

// lines loads lines of kinds into the copy.
func (s *Since) lines(ctx context.Context, of map[sport.Kind][][]byte) error {
	archive := journal.NewArchive()
	for kind, lines := range of {
		for _, line := range lines {
			archive.Add(kind, line)
		}
	}
	files, err := archive.Files()
	if err != nil {
		return err
	}
	return s.Load(ctx, files)
}

// named counts records of the copy by their kinds, with the keys of the first.
func (s *Since) named(ctx context.Context, some []history.Record) (named []history.Shown, _ error) {
	for _, r := range some {
		kind := files.Holding(r.Kind).String()
		if n := len(named); n == 0 || named[n-1].Kind != kind {
			named = append(named, history.Shown{Kind: kind})
		}
		of := &named[len(named)-1]
		if of.Records++; of.Records > history.MaxShown || r.Kind == history.KindStandings {
			continue
		}
		f := &world.Fetcher{Table: s.Copy, World: world.NewWorld()}
		f.Records(ctx, map[sport.Kind][]sport.ID{r.Kind: {r.ID}})
		key, _ := sources.Names(f.World, r.ID)
		if r.Season != 0 {
			key = fmt.Sprint(key, " ", r.Season)
		}
		if of.Keys = append(of.Keys, key); f.Err() != nil {
			return nil, f.Err()
		}
	}
	return named, nil
}

// Options are those of the loads into a copy.
func Options() loader.Options {
	every := 1 << 40
	return loader.Options{AllowDeletes: &every, Yes: true, File: "restore"}
}
