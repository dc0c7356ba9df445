package dynamo

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/limits"
	"touchline/shared/meter"
)

// QuotasClient is what Quotas asks of the database. It must honour the Retryer
// that a call's options set: the increment is not to be repeated on a guess.
type QuotasClient interface {
	UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
}

// Quotas is the limits.QuotaStore on the table that QuotasTable defines.
type Quotas struct {
	Client QuotasClient
	Table  string
}

// counter is an item of the table, as far as an update answers it.
type counter struct {
	Used int `dynamodbav:"used"`
}

// quotaKey names the counter of an organization's month.
func quotaKey(q limits.Quota) string { return string(q.Organization) + "#" + q.Month() }

// Take implements limits.QuotaStore with one conditional increment.
func (s *Quotas) Take(ctx context.Context, q limits.Quota) (limits.Decision, error) {
	if q.Limit < 1 {
		return q.Refuse(), nil // the condition lets a month's first request pass
	}
	call := meter.Begin(ctx, meter.Quotas)
	out, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName:           &s.Table,
		Key:                 map[string]types.AttributeValue{PartitionKey: &types.AttributeValueMemberS{Value: quotaKey(q)}},
		UpdateExpression:    aws.String("ADD used :one SET " + ExpiresAt + " = :expiresAt"),
		ConditionExpression: aws.String("attribute_not_exists(used) OR used < :limit"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":one":       number(1),
			":limit":     number(int64(q.Limit)),
			":expiresAt": number(secondAtOrAfter(q.ExpiresAt())),
		},
		ReturnValues:           types.ReturnValueUpdatedNew,
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}, onceApplied)
	call.End(1)
	var usedUp *types.ConditionalCheckFailedException
	if errors.As(err, &usedUp) {
		return q.Refuse(), nil
	}
	if err != nil {
		return limits.Decision{}, fmt.Errorf("quota increment: %w", err)
	}
	meter.Units(ctx, meter.Quotas, 0, units(out.ConsumedCapacity))
	var c counter
	if err := attributevalue.UnmarshalMap(out.Attributes, &c); err != nil {
		return limits.Decision{}, fmt.Errorf("quota counter: %w", err)
	}
	return q.Allow(c.Used), nil
}

func number(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

// secondAtOrAfter gives t in Unix seconds, rounded up.
func secondAtOrAfter(t time.Time) int64 { return t.Add(time.Second - 1).Unix() }
