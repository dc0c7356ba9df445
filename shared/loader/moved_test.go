package loader_test

import (
	"errors"
	"testing"

	"touchline/shared/loader"
	"touchline/shared/loader/integrity"
)

// results is a league with two finished seasons' worth of entries, a women's league, a result,
// a live match, one to come and one that is postponed.
func results() map[string][]string {
	return map[string][]string{
		"organizations": {`{"id":"fed","type":"federation","name":"Fed"}`},
		"competitions":  {`{"id":"l","season":2025,"name":"L","organizationId":"fed"}`, `{"id":"l","season":2026,"name":"L","organizationId":"fed"}`, `{"id":"w","season":2025,"name":"W","organizationId":"fed"}`},
		"teams": {
			`{"id":"a","name":"A","shortName":"A","competitionId":"l","season":2025}`, `{"id":"b","name":"B","shortName":"B","competitionId":"l","season":2025}`,
			`{"id":"c","name":"C","shortName":"C","competitionId":"l","season":2025}`,
		},
		"matches": {
			`{"id":"m1","competitionId":"l","season":2025,"status":"finished","kickoffAt":"2025-09-01T15:00:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":1,"away":0}}`,
			`{"id":"m2","competitionId":"l","season":2025,"status":"live","kickoffAt":"2025-09-08T15:00:00Z","homeTeamId":"b","awayTeamId":"c","score":{"home":0,"away":0}}`,
			`{"id":"m3","competitionId":"l","season":2025,"status":"upcoming","kickoffAt":"2025-09-15T15:00:00Z","homeTeamId":"c","awayTeamId":"a"}`,
			`{"id":"m4","competitionId":"l","season":2025,"status":"postponed","kickoffAt":"2025-09-22T15:00:00Z","homeTeamId":"a","awayTeamId":"c"}`,
			`{"id":"f","status":"finished","kickoffAt":"2025-08-01T15:00:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":1,"away":0}}`,
		},
	}
}

// A result stays in its table, unless a number says otherwise (D88).
func TestAResultStaysInItsTable(t *testing.T) {
	const leaves, others = `out of season 2025 of competition "l"`, `to other teams in season 2025 of competition "l"`
	const instead = `: a next season needs entries and matches of its own, with other ids, or none`
	one := func(what, key string) string {
		return "would move 1 match that is finished or live " + what + ": " + key + instead
	}
	for _, tt := range []struct {
		name, kind string
		lines      []string
		want       string // empty: it loads
		n          int    // that lets it
	}{
		{"another season", "matches", []string{`{"id":"m1","patch":true,"season":2026}`, `{"id":"m2","patch":true,"season":2026}`}, "would move 2 matches that are finished or live " + leaves + ": m1, m2" + instead, 2},
		{"another competition", "matches", []string{`{"id":"m1","patch":true,"competitionId":"w"}`}, one(leaves, "m1"), 1},
		{"no competition, and no score", "matches", []string{`{"id":"m1","status":"upcoming","kickoffAt":"2026-09-01T15:00:00Z","homeTeamId":"a","awayTeamId":"b"}`}, one(leaves, "m1"), 1},
		{"another home team", "matches", []string{`{"id":"m1","patch":true,"homeTeamId":"c"}`}, one(others, "m1"), 1},
		{"home and away exchanged", "matches", []string{`{"id":"m2","patch":true,"homeTeamId":"c","awayTeamId":"b"}`}, one(others, "m2"), 1},
		{"a friendly of others", "matches", []string{`{"id":"f","patch":true,"awayTeamId":"c"}`}, one("to other teams in friendlies", "f"), 1},
		{"a friendly that gets its competition", "matches", []string{`{"id":"f","patch":true,"competitionId":"l","season":2025}`}, "", 0},
		{"matches to come, and postponed", "matches", []string{`{"id":"m3","patch":true,"homeTeamId":"a","awayTeamId":"c"}`, `{"id":"m4","patch":true,"season":2026}`}, "", 0},
		{"another score and day", "matches", []string{`{"id":"m1","patch":true,"score":{"home":2,"away":2},"kickoffAt":"2025-09-02T15:00:00Z"}`}, "", 0},
		{"an entry, which counts for its matches", "teams", []string{`{"id":"a","patch":true,"season":2026}`}, "would move 1 entry with matches that are finished or live " + leaves + `: team "a" (1)` + instead, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := inMemory()
			load(t, s, folder(results()), loader.Options{})
			before := s.dump(t)
			files := map[string][]string{tt.kind: tt.lines}
			if tt.kind == "teams" {
				files["matches"] = []string{`{"id":"m1","patch":true,"season":2026}`}
			}
			_, err := s.loader().Load(t.Context(), folder(files), loader.Options{})
			if text(err) != tt.want || tt.want != "" && difference(before, s.dump(t)) != "" {
				t.Fatalf("got  %v\nwant %s", err, tt.want)
			}
			if tt.want == "" {
				return
			}
			if _, err := s.loader().Load(t.Context(), folder(files), loader.Options{AllowDeletes: new(tt.n - 1)}); !errors.As(err, new(*integrity.DeletionsError)) {
				t.Errorf("one less is allowed: %v", err)
			}
			r := load(t, s, folder(files), loader.Options{AllowDeletes: new(tt.n)})
			if len(r.Moved) == 0 || !r.Takes() {
				t.Errorf("%+v", r.Moved)
			}
			if _, _, err := s.loader().Undo(t.Context(), loader.Options{}); (err == nil) != (tt.name == "no competition, and no score") {
				t.Errorf("an undo: %v", err)
			}
			if _, _, err := s.loader().Undo(t.Context(), loader.Options{AllowDeletes: new(tt.n)}); err == nil && difference(before, s.dump(t)) != "" {
				t.Error(difference(before, s.dump(t)))
			}
		})
	}
}
