package change

import (
	"touchline/shared/loader/history"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// Competitions are those of the records that change, each once. They are nil where an
// organization changes, since any competition may show it, and where the team of a
// player is not known.
func (c *Changes) Competitions() []sport.ID {
	seen := map[sport.ID]bool{}
	var all []sport.ID
	for _, of := range c.Noted {
		for _, v := range []world.View{world.Before, world.After} {
			id, known := c.competitionOf(of, v)
			if !known {
				return nil
			}
			if id != "" && !seen[id] {
				seen[id] = true
				all = append(all, id)
			}
		}
	}
	return all
}

// competitionOf is the competition of a record in a view, empty if it has none there.
func (c *Changes) competitionOf(of history.Record, v world.View) (id sport.ID, known bool) {
	switch of.Kind {
	case sport.KindCompetition, history.KindStandings:
		return of.ID, true
	case sport.KindMatch:
		if m := c.World.Matches.At(v, of.ID); m != nil {
			id = m.CompetitionID
		}
		return id, true
	case sport.KindTeam:
		if t := c.World.Teams.At(v, of.ID); t != nil {
			id = t.CompetitionID
		}
		return id, true
	case sport.KindPlayer:
		p := c.World.Players.At(v, of.ID)
		if p == nil {
			return "", true
		}
		if t := c.World.Teams.At(v, p.TeamID); t != nil {
			return t.CompetitionID, true
		}
	}
	return "", false
}
