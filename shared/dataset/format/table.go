package format

import (
	"fmt"

	"touchline/shared/dataset"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/sport"
)

// maxRows bounds a given table (D47).
const maxRows = 10_000

type tableRecord = dataset.Record[sport.GivenTable]

// tableFields is the record of standings.ndjson.
var tableFields = []jsonl.Field[tableRecord]{
	jsonl.Identifying("competitionId", jsonl.Ref(sport.KindCompetition), func(r *tableRecord) *sport.ID { return &r.Value.CompetitionID }),
	jsonl.Identifying("season", season, func(r *tableRecord) *int { return &r.Value.Season }),
	jsonl.Identifying("table", jsonl.OneOf(sport.TableNames()), func(r *tableRecord) *sport.TableName { return &r.Value.Table }),
	jsonl.Required("rows", rows, func(r *tableRecord) *[]sport.GivenRow { return &r.Value.Rows }),
	jsonl.Deletion("deleted", func(r *tableRecord) *bool { return &r.Deleted }),
}

// rowFields is a row of a given table. Points can be below 0: a deduction.
var rowFields = []jsonl.Field[sport.GivenRow]{
	jsonl.Required("teamId", jsonl.Ref(sport.KindTeam), func(r *sport.GivenRow) *sport.ID { return &r.TeamID }),
	jsonl.Required("rank", jsonl.Integer(1, jsonl.MaxInt), func(r *sport.GivenRow) *int { return &r.Rank }),
	jsonl.Required("played", jsonl.Count(), func(r *sport.GivenRow) *int { return &r.Played }),
	jsonl.Required("won", jsonl.Count(), func(r *sport.GivenRow) *int { return &r.Won }),
	jsonl.Required("drawn", jsonl.Count(), func(r *sport.GivenRow) *int { return &r.Drawn }),
	jsonl.Required("lost", jsonl.Count(), func(r *sport.GivenRow) *int { return &r.Lost }),
	jsonl.Required("goalsFor", jsonl.Count(), func(r *sport.GivenRow) *int { return &r.GoalsFor }),
	jsonl.Required("goalsAgainst", jsonl.Count(), func(r *sport.GivenRow) *int { return &r.GoalsAgainst }),
	jsonl.Required("points", jsonl.Integer(-jsonl.MaxInt, jsonl.MaxInt), func(r *sport.GivenRow) *int { return &r.Points }),
	jsonl.Optional("startingPoints", jsonl.Integer(-jsonl.MaxInt, jsonl.MaxInt), func(r *sport.GivenRow) *int { return &r.StartingPoints }),
	jsonl.Optional("group", jsonl.Ref(sport.KindGroup), func(r *sport.GivenRow) *sport.ID { return &r.GroupID }),
}

var rows = jsonl.ListOf(maxRows, jsonl.Struct(rowFields), nil)

// checkRows refuses a team that is listed twice. The path is at the record.
func checkRows(l *jsonl.Line, rows []sport.GivenRow) {
	at := map[sport.ID]int{}
	for i, row := range rows {
		if first, twice := at[row.TeamID]; twice && row.TeamID != "" {
			l.Faultf(fmt.Sprintf("rows[%d].teamId", i), "%s is in rows[%d] already", dataset.Quoted(sport.KindTeam, l.Given(row.TeamID)), first)
		} else {
			at[row.TeamID] = i
		}
	}
}

func readTable(r *reader) {
	l := r.line
	rec := &tableRecord{Origin: l.Origin()}
	jsonl.ReadRecord(l, tableFields, rec, &rec.Deleted)
	checkRows(l, rec.Value.Rows)
	v := rec.Value
	if v.CompetitionID != "" && v.Season != 0 && v.Table != "" {
		r.claim(dataset.IdentityOf(rec), "table", fmt.Sprintf("the %s table of season %d of %s", v.Table, v.Season,
			dataset.Quoted(sport.KindCompetition, r.set.Given(v.CompetitionID))))
	}
	if rec.Deleted {
		rec.Value.Rows = nil
	}
	enter(r, rec)
}
