package direct

import (
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/go-json-experiment/json"
)

// item is an item as JSON has it.
type item map[string]attribute

// attribute is a value: one of these.
type attribute struct {
	S    *string      `json:"S"`
	N    *string      `json:"N"`
	B    *[]byte      `json:"B"`
	BOOL *bool        `json:"BOOL"`
	NULL *bool        `json:"NULL"`
	M    *item        `json:"M"`
	L    *[]attribute `json:"L"`
}

// capacity is what a call consumed.
type capacity struct {
	CapacityUnits, ReadCapacityUnits, WriteCapacityUnits *float64
	TableName                                            *string
}

func (c *capacity) consumed() *types.ConsumedCapacity {
	if c == nil {
		return nil
	}
	return &types.ConsumedCapacity{
		CapacityUnits: c.CapacityUnits, ReadCapacityUnits: c.ReadCapacityUnits, WriteCapacityUnits: c.WriteCapacityUnits, TableName: c.TableName,
	}
}

// errUnknown is the error of a body that is not understood in full.
var errUnknown = errors.New("a value of an unknown kind")

// read reads a body. What it has beside the fields of to is an error.
func read(body []byte, to any) error {
	return json.Unmarshal(body, to, json.RejectUnknownMembers(true))
}

// Each of these functions reads the body of a response.

func decodePut(body []byte) (*dynamodb.PutItemOutput, error) {
	var in struct {
		Attributes       item
		ConsumedCapacity *capacity
	}
	err := read(body, &in)
	return &dynamodb.PutItemOutput{Attributes: in.Attributes.values(&err), ConsumedCapacity: in.ConsumedCapacity.consumed()}, err
}

func decodeUpdate(body []byte) (*dynamodb.UpdateItemOutput, error) {
	put, err := decodePut(body)
	return &dynamodb.UpdateItemOutput{Attributes: put.Attributes, ConsumedCapacity: put.ConsumedCapacity}, err
}

func decodeGet(body []byte) (*dynamodb.GetItemOutput, error) {
	var in struct {
		Item             item
		ConsumedCapacity *capacity
	}
	err := read(body, &in)
	return &dynamodb.GetItemOutput{Item: in.Item.values(&err), ConsumedCapacity: in.ConsumedCapacity.consumed()}, err
}

// decodeBatchGet is for a response that leaves nothing unprocessed.
func decodeBatchGet(body []byte) (*dynamodb.BatchGetItemOutput, error) {
	var in struct {
		Responses        map[string][]item
		UnprocessedKeys  *struct{}
		ConsumedCapacity []capacity
	}
	err := read(body, &in)
	out := &dynamodb.BatchGetItemOutput{}
	if in.ConsumedCapacity != nil {
		out.ConsumedCapacity = []types.ConsumedCapacity{}
	}
	for i := range in.ConsumedCapacity {
		out.ConsumedCapacity = append(out.ConsumedCapacity, *in.ConsumedCapacity[i].consumed())
	}
	if in.Responses != nil {
		out.Responses = map[string][]map[string]types.AttributeValue{}
	}
	for table, items := range in.Responses {
		out.Responses[table] = make([]map[string]types.AttributeValue, len(items))
		for i := range items {
			out.Responses[table][i] = items[i].values(&err)
		}
	}
	if in.UnprocessedKeys != nil {
		out.UnprocessedKeys = map[string]types.KeysAndAttributes{}
	}
	return out, err
}

// values are those of an item, nil for none. Of what is not understood err says so.
func (i item) values(err *error) map[string]types.AttributeValue {
	if i == nil {
		return nil
	}
	values := make(map[string]types.AttributeValue, len(i))
	for name, a := range i {
		values[name] = a.value(err)
	}
	return values
}

func (a *attribute) value(err *error) types.AttributeValue {
	switch *a {
	case attribute{S: a.S}:
		if a.S != nil {
			return &types.AttributeValueMemberS{Value: *a.S}
		}
	case attribute{N: a.N}:
		return &types.AttributeValueMemberN{Value: *a.N}
	case attribute{B: a.B}:
		return &types.AttributeValueMemberB{Value: *a.B}
	case attribute{BOOL: a.BOOL}:
		return &types.AttributeValueMemberBOOL{Value: *a.BOOL}
	case attribute{NULL: a.NULL}:
		return &types.AttributeValueMemberNULL{Value: *a.NULL}
	case attribute{M: a.M}:
		return &types.AttributeValueMemberM{Value: a.M.values(err)}
	case attribute{L: a.L}:
		list := make([]types.AttributeValue, len(*a.L))
		for i := range *a.L {
			list[i] = (*a.L)[i].value(err)
		}
		return &types.AttributeValueMemberL{Value: list}
	}
	*err = errUnknown
	return nil
}
