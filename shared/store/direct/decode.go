package direct

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Each of these functions reads the body of a response. What it does not expect
// fails the parser.

func decodePut(p *parser) *dynamodb.PutItemOutput {
	out := &dynamodb.PutItemOutput{}
	out.Attributes, out.ConsumedCapacity = p.itemAs("Attributes")
	return out
}

func decodeUpdate(p *parser) *dynamodb.UpdateItemOutput {
	out := &dynamodb.UpdateItemOutput{}
	out.Attributes, out.ConsumedCapacity = p.itemAs("Attributes")
	return out
}

func decodeGet(p *parser) *dynamodb.GetItemOutput {
	out := &dynamodb.GetItemOutput{}
	out.Item, out.ConsumedCapacity = p.itemAs("Item")
	return out
}

// itemAs reads a body that has an item under a name, and what the call consumed.
func (p *parser) itemAs(name string) (item map[string]types.AttributeValue, capacity *types.ConsumedCapacity) {
	p.object(func(field []byte) {
		switch string(field) {
		case name:
			item = p.item()
		case "ConsumedCapacity":
			capacity = p.capacity()
		default:
			p.fail()
		}
	})
	return item, capacity
}

// decodeBatchGet is for a response that leaves nothing unprocessed.
func decodeBatchGet(p *parser) *dynamodb.BatchGetItemOutput {
	out := &dynamodb.BatchGetItemOutput{}
	p.object(func(name []byte) {
		switch string(name) {
		case "ConsumedCapacity":
			out.ConsumedCapacity = []types.ConsumedCapacity{}
			p.array(func() { out.ConsumedCapacity = append(out.ConsumedCapacity, *p.capacity()) })
		case "Responses":
			out.Responses = map[string][]map[string]types.AttributeValue{}
			p.object(func(table []byte) {
				items := []map[string]types.AttributeValue{}
				name := string(table)
				p.array(func() { items = append(items, p.item()) })
				out.Responses[name] = items
			})
		case "UnprocessedKeys":
			out.UnprocessedKeys = map[string]types.KeysAndAttributes{}
			p.object(func([]byte) { p.fail() })
		default:
			p.fail()
		}
	})
	return out
}

func (p *parser) capacity() *types.ConsumedCapacity {
	c := &types.ConsumedCapacity{}
	p.object(func(name []byte) {
		switch string(name) {
		case "CapacityUnits":
			units := p.number()
			c.CapacityUnits = &units
		case "ReadCapacityUnits":
			units := p.number()
			c.ReadCapacityUnits = &units
		case "WriteCapacityUnits":
			units := p.number()
			c.WriteCapacityUnits = &units
		case "TableName":
			table := p.string()
			c.TableName = &table
		default:
			p.fail()
		}
	})
	return c
}

func (p *parser) item() map[string]types.AttributeValue {
	item := map[string]types.AttributeValue{}
	p.object(func(name []byte) {
		key := string(name)
		item[key] = p.attribute()
	})
	return item
}

// attribute reads a value, which is an object with one member.
func (p *parser) attribute() (value types.AttributeValue) {
	p.object(func(name []byte) {
		if value != nil {
			p.fail()
			return
		}
		switch string(name) {
		case "S":
			value = &types.AttributeValueMemberS{Value: p.string()}
		case "N":
			value = &types.AttributeValueMemberN{Value: p.string()}
		case "B":
			value = &types.AttributeValueMemberB{Value: p.bytes()}
		case "BOOL":
			value = &types.AttributeValueMemberBOOL{Value: p.flag()}
		case "NULL":
			value = &types.AttributeValueMemberNULL{Value: p.flag()}
		case "M":
			value = &types.AttributeValueMemberM{Value: p.item()}
		case "L":
			list := []types.AttributeValue{}
			p.array(func() { list = append(list, p.attribute()) })
			value = &types.AttributeValueMemberL{Value: list}
		default:
			p.fail() // sets, which no table has
		}
	})
	if value == nil {
		p.fail()
	}
	return value
}
