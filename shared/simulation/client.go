package simulation

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// operation makes one call.
type operation func() (any, error)

// call is a call that a process makes.
type call struct {
	name   string
	key    string // of the first item that it concerns
	apply  operation
	partly operation
}

// Client is DynamoDB as one process sees it. Without a process, for the test
// itself, calls are made at once and never fail.
type Client struct {
	*Database
	Process *Process
	// Counted, if set, is called when an update has changed the number in an
	// attribute named used. It gets the difference.
	Counted func(ctx context.Context, difference int)
}

func made[T any](ctx context.Context, c Client, do call, options []func(*dynamodb.Options)) (T, error) {
	var out any
	var err error
	if c.Process == nil {
		out, err = do.apply()
	} else {
		out, err = c.Process.call(ctx, do, options)
	}
	answer, _ := out.(T)
	return answer, err
}

// GetItem reads an item.
func (c Client) GetItem(ctx context.Context, in *dynamodb.GetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	return made[*dynamodb.GetItemOutput](ctx, c, call{name: "GetItem", key: keyOf(in.Key), apply: func() (any, error) { return c.get(in) }}, o)
}

// BatchGetItem reads items.
func (c Client) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	return made[*dynamodb.BatchGetItemOutput](ctx, c, call{name: "BatchGetItem", key: firstRead(in), apply: func() (any, error) { return c.batchGet(in) }}, o)
}

// Query reads items of a partition.
func (c Client) Query(ctx context.Context, in *dynamodb.QueryInput, o ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	return made[*dynamodb.QueryOutput](ctx, c, call{name: "Query", key: text(in.ExpressionAttributeValues[":p"]), apply: func() (any, error) { return c.query(in) }}, o)
}

// Scan reads a table.
func (c Client) Scan(ctx context.Context, in *dynamodb.ScanInput, o ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	return made[*dynamodb.ScanOutput](ctx, c, call{name: "Scan", apply: func() (any, error) { return c.scan(in) }}, o)
}

// PutItem writes an item.
func (c Client) PutItem(ctx context.Context, in *dynamodb.PutItemInput, o ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	return made[*dynamodb.PutItemOutput](ctx, c, call{name: "PutItem", key: keyOf(in.Item), apply: func() (any, error) { return c.put(in) }}, o)
}

// DeleteItem deletes an item.
func (c Client) DeleteItem(ctx context.Context, in *dynamodb.DeleteItemInput, o ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	return made[*dynamodb.DeleteItemOutput](ctx, c, call{name: "DeleteItem", key: keyOf(in.Key), apply: func() (any, error) { return c.delete(in) }}, o)
}

// UpdateItem changes an item.
func (c Client) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	return made[*dynamodb.UpdateItemOutput](ctx, c, call{name: "UpdateItem", key: keyOf(in.Key), apply: func() (any, error) {
		before := c.used(in)
		out, err := c.update(in)
		if c.Counted != nil {
			c.Counted(ctx, c.used(in)-before)
		}
		return out, err
	}}, o)
}

// BatchWriteItem writes items.
func (c Client) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, o ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	return made[*dynamodb.BatchWriteItemOutput](ctx, c, call{
		name: "BatchWriteItem", key: firstWritten(in),
		apply:  func() (any, error) { return c.batchWrite(in, len(in.RequestItems)*maxBatch) },
		partly: func() (any, error) { return c.batchWrite(in, 1) },
	}, o)
}

func firstRead(in *dynamodb.BatchGetItemInput) string {
	for _, keys := range in.RequestItems {
		for _, k := range keys.Keys {
			return keyOf(k)
		}
	}
	return ""
}

func firstWritten(in *dynamodb.BatchWriteItemInput) string {
	for _, requests := range in.RequestItems {
		for _, r := range requests {
			return keyOf(target(r))
		}
	}
	return ""
}

// target is what a write puts, or the key that it deletes.
func target(r types.WriteRequest) Item {
	if r.PutRequest != nil {
		return r.PutRequest.Item
	}
	return r.DeleteRequest.Key
}
