package dataset

import (
	"fmt"
	"strings"

	"touchline/shared/sport"
)

// lineupFields, squadFields and entryFields are the lineups of a match.
var lineupFields = []field[sport.Lineups]{
	{"confirmed", required, func(l *line, v *sport.Lineups) { v.Confirmed = l.truth() }},
	{"home", required, func(l *line, v *sport.Lineups) { readSquad(l, &v.Home) }},
	{"away", required, func(l *line, v *sport.Lineups) { readSquad(l, &v.Away) }},
}

var squadFields = []field[sport.Squad]{
	{"formation", optional, func(l *line, s *sport.Squad) { s.Formation = l.text(maxFormation) }},
	{"coach", optional, func(l *line, s *sport.Squad) { s.Coach = l.text(maxName) }},
	{"starting", required, func(l *line, s *sport.Squad) { s.Starting = readEntries(l) }},
	{"bench", required, func(l *line, s *sport.Squad) { s.Bench = readEntries(l) }},
}

var entryFields = []field[sport.LineupEntry]{
	{"playerId", required, func(l *line, e *sport.LineupEntry) { e.PlayerID = l.ref(sport.KindPlayer) }},
	{"captain", optional, func(l *line, e *sport.LineupEntry) { e.Captain = l.truth() }},
	{"position", optional, func(l *line, e *sport.LineupEntry) { e.Position = enum(l, positions) }},
	{"grid", optional, readGrid},
}

func readLineups(l *line) *sport.Lineups {
	v := &sport.Lineups{}
	object(l, lineupFields, v)
	checkPlayers(l, v)
	return v
}

// maxSquad bounds the players of a side (D47).
const maxSquad = 60

func readSquad(l *line, s *sport.Squad) {
	object(l, squadFields, s)
	if len(s.Starting) <= maxSquad && len(s.Bench) <= maxSquad && len(s.Starting)+len(s.Bench) > maxSquad {
		l.faultf("bench", "brings the side to more than %d players", maxSquad)
	}
}

func readEntries(l *line) []sport.LineupEntry {
	var entries []sport.LineupEntry
	list(l, maxSquad, func(int) {
		var e sport.LineupEntry
		object(l, entryFields, &e)
		entries = append(entries, e)
	})
	return entries
}

// readGrid reads a place on the pitch, "row:col", each of one to three digits.
func readGrid(l *line, e *sport.LineupEntry) {
	before := l.faults
	e.Grid = l.text(maxGrid)
	row, col, ok := strings.Cut(e.Grid, ":")
	if l.faults == before && (!ok || !short(row) || !short(col)) {
		l.fault("", `must be a row and a column, such as "2:3"`)
	}
}

func short(s string) bool {
	return len(s) >= 1 && len(s) <= 3 && strings.Trim(s, "0123456789") == ""
}

// entryLists names the four lists of players in a match's line-ups.
var entryLists = [...]string{
	"lineups.home.starting", "lineups.home.bench", "lineups.away.starting", "lineups.away.bench",
}

// entriesOf gives the four lists in the order of entryLists.
func entriesOf(v *sport.Lineups) [len(entryLists)][]sport.LineupEntry {
	return [...][]sport.LineupEntry{v.Home.Starting, v.Home.Bench, v.Away.Starting, v.Away.Bench}
}

// checkPlayers refuses a player who is listed twice. The path is at lineups.
func checkPlayers(l *line, v *sport.Lineups) {
	lists := entriesOf(v)
	n := 0
	for _, entries := range lists {
		n += len(entries)
	}
	at := make(map[sport.ID]string, n)
	for i, entries := range lists {
		name := strings.TrimPrefix(entryLists[i], "lineups.")
		for j, e := range entries {
			if e.PlayerID == "" {
				continue
			}
			if first, twice := at[e.PlayerID]; twice {
				l.faultf(fmt.Sprintf("%s[%d].playerId", name, j), "%s is in the line-ups already, in %s",
					quoted(sport.KindPlayer, l.names.given(e.PlayerID)), first)
				continue
			}
			at[e.PlayerID] = name
		}
	}
}
