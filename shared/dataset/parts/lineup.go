package parts

import (
	"fmt"
	"strings"

	"touchline/shared/dataset/jsonl"
	"touchline/shared/sport"
)

// lineupFields, squadFields and entryFields are the lineups of a match.
var lineupFields = []jsonl.Field[sport.Lineups]{
	jsonl.Required("confirmed", func(l *jsonl.Line, v *sport.Lineups) { v.Confirmed = l.Bool() }),
	jsonl.Required("home", func(l *jsonl.Line, v *sport.Lineups) { readSquad(l, &v.Home) }),
	jsonl.Required("away", func(l *jsonl.Line, v *sport.Lineups) { readSquad(l, &v.Away) }),
}

var squadFields = []jsonl.Field[sport.Squad]{
	jsonl.Optional("formation", func(l *jsonl.Line, s *sport.Squad) { s.Formation = l.Text(maxFormation) }),
	jsonl.Optional("coach", func(l *jsonl.Line, s *sport.Squad) { s.Coach = l.Text(jsonl.MaxName) }),
	jsonl.Required("starting", func(l *jsonl.Line, s *sport.Squad) { s.Starting = readEntries(l) }),
	jsonl.Required("bench", func(l *jsonl.Line, s *sport.Squad) { s.Bench = readEntries(l) }),
}

var entryFields = []jsonl.Field[sport.LineupEntry]{
	jsonl.Nullable("playerId", func(l *jsonl.Line, e *sport.LineupEntry) { e.PlayerID = l.Ref(sport.KindPlayer) }),
	jsonl.Optional("number", func(l *jsonl.Line, e *sport.LineupEntry) { e.Number = l.Count() }),
	jsonl.Optional("captain", func(l *jsonl.Line, e *sport.LineupEntry) { e.Captain = l.Bool() }),
	jsonl.Optional("position", func(l *jsonl.Line, e *sport.LineupEntry) { e.Position = ReadPosition(l) }),
	jsonl.Optional("grid", readGrid),
}

// ReadLineups reads the line-ups of a match.
func ReadLineups(l *jsonl.Line) *sport.Lineups {
	v := &sport.Lineups{}
	jsonl.Object(l, lineupFields, v)
	checkPlayers(l, v)
	return v
}

// Bounds of a line-up's texts (D47), in characters.
const (
	maxFormation = 20
	maxGrid      = 7
)

// maxSquad bounds the players of a side (D47).
const maxSquad = 60

func readSquad(l *jsonl.Line, s *sport.Squad) {
	jsonl.Object(l, squadFields, s)
	if len(s.Starting) <= maxSquad && len(s.Bench) <= maxSquad && len(s.Starting)+len(s.Bench) > maxSquad {
		l.Faultf("bench", "brings the side to more than %d players", maxSquad)
	}
}

func readEntries(l *jsonl.Line) []sport.LineupEntry {
	var entries []sport.LineupEntry
	l.List(maxSquad, func(int) {
		var e sport.LineupEntry
		jsonl.Object(l, entryFields, &e)
		entries = append(entries, e)
	})
	return entries
}

// readGrid reads a place on the pitch, "row:col", each of one to three digits.
func readGrid(l *jsonl.Line, e *sport.LineupEntry) {
	before := l.Faults()
	e.Grid = l.Text(maxGrid)
	row, col, ok := strings.Cut(e.Grid, ":")
	if l.Faults() == before && (!ok || !short(row) || !short(col)) {
		l.Fault("", `must be a row and a column, such as "2:3"`)
	}
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
