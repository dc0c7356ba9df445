package dynamo

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/limits"
	"touchline/shared/sport"
)

// Usage scans a table of quotas for the requests of each organization in the UTC
// month that holds at. It is for operators: a request never scans.
func Usage(ctx context.Context, client dynamodb.ScanAPIClient, table string, at time.Time) (map[sport.ID]int, error) {
	month := "#" + limits.Quota{Now: at}.Month()
	scan := dynamodb.NewScanPaginator(client, &dynamodb.ScanInput{
		TableName:                 &table,
		FilterExpression:          aws.String("contains(#pk, :month)"),
		ExpressionAttributeNames:  map[string]string{"#pk": PartitionKey},
		ExpressionAttributeValues: map[string]types.AttributeValue{":month": &types.AttributeValueMemberS{Value: month}},
	})
	used := map[sport.ID]int{}
	for scan.HasMorePages() {
		page, err := scan.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("read the quotas: %w", err)
		}
		for _, item := range page.Items {
			var c struct {
				Key  string `dynamodbav:"pk"`
				Used int    `dynamodbav:"used"`
			}
			if err := attributevalue.UnmarshalMap(item, &c); err != nil {
				return nil, fmt.Errorf("read the quotas: %w", err)
			}
			used[sport.ID(strings.TrimSuffix(c.Key, month))] = c.Used
		}
	}
	return used, nil
}
