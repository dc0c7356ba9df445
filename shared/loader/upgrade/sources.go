package upgrade

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"touchline/shared/loader/export"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// find scans for the source records, and counts their items. A competition comes with all
// its seasons.
func (u *Upgrade) find(ctx context.Context, table *store.Table) (found *export.Records, n int, err error) {
	u.say("reading the table", 0, 0)
	var keys []store.Key
	err = table.Scan(ctx, func(item store.Item) error {
		key := store.KeyOf(item)
		if kind, _ := records.Source(key); kind != "" {
			keys = append(keys, key)
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	slices.SortFunc(keys, store.Key.Compare)
	found = &export.Records{IDs: map[sport.Kind][]sport.ID{}}
	for _, key := range keys {
		kind, id := records.Source(key)
		if records.IsGivenTableSK(key.SK) {
			season, table, err := records.GivenTableIn(key.SK)
			if err != nil {
				return nil, 0, fmt.Errorf("item %s %s: %w", key.PK, key.SK, err)
			}
			found.Tables = append(found.Tables, records.TableEntry{Competition: id, Season: season, Table: table})
			continue
		}
		if ids := found.IDs[kind]; len(ids) == 0 || ids[len(ids)-1] != id {
			found.IDs[kind] = append(ids, id)
		}
	}
	return found, len(keys), nil
}

// export writes records to a folder as a dataset.
func (u *Upgrade) export(ctx context.Context, table *store.Table, wanted *export.Records, folder string) error {
	e := &export.Exporter{
		Table: table, Records: wanted, Progress: u.Progress,
		Create: func(name string) (io.WriteCloser, error) { return os.Create(filepath.Join(folder, name)) }, //nolint:gosec // a name of ours in a folder of ours
	}
	_, err := e.Write(ctx)
	return err
}
