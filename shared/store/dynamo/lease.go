package dynamo

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/store"
)

// The attributes of a lease's item, in addition to those of package store. Without a
// holder it is free.
const (
	leaseHolder = "holder"
	leaseLabel  = "label"
	leaseUntil  = "until" // ms since 1970
)

// mine is the condition that :holder holds the lease.
const mine = "#holder = :holder"

// TakeLease implements store.Leases.
func (d DB) TakeLease(ctx context.Context, table string, key store.Key, by store.Holder, now time.Time) (store.Held, error) {
	u := newUpdate(by.ID)
	u.set(leaseHolder, text(by.ID))
	u.set(leaseLabel, text(by.Label))
	u.set(leaseUntil, milliseconds(now.Add(store.LeaseTerm)))
	u.values[":now"] = milliseconds(now)
	return d.update(ctx, table, key, u, "attribute_not_exists(#holder) OR "+mine+" OR #until < :now")
}

// ChangeLease implements store.Leases.
func (d DB) ChangeLease(ctx context.Context, table string, key store.Key, holder string, c store.LeaseChange) (store.Held, error) {
	u := newUpdate(holder)
	if !c.Renew.IsZero() {
		u.set(leaseUntil, milliseconds(c.Renew))
	}
	if c.Mark != nil {
		u.set(store.LeaseMark, &types.AttributeValueMemberM{Value: c.Mark})
	}
	switch {
	case c.Payload == nil:
	case *c.Payload == nil:
		u.remove(store.LeasePayload)
	default:
		u.set(store.LeasePayload, &types.AttributeValueMemberM{Value: *c.Payload})
	}
	if c.Release {
		u.remove(leaseHolder, leaseLabel, leaseUntil)
	}
	return d.update(ctx, table, key, u, mine)
}

// update is a change of a lease's item.
type update struct {
	sets, removes []string
	names         map[string]string
	values        store.Item
}

func newUpdate(holder string) *update {
	return &update{names: map[string]string{"#holder": leaseHolder}, values: store.Item{":holder": text(holder)}}
}

func (u *update) set(name string, value types.AttributeValue) {
	u.sets = append(u.sets, "#"+name+" = :"+name)
	u.names["#"+name], u.values[":"+name] = name, value
}

func (u *update) remove(names ...string) {
	for _, name := range names {
		u.removes = append(u.removes, "#"+name)
		u.names["#"+name] = name
	}
}

func (u *update) expression() *string {
	var clauses []string
	if u.sets != nil {
		clauses = append(clauses, "SET "+strings.Join(u.sets, ", "))
	}
	if u.removes != nil {
		clauses = append(clauses, "REMOVE "+strings.Join(u.removes, ", "))
	}
	return aws.String(strings.Join(clauses, " "))
}

func (d DB) update(ctx context.Context, table string, key store.Key, u *update, condition string) (store.Held, error) {
	out, err := d.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName:                           &table,
		Key:                                 key.Item(),
		UpdateExpression:                    u.expression(),
		ConditionExpression:                 &condition,
		ExpressionAttributeNames:            u.names,
		ExpressionAttributeValues:           u.values,
		ReturnValues:                        types.ReturnValueAllNew,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
		ReturnConsumedCapacity:              types.ReturnConsumedCapacityTotal,
	}, once)
	var refused *types.ConditionalCheckFailedException
	switch {
	case errors.As(err, &refused):
		return store.Held{}, heldBy(refused.Item)
	case err != nil:
		return store.Held{}, failure(err)
	}
	held := store.HeldIn(out.Attributes)
	held.Until = until(out.Attributes)
	if out.ConsumedCapacity != nil {
		held.Units = aws.ToFloat64(out.ConsumedCapacity.CapacityUnits)
	}
	return held, nil
}

// heldBy is the error of a lease's item that another load holds, or nobody.
func heldBy(item store.Item) error {
	if item[leaseHolder] == nil {
		return store.ErrLeaseLost
	}
	other := &store.HeldError{Label: "unknown", Until: until(item)}
	if label, ok := item[leaseLabel].(*types.AttributeValueMemberS); ok {
		other.Label = label.Value
	}
	return other
}

// until is the end of a lease; zero where the item has none.
func until(item store.Item) time.Time {
	if end, ok := item[leaseUntil].(*types.AttributeValueMemberN); ok {
		if ms, err := strconv.ParseInt(end.Value, 10, 64); err == nil {
			return time.UnixMilli(ms)
		}
	}
	return time.Time{}
}

func milliseconds(t time.Time) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(t.UnixMilli(), 10)}
}
