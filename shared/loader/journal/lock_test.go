package journal

import (
	"context"
	"errors"
	"io/fs"
	"testing"
	"time"

	"touchline/shared/loader/history"
	"touchline/shared/simulation"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// failing refuses bulk writes once it fails.
type failing struct {
	*simulation.Database
	fails bool
}

func (f *failing) Write(ctx context.Context, table string, writes []store.Write) (store.Reply, error) {
	if f.fails {
		return store.Reply{}, errors.New("killed")
	}
	return f.Database.Write(ctx, table, writes)
}

// A load that is killed while its journal is removed has ended: half a journal is never
// taken for a whole one.
func TestTheHeadOfAJournalGoesBeforeItsPieces(t *testing.T) {
	for size, pieces := range map[int]int{350_000: 2, 650_000: 3} {
		db := &failing{Database: simulation.NewDatabase()}
		table := &store.Table{DB: db, Name: "sports"}
		ctx, lock, err := Take(t.Context(), table, &store.Lease{DB: db, Table: "sports", Key: records.LockKey(), Holder: "a test", Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		defer lock.Free()
		given := writesOf(1, size)
		lock.Header = &Header{Load: history.Mark{ID: "load", Number: 1}}
		err = lock.Header.KeepWrites(ctx, lock.Table, &given)
		if err == nil {
			err = lock.Header.Write(ctx, lock.Lease)
		}
		if found, _, failed := Read(t.Context(), table); err != nil || failed != nil || found == nil || found.Pieces != pieces {
			t.Fatalf("%+v, %v, %v", found, err, failed)
		}
		db.fails = true
		if err := lock.Complete(ctx); err == nil {
			t.Error("pieces were not to be removed")
		}
		if found, last, err := Read(t.Context(), table); err != nil || found != nil || last.Number != 1 {
			t.Errorf("%d pieces: the header is %+v and the last load %d, %v", pieces, found, last.Number, err)
		}
	}
}

// A load that is decided is found by whoever comes, with its number and its records, until it
// ends. Then the lease is free.
func TestALoadIsFoundUntilItEnds(t *testing.T) {
	db := &failing{Database: simulation.NewDatabase()}
	table := &store.Table{DB: db, Name: "sports"}
	take := func(holder string) (context.Context, *Lock) {
		ctx, lock, err := Take(t.Context(), table, &store.Lease{DB: db, Table: "sports", Key: records.LockKey(), Holder: holder, Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		return ctx, lock
	}
	ctx, lock := take("first")
	archive := NewArchive()
	for line, kind := range map[string]sport.Kind{"o1": sport.KindOrganization, "t1": sport.KindTeam} {
		archive.Add(kind, []byte(line))
		archive.Add(kind, []byte("more"))
	}
	header, past := &Header{Load: history.Mark{ID: "load"}, Report: &history.Report{}}, &history.Past{Report: &history.Report{}}
	err := errors.Join(header.KeepRecords(ctx, lock.Table, archive), lock.Begin(ctx, header, past, nil, 0), header.Write(ctx, lock.Lease))
	found, last, failed := Read(t.Context(), table)
	if err != nil || failed != nil || last.Number != 0 || found.Load.Number != 1 || found.Report.Number != 1 || header.Report.Number != 1 || past.Report.Number != 1 {
		t.Fatalf("%+v after %d, %v, %v", found, last.Number, err, failed)
	}
	files, err := found.JournalRecords(t.Context(), table)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"organizations.ndjson": "o1\nmore\n", "teams.ndjson": "t1\nmore\n"} {
		if got, err := fs.ReadFile(files, name); string(got) != want {
			t.Errorf("%s is %q, %v", name, got, err)
		}
	}
	if err := lock.End(ctx); err != nil {
		t.Error(err)
	}
	_, next := take("second")
	if next.Free(); next.Header != nil || next.Last.Number != 1 {
		t.Errorf("after its end %+v, the last one is %d", next.Header, next.Last.Number)
	}
}

// An archive without records has a file, which has none.
func TestAnArchiveHasAFile(t *testing.T) {
	some := NewArchive()
	some.Add(sport.KindTeam, []byte("{}"))
	for n, a := range []*Archive{NewArchive(), some} {
		if files, err := a.Files(); err != nil || len(files.File) != 1 || (files.File[0].Name == "teams.ndjson") != (n == 1) {
			t.Errorf("%+v, %v", files, err)
		}
	}
}
