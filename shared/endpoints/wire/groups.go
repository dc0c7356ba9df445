package wire

import (
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// Groups are the groups of a competition's season (decisions.md, Bodies).
type Groups struct {
	Competition Competition `json:"competition"`
	Groups      []Group     `json:"groups"` // never null
}

// Group is one of them, its teams by name, then id (D42).
type Group struct {
	ID        sport.ID `json:"id"`
	Name      string   `json:"name"`
	Order     int      `json:"order" doc:"Place among its kind."`
	Completed bool     `json:"completed"`
	Teams     []Team   `json:"teams"` // never null
}

// GroupsOf shows the groups of a season; nil if there aren't any.
func GroupsOf(c *records.CompetitionRef, r *records.GroupsRecord) Groups {
	out := Groups{Competition: CompetitionOf(c), Groups: []Group{}}
	if r == nil {
		return out
	}
	for i := range r.Groups {
		g := &r.Groups[i]
		teams := make([]Team, 0, len(g.Teams))
		for j := range g.Teams {
			teams = append(teams, TeamOf(&g.Teams[j]))
		}
		out.Groups = append(out.Groups, Group{ID: g.ID, Name: g.Name, Order: g.Order, Completed: g.Completed, Teams: teams})
	}
	return out
}
