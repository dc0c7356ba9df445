package loader_test

import (
	"fmt"
	"testing"

	"touchline/shared/loader"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// A cup is a knockout or a table, and a load warns where nothing says which. A knockout
// shows its ties, unless it has a child or a table of its own (D81): each line is loaded over
// those before it.
func TestACupShowsItsTies(t *testing.T) {
	s := newSports(t)
	l := s.loader()
	cup := func(more string) string {
		return `{"id":"c","season":2025,"name":"Cup","organizationId":"o","timezone":"UTC","type":"cup"` + more + `}`
	}
	first := map[string][]string{
		"organizations": {`{"id":"o","type":"federation","name":"O"}`},
		"teams":         {`{"id":"a","name":"A","shortName":"A","competitionId":"c","season":2025}`, `{"id":"b","name":"B","shortName":"B","competitionId":"c","season":2025}`},
		"matches":       {`{"id":"m","competitionId":"c","season":2025,"status":"finished","kickoffAt":"2026-03-01T15:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":2,"away":1}}`},
		"competitions":  {cup("")},
	}
	const table, child = `{"competitionId":"c","season":2025,"table":"regular"`, `{"id":"k","season":2025`
	id := sport.IDFor(sport.KindCompetition, "c")
	warned := ""
	for _, step := range []struct{ name, kind, line, want string }{
		{"without a format", "", "", "2 rows, 0 ties"},
		{"a knockout", "competitions", cup(`,"format":"knockout"`), "0 rows, 1 ties, has a playoff"},
		{"completed", "competitions", cup(`,"format":"knockout","completed":true`), "0 rows, 1 ties, has a playoff, completed"},
		{"a table is given", "standings", table + `,"rows":[{"teamId":"a","rank":1,"played":1,"won":1,"drawn":0,"lost":0,"goalsFor":2,"goalsAgainst":1,"points":3}]}`, "1 rows, 0 ties"},
		{"the table goes", "standings", table + `,"deleted":true}`, "0 rows, 1 ties, has a playoff, completed"},
		{"a playout", "competitions", child + `,"name":"K","organizationId":"o","stage":"playout","parentId":"c"}`, "0 rows, 0 ties"},
		{"the playout goes", "competitions", child + `,"deleted":true}`, "0 rows, 1 ties, has a playoff, completed"},
		{"a league", "competitions", cup(`,"format":"league"`), "2 rows, 0 ties"},
		{"groups", "competitions", cup(`,"groups":[{"id":"g","name":"G","order":1}]`), "2 rows, 0 ties"},
	} {
		files := first
		if step.kind != "" {
			files = map[string][]string{step.kind: {step.line}}
		}
		report, err := l.Load(t.Context(), folder(files), loader.Options{})
		if err != nil {
			t.Fatal(step.name, err)
		}
		if report.Warnings != nil {
			warned += report.Warnings.String()
		}
		tableKey, key := records.TableKey(id, records.CurrentTag), records.CompetitionKey(id, records.CurrentTag)
		items, err := s.table.BatchGet(t.Context(), []store.Key{tableKey, key}, true)
		if err != nil {
			t.Fatal(step.name, err)
		}
		shown, err := store.Decode[records.TableRecord](items[tableKey])
		of, failed := store.Decode[records.CompetitionRecord](items[key])
		if err != nil || failed != nil {
			t.Fatal(step.name, err, failed)
		}
		got, ties := fmt.Sprintf("%d rows", len(shown.Rows)), 0
		if shown.Playoff != nil {
			ties = len(shown.Playoff.Ties)
		}
		if got += fmt.Sprintf(", %d ties", ties); of.HasPlayoff {
			got += ", has a playoff"
		}
		if shown.Playoff != nil && shown.Playoff.Completed {
			got += ", completed"
		}
		if got != step.want {
			t.Errorf("%s: %s, want %s", step.name, got, step.want)
		}
	}
	if want := `competitions.ndjson:1: format: is missing: the cup "Cup" has no groups, playoffs or playouts and is shown as a table; knockout shows its ties`; warned != want {
		t.Errorf("warned: %s", warned)
	}
}
