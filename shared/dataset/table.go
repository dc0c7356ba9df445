package dataset

import (
	"fmt"
	"slices"

	"touchline/shared/sport"
)

// maxRows bounds a given table (D47).
const maxRows = 10_000

type tableRecord = Record[sport.GivenTable]

// tableFields is the record of standings.ndjson.
var tableFields = []field[tableRecord]{
	{"competitionId", identifying, func(l *line, r *tableRecord) { r.Value.CompetitionID, r.Key = l.id(sport.KindCompetition) }},
	{"season", identifying, func(l *line, r *tableRecord) { r.Value.Season = l.season() }},
	{"table", identifying, func(l *line, r *tableRecord) { r.Value.Table = enum(l, tables) }},
	{"rows", required, readRows},
	{"deleted", deletion, func(l *line, r *tableRecord) { r.Deleted = l.truth() }},
}

// rowFields is a row of a given table. Points can be below 0: a deduction.
var rowFields = []field[sport.GivenRow]{
	{"teamId", required, func(l *line, r *sport.GivenRow) { r.TeamID = l.ref(sport.KindTeam) }},
	{"rank", required, func(l *line, r *sport.GivenRow) { r.Rank = l.integer(1, maxInt) }},
	{"played", required, func(l *line, r *sport.GivenRow) { r.Played = l.count() }},
	{"won", required, func(l *line, r *sport.GivenRow) { r.Won = l.count() }},
	{"drawn", required, func(l *line, r *sport.GivenRow) { r.Drawn = l.count() }},
	{"lost", required, func(l *line, r *sport.GivenRow) { r.Lost = l.count() }},
	{"goalsFor", required, func(l *line, r *sport.GivenRow) { r.GoalsFor = l.count() }},
	{"goalsAgainst", required, func(l *line, r *sport.GivenRow) { r.GoalsAgainst = l.count() }},
	{"points", required, func(l *line, r *sport.GivenRow) { r.Points = l.integer(-maxInt, maxInt) }},
	{"startingPoints", optional, func(l *line, r *sport.GivenRow) { r.StartingPoints = l.integer(-maxInt, maxInt) }},
	{"group", optional, func(l *line, r *sport.GivenRow) { r.GroupID = l.ref(sport.KindGroup) }},
}

func readRows(l *line, r *tableRecord) {
	at := map[sport.ID]int{}
	list(l, maxRows, func(i int) {
		var row sport.GivenRow
		object(l, rowFields, &row)
		if first, twice := at[row.TeamID]; twice && row.TeamID != "" {
			l.faultf("teamId", "%s is in rows[%d] already", quoted(sport.KindTeam, l.names.given(row.TeamID)), first)
		} else {
			at[row.TeamID] = i
		}
		r.Value.Rows = append(r.Value.Rows, row)
	})
}

func readTable(r *reader) {
	l := &r.line
	rec := &tableRecord{Origin: l.origin}
	record(l, tableFields, rec, &rec.Deleted)
	rec.Key = ""
	v := rec.Value
	who := tableOf(&v)
	if v.CompetitionID != "" && v.Season != 0 && v.Table != "" {
		r.claimAs(who, "table", fmt.Sprintf("the %s table of season %d of %s", v.Table, v.Season,
			quoted(sport.KindCompetition, r.set.Given(v.CompetitionID))))
	}
	if rec.Deleted {
		rec.Value.Rows = nil
	}
	enter(r, &r.set.Standings, rec, who)
}

// tableOf identifies a given table.
func tableOf(t *sport.GivenTable) identity {
	who := seasonOf(t.CompetitionID, t.Season)
	who.kind, who.table = standingsKind, uint8(slices.Index(tables, t.Table)+1) //nolint:gosec // 0 to 3
	return who
}
