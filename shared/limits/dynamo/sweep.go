package dynamo

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// SweepClient is what Sweep asks of the database.
type SweepClient interface {
	Scan(context.Context, *dynamodb.ScanInput, ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error)
	BatchWriteItem(context.Context, *dynamodb.BatchWriteItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error)
}

// largestBatch is the number of items that one BatchWriteItem takes.
const largestBatch = 25

// Sweep deletes the items of a table of nonces or quotas that had expired by
// now, and returns their number. DynamoDB does this by itself; a local engine
// that does not would keep every nonce for good. An item counts until it is
// deleted, so a sweep may come at any time and be repeated.
func Sweep(ctx context.Context, client SweepClient, table string, now time.Time) (deleted int, err error) {
	scan := dynamodb.NewScanPaginator(client, &dynamodb.ScanInput{
		TableName:                 &table,
		FilterExpression:          aws.String("#expiresAt < :now"),
		ProjectionExpression:      aws.String("#pk"),
		ExpressionAttributeNames:  map[string]string{"#expiresAt": ExpiresAt, "#pk": PartitionKey},
		ExpressionAttributeValues: map[string]types.AttributeValue{":now": number(now.Unix())},
	})
	for scan.HasMorePages() {
		page, err := scan.NextPage(ctx)
		if err != nil {
			return deleted, fmt.Errorf("sweep table %s: %w", table, err)
		}
		for rest := page.Items; len(rest) > 0; {
			n := min(len(rest), largestBatch)
			if err := deleteItems(ctx, client, table, rest[:n]); err != nil {
				return deleted, fmt.Errorf("sweep table %s: %w", table, err)
			}
			deleted, rest = deleted+n, rest[n:]
		}
	}
	return deleted, nil
}

// deleteItems deletes one batch. What the database leaves undone is found by the
// next sweep.
func deleteItems(ctx context.Context, client SweepClient, table string, items []map[string]types.AttributeValue) error {
	requests := make([]types.WriteRequest, len(items))
	for i, item := range items {
		requests[i].DeleteRequest = &types.DeleteRequest{Key: map[string]types.AttributeValue{PartitionKey: item[PartitionKey]}}
	}
	_, err := client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{table: requests}})
	return err
}
