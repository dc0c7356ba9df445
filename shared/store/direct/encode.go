package direct

import (
	"reflect"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/encoding/json"
)

// Each of these functions writes the body of a call, and reports whether that is
// all of it: a member is taken out of the input as it is written, and nothing may
// be left.

func encodePut(in *dynamodb.PutItemInput) ([]byte, bool) {
	rest, e := *in, begin()
	e.text("ConditionExpression", take(&rest.ConditionExpression))
	e.values("ExpressionAttributeValues", take(&rest.ExpressionAttributeValues))
	e.values("Item", e.needed(take(&rest.Item)))
	e.word("ReturnConsumedCapacity", string(take(&rest.ReturnConsumedCapacity)))
	e.word("ReturnValues", string(take(&rest.ReturnValues)))
	e.word("ReturnValuesOnConditionCheckFailure", string(take(&rest.ReturnValuesOnConditionCheckFailure)))
	e.text("TableName", e.table(take(&rest.TableName)))
	return e.end(rest)
}

func encodeUpdate(in *dynamodb.UpdateItemInput) ([]byte, bool) {
	rest, e := *in, begin()
	e.text("ConditionExpression", take(&rest.ConditionExpression))
	e.values("ExpressionAttributeValues", take(&rest.ExpressionAttributeValues))
	e.values("Key", e.needed(take(&rest.Key)))
	e.word("ReturnConsumedCapacity", string(take(&rest.ReturnConsumedCapacity)))
	e.word("ReturnValues", string(take(&rest.ReturnValues)))
	e.text("TableName", e.table(take(&rest.TableName)))
	e.text("UpdateExpression", take(&rest.UpdateExpression))
	return e.end(rest)
}

func encodeGet(in *dynamodb.GetItemInput) ([]byte, bool) {
	rest, e := *in, begin()
	e.flag("ConsistentRead", take(&rest.ConsistentRead))
	e.values("Key", e.needed(take(&rest.Key)))
	e.word("ReturnConsumedCapacity", string(take(&rest.ReturnConsumedCapacity)))
	e.text("TableName", e.table(take(&rest.TableName)))
	return e.end(rest)
}

func encodeBatchGet(in *dynamodb.BatchGetItemInput) ([]byte, bool) {
	rest, e := *in, begin()
	e.nested("RequestItems", func() {
		for table, ask := range take(&rest.RequestItems) {
			e.nested(*e.table(&table), func() {
				e.flag("ConsistentRead", take(&ask.ConsistentRead))
				e.keys("Keys", take(&ask.Keys))
				e.complete = e.complete && reflect.ValueOf(ask).IsZero()
			})
		}
	})
	e.word("ReturnConsumedCapacity", string(take(&rest.ReturnConsumedCapacity)))
	return e.end(rest)
}

func take[T any](member *T) T {
	value := *member
	*member = *new(T)
	return value
}

// encoder writes an object.
type encoder struct {
	whole    *json.Encoder
	object   *json.Object // that is being written
	complete bool         // all that was asked for is written
}

func begin() *encoder {
	e := &encoder{whole: json.NewEncoder(), complete: true}
	e.object = e.whole.Object()
	return e
}

// end ends the body; rest is what is left of the input.
func (e *encoder) end(rest any) ([]byte, bool) {
	e.object.Close()
	return e.whole.Bytes(), e.complete && reflect.ValueOf(rest).IsZero()
}

// table is the name of a table. One that has a resource name may be elsewhere.
func (e *encoder) table(name *string) *string {
	if name == nil || *name == "" || strings.HasPrefix(*name, "arn:") {
		e.complete = false
		return new(string)
	}
	return name
}

// needed are values that a call does not go without.
func (e *encoder) needed(values map[string]types.AttributeValue) map[string]types.AttributeValue {
	e.complete = e.complete && values != nil
	return values
}

func (e *encoder) text(name string, value *string) {
	if value != nil {
		e.object.Key(name).String(*value)
	}
}

func (e *encoder) word(name, value string) {
	if value != "" {
		e.text(name, &value)
	}
}

func (e *encoder) flag(name string, value *bool) {
	if value != nil {
		e.object.Key(name).Boolean(*value)
	}
}

func (e *encoder) nested(name string, write func()) {
	e.within(e.object.Key(name), write)
}

func (e *encoder) within(value json.Value, write func()) {
	around := e.object
	e.object = value.Object()
	write()
	e.object.Close()
	e.object = around
}

func (e *encoder) keys(name string, keys []map[string]types.AttributeValue) {
	list := e.object.Key(name).Array()
	for _, key := range keys {
		e.within(list.Value(), func() { e.members(e.needed(key)) })
	}
	list.Close()
}

func (e *encoder) values(name string, values map[string]types.AttributeValue) {
	if values != nil {
		e.nested(name, func() { e.members(values) })
	}
}

// members are strings and numbers: requests have no other values.
func (e *encoder) members(values map[string]types.AttributeValue) {
	for name, value := range values {
		e.nested(name, func() {
			switch v := value.(type) {
			case *types.AttributeValueMemberS:
				e.text("S", &v.Value)
			case *types.AttributeValueMemberN:
				e.text("N", &v.Value)
			default:
				e.complete = false
			}
		})
	}
}
