package export

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"touchline/shared/loader/history"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

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
	all := map[sport.Kind][]history.Record{sport.KindCompetition: seasonsOf(w, found.ids(sport.KindCompetition), e.Season)}
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

// found are ids by kind.
type found map[sport.Kind]world.Set[sport.ID]

func (f found) add(kind sport.Kind, ids ...sport.ID) {
	set := f[kind]
	set.Add(world.Present(ids)...)
	f[kind] = set
}

// ids are those of a kind, in order.
func (f found) ids(kind sport.Kind) []sport.ID { return slices.Sorted(maps.Keys(f[kind])) }
