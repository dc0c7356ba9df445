// Package dynamo keeps items in DynamoDB: the store.DB and store.Leases on the SDK's
// client, or on package direct's.
//
// # Invariants
//
//   - A call is one attempt: whoever makes it decides on the next one, and asks first
//     whether it still may (store.Lease.Guard).
//   - A failure that the SDK would repeat is a *store.TransientError. What DynamoDB
//     refuses for its rate is store.ErrThrottled.
package dynamo

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/store"
)

// Client is the part of the DynamoDB client that a DB uses.
type Client interface {
	BatchGetItem(context.Context, *dynamodb.BatchGetItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error)
	BatchWriteItem(context.Context, *dynamodb.BatchWriteItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error)
	Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error)
	Scan(context.Context, *dynamodb.ScanInput, ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error)
	UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
}

// DB is the store.DB and the store.Leases on DynamoDB.
type DB struct{ Client Client }

// Bounds are DynamoDB's.
func (DB) Bounds() store.Bounds { return store.Bounds{Get: 100, Write: 25, Calls: 8} }

// once is the option of a call that makes one attempt.
func once(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} }

// Get implements store.DB.
func (d DB) Get(ctx context.Context, table string, keys []store.Key, consistent bool) (store.Reply, error) {
	ask := types.KeysAndAttributes{ConsistentRead: aws.Bool(consistent), Keys: make([]store.Item, len(keys))}
	for i, k := range keys {
		ask.Keys[i] = k.Item()
	}
	out, err := d.Client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
		RequestItems:           map[string]types.KeysAndAttributes{table: ask},
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}, once)
	if err != nil {
		return store.Reply{}, failure(err)
	}
	r := store.Reply{Items: out.Responses[table], Units: units(out.ConsumedCapacity)}
	for _, k := range out.UnprocessedKeys[table].Keys {
		r.Left = append(r.Left, store.KeyOf(k))
	}
	return r, nil
}

// Write implements store.DB.
func (d DB) Write(ctx context.Context, table string, writes []store.Write) (store.Reply, error) {
	requests := make([]types.WriteRequest, len(writes))
	for i, w := range writes {
		if w.Item == nil {
			requests[i].DeleteRequest = &types.DeleteRequest{Key: w.Key.Item()}
		} else {
			requests[i].PutRequest = &types.PutRequest{Item: w.Item}
		}
	}
	out, err := d.Client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
		RequestItems:           map[string][]types.WriteRequest{table: requests},
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}, once)
	if err != nil {
		return store.Reply{}, failure(err)
	}
	r := store.Reply{Units: units(out.ConsumedCapacity)}
	for _, left := range out.UnprocessedItems[table] {
		if left.PutRequest != nil {
			r.Left = append(r.Left, store.KeyOf(left.PutRequest.Item))
		} else {
			r.Left = append(r.Left, store.KeyOf(left.DeleteRequest.Key))
		}
	}
	return r, nil
}

// Query implements store.DB. A page is 1 MB at most.
func (d DB) Query(ctx context.Context, table string, q store.Query, after store.Key) (store.Reply, error) {
	in := &dynamodb.QueryInput{
		TableName:                 &table,
		KeyConditionExpression:    aws.String("pk = :p"),
		ExpressionAttributeValues: store.Item{":p": text(q.PK)},
		ExclusiveStartKey:         start(after),
		ConsistentRead:            aws.Bool(q.Consistent),
		ReturnConsumedCapacity:    types.ReturnConsumedCapacityTotal,
	}
	if q.To != "" {
		in.KeyConditionExpression = aws.String("pk = :p AND sk BETWEEN :a AND :b")
		in.ExpressionAttributeValues[":a"], in.ExpressionAttributeValues[":b"] = text(q.From), text(q.To)
	}
	out, err := d.Client.Query(ctx, in, once)
	if err != nil {
		return store.Reply{}, failure(err)
	}
	return page(out.Items, out.LastEvaluatedKey, out.ConsumedCapacity), nil
}

// Scan implements store.DB. A page is 1 MB at most.
func (d DB) Scan(ctx context.Context, table string, after store.Key) (store.Reply, error) {
	out, err := d.Client.Scan(ctx, &dynamodb.ScanInput{
		TableName: &table, ExclusiveStartKey: start(after),
		ConsistentRead: aws.Bool(true), ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}, once)
	if err != nil {
		return store.Reply{}, failure(err)
	}
	return page(out.Items, out.LastEvaluatedKey, out.ConsumedCapacity), nil
}

func start(after store.Key) store.Item {
	if after == (store.Key{}) {
		return nil
	}
	return after.Item()
}

func page(items []store.Item, last store.Item, capacity *types.ConsumedCapacity) store.Reply {
	r := store.Reply{Items: items, Next: store.KeyOf(last)}
	if capacity != nil {
		r.Units = aws.ToFloat64(capacity.CapacityUnits)
	}
	return r
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func units(capacity []types.ConsumedCapacity) (n float64) {
	for _, c := range capacity {
		n += aws.ToFloat64(c.CapacityUnits)
	}
	return n
}

// failure is an error of the client as one of a store.DB.
func failure(err error) error {
	var missing *types.ResourceNotFoundException
	throttles := retry.ThrottleErrorCode{Codes: retry.DefaultThrottleErrorCodes}
	switch {
	case errors.As(err, &missing):
		return store.ErrNoTable
	case throttles.IsErrorThrottle(err) == aws.TrueTernary:
		return fmt.Errorf("%w: %w", store.ErrThrottled, err)
	case retry.IsErrorRetryables(repeatable).IsErrorRetryable(err) == aws.TrueTernary:
		return &store.TransientError{Err: err}
	}
	return err
}
