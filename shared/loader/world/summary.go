package world

import (
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// GroupName is the name of a group of a competition's season, empty where it
// has none of that id.
func GroupName(c *Competition, id sport.ID) string {
	if c == nil || id == "" {
		return ""
	}
	for _, g := range c.Groups {
		if g.ID == id {
			return g.Name
		}
	}
	return ""
}

func matchEntry(m *sport.Match, c *Competition, home, away *Team) records.Match {
	return records.Match{
		ID: m.ID, Status: m.Status, Kickoff: m.Kickoff.UnixMilli(),
		Home: records.TeamRefOf(&home.Team), Away: records.TeamRefOf(&away.Team),
		Score: m.Score, Penalties: m.Penalties,
		Leg: m.Leg, TwoLegs: m.TwoLegs, Winner: m.Winner, Round: m.Round,
		GroupID: m.GroupID, GroupName: GroupName(c, m.GroupID),
		ExtraTime: m.ExtraTime, Season: m.Season,
		Points: m.Points, SetPoints: m.SetPoints, TieWinner: m.TieWinner,
	}
}
