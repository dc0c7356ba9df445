package store

import (
	"context"
	"maps"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// View is a DB whose keys lie elsewhere in the table: a Table with it reads the items of
// another layout by the keys of this one (package space).
type View struct {
	SDK
	Out func(Key) Key // where a key lies in the table
	In  func(Key) Key // the inverse
	// Has reports whether Scan shows the item at a key of the table; nil: all.
	Has func(Key) bool
}

// MaxWrites is how many writes a call takes.
func (v *View) MaxWrites() int { return (&Table{DB: v.SDK}).maxWrites() }

// MaxCalls is how many calls are made at once.
func (v *View) MaxCalls() int { return (&Table{DB: v.SDK}).parallel() }

// moved is an item, or a key, with another key.
func moved(item Item, to func(Key) Key) Item {
	if len(item) == 0 {
		return item
	}
	item = maps.Clone(item)
	maps.Copy(item, to(KeyOf(item)).item())
	return item
}

func (v *View) read(items []Item) []Item {
	shown := make([]Item, len(items))
	for i, item := range items {
		shown[i] = moved(item, v.In)
	}
	return shown
}

// BatchGetItem implements DB.
func (v *View) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	asked := *in
	asked.RequestItems = movedKeys(in.RequestItems, v.Out)
	out, err := v.SDK.BatchGetItem(ctx, &asked, options...)
	if err != nil {
		return nil, err
	}
	answer := *out
	answer.Responses = make(map[string][]Item, len(out.Responses))
	for table, items := range out.Responses {
		answer.Responses[table] = v.read(items)
	}
	answer.UnprocessedKeys = movedKeys(out.UnprocessedKeys, v.In)
	return &answer, nil
}

func movedKeys(asked map[string]types.KeysAndAttributes, to func(Key) Key) map[string]types.KeysAndAttributes {
	all := make(map[string]types.KeysAndAttributes, len(asked))
	for table, of := range asked {
		keys := make([]Item, len(of.Keys))
		for i, key := range of.Keys {
			keys[i] = moved(key, to)
		}
		of.Keys = keys
		all[table] = of
	}
	return all
}

// BatchWriteItem implements DB.
func (v *View) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	asked := *in
	asked.RequestItems = movedWrites(in.RequestItems, v.Out)
	out, err := v.SDK.BatchWriteItem(ctx, &asked, options...)
	if err != nil {
		return nil, err
	}
	answer := *out
	answer.UnprocessedItems = movedWrites(out.UnprocessedItems, v.In)
	return &answer, nil
}

func movedWrites(asked map[string][]types.WriteRequest, to func(Key) Key) map[string][]types.WriteRequest {
	all := make(map[string][]types.WriteRequest, len(asked))
	for table, requests := range asked {
		writes := make([]types.WriteRequest, len(requests))
		for i, r := range requests {
			if r.PutRequest != nil {
				writes[i].PutRequest = &types.PutRequest{Item: moved(r.PutRequest.Item, to)}
			} else {
				writes[i].DeleteRequest = &types.DeleteRequest{Key: moved(r.DeleteRequest.Key, to)}
			}
		}
		all[table] = writes
	}
	return all
}

// Query implements DB, for a Query of Table's.
func (v *View) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	asked := *in
	asked.ExclusiveStartKey = moved(in.ExclusiveStartKey, v.Out)
	asked.ExpressionAttributeValues = maps.Clone(in.ExpressionAttributeValues)
	if pk, ok := asked.ExpressionAttributeValues[queryPK].(*types.AttributeValueMemberS); ok {
		asked.ExpressionAttributeValues[queryPK] = &types.AttributeValueMemberS{Value: v.Out(Key{PK: pk.Value}).PK}
	}
	out, err := v.SDK.Query(ctx, &asked, options...)
	if err != nil {
		return nil, err
	}
	answer := *out
	answer.Items, answer.LastEvaluatedKey = v.read(out.Items), moved(out.LastEvaluatedKey, v.In)
	return &answer, nil
}

// Scan implements Scanner where the DB does.
func (v *View) Scan(ctx context.Context, in *dynamodb.ScanInput, options ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	db, ok := v.SDK.(Scanner)
	if !ok {
		return nil, errNoScan
	}
	out, err := db.Scan(ctx, in, options...)
	if err != nil {
		return nil, err
	}
	answer := *out
	answer.Items = nil
	for _, item := range out.Items {
		if v.Has == nil || v.Has(KeyOf(item)) {
			answer.Items = append(answer.Items, item)
		}
	}
	answer.Items = v.read(answer.Items)
	return &answer, nil
}
