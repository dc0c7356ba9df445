package loader_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"touchline/shared/loader"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// TestALoadWarnsOfStrangeTies loads a cup, and then what makes its ties strange: the
// matches that were there before count as well (D66).
func TestALoadWarnsOfStrangeTies(t *testing.T) {
	s := newSports(t)
	l := s.loader()
	l.Now = func() time.Time { return time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC) }
	match := func(id, competition, home, away, day, more string) string {
		return `{"id":"` + id + `","competitionId":"` + competition + `","status":"finished","kickoffAt":"2026-03-` + day + `T15:00Z","homeTeamId":"` + home + `","awayTeamId":"` + away + `",` + more + `}`
	}
	final := func(bestOf int) string {
		return fmt.Sprintf(`{"id":"f","season":2025,"name":"F","organizationId":"o","timezone":"UTC","parentId":"c","stage":"playoff","format":"knockout","rules":{"ties":{"bestOf":%d}}}`, bestOf)
	}
	first := map[string][]string{
		"organizations": {`{"id":"o","type":"federation","name":"O"}`},
		"competitions": {
			`{"id":"c","season":2025,"name":"C","organizationId":"o","timezone":"UTC","type":"cup"}`,
			`{"id":"k","season":2025,"name":"K","organizationId":"o","timezone":"UTC","parentId":"c","stage":"playoff","format":"knockout"}`,
			`{"id":"s","season":2025,"name":"S","organizationId":"o","timezone":"UTC","parentId":"c","stage":"playout","format":"knockout","rules":{"ties":{"bestOf":3}}}`,
			final(5),
		},
		"teams": {
			`{"id":"a","name":"A","shortName":"A","competitionId":"k"}`, `{"id":"b","name":"B","shortName":"B","competitionId":"k"}`,
			`{"id":"x","name":"X","shortName":"X","competitionId":"s"}`, `{"id":"y","name":"Y","shortName":"Y","competitionId":"s"}`,
			`{"id":"m","name":"M","shortName":"M","competitionId":"k"}`, `{"id":"n","name":"N","shortName":"N","competitionId":"k"}`,
			`{"id":"v","name":"V","shortName":"V","competitionId":"f"}`, `{"id":"w","name":"W","shortName":"W","competitionId":"f"}`,
		},
		"matches": {
			match("k1", "k", "a", "b", "01", `"score":{"home":1,"away":0},"leg":1`),
			match("s1", "s", "x", "y", "01", `"score":{"home":1,"away":0}`), match("s2", "s", "y", "x", "08", `"score":{"home":1,"away":2}`),
			match("r1", "k", "m", "n", "01", `"score":{"home":0,"away":0}`), match("r2", "k", "n", "m", "08", `"score":{"home":1,"away":0}`),
			match("f1", "f", "v", "w", "01", `"score":{"home":1,"away":0}`), match("f2", "f", "w", "v", "08", `"score":{"home":1,"away":2}`), match("f3", "f", "v", "w", "15", `"score":{"home":1,"away":0}`),
		},
	}
	if report, err := l.Load(t.Context(), folder(first), loader.Options{}); err != nil || report.Warnings != nil {
		t.Fatalf("%v, warnings %v", err, report.Warnings)
	}
	const nobody = "nobody has won the tie, though its matches are finished: give tieWinner, or the match that decides it"
	for _, c := range []struct{ name, kind, line, want string }{
		{"a second leg that leaves it level", "matches", match("k2", "k", "b", "a", "08", `"score":{"home":1,"away":0},"leg":2`), "1: tieWinner: " + nobody},
		{"a winner that contradicts", "matches", match("k2", "k", "b", "a", "08", `"score":{"home":0,"away":2},"leg":2,"tieWinner":"home"`), "1: tieWinner: is the other side than the one that has won the tie 3:0"},
		{"a series that was decided", "matches", match("s3", "s", "x", "y", "15", `"score":{"home":0,"away":3}`), "1: round: is a match of a series that was decided before, best of 3"},
		{"a second leg as it should be", "matches", match("k2", "k", "b", "a", "08", `"score":{"home":0,"away":2},"leg":2`), ""},
		{"a first match that decides otherwise", "matches", `{"id":"r1","patch":true,"score":{"home":0,"away":1}}`, ""},
		{"a first match that leaves it level", "matches", `{"id":"r1","patch":true,"score":{"home":1,"away":0},"leg":1}`, "1: id: match " + string(sport.IDFor(sport.KindMatch, "r2")) + " (N - M, 2026-03-08): " + nobody},
		{"a replay that is annulled", "matches", `{"id":"r2","patch":true,"status":"postponed","score":null}`, "(M - N, 2026-03-01): " + nobody},
		{"a replay that is deleted", "matches", `{"id":"r2","deleted":true}`, "(M - N, 2026-03-01): " + nobody},
		{"a shorter series", "competitions", final(3), "1: rules.ties: match " + string(sport.IDFor(sport.KindMatch, "f3")) + " (V - W, 2026-03-15): is a match of a series that was decided before, best of 3"},
		{"a longer series", "competitions", final(7), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := l.Load(t.Context(), folder(map[string][]string{c.kind: {c.line}}), loader.Options{Strict: true, DryRun: true})
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || strings.Count(err.Error(), "\n") > 0) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

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
