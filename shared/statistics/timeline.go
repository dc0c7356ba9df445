package statistics

import "touchline/shared/sport"

// RunningScores are the scores after each of a match's events, in the order of the
// record; nil for an event that is no goal. A goal, even an own goal, counts for the
// side that it is credited to.
func RunningScores(events []sport.Event) []*sport.Score {
	scores := make([]*sport.Score, len(events))
	var score sport.Score
	for i, e := range events {
		if e.Type != sport.EventGoal {
			continue
		}
		switch e.Side {
		case sport.SideHome:
			score.Home++
		case sport.SideAway:
			score.Away++
		}
		scores[i] = new(score)
	}
	return scores
}
