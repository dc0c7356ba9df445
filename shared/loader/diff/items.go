package diff

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/loader/spool"
	"touchline/shared/loader/world"
	"touchline/shared/store"
	"touchline/shared/store/records"
	"touchline/shared/store/records/flat"
)

// Items finds what a load changes in the items that are not lists.
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
	for key, record := range i.after {
		was, stored := i.before[key]
		if stored && sameRecord(was, record) {
			continue
		}
		if shown, ok := record.(interface{ ResponseBytes() int }); ok && shown.ResponseBytes() > records.MaxResponse {
			i.TooLong = append(i.TooLong, key)
		}
		head, pieces, err := i.split(key, record)
		if errors.Is(err, records.ErrTooLarge) {
			i.TooLarge = append(i.TooLarge, key)
			continue
		}
		if err != nil {
			return err
		}
		for _, piece := range pieces {
			if err := i.write(Pieces, piece); err != nil {
				return err
			}
		}
		phase := InItems
		if isDetail(record) {
			phase = Pieces
		}
		if err := i.write(phase, store.Write{Key: key, Item: head}); err != nil {
			return err
		}
		if stored {
			if err := i.removePieces(key, was, pieces); err != nil {
				return err
			}
		}
	}
	for key, record := range i.before {
		if _, ok := i.after[key]; ok {
			continue
		}
		phase := InItems
		if isDetail(record) {
			phase = OldPieces
		}
		if err := i.write(phase, store.Write{Key: key}); err != nil {
			return err
		}
		if err := i.removePieces(key, record, nil); err != nil {
			return err
		}
	}
	clear(i.before)
	clear(i.after)
	return nil
}

// split encodes a record for the table.
func (i *Items) split(key store.Key, record any) (head store.Item, pieces []store.Write, err error) {
	item, err := attributevalue.MarshalMap(record)
	if err != nil {
		return nil, nil, fmt.Errorf("encode %s %s: %w", key.PK, key.SK, err)
	}
	return records.Split(key, item)
}

// removePieces removes the pieces of the record before, except those that are
// also pieces of the new one.
func (i *Items) removePieces(key store.Key, was any, kept []store.Write) error {
	_, pieces, err := i.split(key, was)
	if err != nil {
		return err
	}
	for _, p := range pieces {
		if !slices.ContainsFunc(kept, func(k store.Write) bool { return k.Key == p.Key }) {
			if err := i.write(OldPieces, store.Write{Key: p.Key}); err != nil {
				return err
			}
		}
	}
	return nil
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
