package loader_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/loader"
	"touchline/shared/store"
	"touchline/shared/store/generation"
	"touchline/shared/store/records"
)

// same compares a table with that of one undisturbed load.
func (s *sports) same(t *testing.T, files fs.FS) {
	t.Helper()
	once := inMemory()
	load(t, once, files, anything())
	if diff := difference(once.dump(t), s.dump(t)); diff != "" {
		t.Errorf("undisturbed (-) and interrupted (+):\n%s", diff)
	}
	s.checked(t)
}

// A load that is killed while it is finished, and again, is finished by the next.
func TestALoadThatIsKilledAgainAndAgainIsFinished(t *testing.T) {
	for _, tt := range []struct {
		table  bool // there is one, that is not empty
		seed   uint64
		writes int
	}{{false, 325, 25}, {true, 326, 25}, {true, 361, 60}} {
		t.Run(fmt.Sprintf("%+v", tt), func(t *testing.T) {
			if testing.Short() && !tt.table {
				t.Skip("runs dozens of loads: make test-all runs it")
			}
			t.Parallel()
			f := newFederation(tt.seed)
			s := inMemory()
			before := f.copy()
			if tt.table {
				f.grow(60)
				load(t, s, f.folder(t, f.records), anything())
				before = f.copy()
				f.shrink(30)
			}
			f.grow(160)
			runs, report := 0, (*loader.Report)(nil)
			for report == nil {
				runs++
				l := s.dyingAfter(runs * tt.writes)
				l.Portion(5)
				var err error
				if report, err = l.Load(t.Context(), f.folder(t, since(before, f.records)), anything()); err != nil && !errors.Is(err, errKilled) || runs > 300 {
					t.Fatal(runs, err)
				}
			}
			if runs < 4 {
				t.Errorf("only %d runs", runs)
			}
			if was := report.Finished; was == nil || was.Players.Created+was.Matches.Created == 0 || was.Players.Unchanged > 0 {
				t.Errorf("the report is not that of the first run: %+v", was)
			}
			s.same(t, f.folder(t, f.records))
		})
	}
}

// The lists of a season that ends move before the season's own record does. Wherever
// the load is killed, what follows from all its teams and matches is right: here the
// ranks of teams by cards, of which the load brings one.
func TestASeasonThatEndsIsRightWhereverTheLoadIsKilled(t *testing.T) {
	file := func(lines ...string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(strings.Join(lines, "\n"))}
	}
	season := func(year int) string {
		return fmt.Sprintf(`{"id":"l","season":%d,"name":"L","organizationId":"f"}`, year)
	}
	team := func(id string, year int) string {
		return fmt.Sprintf(`{"id":%q,"name":%q,"shortName":%q,"organizationId":"f","competitionId":"l","season":%d}`, id, id, id, year)
	}
	before := fstest.MapFS{
		"organizations.ndjson": file(`{"id":"f","type":"federation","name":"F"}`),
		"competitions.ndjson":  file(season(2025)),
		"teams.ndjson":         file(team("fair", 2025), team("rough", 2025)),
		"matches.ndjson": file(`{"id":"m","competitionId":"l","season":2025,"status":"finished","kickoffAt":"2025-08-01T18:00:00Z",` +
			`"homeTeamId":"fair","awayTeamId":"rough","score":{"home":0,"away":0},` +
			`"events":[{"type":"card","detail":"yellow","minute":12,"side":"away"}]}`),
	}
	changes := fstest.MapFS{
		"competitions.ndjson": file(season(2026)),
		"teams.ndjson":        file(team("late", 2025), team("next", 2026)),
	}
	s := killedEverywhere(t, before, changes, 0, 100)
	after := maps.Clone(before)
	after["competitions.ndjson"] = file(season(2025), season(2026))
	after["teams.ndjson"] = file(team("fair", 2025), team("rough", 2025), team("late", 2025), team("next", 2026))
	s.same(t, after)
}

// Of a long list a killed load leaves chunks that nothing names, which the next one removes.
func TestLongListsAreRightWhereverTheLoadIsKilled(t *testing.T) {
	f, before := wide(t, 720)
	was := f.copy()
	for n := range 60 {
		delete(f.records["matches"], fmt.Sprint("mm", 2*n))
	}
	killedEverywhere(t, before, f.folder(t, since(was, f.records)), 0, 100).same(t, f.folder(t, f.records))
}

// fewAtOnce is a database that takes four writes in a call, so that a load can be
// killed between any of them.
type fewAtOnce struct{ *dying }

func (f fewAtOnce) Bounds() store.Bounds {
	bounds := f.dying.Bounds()
	bounds.Write = 4
	return bounds
}

// killedEverywhere loads changes after what was before, in portions, or in
// usual ones where portion is 0, each time killed after another number of writes
// and loaded again: after each of the last so many, and after some of those before.
// What the table says is the same each time; that of a load without a kill is
// returned.
func killedEverywhere(t *testing.T, before, changes fs.FS, portion, last int) *sports {
	t.Helper()
	step := func(s *sports, writes int) (left int64, err error) {
		l := s.dyingAfter(writes)
		d := l.Table.DB.(*dying)
		if portion > 0 {
			l.Portion(portion)
		} else {
			l.Table.DB = fewAtOnce{d}
		}
		_, err = l.Load(t.Context(), changes, anything())
		return d.left.Load(), err
	}
	const plenty = 100_000
	undisturbed := inMemory()
	load(t, undisturbed, before, anything())
	left, err := step(undisturbed, plenty)
	if err != nil {
		t.Fatal(err)
	}
	all, want := plenty-int(left), undisturbed.dump(t)
	for writes := all - 1; writes > 0; writes-- {
		if writes < all-last && writes%apart(6) != 0 {
			continue
		}
		t.Run(fmt.Sprintf("after %d of %d writes", writes, all), func(t *testing.T) {
			t.Parallel()
			s := inMemory()
			load(t, s, before, anything())
			if _, err := step(s, writes); !errors.Is(err, errKilled) {
				t.Fatal(err)
			}
			load(t, s, changes, anything())
			if diff := difference(want, s.dump(t)); diff != "" {
				t.Errorf("undisturbed (-) and interrupted (+):\n%s", diff)
			}
		})
	}
	return undisturbed
}

func TestAnInterruptedLoadOfAnotherLayoutIsNotFinished(t *testing.T) {
	f := newFederation(503)
	s := newSports(t)
	f.grow(30)
	if _, err := s.dyingAfter(8).Load(t.Context(), f.folder(t, f.records), anything()); !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	item, err := attributevalue.MarshalMap(map[string]any{"o": generation.Layout + 1, "s": map[string]any{strconv.Itoa(generation.Layout + 1): map[string]int{"n": 1}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.table.Write(t.Context(), []store.Write{{Key: records.VersionKey(), Item: item}}); err != nil {
		t.Fatal(err)
	}
	was := s.dump(t)
	if _, err := s.loader().Load(t.Context(), f.folder(t, f.records), anything()); err == nil || !strings.Contains(err.Error(), "layout") {
		t.Errorf("it was finished: %v", err)
	}
	if diff := difference(was, s.dump(t)); diff != "" {
		t.Errorf("before (-) and after (+):\n%s", diff)
	}
}
