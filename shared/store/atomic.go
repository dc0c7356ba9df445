package store

import (
	"context"
	"errors"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// Transactor is the part of the DynamoDB client that Atomic uses.
type Transactor interface {
	SDK
	TransactWriteItems(context.Context, *dynamodb.TransactWriteItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error)
}

// Atomic is the DB of a local engine: it makes each bulk write one transaction.
// The embedded engine commits every item of a plain one to its file by itself,
// which takes two to six times as long. Not for AWS, where a transaction costs
// twice the units; what it consumed is not reported.
//
// What is too large for one transaction is written in several, and what the
// engine does not take as a transaction (it has none) is written plainly.
type Atomic struct{ Transactor }

// maxTransaction is how many writes a transaction holds. The more, the fewer
// times the engine commits: with 100 at once a load takes a tenth less time than
// with 25, on a machine that does other things too.
const maxTransaction = 100

// maxTransactionBytes is how many bytes of items go into a transaction: DynamoDB
// takes 4 MB, and a local engine no longer body of a request than that takes in
// base64.
const maxTransactionBytes = 3 << 20

// MaxWrites is how many writes BatchWriteItem takes.
func (Atomic) MaxWrites() int { return maxTransaction }

// MaxCalls is how many calls are worth making at once: the engine makes one after
// the other, and those that wait delay what is small and urgent, such as the
// renewal of a lease.
func (Atomic) MaxCalls() int { return 2 }

// BatchWriteItem implements DB.
func (a Atomic) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	all := &dynamodb.BatchWriteItemOutput{UnprocessedItems: map[string][]types.WriteRequest{}}
	for table, requests := range in.RequestItems {
		for len(requests) > 0 {
			n := fitting(requests)
			out, err := a.transaction(ctx, &dynamodb.BatchWriteItemInput{
				RequestItems: map[string][]types.WriteRequest{table: requests[:n]}, ReturnConsumedCapacity: in.ReturnConsumedCapacity,
			}, options...)
			if err != nil {
				return nil, err
			}
			add(all, out)
			requests = requests[n:]
		}
	}
	return all, nil
}

// fitting is how many of the first writes fit into a transaction, at least one.
func fitting(requests []types.WriteRequest) int {
	size := 0
	for n, r := range requests {
		if r.PutRequest != nil {
			size += Size(r.PutRequest.Item)
		}
		if n > 0 && size > maxTransactionBytes {
			return n
		}
	}
	return len(requests)
}

// transaction makes writes in one transaction.
func (a Atomic) transaction(ctx context.Context, in *dynamodb.BatchWriteItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	var items []types.TransactWriteItem
	for table, requests := range in.RequestItems {
		for _, r := range requests {
			switch {
			case r.PutRequest != nil:
				items = append(items, types.TransactWriteItem{Put: &types.Put{TableName: &table, Item: r.PutRequest.Item}})
			case r.DeleteRequest != nil:
				items = append(items, types.TransactWriteItem{Delete: &types.Delete{TableName: &table, Key: r.DeleteRequest.Key}})
			}
		}
	}
	// A put or a delete may be made twice: without a token the engine need not
	// remember that it was made.
	options = append(options, func(o *dynamodb.Options) { o.IdempotencyTokenProvider = nil })
	_, err := a.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: items}, options...)
	var refusal smithy.APIError
	if errors.As(err, &refusal) {
		return a.plainly(ctx, in, options...)
	}
	if err != nil {
		return nil, err
	}
	return &dynamodb.BatchWriteItemOutput{}, nil
}

// plainly makes the writes in as many calls as DynamoDB needs for so many.
func (a Atomic) plainly(ctx context.Context, in *dynamodb.BatchWriteItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	all := &dynamodb.BatchWriteItemOutput{UnprocessedItems: map[string][]types.WriteRequest{}}
	for table, requests := range in.RequestItems {
		for part := range slices.Chunk(requests, maxWrite) {
			out, err := a.Transactor.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
				RequestItems: map[string][]types.WriteRequest{table: part}, ReturnConsumedCapacity: in.ReturnConsumedCapacity,
			}, options...)
			if err != nil {
				return nil, err
			}
			add(all, out)
		}
	}
	return all, nil
}

// add adds the outcome of a call to that of all.
func add(all, out *dynamodb.BatchWriteItemOutput) {
	for name, left := range out.UnprocessedItems {
		all.UnprocessedItems[name] = append(all.UnprocessedItems[name], left...)
	}
	all.ConsumedCapacity = append(all.ConsumedCapacity, out.ConsumedCapacity...)
}
