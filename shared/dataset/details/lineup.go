package details

import (
	"fmt"
	"strings"

	"touchline/shared/dataset/jsonl"
	"touchline/shared/sport"
)

// lineupFields, squadFields and entryFields are the lineups of a match.
var lineupFields = []jsonl.Field[sport.Lineups]{
	jsonl.Required("confirmed", jsonl.Bool(), func(v *sport.Lineups) *bool { return &v.Confirmed }),
	jsonl.Required("home", squad, func(v *sport.Lineups) *sport.Squad { return &v.Home }),
	jsonl.Required("away", squad, func(v *sport.Lineups) *sport.Squad { return &v.Away }),
}

var squadFields = []jsonl.Field[sport.Squad]{
	jsonl.Optional("formation", jsonl.Text(maxFormation), func(s *sport.Squad) *string { return &s.Formation }),
	jsonl.Optional("coach", jsonl.Text(jsonl.MaxName), func(s *sport.Squad) *string { return &s.Coach }),
	jsonl.Required("starting", entries, func(s *sport.Squad) *[]sport.LineupEntry { return &s.Starting }),
	jsonl.Required("bench", entries, func(s *sport.Squad) *[]sport.LineupEntry { return &s.Bench }),
}

var entryFields = []jsonl.Field[sport.LineupEntry]{
	jsonl.Nullable("playerId", jsonl.Ref(sport.KindPlayer), func(e *sport.LineupEntry) *sport.ID { return &e.PlayerID }),
	jsonl.Optional("number", jsonl.Count(), func(e *sport.LineupEntry) *int { return &e.Number }),
	jsonl.Optional("captain", jsonl.Bool(), func(e *sport.LineupEntry) *bool { return &e.Captain }),
	jsonl.Optional("position", Position, func(e *sport.LineupEntry) *sport.Position { return &e.Position }),
	jsonl.Optional("grid", jsonl.String(readGrid), func(e *sport.LineupEntry) *string { return &e.Grid }),
}

// The lists of a side, as a row of a sheet names them.
const (
	Starting = "starting"
	Bench    = "bench"
)

// LineupColumns are those of a sheet whose rows are players of a line-up: an entry, its
// side and list, and what the side has once.
func LineupColumns() []jsonl.Column {
	all := []jsonl.Column{{Path: "side", Values: ColumnValues("side")}, {Path: "list", Values: ColumnValues("list")}}
	all = append(all, jsonl.Columns(entryFields)...)
	return append(all, jsonl.Column{Path: "formation"}, jsonl.Column{Path: "coach"}, jsonl.Column{Path: "confirmed", Holds: jsonl.TruthCell})
}

// ColumnValues are those that a cell of side or of list can have.
func ColumnValues(column string) []string {
	if column == "side" {
		return []string{string(sport.SideHome), string(sport.SideAway)}
	}
	return []string{Starting, Bench}
}

// Lineups are the line-ups of a match.
var Lineups = jsonl.Pointer(jsonl.Value[sport.Lineups]{
	Read: func(l *jsonl.Line) sport.Lineups {
		var v sport.Lineups
		jsonl.ReadObject(l, lineupFields, &v)
		checkPlayers(l, &v)
		return v
	},
	Append: jsonl.Struct(lineupFields).Append,
})

// Bounds of a line-up's texts (D47), in characters.
const (
	maxFormation = 20
	maxGrid      = 7
)

// maxSquad bounds the players of a side (D47).
const maxSquad = 60

var squad = jsonl.Value[sport.Squad]{
	Read: func(l *jsonl.Line) sport.Squad {
		var s sport.Squad
		jsonl.ReadObject(l, squadFields, &s)
		if len(s.Starting) <= maxSquad && len(s.Bench) <= maxSquad && len(s.Starting)+len(s.Bench) > maxSquad {
			l.Faultf("bench", "brings the side to more than %d players", maxSquad)
		}
		return s
	},
	Append: jsonl.Struct(squadFields).Append,
}

var entries = jsonl.ListOf(maxSquad, jsonl.Struct(entryFields), nil)

// readGrid reads a place on the pitch, "row:col", each of one to three digits.
func readGrid(l *jsonl.Line) string {
	before := l.Faults()
	grid := l.Text(maxGrid)
	row, col, ok := strings.Cut(grid, ":")
	if l.Faults() == before && (!ok || !short(row) || !short(col)) {
		l.Fault("", `must be a row and a column, such as "2:3"`)
	}
	return grid
}

func short(s string) bool {
	return len(s) >= 1 && len(s) <= 3 && strings.Trim(s, "0123456789") == ""
}

// Entries are one of the four lists of players in a match's line-ups.
type Entries struct {
	Field string // the path to the list in its match
	List  []sport.LineupEntry
}

// EntriesOf gives the four lists in the order of dataset.md.
func EntriesOf(v *sport.Lineups) [4]Entries {
	return [...]Entries{
		{"lineups.home.starting", v.Home.Starting}, {"lineups.home.bench", v.Home.Bench},
		{"lineups.away.starting", v.Away.Starting}, {"lineups.away.bench", v.Away.Bench},
	}
}

// checkPlayers refuses a player who is listed twice. The path is at lineups.
func checkPlayers(l *jsonl.Line, v *sport.Lineups) {
	lists := EntriesOf(v)
	n := 0
	for _, entries := range lists {
		n += len(entries.List)
	}
	at := make(map[sport.ID]string, n)
	for _, entries := range lists {
		name := strings.TrimPrefix(entries.Field, "lineups.")
		for j, e := range entries.List {
			if e.PlayerID == "" {
				continue
			}
			if first, twice := at[e.PlayerID]; twice {
				l.Faultf(fmt.Sprintf("%s[%d].playerId", name, j), "player %q is in the line-ups already, in %s", l.Given(e.PlayerID), first)
				continue
			}
			at[e.PlayerID] = name
		}
	}
}
