package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/meter"
)

// LeaseTerm is how long a lease lasts unless it is renewed: how long a load
// waits for one that was killed.
const LeaseTerm = 10 * time.Second

// LeaseDB is what a lease needs of DynamoDB.
type LeaseDB interface {
	UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
}

// Lease is the right of one load at a time to write to a table. It is an item
// with a holder and an end; once the end has passed, any load may take it. The
// clocks of loads that compete must agree within a second.
//
// Two things keep a load from writing after it has lost its lease without
// knowing, because its machine slept or its renewals failed. A table behind
// Guard makes no write from some time before the end of the lease on, unless it
// can renew it, which fails once another load has taken it. And a
// payload is part of the lease's own item, where only the holder can change it:
// condition and write are one call, so no pause can come between them.
//
// A Lease is for one holder. Its methods are safe for concurrent use.
type Lease struct {
	DB     LeaseDB
	Table  string
	Key    Key    // of the item that holds the lease
	Holder string // unlike that of any other load, such as a random id
	Label  string // who that is, for the message to another
	Now    func() time.Time
	Meter  *meter.Meter // counts every use of the lease; may be nil

	end  atomic.Int64         // of the lease, in ms by the wall clock, which goes on while a machine sleeps
	mark atomic.Pointer[Item] // found when the lease was taken
	late sync.Mutex           // of the renewal by a write that comes late
}

// The attributes of a lease's item. Without a holder it is free.
const (
	leaseHolder = "holder"
	leaseLabel  = "label"
	leaseUntil  = "until" // ms since 1970
)

// HeldError is the error of a lease that another load holds.
type HeldError struct {
	Label string    // of the other load
	Until time.Time // unless it renews
}

// Error names the holder.
func (e *HeldError) Error() string {
	return fmt.Sprintf("another load is running (%s)", e.Label)
}

// ErrLeaseLost is the error of a write by a load whose lease has run out, or may
// have.
var ErrLeaseLost = errors.New("the load's lease has run out: the machine slept, or DynamoDB was out of reach")

// Take takes the lease where it is free, has run out or is Holder's already,
// and returns the payload that is there, nil for none. It returns *HeldError
// where another holds the lease. It may be repeated after a lost response.
func (l *Lease) Take(ctx context.Context) (payload Item, err error) {
	now := l.Now()
	out, err := l.update(ctx, "lock", leaseUpdate{
		set: Item{
			leaseHolder: &types.AttributeValueMemberS{Value: l.Holder},
			leaseLabel:  &types.AttributeValueMemberS{Value: l.Label},
			leaseUntil:  milliseconds(now.Add(LeaseTerm)),
		},
		condition: "attribute_not_exists(#holder) OR #holder = :mine OR #until < :now",
		values:    Item{":now": milliseconds(now)},
	})
	if err != nil {
		return nil, err
	}
	l.end.Store(now.Add(LeaseTerm).UnixMilli())
	mark := mapIn(out, LeaseMark)
	l.mark.Store(&mark)
	return mapIn(out, LeasePayload), nil
}

// mapIn is an attribute that is a map, nil if there isn't one.
func mapIn(item Item, name string) Item {
	found, _ := item[name].(*types.AttributeValueMemberM)
	if found == nil {
		return nil
	}
	return found.Value
}

// Mark is what the holders before have noted (Complete, End) as it was when the
// lease was taken; nil for nothing.
func (l *Lease) Mark() Item {
	if mark := l.mark.Load(); mark != nil {
		return *mark
	}
	return nil
}

// Renew extends the lease of its holder. *HeldError says that another has it,
// ErrLeaseLost that another had it meanwhile: what was read since may be out of
// date. After any other error it may be tried again.
func (l *Lease) Renew(ctx context.Context) error {
	end := l.Now().Add(LeaseTerm)
	_, err := l.update(ctx, "lock", leaseUpdate{set: Item{leaseUntil: milliseconds(end)}})
	if err == nil {
		l.end.Store(end.UnixMilli())
	}
	return err
}

// Put replaces the payload; nil removes it. Its errors are those of Renew.
func (l *Lease) Put(ctx context.Context, payload Item) error {
	u := leaseUpdate{remove: []string{LeasePayload}}
	if payload != nil {
		u = leaseUpdate{set: Item{LeasePayload: &types.AttributeValueMemberM{Value: payload}}}
	}
	_, err := l.update(ctx, "write", u)
	return err
}

// Complete removes the payload and notes a mark for the holders to come, in one
// write; a nil mark leaves the one that is there. Its errors are those of Renew.
func (l *Lease) Complete(ctx context.Context, mark Item) error {
	_, err := l.update(ctx, "write", leaseUpdate{set: marked(mark), remove: []string{LeasePayload}})
	return err
}

func marked(mark Item) Item {
	if mark == nil {
		return nil
	}
	return Item{LeaseMark: &types.AttributeValueMemberM{Value: mark}}
}

// Free gives the lease back and leaves the payload. A lease that another holder
// has taken meanwhile is left alone.
func (l *Lease) Free(ctx context.Context) error {
	err := l.release(ctx, nil, leaseHolder, leaseLabel, leaseUntil)
	if errors.As(err, new(*HeldError)) {
		return nil
	}
	return err
}

// End gives the lease back, removes the payload and notes a mark as Complete
// does, in one write. Where another has taken the lease it changes nothing and
// returns *HeldError.
func (l *Lease) End(ctx context.Context, mark Item) error {
	return l.release(ctx, marked(mark), leaseHolder, leaseLabel, leaseUntil, LeasePayload)
}

func (l *Lease) release(ctx context.Context, set Item, attributes ...string) error {
	_, err := l.update(ctx, "unlock", leaseUpdate{set: set, remove: attributes})
	l.end.Store(0)
	if errors.Is(err, ErrLeaseLost) { // it is free: the response to an earlier attempt was lost
		return nil
	}
	return err
}

// leaseUpdate is a change of the lease's item.
type leaseUpdate struct {
	set       Item     // attributes
	remove    []string // names of attributes
	condition string   // of #holder, :mine and what set names; empty: Holder holds the lease
	values    Item     // of the condition, in addition to :mine
}

// update makes a change and returns the item after it. Where the condition does
// not hold the error is *HeldError, or ErrLeaseLost where nobody holds the lease.
func (l *Lease) update(ctx context.Context, what string, u leaseUpdate) (Item, error) {
	in := &dynamodb.UpdateItemInput{
		TableName:                           aws.String(l.Table),
		Key:                                 l.Key.item(),
		ExpressionAttributeNames:            map[string]string{"#holder": leaseHolder},
		ExpressionAttributeValues:           Item{":mine": &types.AttributeValueMemberS{Value: l.Holder}},
		ConditionExpression:                 aws.String("#holder = :mine"),
		ReturnValues:                        types.ReturnValueAllNew,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
		ReturnConsumedCapacity:              types.ReturnConsumedCapacityTotal,
	}
	if u.condition != "" {
		in.ConditionExpression = &u.condition
	}
	maps.Copy(in.ExpressionAttributeValues, u.values)
	in.UpdateExpression = aws.String(u.expression(in.ExpressionAttributeNames, in.ExpressionAttributeValues))
	if l.Meter != nil {
		ctx = meter.With(ctx, l.Meter)
	}
	call := meter.Begin(ctx, meter.Sports)
	out, err := l.DB.UpdateItem(ctx, in)
	call.End(1)
	var refused *types.ConditionalCheckFailedException
	switch {
	case errors.As(err, &refused):
		return nil, heldBy(refused.Item)
	case err != nil:
		return nil, (&Table{Name: l.Table}).failed(what, err)
	}
	use := meter.Use{ItemsWritten: 1, BytesWritten: Size(out.Attributes)}
	if out.ConsumedCapacity != nil {
		use.WriteUnits = aws.ToFloat64(out.ConsumedCapacity.CapacityUnits)
	}
	meter.Add(ctx, meter.Sports, use)
	return out.Attributes, nil
}

// expression is the update expression; it adds the names and values it uses.
func (u leaseUpdate) expression(names map[string]string, values Item) string {
	var set, clauses []string
	for _, name := range slices.Sorted(maps.Keys(u.set)) {
		names["#"+name], values[":"+name] = name, u.set[name]
		set = append(set, "#"+name+" = :"+name)
	}
	if set != nil {
		clauses = append(clauses, "SET "+strings.Join(set, ", "))
	}
	for _, name := range u.remove {
		names["#"+name] = name
	}
	if u.remove != nil {
		clauses = append(clauses, "REMOVE #"+strings.Join(u.remove, ", #"))
	}
	return strings.Join(clauses, " ")
}

// heldBy is the error of a lease's item that another load holds, or nobody.
func heldBy(item Item) error {
	if item[leaseHolder] == nil {
		return ErrLeaseLost
	}
	other := &HeldError{Label: "unknown"}
	if label, ok := item[leaseLabel].(*types.AttributeValueMemberS); ok {
		other.Label = label.Value
	}
	if until, ok := item[leaseUntil].(*types.AttributeValueMemberN); ok {
		if ms, err := strconv.ParseInt(until.Value, 10, 64); err == nil {
			other.Until = time.UnixMilli(ms)
		}
	}
	return other
}

func milliseconds(t time.Time) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(t.UnixMilli(), 10)}
}

// ReadLease reads the payload and the mark of the lease at key, without taking
// the lease; nil for none.
func ReadLease(ctx context.Context, table *Table, key Key) (payload, mark Item, err error) {
	item, err := table.Get(ctx, key, true)
	if err != nil {
		return nil, nil, err
	}
	return mapIn(item, LeasePayload), mapIn(item, LeaseMark), nil
}

// FreeLease removes the holder from the item of a lease, for a copy of the
// table; the payload stays.
func FreeLease(item Item) {
	for _, name := range []string{leaseHolder, leaseLabel, leaseUntil} {
		delete(item, name)
	}
}
