package integrity

import (
	"touchline/shared/dataset"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// result is what a row of a finished match says, without its id.
type result struct {
	season     world.SeasonID
	home, away sport.ID
	score      sport.Score
}

func resultOf(m *world.Match) result {
	r := result{season: m.SeasonID(), home: m.HomeTeamID, away: m.AwayTeamID}
	if m.Score != nil {
		r.score = *m.Score
	}
	return r
}

// exchanged warns of finished matches that get the teams and the score of another one, as
// where the ids of a sheet were sorted without their rows.
func (l *Checker) exchanged(set *dataset.Set) (found []dataset.Fault) {
	matches := &l.World.Matches
	finished := map[result]sport.ID{}
	for _, id := range matches.Changes() {
		if was := matches.At(world.Before, id); was != nil && was.Status == sport.Finished {
			finished[resultOf(was)] = id
		}
	}
	for _, id := range matches.Changes() {
		was, is := matches.At(world.Before, id), matches.At(world.After, id)
		if was == nil || was.Status != sport.Finished || is == nil || resultOf(is) == resultOf(was) {
			continue
		}
		if other, known := finished[resultOf(is)]; known && other != id {
			at := set.Origin(sport.KindMatch, id)
			found = append(found, dataset.Fault{File: at.File, Line: at.Line, Field: "id",
				Message: "has the teams and the score that another match had: were ids sorted without their rows?"})
		}
	}
	return found
}
