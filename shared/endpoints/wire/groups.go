package wire

import (
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// Groups are the groups of a competition's season (decisions.md, Bodies).
type Groups struct {
	Competition Competition `json:"competition"`
	Seasons     []int       `json:"seasons" doc:"The seasons of the competition that the key may see, newest first."` // never null
	Groups      []Group     `json:"groups"`                                                                           // never null
}

// Group is one of them, its teams by name, then id (D42).
type Group struct {
	ID        sport.ID `json:"id"`
	Name      string   `json:"name"`
	Order     int      `json:"order" doc:"Place among its kind."`
	Completed bool     `json:"completed"`
	Teams     []Team   `json:"teams"` // never null
}

// GroupsOf shows the groups of a season, nil if there aren't any, and which seasons
// there are.
func GroupsOf(c *records.CompetitionRef, seasons []int, r *records.GroupsRecord) Groups {
	out := Groups{Competition: CompetitionOf(c), Seasons: append([]int{}, seasons...), Groups: []Group{}}
	if r == nil {
		return out
	}
	out.Groups = each(r.Groups, func(g *records.GroupRecord) Group {
		return Group{ID: g.ID, Name: g.Name, Order: g.Order, Completed: g.Completed, Teams: each(g.Teams, TeamOf)}
	})
	return out
}
