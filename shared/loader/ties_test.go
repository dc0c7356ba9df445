package loader_test

import (
	"strings"
	"testing"
	"time"

	"touchline/shared/loader"
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
	first := map[string][]string{
		"organizations": {`{"id":"o","type":"federation","name":"O"}`},
		"competitions": {
			`{"id":"c","season":2025,"name":"C","organizationId":"o","timezone":"UTC","type":"cup"}`,
			`{"id":"k","season":2025,"name":"K","organizationId":"o","timezone":"UTC","parentId":"c","stage":"playoff","format":"knockout"}`,
			`{"id":"s","season":2025,"name":"S","organizationId":"o","timezone":"UTC","parentId":"c","stage":"playout","format":"knockout","rules":{"ties":{"bestOf":3}}}`,
		},
		"teams": {
			`{"id":"a","name":"A","shortName":"A","competitionId":"k"}`, `{"id":"b","name":"B","shortName":"B","competitionId":"k"}`,
			`{"id":"x","name":"X","shortName":"X","competitionId":"s"}`, `{"id":"y","name":"Y","shortName":"Y","competitionId":"s"}`,
		},
		"matches": {
			match("k1", "k", "a", "b", "01", `"score":{"home":1,"away":0},"leg":1`),
			match("s1", "s", "x", "y", "01", `"score":{"home":1,"away":0}`), match("s2", "s", "y", "x", "08", `"score":{"home":1,"away":2}`),
		},
	}
	if report, err := l.Load(t.Context(), folder(first), loader.Options{}); err != nil || report.Warnings != nil {
		t.Fatalf("%v, warnings %v", err, report.Warnings)
	}
	const nobody = "nobody has won the tie, though its matches are finished: give tieWinner, or the match that decides it"
	for _, c := range []struct{ name, match, want string }{
		{"a second leg that leaves it level", match("k2", "k", "b", "a", "08", `"score":{"home":1,"away":0},"leg":2`), "tieWinner: " + nobody},
		{"a winner that contradicts", match("k2", "k", "b", "a", "08", `"score":{"home":0,"away":2},"leg":2,"tieWinner":"home"`), "tieWinner: is the other side than the one that has won the tie 3:0"},
		{"a series that was decided", match("s3", "s", "x", "y", "15", `"score":{"home":0,"away":3}`), "round: is a match of a series that was decided before, best of 3"},
		{"a second leg as it should be", match("k2", "k", "b", "a", "08", `"score":{"home":0,"away":2},"leg":2`), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := l.Load(t.Context(), folder(map[string][]string{"matches": {c.match}}), loader.Options{Strict: true})
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}
