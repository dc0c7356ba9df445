package file

import (
	"bytes"
	"slices"

	bolt "go.etcd.io/bbolt"

	"touchline/shared/store"
)

const (
	// largestGet bounds a read in items.
	largestGet = 1000
	// largestWrite bounds a write. One of 250 items of 1 KB takes some 14 ms of a
	// processor, which others wait for; one of 1000 46 ms, a fifth less for each item.
	largestWrite = 250
	// pageBytes is after how many bytes of records a page of a query or scan ends.
	pageBytes = 1 << 20
)

// record is a record as the file has it.
type record struct{ Row, Value []byte }

// copied makes a record of what belongs to a transaction.
func copied(row, value []byte) record {
	row, value = within(row, value)
	both := append(append(make([]byte, 0, len(row)+len(value)), row...), value...)
	return record{both[:len(row):len(row)], both[len(row):]}
}

func (f *File) get(table string, keys []store.Key) (found []record, err error) {
	err = f.view(func(tx *bolt.Tx) error {
		for _, key := range keys {
			row := rowOf(key)
			switch value, err := valueIn(tx, table, row); {
			case err != nil:
				return err
			case value != nil:
				found = append(found, copied(row, value))
			}
		}
		return nil
	})
	return found, err
}

// valueIn reads in a transaction, to which the value belongs; nil if the row is empty.
func valueIn(tx *bolt.Tx, table string, row []byte) (value []byte, err error) {
	b := tx.Bucket([]byte(table))
	if b == nil {
		return nil, nil
	}
	if value = b.Get(row); value == nil {
		err = beside(table, b.Cursor(), row)
	}
	return value, err
}

// beside makes sure that the records on both sides of a row, or at it, are whole: one whose
// key has changed would be missing in silence.
func beside(table string, c *bolt.Cursor, row []byte) error {
	at, value := c.Seek(row)
	if err := passed(table, at, value); err != nil {
		return err
	}
	if at != nil {
		at, value = c.Prev()
	} else {
		at, value = c.Last()
	}
	return passed(table, at, value)
}

// passed makes sure that a record at which a search went on, or ended, is whole. What is
// missing of keys and quotas lets nobody in: of these a damaged record costs itself alone.
func passed(table string, row, value []byte) (err error) {
	if row != nil && table != KeysTable && table != QuotasTable {
		_, err = intact(table, row, value)
	}
	return err
}

// itemIn reads an item in a transaction; nil if there isn't one.
func itemIn(tx *bolt.Tx, table string, row []byte) (store.Item, error) {
	value, err := valueIn(tx, table, row)
	if err != nil || value == nil {
		return nil, err
	}
	return unseal(table, row, value)
}

// rows are those from one, included, to another, which is not; nil: to the last.
type rows struct{ from, to []byte }

// rowsOf are the rows of a query from those after the key `after` on.
func rowsOf(q store.Query, after store.Key) rows {
	all := partitionOf(q.PK)
	r := rows{from: all, to: following(all)}
	if q.To != "" {
		r = rows{from: join(all, q.From), to: join(all, q.To+"\x00")}
	}
	if after != (store.Key{}) {
		r.from = next(rowOf(after))
	}
	return r
}

func join(partition []byte, sk string) []byte { return append(slices.Clone(partition), sk...) }

// following is the first row after all that begin with prefix.
func following(prefix []byte) []byte {
	end := slices.Clone(prefix)
	for len(end) > 0 {
		end[len(end)-1]++
		if end[len(end)-1] != 0 {
			return end
		}
		end = end[:len(end)-1]
	}
	return nil
}

// next is the first row after row.
func next(row []byte) []byte { return append(row, 0) }

// page reads a page of rows; more says that it is not the last.
func (f *File) page(table string, r rows) (found []record, more bool, err error) {
	err = f.view(func(tx *bolt.Tx) error {
		b := tx.Bucket([]byte(table))
		if b == nil {
			return nil
		}
		if err := beside(table, b.Cursor(), r.from); err != nil {
			return err
		}
		cursor, size := b.Cursor(), 0
		row, value := cursor.Seek(r.from)
		for ; row != nil && r.has(row); row, value = cursor.Next() {
			if size >= pageBytes {
				more = true
				return nil
			}
			found = append(found, copied(row, value))
			size += len(row) + len(value)
		}
		return passed(table, row, value)
	})
	return found, more, err
}

// has reports whether a row that is not below from is one of them.
func (r rows) has(row []byte) bool { return r.to == nil || bytes.Compare(row, r.to) < 0 }
