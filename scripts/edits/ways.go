package edits

import (
	"slices"
	"strings"
)

// Way is a way to score, in a sport in which not every goal counts one.
type Way struct {
	Name   string
	Points int
}

// ways are those of sports whose scores are no goals, by the sport as the catalogue of
// regulations calls it.
var ways = map[string][]Way{
	"american football":   {{"Touchdown", 6}, {"Field goal", 3}, {"Safety, or two-point conversion", 2}, {"Extra point", 1}},
	"australian football": {{"Goal", 6}, {"Behind", 1}},
	"basketball":          {{"Two points", 2}, {"Three points", 3}, {"Free throw", 1}},
	"beach volleyball":    {{"Set won", 1}},
	"rugby":               rugby,
	"rugby league":        {{"Try", 4}, {"Conversion or penalty", 2}, {"Drop goal", 1}},
	"rugby sevens":        rugby,
	"rugby union":         rugby,
	"table tennis":        {{"Match won", 1}},
	"volleyball":          {{"Set won", 1}},
}

var rugby = []Way{{"Try", 5}, {"Conversion", 2}, {"Penalty or drop goal", 3}}

// goalSports are those in which every goal counts one, besides football.
var goalSports = []string{"beach soccer", "field hockey", "floorball", "futsal", "handball", "hockey", "ice hockey", "korfball", "lacrosse", "water polo"}

// waysOf are the ways to score in a sport, none where goals count one each. False: the
// sport is not known here, and a score may count any number of points.
func waysOf(name string) (found []Way, known bool) {
	name = strings.ToLower(name)
	if found, known = ways[name]; known {
		return found, true
	}
	return nil, name == "" || slices.Contains(goalSports, name)
}
