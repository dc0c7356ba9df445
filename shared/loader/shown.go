package loader

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/loader/affected"
	"touchline/shared/loader/change"
	"touchline/shared/loader/history"
	"touchline/shared/loader/integrity"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// shown says which of the affected records nobody sees in the view before, and somebody in
// the view after (D74). Who is hidden is decided by package world, so that it does not matter
// which record of the dataset shows them: it may be a team that moves to an open league. It
// adds players who show the name of a hidden one (D89).
func (b *base) shown(a *affected.Records, namesakes []integrity.Namesake, said world.Set[world.SeasonID], called func(sport.ID) string) []history.Shown {
	w := b.world
	var seasons []world.SeasonID
	for id := range a.Competitions {
		for year := range w.Seasons.Both(id) {
			seasons = append(seasons, world.SeasonID{ID: id, Season: year})
		}
	}
	s := seen{said: said, called: called}
	nowSeen(&s, files.Organizations, &w.Organizations, a.Organizations.Keys(), alone, func(_ world.View, o *world.Organization) bool { return o.Unseen })
	nowSeen(&s, files.Competitions, &w.Competitions, seasons, func(id world.SeasonID) world.SeasonID { return id }, func(_ world.View, c *world.Competition) bool { return !c.Public() })
	nowSeen(&s, files.Teams, &w.Teams, a.Teams.Keys(), alone, func(_ world.View, t *world.Team) bool { return !t.Public() })
	var rest world.Set[sport.ID] // players but those who show another one's name
	rest.AddAll(maps.Keys(a.Players))
	for _, n := range namesakes {
		delete(rest, n.Shown)
	}
	nowSeen(&s, files.Players, &w.Players, rest.Keys(), alone, func(v world.View, x *world.Player) bool { return !w.Visible(v, x) })
	for _, n := range namesakes {
		if !n.Hid {
			s.add(files.Players, alone(n.Shown), fmt.Sprintf(" (hidden as %s)", called(n.Hidden)))
		}
	}
	nowSeen(&s, files.Matches, &w.Matches, a.Matches.Keys(), alone, w.NamesNobody)
	return s.all
}

// seen are whom a load shows.
type seen struct {
	all    []history.Shown
	said   world.Set[world.SeasonID] // change.Changes.Said
	called func(sport.ID) string
}

func alone(id sport.ID) world.SeasonID { return world.SeasonID{ID: id} }

// add adds a record of a kind, with what follows its key.
func (s *seen) add(kind files.Kind, id world.SeasonID, more string) {
	key := s.called(id.ID) + more
	if id.Season != 0 {
		key = fmt.Sprint(s.called(id.ID), " ", id.Season)
	}
	said := s.said.Has(id)
	i := slices.IndexFunc(s.all, func(x history.Shown) bool { return x.Kind == kind.String() && x.Said == said })
	if i < 0 {
		i, s.all = len(s.all), append(s.all, history.Shown{Kind: kind.String(), Said: said})
	}
	x := &s.all[i]
	x.Records++
	at, _ := slices.BinarySearch(x.Keys, key)
	x.Keys = slices.Insert(x.Keys, at, key)
	x.Keys = x.Keys[:min(len(x.Keys), history.MaxShown)]
}

// nowSeen adds those of some records that are hidden in the view before and not after.
func nowSeen[K comparable, E any](s *seen, kind files.Kind, e *world.Entities[K, E], ids []K, identity func(K) world.SeasonID, hidden func(world.View, *E) bool) {
	for _, id := range ids {
		was, is := e.At(world.Before, id), e.At(world.After, id)
		if was != nil && is != nil && hidden(world.Before, was) && !hidden(world.After, is) {
			s.add(kind, identity(id), "")
		}
	}
}

// reveal finds what a load does to names: for the report whom it shows and which move, and
// warnings of whom it still shows and which stand twice. A strict one may do none of that, but
// move names where that is meant.
func (b *base) reveal(ctx context.Context, in *input, c *change.Changes, a *affected.Records, opts Options) error {
	called, warnings, r := in.called, &dataset.Warnings{}, c.Report
	namesakes := integrity.Namesakes(ctx, b.fetch, a.Players)
	ids := make([]sport.ID, 0, 2*len(namesakes))
	for _, n := range namesakes {
		ids = append(ids, n.Shown, n.Hidden)
	}
	b.fetch.Players(ctx, ids) // for their keys
	if r.Shown = b.shown(a, namesakes, c.Said, called); in.undoes != nil {
		r.Warnings = nil // it brings nothing new
		return b.fetch.Err()
	}
	for _, n := range namesakes {
		if n.Hid {
			at := in.set.Origin(sport.KindPlayer, n.Hidden)
			warnings.Add(dataset.Fault{File: at.File, Line: at.Line, Message: fmt.Sprintf("hides player %s, whose name player %s of the club shows: if they are one, hide both", called(n.Hidden), called(n.Shown))})
		}
	}
	for _, w := range slices.Concat(integrity.Exposed(b.world, in.set, called), integrity.Alike(ctx, b.fetch, in.set, called)) {
		warnings.Add(w)
	}
	r.Renamed, r.Warnings = integrity.Renamed(ctx, b.fetch, called), r.Warnings.With(warnings)
	faults := r.Unmeant()
	if opts.Yes {
		faults = r.Reveals()
	}
	if faults.Merge(warnings.Faults()); opts.Strict && faults.Count() > 0 && b.fetch.Err() == nil {
		return faults
	}
	return b.fetch.Err()
}
