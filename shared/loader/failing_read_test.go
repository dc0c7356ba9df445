package loader_test

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"testing"

	"touchline/shared/loader"
	"touchline/shared/loader/export"
	"touchline/shared/loader/projection"
	"touchline/shared/sport"
	"touchline/shared/store"
)

// failingRead is a database of which one read fails.
type failingRead struct {
	client
	left atomic.Int64 // until that read
}

var errUnread = errors.New("unread")

func (d *failingRead) Get(ctx context.Context, table string, keys []store.Key, consistent bool) (store.Reply, error) {
	if d.left.Add(-1) == 0 {
		return store.Reply{}, errUnread
	}
	return d.client.Get(ctx, table, keys, consistent)
}

func (d *failingRead) Query(ctx context.Context, table string, q store.Query, after store.Key) (store.Reply, error) {
	if d.left.Add(-1) == 0 {
		return store.Reply{}, errUnread
	}
	return d.client.Query(ctx, table, q, after)
}

// Whichever read fails, what needs it ends with the error: nothing is computed of what
// was read by halves.
func TestAReadThatFailsEndsWhatNeedsIt(t *testing.T) {
	f := newFederation(41)
	f.grow(60)
	s := inMemory()
	load(t, s, f.folder(t, f.records), anything())
	was := f.copy()
	f.grow(15)
	f.shrink(15)
	change, whole := f.folder(t, since(was, f.records)), f.folder(t, f.records)
	competition := sport.IDFor(sport.KindCompetition, f.records["competitions"][f.any("competitions")]["id"].(string))
	loading := func(table *store.Table, opts loader.Options) error {
		l, files := s.loader(), change
		if opts.Replace {
			files = whole
			l.Spill()
		}
		l.Table, opts.DryRun, opts.AllowDeletes = table, true, new(1000)
		_, err := l.Load(t.Context(), files, opts)
		return err
	}
	exporting := func(e export.Exporter) error {
		e.Create = func(string) (io.WriteCloser, error) { return &memory{close: func([]byte) {}}, nil }
		_, err := e.Write(t.Context())
		return err
	}
	for name, does := range map[string]func(*store.Table) error{
		"a change":    func(table *store.Table) error { return loading(table, loader.Options{}) },
		"a full load": func(table *store.Table) error { return loading(table, replacing()) },
		"an export":   func(table *store.Table) error { return exporting(export.Exporter{Table: table}) },
		"a competition alone": func(table *store.Table) error {
			return exporting(export.Exporter{Table: table, Competition: competition})
		},
		"a table's reasons": func(table *store.Table) error {
			_, err := projection.Explain(t.Context(), table, competition, 0)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for read := 1; ; read++ {
				d := &failingRead{client: s.client}
				d.left.Store(int64(read))
				err := does(&store.Table{DB: d, Name: s.table.Name})
				if d.left.Load() > 0 { // there are fewer reads
					if err != nil {
						t.Error(err)
					}
					t.Logf("%d reads", read-1)
					return
				}
				if !errors.Is(err, errUnread) {
					t.Errorf("read %d fails, and it ends with: %v", read, err)
				}
			}
		})
	}
}
