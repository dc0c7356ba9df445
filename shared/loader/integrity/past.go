package integrity

import (
	"context"
	"fmt"

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

func resultOf(m *world.Match) (r result) {
	if m != nil {
		r = result{season: m.SeasonID(), home: m.HomeTeamID, away: m.AwayTeamID}
		if m.Score != nil {
			r.score = *m.Score
		}
	}
	return r
}

// past warns of what a load does to matches that are over: one gets the teams and the
// score of another, as where the ids of a sheet were sorted without their rows, or one
// leaves a season that is completed and stays.
func (l *Checker) past(ctx context.Context, part *dataset.Part) (found []dataset.Fault) {
	w := l.World
	finished := map[result]sport.ID{}
	var completed []sport.ID
	for _, x := range part.Matches {
		was, is := w.Matches.At(world.Before, x.ID), w.Matches.At(world.After, x.ID)
		if was != nil && was.Status == sport.Finished {
			finished[resultOf(was)] = x.ID
		}
		if was != nil && (is == nil || is.SeasonID() != was.SeasonID()) {
			completed = append(completed, was.CompetitionID)
		}
	}
	l.Fetch.Competitions(ctx, completed)
	warn := func(at dataset.Origin, field, message string) {
		if at.Line > 0 {
			found = append(found, dataset.Fault{File: at.File, Line: at.Line, Field: field, Message: message})
		}
	}
	for _, x := range part.Matches {
		was, is := w.Matches.At(world.Before, x.ID), w.Matches.At(world.After, x.ID)
		if was == nil {
			continue
		}
		if other, known := finished[resultOf(is)]; known && other != x.ID && was.Status == sport.Finished && resultOf(is) != resultOf(was) {
			warn(x.Origin, "id", "has the teams and the score that another match had: were ids sorted without their rows?")
		}
		if c := w.Competitions.At(world.Before, was.SeasonID()); c == nil || !c.Completed || w.Competitions.At(world.After, c.SeasonID()) == nil {
			continue
		}
		of := "leaves " + fmt.Sprintf("season %d of %s", was.Season, l.called(sport.KindCompetition, was.CompetitionID)) + ", which is completed"
		switch {
		case is == nil:
			warn(x.Origin, "id", of)
		case is.CompetitionID != was.CompetitionID:
			warn(x.Origin, "competitionId", of)
		case is.Season != was.Season:
			warn(x.Origin, "season", of)
		}
	}
	return found
}
