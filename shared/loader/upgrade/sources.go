package upgrade

import (
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"touchline/shared/loader/export"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
	"touchline/shared/store/records/flat"
)

// sources are the source records of a generation: a hash of each one's item.
type sources map[store.Key]uint64

var seed = maphash.MakeSeed()

func (s sources) add(item store.Item) error {
	key := store.KeyOf(item)
	if kind, _ := records.Source(key); kind == "" {
		return nil
	}
	b, err := flat.Append(nil, item)
	if err != nil {
		return fmt.Errorf("item %s %s: %w", key.PK, key.SK, err)
	}
	s[key] = maphash.Bytes(seed, b)
	return nil
}

// find scans a side for its source records.
func (u *Upgrade) find(ctx context.Context, from *side) (sources, error) {
	u.say("reading the table", 0, 0)
	found := sources{}
	return found, u.table(from).Scan(ctx, found.add)
}

// changedSince are the records that are not as they were before; whole says that
// records or seasons are gone, so that a load of what changed is not enough.
func (s sources) changedSince(before sources) (changed *export.Records, n int, whole bool, err error) {
	if before == nil {
		changed, n, err = s.records(func(store.Key) bool { return true })
		return changed, n, true, err
	}
	for key := range before {
		if _, ok := s[key]; !ok {
			return s.changedSince(nil)
		}
	}
	changed, n, err = s.records(func(k store.Key) bool {
		was, ok := before[k]
		return !ok || was != s[k]
	})
	return changed, n, false, err
}

// records names those that are wanted, and how many items of them there are. A
// competition comes with all its seasons, but with the given tables that are wanted.
func (s sources) records(wanted func(store.Key) bool) (*export.Records, int, error) {
	n, r := 0, &export.Records{IDs: map[sport.Kind][]sport.ID{}}
	for _, key := range slices.SortedFunc(maps.Keys(s), store.Key.Compare) {
		if !wanted(key) {
			continue
		}
		n++
		kind, id := records.Source(key)
		if records.IsGivenTableSK(key.SK) {
			season, table, err := records.GivenTableIn(key.SK)
			if err != nil {
				return nil, 0, fmt.Errorf("item %s %s: %w", key.PK, key.SK, err)
			}
			r.Tables = append(r.Tables, records.TableEntry{Competition: id, Season: season, Table: table})
			continue
		}
		if ids := r.IDs[kind]; len(ids) == 0 || ids[len(ids)-1] != id {
			r.IDs[kind] = append(ids, id)
		}
	}
	return r, n, nil
}

// export writes records of a side to a folder as a dataset, and returns what they were
// when they were read.
func (u *Upgrade) export(ctx context.Context, from *side, wanted *export.Records, folder string) (sources, error) {
	read := sources{}
	var mu sync.Mutex
	var failed error
	view := *from.View
	view.Seen = func(item store.Item) {
		mu.Lock()
		defer mu.Unlock()
		failed = cmp.Or(failed, read.add(item))
	}
	e := &export.Exporter{
		Table: u.table(&side{View: &view}), Records: wanted, Progress: u.Progress,
		Create: func(name string) (io.WriteCloser, error) { return os.Create(filepath.Join(folder, name)) }, //nolint:gosec // a name of ours in a folder of ours
	}
	_, err := e.Write(ctx)
	return read, cmp.Or(err, failed)
}
