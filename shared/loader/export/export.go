package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/loader"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// Report counts the records written.
type Report struct {
	Organizations int `json:"organizations"`
	Competitions  int `json:"competitions"` // seasons
	Teams         int `json:"teams"`
	Players       int `json:"players"`
	Matches       int `json:"matches"`
	Standings     int `json:"standings"`
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
	// Records are those to write, where the caller has found them and knows whether
	// the table changes meanwhile; nil: all, by their lists.
	Records *Records
	// Competition, where set, is the one to write, with its playoffs and playouts: what
	// its seasons name. Season is the one to write; 0: all.
	Competition sport.ID
	Season      int
	// Progress is called with how many records of a file are written; it may be
	// nil.
	Progress func(file string, done, all int)
}

// Records name records by their ids, and given tables by their seasons.
type Records struct {
	IDs    map[sport.Kind][]sport.ID
	Tables []records.TableEntry
}

// chunk is how many records are read and held at once.
const chunk = 500

// Write writes the files. The error is loader.ErrUnfinished where a load was
// interrupted, and ErrMoved.
func (e *Exporter) Write(ctx context.Context) (*Report, error) {
	if e.Records != nil {
		return e.write(ctx)
	}
	before, err := loader.StateOf(ctx, e.Table)
	if err != nil {
		return nil, err
	}
	if e.Competition != "" {
		one := *e
		if one.Records, err = e.ofCompetition(ctx); err != nil {
			return nil, err
		}
		e = &one
	}
	report, err := e.write(ctx)
	if err != nil {
		return nil, err
	}
	after, err := loader.StateOf(ctx, e.Table)
	if errors.Is(err, loader.ErrUnfinished) || err == nil && after != before {
		return nil, ErrMoved
	}
	return report, err
}

func (e *Exporter) write(ctx context.Context) (*Report, error) {
	r := &run{Exporter: e, keys: map[sport.ID]string{}}
	for _, step := range []func(context.Context) error{r.organizations, r.competitions, r.teams, r.players, r.matches, r.standings} {
		if err := step(ctx); err != nil {
			return nil, errors.Join(err, r.close())
		}
	}
	return &r.report, nil
}

// run is one export.
type run struct {
	*Exporter
	report Report
	keys   map[sport.ID]string // of organizations, competitions, groups, teams and players
	open   *file               // nil: none
}

// called is what the dataset calls a record: its key, where one is known.
func (r *run) called(id sport.ID) sport.ID {
	if key, ok := r.keys[id]; ok {
		return sport.ID(key)
	}
	return id
}

func (r *run) note(id sport.ID, key string) {
	if key != "" {
		r.keys[id] = key
	}
}

// everything are the ids of all records of a kind, in order.
func (r *run) everything(ctx context.Context, kind sport.Kind) ([]sport.ID, error) {
	if r.Records != nil {
		return r.Records.IDs[kind], nil
	}
	_, fetch := r.world()
	return fetch.Everything(ctx, kind), fetch.Err()
}

func (r *run) world() (*world.World, *world.Fetcher) {
	w := world.NewWorld()
	return w, &world.Fetcher{Table: r.Table, World: w}
}

// inChunks reads the records of a kind, some at a time, and writes each.
func inChunks[E any](ctx context.Context, r *run, kind sport.Kind, name string, count *int, of func(*world.World) *world.Entities[sport.ID, E], write func(*E) error) error {
	ids, err := r.everything(ctx, kind)
	if err != nil {
		return err
	}
	if err := r.begin(name, len(ids), count); err != nil {
		return err
	}
	for some := range slices.Chunk(ids, chunk) {
		w, fetch := r.world()
		fetch.Records(ctx, map[sport.Kind][]sport.ID{kind: some})
		if kind == sport.KindMatch {
			fetch.Details(ctx, some)
		}
		if err := fetch.Err(); err != nil {
			return err
		}
		for _, id := range some {
			e := of(w).At(world.Before, id)
			if e == nil {
				return missing(kind, id)
			}
			if err := write(e); err != nil {
				return err
			}
		}
	}
	return r.close()
}

func (r *run) organizations(ctx context.Context) error {
	ids, err := r.everything(ctx, sport.KindOrganization)
	if err != nil {
		return err
	}
	w, fetch := r.world()
	fetch.Organizations(ctx, ids)
	if err := fetch.Err(); err != nil {
		return err
	}
	for _, id := range ids { // before any of them names another
		if o := w.Organizations.At(world.Before, id); o != nil {
			r.note(id, o.Key)
		}
	}
	if err := r.begin("organizations", len(ids), &r.report.Organizations); err != nil {
		return err
	}
	for _, id := range ids {
		o := w.Organizations.At(world.Before, id)
		if o == nil {
			return missing(sport.KindOrganization, id)
		}
		rec := o.Given()
		rec.Value.ParentID = r.called(rec.Value.ParentID)
		rec.Value.AdditionalParentIDs = nil
		for _, parent := range o.AdditionalParentIDs {
			rec.Value.AdditionalParentIDs = append(rec.Value.AdditionalParentIDs, r.called(parent))
		}
		if err := put(r, rec, string(o.Type), o.Name); err != nil {
			return err
		}
	}
	return r.close()
}

func (r *run) competitions(ctx context.Context) error {
	ids, err := r.everything(ctx, sport.KindCompetition)
	if err != nil {
		return err
	}
	w, fetch := r.world()
	fetch.Competitions(ctx, ids)
	if err := fetch.Err(); err != nil {
		return err
	}
	var seasons []*world.Competition
	for _, id := range ids {
		for c := range w.SeasonsOf(world.Before, id) {
			if r.Season != 0 && c.Season != r.Season {
				continue
			}
			seasons = append(seasons, c)
			r.note(id, c.Key)
			for _, g := range c.Groups {
				r.note(g.ID, g.Key)
			}
		}
	}
	if err := r.begin("competitions", len(seasons), &r.report.Competitions); err != nil {
		return err
	}
	for _, c := range seasons {
		rec := c.Given()
		rec.Value.OrganizationID, rec.Value.ParentID = r.called(c.OrganizationID), r.called(c.ParentID)
		if err := put(r, rec, c.Name, string(c.ID), fmt.Sprint(c.Season)); err != nil {
			return err
		}
	}
	return r.close()
}

func (r *run) teams(ctx context.Context) error {
	of := func(w *world.World) *world.Entities[sport.ID, world.Team] { return &w.Teams }
	return inChunks(ctx, r, sport.KindTeam, "teams", &r.report.Teams, of, func(t *world.Team) error {
		r.note(t.ID, t.Key)
		rec := t.Given()
		v := &rec.Value
		v.OrganizationID, v.CompetitionID, v.GroupID = r.called(v.OrganizationID), r.called(v.CompetitionID), r.called(v.GroupID)
		return put(r, rec, string(v.CompetitionID), fmt.Sprint(v.Season), string(v.GroupID), v.Name)
	})
}

func (r *run) players(ctx context.Context) error {
	of := func(w *world.World) *world.Entities[sport.ID, world.Player] { return &w.Players }
	return inChunks(ctx, r, sport.KindPlayer, "players", &r.report.Players, of, func(p *world.Player) error {
		r.note(p.ID, p.Key)
		rec := p.Given()
		rec.Value.TeamID = r.called(p.TeamID)
		return put(r, rec, string(rec.Value.TeamID), fmt.Sprintf("%09d", p.Number), p.Name)
	})
}

func (r *run) standings(ctx context.Context) error {
	var entries []records.TableEntry
	if r.Records != nil {
		entries = r.Records.Tables
	} else {
		_, fetch := r.world()
		entries = fetch.EveryTable(ctx)
		if err := fetch.Err(); err != nil {
			return err
		}
	}
	if err := r.begin("standings", len(entries), &r.report.Standings); err != nil {
		return err
	}
	for _, at := range entries {
		w, fetch := r.world()
		fetch.Competitions(ctx, []sport.ID{at.Competition})
		if err := fetch.Err(); err != nil {
			return err
		}
		t := w.Tables.At(world.Before, world.TableID{SeasonID: world.SeasonID{ID: at.Competition, Season: at.Season}, Table: at.Table})
		if t == nil {
			return missing("table of competition", at.Competition)
		}
		v := *t
		v.CompetitionID, v.Rows = r.called(t.CompetitionID), nil
		for _, row := range t.Rows {
			row.TeamID, row.GroupID = r.called(row.TeamID), r.called(row.GroupID)
			v.Rows = append(v.Rows, row)
		}
		if err := put(r, &dataset.Record[sport.GivenTable]{Value: v}, string(v.CompetitionID), fmt.Sprint(v.Season), string(v.Table)); err != nil {
			return err
		}
	}
	return r.close()
}

// missing is the error of a record that is in a list but not in the table.
func missing(kind sport.Kind, id sport.ID) error {
	return fmt.Errorf("%s %s is listed and not stored: an import is running, or the table is damaged (touchline check)", kind, id)
}
