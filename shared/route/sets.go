package route

import (
	"encoding/json"
	"strconv"

	"touchline/shared/sport"
)

// None is for operations without parameters.
type None struct{}

// Paging is the parameter set PAGE.
type Paging struct {
	Page  json.Number `query:"page" default:"1" min:"1" doc:"Page of the list, from 1."` // of any number of digits
	Limit int         `query:"limit" default:"25" min:"1" max:"100" doc:"Items on a page."`
}

// Offset is the number of items before the page; on routes without a window it
// may be far beyond any list.
func (p Paging) Offset() int { return p.end() - p.Limit }

// end is the number of items up to the end of the page. A page of more than 9 digits is
// beyond any list as one of 9 is.
func (p Paging) end() int {
	n, err := strconv.Atoi(string(p.Page))
	if err != nil || n > maxInteger {
		n = maxInteger
	}
	return n * p.Limit
}

// Sort is an order of a list. Ties are broken on id; the two with a minus are
// the exact reverse of the two without (D15).
type Sort string

// The orders.
const (
	SortID       Sort = "id"
	SortName     Sort = "name"
	SortIDDesc   Sort = "-id"
	SortNameDesc Sort = "-name"
)

// Sorting is the parameter set SORT.
type Sorting struct {
	Sort Sort `query:"sort" default:"id" enum:"id,name,-id,-name" doc:"Order of the list; a minus reverses it."`
}

// Descendants is the parameter set DESC.
type Descendants struct {
	IncludeDescendants bool `query:"includeDescendants" default:"false" doc:"Everything below the organization, for keys with descendants."`
}

// Season is the parameter set SEASON.
type Season struct {
	Season int `query:"season" min:"1" max:"999999999" doc:"Year in which the season starts; absent, the current season."` // 0: absent
}

// TimeRange is the parameter set TIME. Where both are set, From may lie after
// To by a part of a millisecond that rounding took: no match is in it then.
type TimeRange struct {
	From Bound `query:"from" day:"start" doc:"Earliest kickoff, ISO 8601; a date alone is the start of that UTC day."`
	To   Bound `query:"to" day:"end" doc:"Latest kickoff, ISO 8601; a date alone is the end of that UTC day."`
}

// MatchStatus is the parameter set MSTATUS.
type MatchStatus struct {
	Status sport.MatchStatus `query:"status" enum:"upcoming,live,finished,postponed" doc:"State of the match."` // empty: absent
}

// ActiveStatus is the status filter of organizations, teams and players.
type ActiveStatus struct {
	Status sport.Status `query:"status" enum:"active,inactive" doc:"Whether the item takes part."` // empty: absent
}
