package journal

import (
	"context"
	"errors"
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
