package diff

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// Items collects what a load changes in the items that are not lists. They are
// written in the order of rank, so that a record whose source changes is
// written last: once it is in the table, so is all that follows from it.
type Items struct {
	// sources are the records that the load itself brings, by kind and id.
	sources map[sport.Kind]map[sport.ID]bool
	Ranks   [ranks][]store.Write

	// TooLarge are the keys of records that do not fit into the table.
	TooLarge []store.Key
	// TooLong are the keys of records whose response would be too long (D48).
	TooLong []store.Key

	before, after map[store.Key]ranked
}

type ranked struct {
	rank   int
	record any
}

const (
	RankParts    = iota // parts of records, which their heads name
	RankDerived         // tables, line-ups: no change is recognised by them
	RankFollowed        // other records that show something of what changed
	RankDetail          // details of matches that changed: the records hold their hash
	RankRemoved         // changed records: those removed, also from an old key
	RankSource          // changed records: those written
	RankOldParts        // parts of the records before
	ranks
)

func NewItems() *Items {
	return &Items{
		sources: map[sport.Kind]map[sport.ID]bool{},
		before:  map[store.Key]ranked{}, after: map[store.Key]ranked{},
	}
}

// Season is the id of a competition's season among sources: each has a record of
// its own. One that did not change itself follows from those that did, also if
// another season of its competition is among them.
func Season(competition sport.ID, year int) sport.ID {
	return sport.ID(fmt.Sprintf("%s %d", competition, year))
}

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
	h := ranked{rank: RankFollowed, record: record}
	switch {
	case kind == "":
		h.rank = RankDerived
	case i.sources[kind][id]:
		h.rank = RankSource
		if _, ok := record.(*records.DetailRecord); ok {
			h.rank = RankDetail
		}
	}
	if v == world.Before {
		i.before[key] = h
	} else {
		i.after[key] = h
	}
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
		i.Ranks[RankParts] = append(i.Ranks[RankParts], parts...)
		i.Ranks[h.rank] = append(i.Ranks[h.rank], store.Write{Key: key, Item: head})
		if old, ok := i.before[key]; ok {
			if err := i.removeParts(key, old.record, parts); err != nil {
				return err
			}
		}
	}
	for key, h := range i.before {
		if _, ok := i.after[key]; !ok {
			rank := h.rank
			if rank == RankSource {
				rank = RankRemoved
			}
			i.Ranks[rank] = append(i.Ranks[rank], store.Write{Key: key})
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
			i.Ranks[RankOldParts] = append(i.Ranks[RankOldParts], store.Write{Key: p.Key})
		}
	}
	return nil
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
