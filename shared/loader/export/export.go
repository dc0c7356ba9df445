// Package export writes the dataset that a Sports table holds. Loaded into an
// empty table, that dataset makes the same table, item by item.
//
// A record and every reference to it have the operator's own key if the record
// was ever loaded by it, else its id. Fields that have their default are left
// out, as is a winner that follows from the score. Times are UTC, but a kick-off whose hour is open is its date. An event
// keeps its id; an id that is derived from the match's key is left out.
//
// Lines are in an order that depends on the records alone, so that two exports
// can be compared line by line: by id, and those of up to [sortedLines] records
// of a kind as a person would look for them.
package export

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"touchline/shared/dataset/files"
	"touchline/shared/dataset/times"
	"touchline/shared/loader"
	"touchline/shared/loader/erasure"
	"touchline/shared/loader/history"
	"touchline/shared/loader/sources"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store"
)

// Report counts the records written.
type Report struct {
	Organizations int `json:"organizations"`
	Competitions  int `json:"competitions"` // seasons
	Teams         int `json:"teams"`
	Players       int `json:"players"`
	Matches       int `json:"matches"`
	Standings     int `json:"standings"`
	Erasures      int `json:"erasures,omitempty"` // those that Total does not count
}

// Total is the number of all records.
func (r *Report) Total() int {
	return r.Organizations + r.Competitions + r.Teams + r.Players + r.Matches + r.Standings
}

// ErrMoved is the error if a load changed the table while it was read: the
// files may mix two states. Export again.
var ErrMoved = errors.New("an import changed the data while they were read: export again")

// Exporter reads a table and writes its dataset. It writes nothing to the table.
type Exporter struct {
	Table *store.Table
	// Create makes the file of a kind, such as teams.ndjson; it is closed before
	// the next is made. Kinds without records have none.
	Create func(name string) (io.WriteCloser, error)
	// Competition, where set, is the one to write, with its playoffs and playouts: what
	// its seasons name. Season is the one to write; 0: all.
	Competition sport.ID
	Season      int
	// Erasures says that erased.ndjson is written, too (D92): not of one competition.
	Erasures bool
	// Progress is called with how many records of a file are written; it may be
	// nil.
	Progress func(file string, done, all int)
}

// atOnce is how many records are read and held at once, of kinds of which there are many.
const atOnce = 500

// Write writes the files. The error is loader.ErrUnfinished where a load was
// interrupted, and ErrMoved.
func (e *Exporter) Write(ctx context.Context) (*Report, error) {
	before, err := loader.StateOf(ctx, e.Table)
	if err != nil {
		return nil, err
	}
	r := &run{Exporter: e, list: e.everything, keys: map[sport.ID]string{}, zone: map[world.SeasonID]string{}}
	if e.Competition != "" {
		found, err := e.ofCompetition(ctx)
		if err != nil {
			return nil, err
		}
		r.list = func(_ context.Context, kind sport.Kind) ([]history.Record, error) { return found[kind], nil }
	}
	n := &r.report
	for _, of := range []struct {
		kind  sport.Kind
		count *int
	}{
		{sport.KindOrganization, &n.Organizations}, {sport.KindCompetition, &n.Competitions}, {sport.KindTeam, &n.Teams},
		{sport.KindPlayer, &n.Players}, {sport.KindMatch, &n.Matches}, {history.KindStandings, &n.Standings},
	} {
		if err := r.write(ctx, of.kind, of.count); err != nil {
			return nil, err
		}
	}
	if e.Erasures {
		if err := r.erasures(ctx); err != nil {
			return nil, err
		}
	}
	after, err := loader.StateOf(ctx, e.Table)
	if errors.Is(err, loader.ErrUnfinished) || err == nil && after != before {
		return nil, ErrMoved
	}
	return n, err
}

// everything are all records of a kind, in order, of competitions those of the season.
func (e *Exporter) everything(ctx context.Context, kind sport.Kind) ([]history.Record, error) {
	_, fetch := e.world()
	return e.ofSeason(sources.All(ctx, fetch, kind)), fetch.Err()
}

// ofSeason are those records that are not of another season of a competition.
func (e *Exporter) ofSeason(all []history.Record) []history.Record {
	return slices.DeleteFunc(all, func(r history.Record) bool {
		return r.Kind == sport.KindCompetition && e.Season != 0 && r.Season != e.Season
	})
}

func (e *Exporter) world() (*world.World, *world.Fetcher) {
	w := world.NewWorld()
	return w, &world.Fetcher{Table: e.Table, World: w}
}

type run struct {
	*Exporter
	list   func(context.Context, sport.Kind) ([]history.Record, error) // those to write
	report Report
	keys   map[sport.ID]string // of organizations, competitions, groups, teams and players
	zone   map[world.SeasonID]string
	zones  times.Zones
	// federation is the first that has nothing above it, else the first organization.
	federation *sport.Organization
}

// erasures writes what was erased, unless nothing was.
func (r *run) erasures(ctx context.Context) error {
	erased, err := erasure.ReadErased(ctx, r.Table)
	if r.report.Erasures = len(erased); err != nil || len(erased) == 0 || r.federation == nil {
		return err
	}
	to, err := r.Create(files.Erased)
	if err != nil {
		return err
	}
	_, err = to.Write(bytes.Join(erased.Lines(r.federation.ID), nil))
	return errors.Join(err, to.Close())
}

// atTop notes an organization that may be the federation.
func (r *run) atTop(o *sport.Organization) {
	rank := func(o *sport.Organization) int {
		switch {
		case len(o.Parents()) > 0:
			return 2
		case o.Type != sport.Federation:
			return 1
		}
		return 0
	}
	if r.federation == nil || cmp.Or(rank(o)-rank(r.federation), cmp.Compare(o.ID, r.federation.ID)) < 0 {
		r.federation = o
	}
}

// called is what the dataset calls a record: its key, where one is known.
func (r *run) called(id sport.ID) sport.ID {
	if key, ok := r.keys[id]; ok {
		return sport.ID(key)
	}
	return id
}

// note notes what a record is called, before others name it.
func (r *run) note(w *world.World, of history.Record) {
	note := func(id sport.ID, key string) {
		if key != "" {
			r.keys[id] = key
		}
	}
	if of.Kind != sport.KindMatch {
		key, _, _ := sources.Called(w, world.Before, of)
		note(of.ID, key)
	}
	if o := w.Organizations.At(world.Before, of.ID); o != nil {
		r.atTop(&o.Organization)
	}
	if c := w.SeasonOf(world.Before, of.ID, of.Season); of.Kind == sport.KindCompetition && c != nil {
		r.zone[c.SeasonID()] = c.Timezone
		for _, g := range c.Groups {
			note(g.ID, g.Key)
		}
	}
}

// day is the kick-off of a match as a date alone, where it is the midnight of one in the time
// zone of its competition.
func (r *run) day(m *sport.Match) string {
	zone, known := r.zone[world.SeasonID{ID: m.CompetitionID, Season: m.Season}]
	loc, err := r.zones.Load(zone) // that of a friendly is UTC
	if err != nil || !known && m.CompetitionID != "" {
		return ""
	}
	day := m.Kickoff.In(loc).Format(time.DateOnly)
	if midnight, _, err := r.zones.Kickoff(day, zone); err != nil || !midnight.Equal(m.Kickoff) {
		return ""
	}
	return day
}

// write writes the file of a kind, unless it has no records, and counts them.
func (r *run) write(ctx context.Context, kind sport.Kind, count *int) (err error) {
	all, err := r.list(ctx, kind)
	if *count = len(all); err != nil || *count == 0 {
		return err
	}
	f, err := r.create(kind, len(all))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.to.Close()) }()
	size := atOnce
	if kind == sport.KindOrganization || kind == sport.KindCompetition { // which name one another
		size = len(all)
	}
	for some := range slices.Chunk(all, size) {
		w, fetch := r.world()
		if err := sources.Fetch(ctx, fetch, some); err != nil {
			return err
		}
		for _, of := range some {
			r.note(w, of)
		}
		for _, of := range some {
			line, err := sources.Shape{Called: r.called, Day: r.day}.Line(w, of, world.Before)
			if err == nil && line == nil {
				err = fmt.Errorf("%s %s is listed and not stored: an import is running, or the table is damaged (touchline check)", kind, of.ID)
			}
			if err == nil {
				err = f.put(line)
			}
			if err != nil {
				return err
			}
			if r.Progress != nil {
				r.Progress("writing "+files.Names()[f.kind], f.done, len(all))
			}
		}
	}
	return f.end()
}

// ErrNoCompetition is the error of a competition, or of a season of it, that the table
// does not hold.
var ErrNoCompetition = errors.New("there is no such competition, or no such season of it")

// ofCompetition finds the records of a competition: its teams and whom they play, their
// players, its matches and given tables, and the organizations of all of them, up to
// those at the top. Each can be loaded into an empty table then.
func (e *Exporter) ofCompetition(ctx context.Context) (map[sport.Kind][]history.Record, error) {
	w, fetch := e.world()
	competitions := []sport.ID{e.Competition}
	fetch.Competitions(ctx, competitions)
	competitions = slices.AppendSeq(competitions, fetch.StagesOf(ctx, competitions))
	fetch.Competitions(ctx, competitions)
	found := found{}
	var seasons []world.SeasonID
	for _, id := range competitions {
		for c := range w.SeasonsOf(world.Before, id) {
			if e.Season == 0 || e.Season == c.Season {
				found.add(sport.KindCompetition, id, c.ParentID)
				found.add(sport.KindOrganization, c.OrganizationID)
				seasons = append(seasons, c.SeasonID())
			}
		}
	}
	if len(seasons) == 0 {
		return nil, cmp.Or(fetch.Err(), ErrNoCompetition)
	}
	parents := slices.DeleteFunc(found.ids(sport.KindCompetition), func(id sport.ID) bool { return slices.Contains(competitions, id) })
	fetch.Competitions(ctx, parents)
	for _, id := range parents {
		for c := range w.SeasonsOf(world.Before, id) {
			found.add(sport.KindOrganization, c.OrganizationID)
		}
	}
	fetch.EnteredIn(ctx, seasons)
	fetch.PlayedIn(ctx, seasons)
	for _, s := range seasons {
		found.add(sport.KindTeam, slices.Collect(w.Entered.In(world.Before, s))...)
		for id := range w.Played.In(world.Before, s) {
			m := w.Result(world.Before, id)
			found.add(sport.KindMatch, id)
			found.add(sport.KindTeam, m.HomeTeamID, m.AwayTeamID)
		}
	}
	teams := found.ids(sport.KindTeam)
	fetch.Teams(ctx, teams)
	found.add(sport.KindPlayer, slices.Collect(fetch.PlayersOf(ctx, teams))...)
	for _, id := range teams {
		if t := w.Teams.At(world.Before, id); t != nil {
			found.add(sport.KindOrganization, t.OrganizationID)
		}
	}
	found.add(sport.KindOrganization, fetch.WithAncestors(ctx, found.ids(sport.KindOrganization))...)
	all := map[sport.Kind][]history.Record{sport.KindCompetition: e.ofSeason(sources.Seasons(w, found.ids(sport.KindCompetition)))}
	for kind := range found {
		for _, id := range found.ids(kind) {
			if kind != sport.KindCompetition {
				all[kind] = append(all[kind], history.Record{Kind: kind, ID: id})
			}
		}
	}
	tables, err := e.everything(ctx, history.KindStandings)
	all[history.KindStandings] = slices.DeleteFunc(tables, func(t history.Record) bool {
		return !slices.Contains(seasons, world.SeasonID{ID: t.ID, Season: t.Season})
	})
	return all, cmp.Or(fetch.Err(), err)
}

type found map[sport.Kind]world.Set[sport.ID]

func (f found) add(kind sport.Kind, ids ...sport.ID) {
	set := f[kind]
	set.Add(world.Present(ids)...)
	f[kind] = set
}

func (f found) ids(kind sport.Kind) []sport.ID { return slices.Sorted(maps.Keys(f[kind])) }
