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
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// Items finds what a load changes in the items that are not lists.
type Items struct {
	// sources are the records that the load itself brings, by kind and id.
	sources map[sport.Kind]map[sport.ID]bool
	sink    Sink

	// TooLarge are the keys of records that do not fit into the table.
	TooLarge []store.Key
	// TooLong are the keys of records whose response would be too long (D48).
	TooLong []store.Key

	before, after map[store.Key]ranked
}

type ranked struct {
	phase  Phase
	record any
}

// NewItems returns the items of a load, which puts what differs into sink.
func NewItems(sink Sink) *Items {
	return &Items{
		sources: map[sport.Kind]map[sport.ID]bool{}, sink: sink,
		before: map[store.Key]ranked{}, after: map[store.Key]ranked{},
	}
}

// Season is the id of a competition's season among sources: each has a record of
// its own. One that did not change itself follows from those that did, also if
// another season of its competition is among them.
func Season(competition sport.ID, year int) sport.ID {
	return sport.ID(fmt.Sprintf("%s %d", competition, year))
}

// Forget forgets the sources.
func (i *Items) Forget() { clear(i.sources) }

// Source notes that the load brings the record itself.
func (i *Items) Source(kind sport.Kind, id sport.ID) {
	if i.sources[kind] == nil {
		i.sources[kind] = map[sport.ID]bool{}
	}
	i.sources[kind][id] = true
}

// Put sets the record at key in a view. Kind and id say whose record it is; an
// empty kind means that it is derived.
func (i *Items) Put(v world.View, key store.Key, kind sport.Kind, id sport.ID, record any) {
	h := ranked{phase: FollowingItems, record: record}
	switch {
	case kind == "":
		h.phase = DerivedItems
	case i.sources[kind][id]:
		h.phase = sourcePhase(kind, record)
	}
	if v == world.Before {
		i.before[key] = h
	} else {
		i.after[key] = h
	}
}

// sourcePhase is when a record is written that the load itself brings.
func sourcePhase(kind sport.Kind, record any) Phase {
	if _, ok := record.(*records.DetailRecord); ok {
		return Details
	}
	if kind == sport.KindPlayer {
		return SourcePlayers
	}
	return SourceItems
}

// Compare turns the difference between the two views into writes.
func (i *Items) Compare() error {
	for key, h := range i.after {
		if old, ok := i.before[key]; ok && sameRecord(old.record, h.record) {
			continue
		}
		if shown, ok := h.record.(interface{ AnswerBytes() int }); ok && shown.AnswerBytes() > records.MaxAnswer {
			i.TooLong = append(i.TooLong, key)
		}
		head, parts, err := i.split(key, h.record)
		if errors.Is(err, records.ErrTooLarge) {
			i.TooLarge = append(i.TooLarge, key)
			continue
		}
		if err != nil {
			return err
		}
		for _, part := range parts {
			if err := i.write(Parts, part); err != nil {
				return err
			}
		}
		if err := i.write(h.phase, store.Write{Key: key, Item: head}); err != nil {
			return err
		}
		if old, ok := i.before[key]; ok {
			if err := i.removeParts(key, old.record, parts); err != nil {
				return err
			}
		}
	}
	for key, h := range i.before {
		if _, ok := i.after[key]; !ok {
			phase := h.phase
			switch phase {
			case SourceItems, SourcePlayers:
				phase = RemovedItems
			case DerivedItems: // what it held may have moved into a record that follows
				phase = FollowingItems
			}
			if err := i.write(phase, store.Write{Key: key}); err != nil {
				return err
			}
			if err := i.removeParts(key, h.record, nil); err != nil {
				return err
			}
		}
	}
	clear(i.before)
	clear(i.after)
	return nil
}

// split encodes a record for the table.
func (i *Items) split(key store.Key, record any) (head store.Item, parts []store.Write, err error) {
	item, err := attributevalue.MarshalMap(record)
	if err != nil {
		return nil, nil, fmt.Errorf("encode %s %s: %w", key.PK, key.SK, err)
	}
	return records.Split(key, item)
}

// removeParts removes the parts of the record before, except those that are
// also parts of the new one.
func (i *Items) removeParts(key store.Key, was any, kept []store.Write) error {
	_, parts, err := i.split(key, was)
	if err != nil {
		return err
	}
	for _, p := range parts {
		if !slices.ContainsFunc(kept, func(k store.Write) bool { return k.Key == p.Key }) {
			if err := i.write(OldParts, store.Write{Key: p.Key}); err != nil {
				return err
			}
		}
	}
	return nil
}

// write puts a write into the sink. Records that refer to others come before
// these, and then the order is that of the keys: a local engine stores items in
// it, so neighbours in the sink are neighbours in its file.
func (i *Items) write(phase Phase, w store.Write) error {
	r := spool.Record{Place: spool.Place{
		Phase: byte(phase), Set: byte(records.ReferenceOrder(w.Key)), //nolint:gosec // one of a few
		Name: w.Key.PK, Key: []byte(w.Key.SK),
	}}
	if w.Item != nil {
		var err error
		if r.Value, err = store.AppendItem(nil, w.Item); err != nil {
			return fmt.Errorf("encode %s %s: %w", w.Key.PK, w.Key.SK, err)
		}
	}
	return i.sink.Put(r)
}

// WriteOf is the write that Items put into the sink.
func WriteOf(r *spool.Record) (store.Write, error) {
	w := store.Write{Key: store.Key{PK: r.Name, SK: string(r.Key)}}
	if len(r.Value) == 0 {
		return w, nil
	}
	var err error
	if w.Item, err = store.ItemOf(r.Value); err != nil {
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

// KindTable sorts the writes of given tables; it has no ids of its own.
const KindTable sport.Kind = "table"
