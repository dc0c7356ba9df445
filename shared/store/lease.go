package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// LeaseTerm is how long a lease lasts unless it is renewed: how long a load
// waits for one that was killed.
const LeaseTerm = 10 * time.Second

// LeaseDB is what a lease needs of DynamoDB.
type LeaseDB interface {
	PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error)
	DeleteItem(context.Context, *dynamodb.DeleteItemInput, ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error)
}

// Lease is the right of one load at a time to write to a table. It is an item
// with a holder and an end; who finds it past its end may take it. Clocks of
// loads that compete must agree within a few seconds.
type Lease struct {
	DB     LeaseDB
	Table  string
	Key    Key    // of the item that holds the lease
	Holder string // unlike that of any other load, such as a random id
	Label  string // who that is, for the message to another
	Now    func() time.Time
}

// HeldError is the error of a lease that another load holds.
type HeldError struct {
	Label string    // of the other load
	Until time.Time // unless it renews
}

// Error names the holder.
func (e *HeldError) Error() string {
	return fmt.Sprintf("another load is running (%s)", e.Label)
}

// Take takes the lease, or renews it where Holder has it already; *HeldError
// where another does. It is right when repeated after a lost answer.
func (l *Lease) Take(ctx context.Context) error {
	now := l.Now()
	item := l.Key.item()
	item["holder"] = &types.AttributeValueMemberS{Value: l.Holder}
	item["label"] = &types.AttributeValueMemberS{Value: l.Label}
	item["until"] = &types.AttributeValueMemberN{Value: strconv.FormatInt(now.Add(LeaseTerm).UnixMilli(), 10)}
	_, err := l.DB.PutItem(ctx, &dynamodb.PutItemInput{
		TableName:           aws.String(l.Table),
		Item:                item,
		ConditionExpression: aws.String("attribute_not_exists(pk) OR holder = :h OR #u < :now"),
		ExpressionAttributeNames: map[string]string{
			"#u": "until",
		},
		ExpressionAttributeValues: Item{
			":h":   &types.AttributeValueMemberS{Value: l.Holder},
			":now": &types.AttributeValueMemberN{Value: strconv.FormatInt(now.UnixMilli(), 10)},
		},
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	var held *types.ConditionalCheckFailedException
	if !errors.As(err, &held) {
		return tableError(l.Table, "lock", err)
	}
	other := &HeldError{Label: "unknown"}
	if label, ok := held.Item["label"].(*types.AttributeValueMemberS); ok {
		other.Label = label.Value
	}
	if until, ok := held.Item["until"].(*types.AttributeValueMemberN); ok {
		if ms, err := strconv.ParseInt(until.Value, 10, 64); err == nil {
			other.Until = time.UnixMilli(ms)
		}
	}
	return other
}

// Free gives the lease back; what another has taken meanwhile stays.
func (l *Lease) Free(ctx context.Context) error {
	_, err := l.DB.DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName:           aws.String(l.Table),
		Key:                 l.Key.item(),
		ConditionExpression: aws.String("holder = :h"),
		ExpressionAttributeValues: Item{
			":h": &types.AttributeValueMemberS{Value: l.Holder},
		},
	})
	var taken *types.ConditionalCheckFailedException
	if errors.As(err, &taken) {
		return nil
	}
	return tableError(l.Table, "unlock", err)
}

func tableError(table, what string, err error) error {
	return (&Table{Name: table}).failed(what, err)
}
