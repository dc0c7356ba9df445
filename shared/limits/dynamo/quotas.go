package dynamo

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
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

// counter is an item of the table, as far as an update returns it.
type counter struct {
	Used int `dynamodbav:"used"`
}

// quotaKey names the counter of an organization's month.
func quotaKey(q limits.Quota) string { return string(q.Organization) + "#" + q.Month() }

// slots is how many of its last requests a counter names, each in the slot that
// the request's id falls into. A slot takes 38 bytes, so that the item stays
// below one write unit. More slots would only make it less likely that another
// request takes the place of one whose answer was lost, in the milliseconds until
// that is looked for.
const slots = 16

// slotOf is the attribute that names a request.
func slotOf(requestID string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(requestID)) // never fails
	return "r" + strconv.FormatUint(uint64(h.Sum32()%slots), slots)
}

// Take implements limits.QuotaStore with one conditional increment.
func (s *Quotas) Take(ctx context.Context, q limits.Quota) (limits.Decision, error) {
	if q.Limit < 1 {
		return q.Refuse(), nil // the condition lets a month's first request pass
	}
	used, err := s.update(ctx, s.increment(q), onceApplied)
	var usedUp *types.ConditionalCheckFailedException
	switch {
	case errors.As(err, &usedUp):
		return q.Refuse(), nil
	case err == nil:
		return q.Allow(used), nil
	}
	if q.RequestID != "" && mayBeApplied(err) {
		if used, confirmed := s.update(ctx, s.confirmation(q)); confirmed == nil {
			return q.Allow(used), nil
		}
	}
	return limits.Decision{}, fmt.Errorf("quota increment: %w", err)
}

// increment adds one while the limit allows it, and names the request.
func (s *Quotas) increment(q limits.Quota) *dynamodb.UpdateItemInput {
	in := s.input(q, "ADD used :one SET "+ExpiresAt+" = :expiresAt", "attribute_not_exists(used) OR used < :limit")
	in.ExpressionAttributeValues = map[string]types.AttributeValue{
		":one":       number(1),
		":limit":     number(int64(q.Limit)),
		":expiresAt": number(secondAtOrAfter(q.ExpiresAt())),
	}
	if q.RequestID != "" {
		in.UpdateExpression = aws.String(*in.UpdateExpression + ", " + slotOf(q.RequestID) + " = :request")
		in.ExpressionAttributeValues[":request"] = &types.AttributeValueMemberS{Value: q.RequestID}
	}
	return in
}

// confirmation changes nothing, and succeeds where the counter names the request:
// then its increment was applied. A write rather than a read, since it needs no
// further right on the table.
func (s *Quotas) confirmation(q limits.Quota) *dynamodb.UpdateItemInput {
	slot := slotOf(q.RequestID)
	in := s.input(q, "SET "+slot+" = :request", slot+" = :request")
	in.ExpressionAttributeValues = map[string]types.AttributeValue{":request": &types.AttributeValueMemberS{Value: q.RequestID}}
	return in
}

func (s *Quotas) input(q limits.Quota, update, condition string) *dynamodb.UpdateItemInput {
	return &dynamodb.UpdateItemInput{
		TableName:              &s.Table,
		Key:                    map[string]types.AttributeValue{PartitionKey: &types.AttributeValueMemberS{Value: quotaKey(q)}},
		UpdateExpression:       &update,
		ConditionExpression:    &condition,
		ReturnValues:           types.ReturnValueAllNew,
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}
}

// update makes a write and returns the counter after it.
func (s *Quotas) update(ctx context.Context, in *dynamodb.UpdateItemInput, options ...func(*dynamodb.Options)) (used int, err error) {
	call := meter.Begin(ctx, meter.Quotas)
	out, err := s.Client.UpdateItem(ctx, in, options...)
	call.End(1)
	if err != nil {
		return 0, err
	}
	meter.Units(ctx, meter.Quotas, 0, units(out.ConsumedCapacity))
	var c counter
	if err := attributevalue.UnmarshalMap(out.Attributes, &c); err != nil {
		return 0, fmt.Errorf("quota counter: %w", err)
	}
	return c.Used, nil
}

func number(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

// secondAtOrAfter gives t in Unix seconds, rounded up.
func secondAtOrAfter(t time.Time) int64 { return t.Add(time.Second - 1).Unix() }
