package affected

import (
	"maps"

	"touchline/shared/dataset"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// Leave leaves out the records around a part, which are projected with the parts that
// they are of. They are around it because they are in what is computed of the part,
// and that includes the fixtures of its teams: of the matches around it, these stay.
func (a *Records) Leave(around *dataset.Part) {
	competitions := leave(around.Competitions, a.Competitions)
	of := func(id world.SeasonID, _ struct{}) bool { return competitions.Has(id.ID) }
	maps.DeleteFunc(a.Tables, of)
	maps.DeleteFunc(a.CompetitionSums, of)
	a.TeamsAround = leave(around.Teams, a.Teams, a.TeamSums)
	leave(around.Players, a.Players, a.PlayerSums)
	a.MatchesAround = leave(around.Matches, a.Matches)
}

// leave leaves records out of sets, and returns their ids.
func leave[T dataset.Entity](records []*dataset.Record[T], of ...world.Set[sport.ID]) world.Set[sport.ID] {
	var left world.Set[sport.ID]
	for _, x := range records {
		left.Add(x.ID)
		for _, set := range of {
			delete(set, x.ID)
		}
	}
	return left
}
