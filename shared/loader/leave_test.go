package loader_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"touchline/shared/loader"
	"touchline/shared/loader/integrity"
	"touchline/shared/outside"
)

// Next season by search and replace: the entries of the last one stay, with their results.
func TestAnEntryWithResultsStays(t *testing.T) {
	dir := outside.Path(t, "cases/entries-leave-their-season")
	dataset := func(changed func(name string) []string) fstest.MapFS {
		fsys := fstest.MapFS{}
		for _, name := range []string{"organizations", "competitions", "teams", "matches"} {
			text, err := os.ReadFile(dir + "/" + name + ".ndjson")
			if err != nil {
				t.Fatal(err)
			}
			fsys[name+".ndjson"] = &fstest.MapFile{Data: []byte(strings.NewReplacer(changed(name)...).Replace(string(text)))}
		}
		return fsys
	}
	in := func(names ...string) fstest.MapFS {
		return dataset(func(name string) []string {
			if strings.Contains(strings.Join(names, " "), name) {
				return []string{`"season": 2026`, `"season": 2027`}
			}
			return nil
		})
	}
	const four = `would take out of season 2026 of competition "l" entries with matches that are finished or live: team "a-l" (1), team "b-l" (2), team "c-l" (2), team "d-l" (1)`
	const next = `: a next season needs entries and matches of its own, with other ids`
	upcoming := in()
	upcoming["matches.ndjson"] = &fstest.MapFile{Data: []byte(`{"id": "m1", "competitionId": "l", "season": 2026, "status": "upcoming", "kickoffAt": "2030-03-01T12:00:00Z", "homeTeamId": "a-l", "awayTeamId": "b-l"}`)}
	for _, c := range []struct {
		name          string
		first, second fstest.MapFS
		opts          loader.Options
		want          string
	}{
		{"teams and competitions", in(), in("teams competitions"), loader.Options{}, four + next},
		{"the matches too", in(), in("teams competitions matches"), loader.Options{}, four + next},
		{"the whole", in(), in("teams competitions matches"), loader.Options{Replace: true}, "would remove 1 of 1 competitions, and " + four + next},
		{"fewer than are allowed", in(), in("teams competitions"), loader.Options{AllowDeletes: new(3)}, four + ": 4 in all, but 3 are allowed"},
		{"as many as are allowed", in(), in("teams competitions matches"), loader.Options{AllowDeletes: new(4)}, ""},
		{"a season without results", upcoming, in("teams competitions matches"), loader.Options{}, ""},
		{"the same again", in(), in(), loader.Options{}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSports(t)
			load(t, s, c.first, loader.Options{})
			was := s.dump(t)
			report, err := s.loader().Load(t.Context(), c.second, c.opts)
			if text(err) != c.want {
				t.Fatalf("got %v\nwant %s", err, c.want)
			}
			if err != nil {
				if diff := difference(was, s.dump(t)); diff != "" {
					t.Errorf("what was refused changed the table:\n%s", diff)
				}
				return
			}
			if c.opts.AllowDeletes == nil {
				return
			}
			if want := "L 2026: left: C, A, D, B"; strings.Join(report.Tables, "\n") != want {
				t.Errorf("tables %q, want %q", report.Tables, want)
			}
			if _, _, err := s.loader().Undo(t.Context(), loader.Options{}); !errors.As(err, new(*integrity.DeletionsError)) {
				t.Errorf("an undo takes them out of 2027: %v", err)
			}
			if _, _, err := s.loader().Undo(t.Context(), loader.Options{AllowDeletes: new(4)}); err != nil {
				t.Error(err)
			}
		})
	}
}
