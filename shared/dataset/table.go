package dataset

import (
	"fmt"
	"slices"

	"touchline/shared/dataset/files"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/sport"
)

// maxRows bounds a given table (D47).
const maxRows = 10_000

type tableRecord = Record[sport.GivenTable]

// tableFields is the record of standings.ndjson.
var tableFields = []jsonl.Field[tableRecord]{
	jsonl.Identifying("competitionId", func(l *jsonl.Line, r *tableRecord) { r.Value.CompetitionID, r.Key = l.ID(sport.KindCompetition) }),
	jsonl.Identifying("season", func(l *jsonl.Line, r *tableRecord) { r.Value.Season = season(l) }),
	jsonl.Identifying("table", func(l *jsonl.Line, r *tableRecord) { r.Value.Table = jsonl.Enum(l, tables) }),
	jsonl.Required("rows", readRows),
	jsonl.Deletion("deleted", func(l *jsonl.Line, r *tableRecord) { r.Deleted = l.Bool() }),
}

// rowFields is a row of a given table. Points can be below 0: a deduction.
var rowFields = []jsonl.Field[sport.GivenRow]{
	jsonl.Required("teamId", func(l *jsonl.Line, r *sport.GivenRow) { r.TeamID = l.Ref(sport.KindTeam) }),
	jsonl.Required("rank", func(l *jsonl.Line, r *sport.GivenRow) { r.Rank = l.Integer(1, jsonl.MaxInt) }),
	jsonl.Required("played", func(l *jsonl.Line, r *sport.GivenRow) { r.Played = l.Count() }),
	jsonl.Required("won", func(l *jsonl.Line, r *sport.GivenRow) { r.Won = l.Count() }),
	jsonl.Required("drawn", func(l *jsonl.Line, r *sport.GivenRow) { r.Drawn = l.Count() }),
	jsonl.Required("lost", func(l *jsonl.Line, r *sport.GivenRow) { r.Lost = l.Count() }),
	jsonl.Required("goalsFor", func(l *jsonl.Line, r *sport.GivenRow) { r.GoalsFor = l.Count() }),
	jsonl.Required("goalsAgainst", func(l *jsonl.Line, r *sport.GivenRow) { r.GoalsAgainst = l.Count() }),
	jsonl.Required("points", func(l *jsonl.Line, r *sport.GivenRow) { r.Points = l.Integer(-jsonl.MaxInt, jsonl.MaxInt) }),
	jsonl.Optional("startingPoints", func(l *jsonl.Line, r *sport.GivenRow) { r.StartingPoints = l.Integer(-jsonl.MaxInt, jsonl.MaxInt) }),
	jsonl.Optional("group", func(l *jsonl.Line, r *sport.GivenRow) { r.GroupID = l.Ref(sport.KindGroup) }),
}

func readRows(l *jsonl.Line, r *tableRecord) {
	at := map[sport.ID]int{}
	l.List(maxRows, func(i int) {
		var row sport.GivenRow
		jsonl.Object(l, rowFields, &row)
		if first, twice := at[row.TeamID]; twice && row.TeamID != "" {
			l.Faultf("teamId", "%s is in rows[%d] already", Quoted(sport.KindTeam, l.Given(row.TeamID)), first)
		} else {
			at[row.TeamID] = i
		}
		r.Value.Rows = append(r.Value.Rows, row)
	})
}

func readTable(r *reader) {
	l := r.line
	rec := &tableRecord{Origin: l.Origin()}
	jsonl.Record(l, tableFields, rec, &rec.Deleted)
	rec.Key = ""
	v := rec.Value
	who := tableOf(&v)
	if v.CompetitionID != "" && v.Season != 0 && v.Table != "" {
		r.claimAs(who, "table", fmt.Sprintf("the %s table of season %d of %s", v.Table, v.Season,
			Quoted(sport.KindCompetition, r.set.Given(v.CompetitionID))))
	}
	if rec.Deleted {
		rec.Value.Rows = nil
	}
	enter(r, (*list[sport.GivenTable])(&r.set.Standings), rec, who)
}

// tableOf identifies a given table.
func tableOf(t *sport.GivenTable) identity {
	who := seasonOf(t.CompetitionID, t.Season)
	who.Kind, who.Table = files.Standings, uint8(slices.Index(tables, t.Table)+1) //nolint:gosec // 0 to 3
	return who
}
