package loader

import (
	"bytes"
	"fmt"
	"reflect"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// items collects what a load changes in the items that are not lists. They are
// written in the order of rank, so that a record whose source changes is written
// last: that it stands in the table says that all that follows from it does.
type items struct {
	// sources are the records that the load itself brings, by kind and id.
	sources map[sport.Kind]map[sport.ID]bool
	ranks   [ranks][]store.Write

	before, after map[store.Key]held
}

type held struct {
	rank   int
	record any
}

const (
	rankDerived  = iota // tables, line-ups: nothing is recognised by them
	rankFollowed        // records of others that show something of what changed
	rankDetail          // of matches that changed: what their records tell the hash of
	rankGone            // the records that changed: those that go, also to lie elsewhere
	rankSource          // and those that come
	ranks
)

func newItems() *items {
	return &items{
		sources: map[sport.Kind]map[sport.ID]bool{},
		before:  map[store.Key]held{}, after: map[store.Key]held{},
	}
}

// source notes that the load brings the record itself.
func (i *items) source(kind sport.Kind, id sport.ID) {
	if i.sources[kind] == nil {
		i.sources[kind] = map[sport.ID]bool{}
	}
	i.sources[kind][id] = true
}

// put says that in a view key holds record. Kind and id say whose record it is;
// an empty kind is of something derived.
func (i *items) put(v view, key store.Key, kind sport.Kind, id sport.ID, record any) {
	h := held{rank: rankFollowed, record: record}
	switch {
	case kind == "":
		h.rank = rankDerived
	case i.sources[kind][id]:
		h.rank = rankSource
		if _, ok := record.(*records.DetailRecord); ok {
			h.rank = rankDetail
		}
	}
	if v == before {
		i.before[key] = h
	} else {
		i.after[key] = h
	}
}

// settle turns the difference between the two views into writes.
func (i *items) settle() error {
	for key, h := range i.after {
		if old, ok := i.before[key]; ok && sameRecord(old.record, h.record) {
			continue
		}
		item, err := attributevalue.MarshalMap(h.record)
		if err != nil {
			return fmt.Errorf("encode %s %s: %w", key.PK, key.SK, err)
		}
		i.ranks[h.rank] = append(i.ranks[h.rank], store.Write{Key: key, Item: item})
	}
	for key, h := range i.before {
		if _, ok := i.after[key]; !ok {
			rank := h.rank
			if rank == rankSource {
				rank = rankGone
			}
			i.ranks[rank] = append(i.ranks[rank], store.Write{Key: key})
		}
	}
	clear(i.before)
	clear(i.after)
	return nil
}

func sameRecord(a, b any) bool {
	if x, ok := a.(*records.DetailRecord); ok {
		y, ok := b.(*records.DetailRecord)
		return ok && bytes.Equal(x.Hash, y.Hash)
	}
	return reflect.DeepEqual(a, b)
}
