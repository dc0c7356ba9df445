package direct

import (
	"reflect"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/encoding/json"
)

// The members of the calls' bodies that are encoded here, in the order of the SDK's.
var (
	putMembers = []string{
		"ConditionExpression", "ExpressionAttributeValues", "Item", "ReturnConsumedCapacity", "ReturnValues",
		"ReturnValuesOnConditionCheckFailure", "TableName",
	}
	updateMembers = []string{
		"ConditionExpression", "ExpressionAttributeValues", "Key", "ReturnConsumedCapacity", "ReturnValues",
		"TableName", "UpdateExpression",
	}
	getMembers      = []string{"ConsistentRead", "Key", "ReturnConsumedCapacity", "TableName"}
	batchGetMembers = []string{"RequestItems", "ReturnConsumedCapacity"}
	keysMembers     = []string{"ConsistentRead", "Keys"} // of a table in RequestItems

	// neededMembers are those that a call does not go without.
	neededMembers = []string{"Item", "Key", "Keys", "RequestItems", "TableName"}
)

// encode writes the body of a call, and reports whether that is all of the input: nothing
// may be left of it but the members.
func encode[In any](in In, members []string) ([]byte, bool) {
	e := &encoder{complete: true}
	whole := json.NewEncoder()
	e.input(whole, reflect.ValueOf(&in).Elem(), members)
	return whole.Bytes(), e.complete
}

// encoder writes values.
type encoder struct {
	complete bool // all that was asked for is written
}

// value is where JSON is written to: an Encoder, or a Value of an object or array.
type value interface{ Object() *json.Object }

// input writes the members of a part of the input, which it takes out of it.
func (e *encoder) input(to value, in reflect.Value, members []string) {
	object := to.Object()
	for _, name := range members {
		field := in.FieldByName(name)
		e.member(object, name, field)
		field.SetZero()
	}
	object.Close()
	e.complete = e.complete && in.IsZero()
}

func (e *encoder) member(object *json.Object, name string, field reflect.Value) {
	switch {
	case field.IsZero():
		e.complete = e.complete && !slices.Contains(neededMembers, name)
		return
	case field.Kind() == reflect.String:
		object.Key(name).String(field.String())
		return
	}
	switch v := field.Interface().(type) {
	case *string:
		if name == "TableName" {
			e.table(*v)
		}
		object.Key(name).String(*v)
	case *bool:
		object.Key(name).Boolean(*v)
	case map[string]types.AttributeValue:
		e.attributes(object.Key(name), v)
	case []map[string]types.AttributeValue:
		list := object.Key(name).Array()
		for _, key := range v {
			e.complete = e.complete && key != nil
			e.attributes(list.Value(), key)
		}
		list.Close()
	case map[string]types.KeysAndAttributes:
		tables := object.Key(name).Object()
		for table, ask := range v {
			e.table(table)
			e.input(tables.Key(table), reflect.ValueOf(&ask).Elem(), keysMembers)
		}
		tables.Close()
	default:
		e.complete = false
	}
}

// table checks the name of a table. One that has a resource name may be elsewhere.
func (e *encoder) table(name string) {
	e.complete = e.complete && name != "" && !strings.HasPrefix(name, "arn:")
}

// attributes are strings and numbers: requests have no other values.
func (e *encoder) attributes(to value, values map[string]types.AttributeValue) {
	object := to.Object()
	for name, v := range values {
		one := object.Key(name).Object()
		switch v := v.(type) {
		case *types.AttributeValueMemberS:
			one.Key("S").String(v.Value)
		case *types.AttributeValueMemberN:
			one.Key("N").String(v.Value)
		default:
			e.complete = false
		}
		one.Close()
	}
	object.Close()
}
