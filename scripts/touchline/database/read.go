package database

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// ReadAll reads every item of every table, and calls at with how many they are so
// far: an engine whose file is damaged fails at it, or has lost some of those that it
// counts. quiet says that nobody writes meanwhile.
func ReadAll(ctx context.Context, client *dynamodb.Client, quiet bool, at func(int)) (items int, err error) {
	tables := dynamodb.NewListTablesPaginator(client, &dynamodb.ListTablesInput{})
	for tables.HasMorePages() {
		page, err := tables.NextPage(ctx)
		if err != nil {
			return items, err
		}
		for _, name := range page.TableNames {
			n, err := readTable(ctx, client, name, quiet, func(n int) { at(items + n) })
			items += n
			if err != nil {
				return items, fmt.Errorf("table %s, after %d items: %w", name, n, err)
			}
		}
	}
	return items, nil
}

func readTable(ctx context.Context, client *dynamodb.Client, name string, quiet bool, at func(int)) (items int, err error) {
	scan := dynamodb.NewScanPaginator(client, &dynamodb.ScanInput{TableName: &name, ConsistentRead: aws.Bool(true)})
	for scan.HasMorePages() {
		page, err := scan.NextPage(ctx)
		if err != nil {
			return items, err
		}
		items += len(page.Items)
		at(items)
	}
	described, err := client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
	if err != nil {
		return items, err
	}
	if counted := aws.ToInt64(described.Table.ItemCount); quiet && counted != int64(items) {
		return items, fmt.Errorf("it counts %d", counted)
	}
	return items, nil
}
