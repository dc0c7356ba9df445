// Package diff finds what differs between the two views of a load: changes of
// lists and writes of items.
//
// A projection puts every item and every list entry of an entity, in both views,
// and then calls Compare: entries and items that are the same in both views are
// dropped, the rest go into the Sink, packed, with the place that each has in the
// order of writes: by phase, then lists by their names and items by their keys.
package diff

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/loader/spool"
	"touchline/shared/loader/world"
	"touchline/shared/store"
	"touchline/shared/store/flat"
	"touchline/shared/store/records"
)

// Items finds what a load changes in the items that are not those of lists.
type Items struct {
	sink Sink

	// TooLarge are the keys of records that do not fit into the table.
	TooLarge []store.Key
	// TooLong are the keys of records whose response would be too long (D48).
	TooLong []store.Key

	before, after map[store.Key]any
}

// NewItems returns the items of a load, which puts what differs into sink.
func NewItems(sink Sink) *Items {
	return &Items{sink: sink, before: map[store.Key]any{}, after: map[store.Key]any{}}
}

// Put sets the record at key in a view.
func (i *Items) Put(v world.View, key store.Key, record any) {
	if v == world.Before {
		i.before[key] = record
	} else {
		i.after[key] = record
	}
}

// Compare turns the difference between the two views into writes.
func (i *Items) Compare() error {
	for key, is := range i.after {
		was := i.before[key]
		delete(i.before, key)
		if sameRecord(was, is) {
			continue
		}
		if err := i.compare(key, was, is); err != nil {
			return err
		}
	}
	for key, was := range i.before {
		if err := i.compare(key, was, nil); err != nil {
			return err
		}
	}
	clear(i.before)
	clear(i.after)
	return nil
}

// compare writes what differs between two records at a key, nil for none. It also removes
// the pieces of the former record that the new one does not have.
func (i *Items) compare(key store.Key, was, is any) error {
	if shown, ok := is.(interface{ ResponseBytes() int }); ok && shown.ResponseBytes() > records.MaxResponse {
		i.TooLong = append(i.TooLong, key)
	}
	item, pieces, err := split(key, is)
	if errors.Is(err, records.ErrTooLarge) {
		i.TooLarge = append(i.TooLarge, key)
		return nil
	}
	_, former, failed := split(key, was)
	if err := cmp.Or(err, failed); err != nil {
		return err
	}
	former = slices.DeleteFunc(former, func(f store.Write) bool {
		return slices.ContainsFunc(pieces, func(p store.Write) bool { return p.Key == f.Key })
	})
	phase := InItems
	switch {
	case isDetail(is):
		phase = Pieces
	case is == nil && isDetail(was):
		phase = OldPieces
	}
	for _, p := range pieces {
		err = cmp.Or(err, i.write(Pieces, p))
	}
	err = cmp.Or(err, i.write(phase, store.Write{Key: key, Item: item}))
	for _, f := range former {
		err = cmp.Or(err, i.write(OldPieces, store.Write{Key: f.Key}))
	}
	return err
}

// split encodes a record for the table; nil is no record.
func split(key store.Key, record any) (item store.Item, pieces []store.Write, err error) {
	if record == nil {
		return nil, nil, nil
	}
	whole, err := attributevalue.MarshalMap(record)
	if err != nil {
		return nil, nil, fmt.Errorf("encode %s %s: %w", key.PK, key.SK, err)
	}
	return records.Split(key, whole)
}

// isDetail reports whether a record is named by another one, its match.
func isDetail(record any) bool { _, ok := record.(*records.DetailRecord); return ok }

// write puts a write into the sink. The order in a phase is that of the keys: a
// local engine stores items in it, so neighbours in the sink are neighbours in its
// file.
func (i *Items) write(phase Phase, w store.Write) error {
	r, err := RecordOf(phase, w)
	if err != nil {
		return err
	}
	return i.sink.Put(r)
}

// RecordOf is a write of an item in a phase as a sink takes it.
func RecordOf(phase Phase, w store.Write) (r spool.Record, err error) {
	r.Place = spool.Place{Phase: byte(phase), Name: w.Key.PK, Key: []byte(w.Key.SK)}
	if w.Item != nil {
		if r.Value, err = flat.Append(nil, w.Item); err != nil {
			err = fmt.Errorf("encode %s %s: %w", w.Key.PK, w.Key.SK, err)
		}
	}
	return r, err
}

// WriteOf is the write of RecordOf.
func WriteOf(r *spool.Record) (store.Write, error) {
	w := store.Write{Key: store.Key{PK: r.Name, SK: string(r.Key)}}
	if len(r.Value) == 0 {
		return w, nil
	}
	var err error
	if w.Item, err = flat.Read(r.Value); err != nil {
		return w, fmt.Errorf("read %s %s of what is to be written: %w", r.Name, r.Key, err)
	}
	return w, nil
}

func sameRecord(a, b any) bool {
	if x, ok := a.(*records.DetailRecord); ok {
		y, ok := b.(*records.DetailRecord)
		return ok && bytes.Equal(x.Hash, y.Hash)
	}
	return reflect.DeepEqual(a, b)
}

// Phase says when something is written. One phase ends before the next begins. So the
// pieces that a record names are in the table whenever the record is read.
type Phase byte

const (
	Pieces    Phase = iota // pieces of records, and the details that a match has the hash of
	InLists                // edits of lists
	InItems                // all other items
	OldPieces              // pieces that no record names any more
)

// OfLists reports whether lists are edited in the phase, or items written.
func (p Phase) OfLists() bool { return p == InLists }

// Sink takes what is to be written, in any order.
type Sink interface {
	Put(spool.Record) error
}
