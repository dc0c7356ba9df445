package world

import (
	"maps"
	"slices"

	"touchline/shared/sport"
)

// Lineup is what a match says about who belongs to a competition.
type Lineup struct {
	Season SeasonID
	Squad  []sport.ID
}

// Appearing is whom a match makes a player of its competition: those in its
// published line-ups, unless it is a friendly or outside every scope.
func (w *World) Appearing(v View, id sport.ID) Lineup {
	m := w.Matches.At(v, id)
	if m == nil || m.CompetitionID == "" || len(m.Squad) == 0 {
		return Lineup{}
	}
	c := w.Competitions.At(v, m.SeasonID())
	home, away := w.Teams.At(v, m.HomeTeamID), w.Teams.At(v, m.AwayTeamID)
	if c == nil || home == nil || away == nil || w.matchHidden(v, m, c, home, away) {
		return Lineup{}
	}
	return Lineup{Season: m.SeasonID(), Squad: m.Squad}
}

// NoteAppearances notes what changes between the two views of a match.
func (w *World) NoteAppearances(id sport.ID) {
	was, is := w.Appearing(Before, id), w.Appearing(After, id)
	for _, x := range was.Squad {
		w.appearances.Remove(x, appearance{was.Season, id})
	}
	for _, x := range is.Squad {
		w.appearances.Add(x, appearance{is.Season, id})
	}
}

// SetLineups decides, in the view after, in which competitions' line-ups a
// player is. Only seasons touched by the load can differ from what is stored.
func (w *World) SetLineups(id sport.ID, touched Set[SeasonID]) {
	x := w.Players.At(After, id)
	if x == nil {
		return
	}
	in := Set[SeasonID]{}
	for _, s := range x.Lineups {
		if !touched.Has(s) {
			in.Add(s)
		}
	}
	for a := range w.appearances.In(After, id) {
		if touched.Has(a.SeasonID) {
			in.Add(a.SeasonID)
		}
	}
	w.Players.Renew(id, func(x *Player) {
		if lineups := slices.SortedFunc(maps.Keys(in), SeasonID.Compare); !slices.Equal(lineups, x.Lineups) {
			x.Lineups = lineups
		}
	})
}
