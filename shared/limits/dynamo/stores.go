package dynamo

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"net"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"touchline/shared/limits"
	"touchline/shared/meter"
)

// NoncesClient is what Nonces asks of the database. It may retry: Consume is
// right however often its write is applied.
type NoncesClient interface {
	PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error)
}

// Nonces is the limits.NonceStore on the table that Table defines.
type Nonces struct {
	Client NoncesClient
	Table  string
}

// consumedBy is the attribute of a nonce's item that names the request which consumed it.
const consumedBy = "requestId"

// nonceKey names a nonce. A key id holds no "#" (read-api, Request headers), so
// the first one ends it and no two nonces share a name.
func nonceKey(n limits.Nonce) string { return n.KeyID + "#" + n.Value }

// Consume implements limits.NonceStore with one conditional write.
func (s *Nonces) Consume(ctx context.Context, n limits.Nonce) error {
	call := meter.Begin(ctx, meter.Nonces)
	out, err := s.Client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.Table,
		Item: map[string]types.AttributeValue{
			PartitionKey: &types.AttributeValueMemberS{Value: nonceKey(n)},
			consumedBy:   &types.AttributeValueMemberS{Value: n.RequestID},
			ExpiresAt:    number(n.ExpiresAt()),
		},
		ConditionExpression:                 aws.String("attribute_not_exists(" + PartitionKey + ")"),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
		ReturnConsumedCapacity:              types.ReturnConsumedCapacityTotal,
	})
	call.End(1)
	var recorded *types.ConditionalCheckFailedException
	switch {
	case errors.As(err, &recorded): // whose first answer may have been lost
		by, _ := recorded.Item[consumedBy].(*types.AttributeValueMemberS)
		if by == nil {
			return fmt.Errorf("nonce record: %w", err)
		}
		if n.RequestID == "" || by.Value != n.RequestID {
			return &limits.ReplayedError{RequestID: by.Value}
		}
		return nil
	case err != nil:
		return fmt.Errorf("nonce write: %w", err)
	}
	meter.Units(ctx, meter.Nonces, 0, units(out.ConsumedCapacity))
	return nil
}

// QuotasClient is what Quotas asks of the database. It must honour the Retryer
// that a call's options set: the increment is not to be repeated on a guess.
type QuotasClient interface {
	UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
}

// Quotas is the limits.QuotaStore on the table that Table defines.
type Quotas struct {
	Client QuotasClient
	Table  string
}

// quotaKey names the counter of an organization's month.
func quotaKey(q limits.Quota) string { return string(q.Organization) + "#" + q.Month() }

// slots is how many of its last requests a counter names, each in the slot that
// the request's id falls into. A slot takes 38 bytes, so that the item stays
// below one write unit. With more slots it would only be less likely that, while a
// lost answer is looked for, another request takes the slot: a matter of milliseconds.
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
	if mayBeApplied(err) {
		if used, confirmed := s.update(ctx, s.confirmation(q)); confirmed == nil {
			return q.Allow(used), nil
		}
	}
	return limits.Decision{}, fmt.Errorf("quota increment: %w", err)
}

// increment adds one while the limit allows it, and names the request.
func (s *Quotas) increment(q limits.Quota) *dynamodb.UpdateItemInput {
	in := s.input(q, "ADD used :one SET "+ExpiresAt+" = :expiresAt, "+slotOf(q.RequestID)+" = :request", "attribute_not_exists(used) OR used < :limit")
	in.ReturnValues = types.ReturnValueUpdatedNew // not the other slots
	in.ExpressionAttributeValues = map[string]types.AttributeValue{
		":one":       number(1),
		":limit":     number(int64(q.Limit)),
		":expiresAt": number(q.ExpiresAt()),
		":request":   &types.AttributeValueMemberS{Value: q.RequestID},
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
	if err := attributevalue.Unmarshal(out.Attributes["used"], &used); err != nil {
		return 0, fmt.Errorf("quota counter: %w", err)
	}
	return used, nil
}

func number(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

const (
	// attempts is how often an increment is tried where no try was applied.
	attempts = 3
	// longestPause bounds the wait between two tries; the caller is waiting too.
	longestPause = 50 * time.Millisecond
)

// onceApplied is the option of a call whose write must not be applied twice. The call is
// then only retried after a failure that proves that nothing was applied. net/http
// itself repeats no POST that it has begun to send.
func onceApplied(o *dynamodb.Options) {
	o.Retryer = retry.NewStandard(func(r *retry.StandardOptions) {
		r.MaxAttempts = attempts
		r.Backoff = retry.NewExponentialJitterBackoff(longestPause)
		r.Retryables = []retry.IsErrorRetryable{retry.IsErrorRetryableFunc(notApplied)}
	})
}

// mayBeApplied reports whether a write that failed may have been applied all the
// same: not where DynamoDB has refused it, or there was no connection.
func mayBeApplied(err error) bool {
	var answer *smithyhttp.ResponseError
	if errors.As(err, &answer) && answer.HTTPStatusCode() >= 400 && answer.HTTPStatusCode() < 500 {
		return false
	}
	return notApplied(err) != aws.TrueTernary
}

// notApplied reports whether a failure proves that a write was not applied:
// there was no connection to send it over, or DynamoDB throttled it. All
// others, a 5xx included, leave that open.
func notApplied(err error) aws.Ternary {
	var network *net.OpError
	if errors.As(err, &network) && network.Op == "dial" {
		return aws.TrueTernary
	}
	var refusal smithy.APIError
	if errors.As(err, &refusal) {
		switch refusal.ErrorCode() {
		case "ThrottlingException", "ProvisionedThroughputExceededException", "RequestLimitExceeded":
			return aws.TrueTernary
		}
	}
	return aws.FalseTernary
}

// The attributes that both tables are defined by.
const (
	// PartitionKey is the name of the tables' key, a string; they have no sort key.
	PartitionKey = "pk"
	// ExpiresAt is the time-to-live attribute, Unix seconds.
	ExpiresAt = "expiresAt"
)

// Table defines the table of Nonces, and that of Quotas: they are alike.
func Table(name string) *dynamodb.CreateTableInput {
	return &dynamodb.CreateTableInput{
		TableName:   aws.String(name),
		BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String(PartitionKey), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String(PartitionKey), KeyType: types.KeyTypeHash},
		},
	}
}

// units is the capacity that a call of one kind consumed, in units.
func units(c *types.ConsumedCapacity) float64 {
	if c == nil {
		return 0
	}
	return aws.ToFloat64(c.CapacityUnits)
}

// TimeToLive turns the dropping of expired items on, for either table; DynamoDB
// takes it only once the table exists.
func TimeToLive(name string) *dynamodb.UpdateTimeToLiveInput {
	return &dynamodb.UpdateTimeToLiveInput{
		TableName: aws.String(name),
		TimeToLiveSpecification: &types.TimeToLiveSpecification{
			AttributeName: aws.String(ExpiresAt),
			Enabled:       aws.Bool(true),
		},
	}
}
