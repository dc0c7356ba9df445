package pagedlist

import (
	"context"

	"golang.org/x/sync/errgroup"

	"touchline/shared/store"
)

// cleansAtOnce bounds the lists that are cleaned in parallel, each with a query of
// its own: it is the parallelism of a Table's bulk reads.
const cleansAtOnce = 8

// clean deletes the items of edited lists that their heads do not name. Nothing may edit
// the lists meanwhile; readers are not affected.
func clean[T any](ctx context.Context, table Table, lists []*editor[T]) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(cleansAtOnce)
	for _, e := range lists {
		g.Go(func() error {
			items, err := table.Query(ctx, store.Query{PK: Partition(e.List), Consistent: true})
			if err != nil {
				return err
			}
			refuse, err := refuseOf(e.List, items)
			if err != nil {
				return err
			}
			return table.Write(ctx, differing(refuse, nil))
		})
	}
	return g.Wait()
}

// refuseOf are those of all items of a list that its head does not name.
func refuseOf(list string, items []store.Item) (map[store.Key]store.Item, error) {
	refuse := byKey(items)
	head := refuse[HeadKey(list)]
	delete(refuse, HeadKey(list))
	indexes := []store.Item{head}
	if head[attrDirectory] != nil {
		pages, err := nodesIn(head, attrDirectory)
		if err != nil {
			return nil, err
		}
		indexes = nil
		for _, p := range pages {
			indexes = append(indexes, refuse[pageKey(list, p.name)])
			delete(refuse, pageKey(list, p.name))
		}
	} else if head[attrIndex] == nil {
		return refuse, nil // the list is in its head, or empty
	}
	for _, index := range indexes {
		chunks, err := nodesIn(index, attrIndex)
		if err != nil {
			return nil, err
		}
		for _, c := range chunks {
			delete(refuse, chunkKey(list, c.name))
		}
	}
	return refuse, nil
}

func byKey(items []store.Item) map[store.Key]store.Item {
	all := make(map[store.Key]store.Item, len(items))
	for _, item := range items {
		all[store.KeyOf(item)] = item
	}
	return all
}
