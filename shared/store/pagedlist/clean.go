package pagedlist

import (
	"context"

	"golang.org/x/sync/errgroup"

	"touchline/shared/store"
)

// removal are the writes that remove whole lists.
type removal struct{ commit, behind []store.Write }

// removalOf removes lists: their heads first, so that nobody misses the rest.
func removalOf(ctx context.Context, table Table, lists []string) (r removal, err error) {
	for _, list := range lists {
		items, err := table.Query(ctx, store.Query{PK: Partition(list), Consistent: true})
		if err != nil {
			return r, err
		}
		for _, item := range items {
			w := store.Write{Key: store.KeyOf(item)}
			if IsHead(w.Key) {
				r.commit = append(r.commit, w)
			} else {
				r.behind = append(r.behind, w)
			}
		}
	}
	return r, nil
}

// mayHaveRefuse reports whether an earlier edit with the same changes may have written
// the head and then been killed: the head is as it is to be. A short list that has been in
// its head since before has no refuse: nothing is deleted from it, and its payloads alone
// cannot have shrunk it so far.
func (e *editor[T]) mayHaveRefuse() bool {
	inHead := e.size >= 0 && e.size < e.sizes.chunk.least && !e.deletes
	return !e.headChanges && !inHead
}

// cleansAtOnce bounds the lists that are cleaned in parallel, each with a query of
// its own: it is the parallelism of a Table's bulk reads.
const cleansAtOnce = 8

// clean deletes the items of lists that their heads do not name. Nothing may edit the
// lists meanwhile; readers are not affected.
func clean(ctx context.Context, table Table, lists []string) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(cleansAtOnce)
	for _, list := range lists {
		g.Go(func() error {
			items, err := table.Query(ctx, store.Query{PK: Partition(list), Consistent: true})
			if err != nil {
				return err
			}
			refuse, err := refuseOf(list, items)
			if err != nil {
				return err
			}
			var writes []store.Write
			for key := range refuse {
				writes = append(writes, store.Write{Key: key})
			}
			return table.Write(ctx, writes)
		})
	}
	return g.Wait()
}

// refuseOf are those of all items of a list that its head does not name.
func refuseOf(list string, items []store.Item) (map[store.Key]store.Item, error) {
	refuse := make(map[store.Key]store.Item, len(items))
	for _, item := range items {
		refuse[store.KeyOf(item)] = item
	}
	head := refuse[HeadKey(list)]
	delete(refuse, HeadKey(list))
	blocks := [][]byte{bytesOf(head, attrIndex)}
	if directory := bytesOf(head, attrDirectory); directory != nil {
		pages, err := decode(directory)
		if err != nil {
			return nil, damaged("head: %v", err)
		}
		blocks = nil
		for _, p := range pages {
			key := pageKey(list, p.name)
			blocks = append(blocks, bytesOf(refuse[key], attrIndex))
			delete(refuse, key)
		}
	}
	for _, b := range blocks {
		if b == nil && head[attrDirectory] == nil {
			continue // the list is in its head
		}
		rows, err := decode(b)
		if err != nil {
			return nil, damaged("index: %v", err)
		}
		for _, r := range rows {
			delete(refuse, chunkKey(list, r.name))
		}
	}
	return refuse, nil
}
