package world

import (
	"reflect"

	"touchline/shared/sport"
	"touchline/shared/statistics"
)

// NoteScoring finds out whether a change of a match that goes on is a goal, a
// card or the like: its score and its events change, but not its line-ups, with
// the minutes of who came on and went off. Nothing else that the match shows may
// change in the load. Most of what a match shows then stays as it is.
func (w *World) NoteScoring(id sport.ID) error {
	was, is, err := w.Outcomes(id)
	if err != nil || was == nil || is == nil {
		return err
	}
	a, b := was.Entry, is.Entry
	if a.Status != b.Status || a.Status == sport.Finished || a.Kickoff != b.Kickoff || a.Hidden != b.Hidden ||
		a.Home != b.Home || a.Away != b.Away || was.Season != is.Season {
		return nil
	}
	m, n := w.Matches.At(Before, id), w.Matches.At(After, id)
	before, err := w.Full(Before, m)
	if err != nil {
		return err
	}
	after, err := w.Full(After, n)
	if err != nil {
		return err
	}
	if reflect.DeepEqual(statistics.LineupsOf(*before, w.Clock(Before, m)), statistics.LineupsOf(*after, w.Clock(After, n))) {
		w.scoring.Add(id)
	}
	return nil
}

// Scoring reports whether NoteScoring found that.
func (w *World) Scoring(id sport.ID) bool { return w.scoring.Has(id) }

// Outcomes are those of a match in both views.
func (w *World) Outcomes(id sport.ID) (was, is *Outcome, err error) {
	if was, err = w.Outcome(Before, id); err != nil {
		return nil, nil, err
	}
	is, err = w.Outcome(After, id)
	return was, is, err
}

// Shown are the players for whom a match that changes has to be projected, whether they
// may be named or not. In a match that is Scoring they are those of its events, and those
// whose performance changes. In any other they are all whom it lists or names.
func (w *World) Shown(id sport.ID) (Set[sport.ID], error) {
	was, is, err := w.Outcomes(id)
	if err != nil {
		return nil, err
	}
	players := Set[sport.ID]{}
	if !w.Scoring(id) {
		for _, o := range []*Outcome{was, is} {
			if o != nil {
				for _, p := range o.All {
					players.Add(p.PlayerID)
				}
			}
		}
		return players, nil
	}
	for _, v := range []View{Before, After} {
		full, err := w.Full(v, w.Matches.At(v, id))
		if err != nil {
			return nil, err
		}
		for _, e := range full.Events {
			players.Add(e.Players()...)
		}
	}
	did := make(map[sport.ID]statistics.Performance, len(was.All))
	for _, p := range was.All {
		did[p.PlayerID] = p
	}
	for _, p := range is.All {
		if did[p.PlayerID] != p {
			players.Add(p.PlayerID)
		}
	}
	return players, nil
}
