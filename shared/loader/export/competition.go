package export

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// ErrNoCompetition is the error of a competition, or of a season of it, that the table
// does not hold.
var ErrNoCompetition = errors.New("there is no such competition, or no such season of it")

// ofCompetition finds the records of a competition: its teams and whom they play, their
// players, its matches and given tables, and the organizations of all of them, up to
// those at the top. Each can be loaded into an empty table then.
func (e *Exporter) ofCompetition(ctx context.Context) (*Records, error) {
	w := world.NewWorld()
	fetch := &world.Fetcher{Table: e.Table, World: w}
	competitions := []sport.ID{e.Competition}
	fetch.Competitions(ctx, competitions)
	fetch.StagesOf(ctx, competitions)
	competitions = slices.AppendSeq(competitions, w.Stages.In(world.Before, e.Competition))
	fetch.Competitions(ctx, competitions)
	found := &found{seen: map[sport.ID]bool{}, of: map[sport.Kind][]sport.ID{}}
	var seasons []world.SeasonID
	for _, id := range competitions {
		for year := range w.Seasons.In(world.Before, id) {
			if s := (world.SeasonID{ID: id, Season: year}); e.Season == 0 || e.Season == year {
				c := w.Competitions.At(world.Before, s)
				found.add(sport.KindCompetition, id, c.ParentID)
				found.add(sport.KindOrganization, c.OrganizationID)
				seasons = append(seasons, s)
			}
		}
	}
	if len(seasons) == 0 {
		return nil, cmp.Or(fetch.Err(), ErrNoCompetition)
	}
	parents := slices.DeleteFunc(slices.Clone(found.of[sport.KindCompetition]), func(id sport.ID) bool { return slices.Contains(competitions, id) })
	fetch.Competitions(ctx, parents)
	for _, id := range parents {
		for year := range w.Seasons.In(world.Before, id) {
			found.add(sport.KindOrganization, w.Competitions.At(world.Before, world.SeasonID{ID: id, Season: year}).OrganizationID)
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
	teams := found.of[sport.KindTeam]
	fetch.Teams(ctx, teams)
	fetch.SquadsOf(ctx, teams)
	for _, id := range teams {
		if t := w.Teams.At(world.Before, id); t != nil {
			found.add(sport.KindOrganization, t.OrganizationID)
		}
		found.add(sport.KindPlayer, slices.Collect(w.Squads.In(world.Before, id))...)
	}
	found.upwards(ctx, fetch)
	tables := slices.DeleteFunc(fetch.EveryTable(ctx), func(t records.TableEntry) bool {
		return !slices.Contains(seasons, world.SeasonID{ID: t.Competition, Season: t.Season})
	})
	return &Records{IDs: found.of, Tables: tables}, fetch.Err()
}

// found are ids by kind, each once.
type found struct {
	seen map[sport.ID]bool
	of   map[sport.Kind][]sport.ID
}

func (f *found) add(kind sport.Kind, ids ...sport.ID) {
	for _, id := range ids {
		if id != "" && !f.seen[id] {
			f.seen[id] = true
			f.of[kind] = append(f.of[kind], id)
		}
	}
}

// upwards adds the organizations above those that were found.
func (f *found) upwards(ctx context.Context, fetch *world.Fetcher) {
	for done := 0; done < len(f.of[sport.KindOrganization]); {
		some := f.of[sport.KindOrganization][done:]
		fetch.Organizations(ctx, some)
		done += len(some)
		for _, id := range some {
			if o := fetch.World.Organizations.At(world.Before, id); o != nil {
				f.add(sport.KindOrganization, append([]sport.ID{o.ParentID}, o.AdditionalParentIDs...)...)
			}
		}
	}
}
