package loader_test

import (
	"bytes"
	stdcmp "cmp"
	"context"
	"fmt"
	"io/fs"
	"testing"
	"testing/fstest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"touchline/shared/dataset"
	"touchline/shared/dataset/format"
	"touchline/shared/engine/enginetest"
	"touchline/shared/loader"
	"touchline/shared/meter"
	"touchline/shared/outside"
	"touchline/shared/simulation"
	"touchline/shared/store"
	"touchline/shared/store/dynamo"
	"touchline/shared/store/records"
)

// sports is a Sports table with a loader.
type sports struct {
	table  *store.Table
	client client
	holder string // of the lease; empty: test
}

// client is what tests need of a database.
type client interface {
	store.DB
	store.Leases
}

// newSports is a table in an engine, or in memory, where no units are counted.
func newSports(t testing.TB) *sports {
	t.Helper()
	if enginetest.InMemory() {
		return inMemory()
	}
	return inEngine(t)
}

func inEngine(t testing.TB) *sports {
	t.Helper()
	endpoint := enginetest.Start(t)
	client, err := dynamo.NewClient(t.Context(), dynamo.Settings{Endpoint: endpoint})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.CreateTable(t.Context(), dynamo.Table("sports")); err != nil {
		t.Fatal(err)
	}
	db := dynamo.DB{Client: client}
	return &sports{table: &store.Table{DB: db, Name: "sports", Meter: &meter.Meter{}}, client: db}
}

// inMemory is a table without an engine, for tests of hundreds of loads, of which
// an engine would take nine tenths of the time.
func inMemory() *sports {
	s := inMemoryBy("")
	s.table.Meter = &meter.Meter{}
	return s
}

// inMemoryBy is a table in memory whose loads are by a holder.
func inMemoryBy(holder string) *sports {
	db := simulation.NewDatabase()
	return &sports{table: &store.Table{DB: db, Name: "sports"}, client: db, holder: holder}
}

// ofSeed is the table of a seed among others: the first one's is in an engine, in short
// mode only where one is named.
func ofSeed[N ~int | ~uint64](t testing.TB, seed N) *sports {
	t.Helper()
	if seed == 0 && !(testing.Short() && enginetest.InMemory()) {
		return inEngine(t)
	}
	return inMemory()
}

func (s *sports) loader() *loader.Loader {
	return &loader.Loader{
		Table:   s.table,
		Lease:   &store.Lease{DB: s.client, Table: s.table.Name, Key: records.LockKey(), Holder: stdcmp.Or(s.holder, "test"), Label: "a test", Now: time.Now, Meter: s.table.Meter},
		Confirm: func(context.Context, *loader.Report) error { return nil },
	}
}

// scanned are all items of the table.
func (s *sports) scanned(t testing.TB) (all []store.Item) {
	t.Helper()
	if err := s.table.Scan(t.Context(), func(item store.Item) error { all = append(all, item); return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

// austria is a folder of real seasons.
func austria(t testing.TB) string {
	t.Helper()
	return outside.Path(t, "data/austria")
}

// unchanged makes a load that writes nothing but its lease, which is taken, given back,
// and renewed by the clock.
func (s *sports) unchanged(t *testing.T, files fs.FS) *loader.Report {
	t.Helper()
	l := s.loader()
	l.Lease.Meter = nil
	s.table.Meter.Reset()
	report, err := l.Load(t.Context(), files, anything())
	if err != nil {
		t.Fatal(err)
	}
	if used := s.table.Meter.Total(); report.Entries != 0 || used.WriteUnits != 0 || used.ReadUnits == 0 {
		t.Errorf("a load of nothing new writes %d entries, and takes %+v", report.Entries, used)
	}
	return report
}

// The teams of a season may come in parts, each of which is within the bound.
func TestTheTeamsOfASeasonAreBoundedOverLoads(t *testing.T) {
	s := newSports(t)
	var organizations, competitions bytes.Buffer
	organizations.WriteString(`{"id":"o","type":"federation","name":"O"}`)
	competitions.WriteString(`{"id":"c","season":2025,"name":"C","organizationId":"o"}`)
	part := func(from, to int) fstest.MapFS {
		var teams bytes.Buffer
		for i := from; i < to; i++ {
			fmt.Fprintf(&teams, `{"id":"t%d","name":"T","shortName":"T","competitionId":"c"}`+"\n", i)
		}
		return fstest.MapFS{
			"organizations.ndjson": &fstest.MapFile{Data: organizations.Bytes()},
			"competitions.ndjson":  &fstest.MapFile{Data: competitions.Bytes()},
			"teams.ndjson":         &fstest.MapFile{Data: teams.Bytes()},
		}
	}
	load(t, s, part(0, 3), loader.Options{})
	_, err := s.loader().Load(t.Context(), part(3, format.MaxTeams+1), loader.Options{DryRun: true})
	want := dataset.Fault{
		File: "teams.ndjson", Line: format.MaxTeams - 2, Field: "competitionId",
		Message: "has 10001 teams in season 2025 with this dataset, more than 10000",
	}
	if err == nil || err.Error() != want.Error() {
		t.Errorf("got %v, want %v", err, want)
	}
}

// replacePlayers replaces everything by a league of n players, and returns how
// many players that removed.
func replacePlayers(t *testing.T, s *sports, n int, opts loader.Options) (int, error) {
	t.Helper()
	players := make([]string, n)
	for i := range players {
		players[i] = fmt.Sprintf(`{"id":"p%d","name":"P","teamId":"a"}`, i)
	}
	files := league()
	files["players"] = players
	opts.Replace = true
	report, err := s.loader().Load(t.Context(), folder(files), opts)
	if err != nil {
		return 0, err
	}
	return report.Players.Deleted, nil
}

// A full load that removes much is refused unless it is meant (D52).
func TestDeletionsByAccidentAreRefused(t *testing.T) {
	s := newSports(t)
	if _, err := replacePlayers(t, s, 60, loader.Options{}); err != nil {
		t.Fatal(err)
	}
	was := s.dump(t)
	for name, c := range map[string]struct {
		left int
		opts loader.Options
		want string
	}{
		"more than a fifth":           {47, loader.Options{}, "would remove 13 of 60 players: more than may go without being asked for"},
		"more than is allowed":        {57, loader.Options{AllowDeletes: aws.Int(2)}, "would remove 3 of 60 players: 3 in all, but 2 are allowed"},
		"all of a kind, in a dry run": {0, loader.Options{DryRun: true}, "would remove 60 of 60 players (the dataset holds none): more than may go without being asked for"},
		"with the good part, unasked": {60, loader.Options{GoodPart: true}, loader.ErrGoodPartDeletes.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := replacePlayers(t, s, c.left, c.opts); err == nil || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
	if diff := difference(was, s.dump(t)); diff != "" {
		t.Errorf("what was refused changed the table:\n%s", diff)
	}
	for _, c := range []struct {
		left, want int
		opts       loader.Options
	}{
		{48, 12, loader.Options{}}, // a fifth
		{18, 30, loader.Options{AllowDeletes: aws.Int(30)}},
		{0, 18, loader.Options{AllowDeletes: aws.Int(18), GoodPart: true}},
	} {
		if got, err := replacePlayers(t, s, c.left, c.opts); err != nil || got != c.want {
			t.Errorf("%d players are left: %d deleted, want %d (%v)", c.left, got, c.want, err)
		}
	}
}
