package dynamo

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/limits"
	"touchline/shared/meter"
)

// NoncesClient is what Nonces asks of the database. It may retry: Consume is
// right however often its write is applied.
type NoncesClient interface {
	PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error)
	GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
}

// Nonces is the limits.NonceStore on the table that NoncesTable defines.
type Nonces struct {
	Client NoncesClient
	Table  string
}

// nonceRecord is an item of the table.
type nonceRecord struct {
	Key       string `dynamodbav:"pk"`
	RequestID string `dynamodbav:"requestId"`
	ExpiresAt int64  `dynamodbav:"expiresAt"`
}

// nonceKey names a nonce. A key id holds no "#" (read-api, Request headers), so
// the first one ends it and no two nonces share a name.
func nonceKey(n limits.Nonce) string { return n.KeyID + "#" + n.Value }

// Consume implements limits.NonceStore with one conditional write.
func (s *Nonces) Consume(ctx context.Context, n limits.Nonce) error {
	item, err := attributevalue.MarshalMap(nonceRecord{
		Key:       nonceKey(n),
		RequestID: n.RequestID,
		ExpiresAt: secondAtOrAfter(n.ExpiresAt()),
	})
	if err != nil {
		return fmt.Errorf("nonce record: %w", err)
	}
	call := meter.Begin(ctx, meter.Nonces)
	out, err := s.Client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName:                           &s.Table,
		Item:                                item,
		ConditionExpression:                 aws.String("attribute_not_exists(" + PartitionKey + ")"),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
		ReturnConsumedCapacity:              types.ReturnConsumedCapacityTotal,
	})
	call.End(1)
	var recorded *types.ConditionalCheckFailedException
	if errors.As(err, &recorded) {
		return s.recognize(ctx, n, recorded.Item)
	}
	if err != nil {
		return fmt.Errorf("nonce write: %w", err)
	}
	meter.Units(ctx, meter.Nonces, 0, units(out.ConsumedCapacity))
	return nil
}

// recognize tells a replay from this request's own record, whose first answer
// was lost. The refusal shows the record; where an engine leaves it out, one
// consistent read does.
func (s *Nonces) recognize(ctx context.Context, n limits.Nonce, item map[string]types.AttributeValue) error {
	if len(item) == 0 {
		call := meter.Begin(ctx, meter.Nonces)
		found, err := s.Client.GetItem(ctx, &dynamodb.GetItemInput{
			TableName:      &s.Table,
			Key:            map[string]types.AttributeValue{PartitionKey: &types.AttributeValueMemberS{Value: nonceKey(n)}},
			ConsistentRead: aws.Bool(true),

			ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		})
		call.End(1)
		if err != nil {
			return fmt.Errorf("nonce read: %w", err)
		}
		meter.Units(ctx, meter.Nonces, units(found.ConsumedCapacity), 0)
		item = found.Item
	}
	var record nonceRecord
	if err := attributevalue.UnmarshalMap(item, &record); err != nil {
		return fmt.Errorf("nonce record: %w", err)
	}
	if n.RequestID == "" || record.RequestID != n.RequestID {
		return &limits.ReplayedError{RequestID: record.RequestID}
	}
	return nil
}
