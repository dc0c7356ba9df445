package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/store"
)

// counting counts the plain bulk writes that reach an engine.
type counting struct {
	store.Transactor
	plain int
}

func (c *counting) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	c.plain++
	return c.Transactor.BatchWriteItem(ctx, in, options...)
}

func atomicTable(t *testing.T) (*store.Table, *counting) {
	t.Helper()
	table := newTable(t)
	engine := &counting{Transactor: table.DB.(*dynamodb.Client)}
	table.DB = store.Atomic{Transactor: engine}
	return table, engine
}

func TestAnAtomicWriteIsOneTransaction(t *testing.T) {
	table, engine := atomicTable(t)
	all := keys(60)
	for _, writes := range [][]store.Write{
		puts(all, "old"), puts(all[:40], "new"), {{Key: all[0]}, {Key: all[50]}, {Key: store.Key{PK: "none", SK: "none"}}},
	} {
		if err := table.Write(t.Context(), writes); err != nil {
			t.Fatal(err)
		}
	}
	items, err := table.BatchGet(t.Context(), all, true)
	if err != nil {
		t.Fatal(err)
	}
	if len(items) != 58 || textOf(items[all[1]]) != "news0001" || textOf(items[all[59]]) != "olds0059" {
		t.Errorf("%d items: %v, %v", len(items), items[all[1]], items[all[59]])
	}
	if engine.plain != 0 {
		t.Errorf("%d plain writes", engine.plain)
	}
}

// A transaction holds 4 MB at most, and an engine takes no body of any length: a
// large load's journal has a hundred parts of 300 KB.
func TestWhatNoTransactionHoldsIsWrittenInSeveral(t *testing.T) {
	table, engine := atomicTable(t)
	all := keys(100)
	var writes []store.Write
	for _, k := range all {
		writes = append(writes, store.Write{Key: k, Item: store.Item{"b": &types.AttributeValueMemberB{Value: make([]byte, 300<<10)}}})
	}
	if err := table.Write(t.Context(), writes); err != nil {
		t.Fatal(err)
	}
	items, err := table.BatchGet(t.Context(), all, true)
	if err != nil || len(items) != len(all) {
		t.Errorf("%d items, %v", len(items), err)
	}
	if engine.plain != 0 {
		t.Errorf("%d plain writes", engine.plain)
	}
}

// lost is an engine whose answers do not arrive.
type lost struct{ store.Transactor }

func (lost) TransactWriteItems(context.Context, *dynamodb.TransactWriteItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	return nil, errLost
}

var errLost = errors.New("no answer")

func TestAnAtomicWriteWithoutAnAnswerFails(t *testing.T) {
	table, engine := atomicTable(t)
	table.DB = store.Atomic{Transactor: lost{engine}}
	if err := table.Write(t.Context(), puts(keys(1), "")); !errors.Is(err, errLost) || engine.plain != 0 {
		t.Errorf("%v after %d plain writes", err, engine.plain)
	}
}
