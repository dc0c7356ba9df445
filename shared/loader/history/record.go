package history

import (
	"cmp"
	"encoding/json"
	"fmt"

	"touchline/shared/dataset"
	"touchline/shared/sport"
)

// KindStandings is the kind of a given table, which has no id of its own.
const KindStandings sport.Kind = "standings"

// Record says which record of a dataset is meant.
type Record struct {
	Kind   sport.Kind      `json:"kind"`
	ID     sport.ID        `json:"id"`               // of a given table: that of its competition
	Season int             `json:"season,omitempty"` // of a competition or a given table
	Table  sport.TableName `json:"table,omitempty"`  // of a given table
}

// called names the record: by the operator's key, where it is known.
func (r Record) called(key string) string {
	text := string(r.Kind) + " " + cmp.Or(key, string(r.ID))
	if r.Season != 0 {
		text += fmt.Sprintf(" %d", r.Season)
	}
	if r.Table != "" {
		text += " " + string(r.Table)
	}
	return text
}

// RecordOf says which record a dataset gives.
func RecordOf[T dataset.Entity](r *dataset.Record[T]) Record {
	switch v := any(&r.Value).(type) {
	case *sport.Organization:
		return Record{Kind: sport.KindOrganization, ID: r.ID}
	case *sport.Competition:
		return Record{Kind: sport.KindCompetition, ID: r.ID, Season: v.Season}
	case *sport.Team:
		return Record{Kind: sport.KindTeam, ID: r.ID}
	case *sport.Player:
		return Record{Kind: sport.KindPlayer, ID: r.ID}
	case *dataset.Match:
		return Record{Kind: sport.KindMatch, ID: r.ID}
	case *sport.GivenTable:
		return Record{Kind: KindStandings, ID: v.CompetitionID, Season: v.Season, Table: v.Table}
	}
	panic("history: a record of no kind")
}

// deletion is the line that deletes a record.
func (r Record) deletion() []byte {
	line := struct {
		ID            sport.ID        `json:"id,omitempty"`
		CompetitionID sport.ID        `json:"competitionId,omitempty"`
		Season        int             `json:"season,omitempty"`
		Table         sport.TableName `json:"table,omitempty"`
		Deleted       bool            `json:"deleted"`
	}{r.ID, "", r.Season, r.Table, true}
	if r.Kind == KindStandings {
		line.ID, line.CompetitionID = "", r.ID
	}
	text, _ := json.Marshal(line) // strings and numbers
	return text
}
