package simulation

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Item is an item, or its key.
type Item = map[string]types.AttributeValue

// Database is DynamoDB in memory, as far as the stores use it. Tables need not
// be created; their keys are the attributes pk and, for items that have it, sk.
// Each call is atomic. It is safe for concurrent use.
type Database struct {
	mu     sync.Mutex
	tables map[string]map[string]partition // by table, then by partition key
}

// partition is the items of a partition key by sort key, which is empty in a
// table without one.
type partition map[string]Item

// NewDatabase makes a database without items.
func NewDatabase() *Database { return &Database{tables: map[string]map[string]partition{}} }

// keyOf joins the two key attributes; a table without sort key has only pk.
func keyOf(i Item) string {
	key := text(i["pk"])
	if sk, ok := i["sk"]; ok {
		key += "\x00" + text(sk)
	}
	return key
}

func text(v types.AttributeValue) string {
	if s, ok := v.(*types.AttributeValueMemberS); ok {
		return s.Value
	}
	return ""
}

func (d *Database) table(name string) map[string]partition {
	t := d.tables[name]
	if t == nil {
		t = map[string]partition{}
		d.tables[name] = t
	}
	return t
}

// at returns the item with the key attributes of i, or nil.
func (d *Database) at(table string, i Item) Item {
	return d.table(table)[text(i["pk"])][text(i["sk"])]
}

// set puts an item in the place of the one with its key.
func (d *Database) set(table string, i Item) {
	t, pk := d.table(table), text(i["pk"])
	if t[pk] == nil {
		t[pk] = partition{}
	}
	t[pk][text(i["sk"])] = i
}

// remove deletes the item with the key attributes of i, if there is one.
func (d *Database) remove(table string, i Item) {
	t, pk := d.table(table), text(i["pk"])
	if delete(t[pk], text(i["sk"])); len(t[pk]) == 0 {
		delete(t, pk)
	}
}

// read returns a copy, as a response over the network is.
func read(i Item) Item { return maps.Clone(i) }

func (d *Database) get(in *dynamodb.GetItemInput) (*dynamodb.GetItemOutput, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return &dynamodb.GetItemOutput{Item: read(d.at(*in.TableName, in.Key))}, nil
}

func (d *Database) batchGet(in *dynamodb.BatchGetItemInput) (*dynamodb.BatchGetItemOutput, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := &dynamodb.BatchGetItemOutput{Responses: map[string][]map[string]types.AttributeValue{}}
	for name, keys := range in.RequestItems {
		for _, k := range keys.Keys {
			if found := d.at(name, k); found != nil {
				out.Responses[name] = append(out.Responses[name], read(found))
			}
		}
	}
	return out, nil
}

func (d *Database) put(in *dynamodb.PutItemInput) (*dynamodb.PutItemOutput, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := check(in.ConditionExpression, d.at(*in.TableName, in.Item), in.ExpressionAttributeNames, in.ExpressionAttributeValues); err != nil {
		return nil, err
	}
	d.set(*in.TableName, read(in.Item))
	return &dynamodb.PutItemOutput{}, nil
}

func (d *Database) update(in *dynamodb.UpdateItemInput) (*dynamodb.UpdateItemOutput, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	stored := d.at(*in.TableName, in.Key)
	if err := check(in.ConditionExpression, stored, in.ExpressionAttributeNames, in.ExpressionAttributeValues); err != nil {
		return nil, err
	}
	updated := read(stored)
	if updated == nil {
		updated = read(in.Key)
	}
	change(updated, *in.UpdateExpression, in.ExpressionAttributeNames, in.ExpressionAttributeValues)
	d.set(*in.TableName, updated)
	return &dynamodb.UpdateItemOutput{Attributes: read(updated)}, nil
}

func (d *Database) delete(in *dynamodb.DeleteItemInput) (*dynamodb.DeleteItemOutput, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := check(in.ConditionExpression, d.at(*in.TableName, in.Key), in.ExpressionAttributeNames, in.ExpressionAttributeValues); err != nil {
		return nil, err
	}
	d.remove(*in.TableName, in.Key)
	return &dynamodb.DeleteItemOutput{}, nil
}

// maxBatch is the greatest number of writes in a bulk write.
const maxBatch = 100

// batchWrite makes at most this many writes and returns the others as
// unprocessed.
func (d *Database) batchWrite(in *dynamodb.BatchWriteItemInput, most int) (*dynamodb.BatchWriteItemOutput, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := &dynamodb.BatchWriteItemOutput{UnprocessedItems: map[string][]types.WriteRequest{}}
	for name, requests := range in.RequestItems {
		for _, r := range requests {
			switch {
			case most == 0:
				out.UnprocessedItems[name] = append(out.UnprocessedItems[name], r)
				continue
			case r.PutRequest != nil:
				d.set(name, read(r.PutRequest.Item))
			default:
				d.remove(name, r.DeleteRequest.Key)
			}
			most--
		}
	}
	return out, nil
}

// query supports the key conditions of store.Query.
func (d *Database) query(in *dynamodb.QueryInput) (*dynamodb.QueryOutput, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	pk, condition, _ := strings.Cut(*in.KeyConditionExpression, " AND ")
	if pk != "pk = :p" {
		panic(fmt.Sprintf("a query that the simulation does not support: %q", *in.KeyConditionExpression))
	}
	out := &dynamodb.QueryOutput{}
	p := d.table(*in.TableName)[text(in.ExpressionAttributeValues[":p"])]
	for _, sk := range slices.Sorted(maps.Keys(p)) {
		if inRange(condition, sk, in.ExpressionAttributeValues) {
			out.Items = append(out.Items, read(p[sk]))
		}
	}
	if in.ScanIndexForward != nil && !*in.ScanIndexForward {
		slices.Reverse(out.Items)
	}
	if in.Limit != nil && int(*in.Limit) < len(out.Items) {
		out.Items = out.Items[:*in.Limit]
		last := out.Items[len(out.Items)-1]
		out.LastEvaluatedKey = Item{"pk": last["pk"], "sk": last["sk"]}
	}
	return out, nil
}

func inRange(condition, sk string, values Item) bool {
	a, b := text(values[":a"]), text(values[":b"])
	switch condition {
	case "":
		return true
	case "begins_with(sk, :a)":
		return strings.HasPrefix(sk, a)
	case "sk BETWEEN :a AND :b":
		return a <= sk && sk <= b
	case "sk >= :a":
		return sk >= a
	case "sk <= :a":
		return sk <= a
	}
	panic(fmt.Sprintf("a query that the simulation does not support: %q", condition))
}

// used is the counter at the key of an update.
func (d *Database) used(in *dynamodb.UpdateItemInput) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n, ok := d.at(*in.TableName, in.Key)["used"].(*types.AttributeValueMemberN); ok {
		return int(number64(n.Value))
	}
	return 0
}

// scan returns everything, in the first segment: the tables of a schedule are small.
func (d *Database) scan(in *dynamodb.ScanInput) (*dynamodb.ScanOutput, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := &dynamodb.ScanOutput{}
	if aws.ToInt32(in.Segment) > 0 {
		return out, nil
	}
	t := d.table(*in.TableName)
	for _, pk := range slices.Sorted(maps.Keys(t)) {
		for _, sk := range slices.Sorted(maps.Keys(t[pk])) {
			out.Items = append(out.Items, read(t[pk][sk]))
		}
	}
	return out, nil
}

// Set puts an item into a table.
func (d *Database) Set(table string, i Item) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.set(table, i)
}

// DeleteFunc deletes the items of a table that del accepts; del must not change
// them.
func (d *Database) DeleteFunc(table string, del func(Item) bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, p := range d.table(table) {
		maps.DeleteFunc(p, func(_ string, i Item) bool { return del(i) })
	}
}

// Items returns the items of a table, in the order of their keys.
func (d *Database) Items(table string) []Item {
	out, _ := d.scan(&dynamodb.ScanInput{TableName: &table}) // never fails
	return out.Items
}
