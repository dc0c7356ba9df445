package simulation

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Item is an item, or its key.
type Item = map[string]types.AttributeValue

// Database is DynamoDB in memory, as far as the stores use it. Tables need not
// be made; their keys are the attributes pk and, where an item has it, sk. Each
// call is atomic. It is safe for concurrent use.
type Database struct {
	mu     sync.Mutex
	tables map[string]map[string]Item // by table, then by both keys
}

// NewDatabase makes a database without items.
func NewDatabase() *Database { return &Database{tables: map[string]map[string]Item{}} }

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

func (d *Database) table(name string) map[string]Item {
	t := d.tables[name]
	if t == nil {
		t = map[string]Item{}
		d.tables[name] = t
	}
	return t
}

// read returns a copy, as an answer over the network would be.
func read(i Item) Item { return maps.Clone(i) }

func (d *Database) get(in *dynamodb.GetItemInput) (*dynamodb.GetItemOutput, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return &dynamodb.GetItemOutput{Item: read(d.table(*in.TableName)[keyOf(in.Key)])}, nil
}

func (d *Database) batchGet(in *dynamodb.BatchGetItemInput) (*dynamodb.BatchGetItemOutput, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := &dynamodb.BatchGetItemOutput{Responses: map[string][]map[string]types.AttributeValue{}}
	for name, keys := range in.RequestItems {
		for _, k := range keys.Keys {
			if found := d.table(name)[keyOf(k)]; found != nil {
				out.Responses[name] = append(out.Responses[name], read(found))
			}
		}
	}
	return out, nil
}

func (d *Database) put(in *dynamodb.PutItemInput) (*dynamodb.PutItemOutput, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t, key := d.table(*in.TableName), keyOf(in.Item)
	if err := check(in.ConditionExpression, t[key], in.ExpressionAttributeNames, in.ExpressionAttributeValues); err != nil {
		return nil, err
	}
	t[key] = read(in.Item)
	return &dynamodb.PutItemOutput{}, nil
}

func (d *Database) update(in *dynamodb.UpdateItemInput) (*dynamodb.UpdateItemOutput, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t, key := d.table(*in.TableName), keyOf(in.Key)
	if err := check(in.ConditionExpression, t[key], in.ExpressionAttributeNames, in.ExpressionAttributeValues); err != nil {
		return nil, err
	}
	updated := read(t[key])
	if updated == nil {
		updated = read(in.Key)
	}
	changed := change(updated, *in.UpdateExpression, in.ExpressionAttributeNames, in.ExpressionAttributeValues)
	t[key] = updated
	return &dynamodb.UpdateItemOutput{Attributes: changed}, nil
}

func (d *Database) delete(in *dynamodb.DeleteItemInput) (*dynamodb.DeleteItemOutput, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t, key := d.table(*in.TableName), keyOf(in.Key)
	if err := check(in.ConditionExpression, t[key], in.ExpressionAttributeNames, in.ExpressionAttributeValues); err != nil {
		return nil, err
	}
	delete(t, key)
	return &dynamodb.DeleteItemOutput{}, nil
}

// maxBatch is how many writes a bulk write has at most.
const maxBatch = 100

// batchWrite makes at most so many writes and hands the others back.
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
				d.table(name)[keyOf(r.PutRequest.Item)] = read(r.PutRequest.Item)
			default:
				delete(d.table(name), keyOf(r.DeleteRequest.Key))
			}
			most--
		}
	}
	return out, nil
}

// query knows the key conditions of store.Query.
func (d *Database) query(in *dynamodb.QueryInput) (*dynamodb.QueryOutput, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	pk, condition, _ := strings.Cut(*in.KeyConditionExpression, " AND ")
	if pk != "pk = :p" {
		panic(fmt.Sprintf("a query the simulation does not know: %q", *in.KeyConditionExpression))
	}
	out := &dynamodb.QueryOutput{}
	t := d.table(*in.TableName)
	for _, key := range slices.Sorted(maps.Keys(t)) {
		found := t[key]
		if text(found["pk"]) == text(in.ExpressionAttributeValues[":p"]) && inRange(condition, text(found["sk"]), in.ExpressionAttributeValues) {
			out.Items = append(out.Items, read(found))
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
	panic(fmt.Sprintf("a query the simulation does not know: %q", condition))
}

// used is the counter at the key of an update.
func (d *Database) used(in *dynamodb.UpdateItemInput) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n, ok := d.table(*in.TableName)[keyOf(in.Key)]["used"].(*types.AttributeValueMemberN); ok {
		return int(number64(n.Value))
	}
	return 0
}

// scan returns everything: the tables of a schedule are small.
func (d *Database) scan(in *dynamodb.ScanInput) (*dynamodb.ScanOutput, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := &dynamodb.ScanOutput{}
	t := d.table(*in.TableName)
	for _, key := range slices.Sorted(maps.Keys(t)) {
		out.Items = append(out.Items, read(t[key]))
	}
	return out, nil
}

// Set puts an item into a table.
func (d *Database) Set(table string, i Item) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.table(table)[keyOf(i)] = i
}

// DeleteFunc deletes the items of a table that del accepts; del must not change
// them.
func (d *Database) DeleteFunc(table string, del func(Item) bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	maps.DeleteFunc(d.table(table), func(_ string, i Item) bool { return del(i) })
}

// Items returns the items of a table, in the order of their keys.
func (d *Database) Items(table string) []Item {
	out, _ := d.scan(&dynamodb.ScanInput{TableName: &table}) // never fails
	return out.Items
}

// check evaluates a condition: terms "attribute_not_exists(name)" and
// "name op :value", joined by AND, these by OR. It panics on any other.
func check(condition *string, i Item, names map[string]string, values Item) error {
	if condition == nil {
		return nil
	}
	for _, alternative := range strings.Split(*condition, " OR ") {
		all := true
		for _, term := range strings.Split(alternative, " AND ") {
			all = all && holds(strings.Trim(term, " ()"), i, names, values)
		}
		if all {
			return nil
		}
	}
	message := "The conditional request failed"
	return &types.ConditionalCheckFailedException{Message: &message, Item: read(i)}
}

func holds(term string, i Item, names map[string]string, values Item) bool {
	named := func(name string) types.AttributeValue { return i[cmp.Or(names[name], name)] }
	for function, want := range map[string]bool{"attribute_not_exists(": false, "attribute_exists(": true} {
		if name, ok := strings.CutPrefix(term, function); ok {
			return (named(strings.TrimSuffix(name, ")")) != nil) == want
		}
	}
	words := strings.Fields(term)
	if len(words) != 3 || values[words[2]] == nil {
		panic(fmt.Sprintf("a condition the simulation does not know: %q", term))
	}
	is := named(words[0])
	if is == nil {
		return false
	}
	order := compare(is, values[words[2]])
	switch words[1] {
	case "=":
		return order == 0
	case "<>":
		return order != 0
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	case ">=":
		return order >= 0
	}
	panic(fmt.Sprintf("a condition the simulation does not know: %q", term))
}

func compare(a, b types.AttributeValue) int {
	x, number := a.(*types.AttributeValueMemberN)
	if !number {
		return strings.Compare(text(a), text(b))
	}
	y, ok := b.(*types.AttributeValueMemberN)
	if !ok {
		return -1
	}
	return cmp.Compare(number64(x.Value), number64(y.Value))
}

func number64(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

// change applies an update expression of ADD and SET clauses whose operands are
// values, and returns the attributes that it wrote.
func change(i Item, expression string, names map[string]string, values Item) Item {
	changed := Item{}
	action := ""
	for _, clause := range clauses(expression) {
		if word, rest, ok := strings.Cut(clause, " "); ok && (word == "ADD" || word == "SET") {
			action, clause = word, rest
		}
		words := strings.Fields(strings.ReplaceAll(clause, "=", " "))
		if len(words) != 2 || values[words[1]] == nil {
			panic(fmt.Sprintf("an update the simulation does not know: %q", clause))
		}
		name := cmp.Or(names[words[0]], words[0])
		switch action {
		case "SET":
			i[name] = values[words[1]]
		case "ADD":
			sum := number64(values[words[1]].(*types.AttributeValueMemberN).Value)
			if old, ok := i[name].(*types.AttributeValueMemberN); ok {
				sum += number64(old.Value)
			}
			i[name] = &types.AttributeValueMemberN{Value: strconv.FormatInt(sum, 10)}
		default:
			panic(fmt.Sprintf("an update the simulation does not know: %q", expression))
		}
		changed[name] = i[name]
	}
	return changed
}

// clauses cuts an update expression at its commas and action words.
func clauses(expression string) []string {
	for _, word := range []string{" SET ", " ADD "} {
		expression = strings.ReplaceAll(expression, word, ","+strings.TrimPrefix(word, " "))
	}
	var cut []string
	for _, clause := range strings.Split(expression, ",") {
		cut = append(cut, strings.TrimSpace(clause))
	}
	return cut
}

// operation makes one call.
type operation func() (any, error)

// call is a call that a process wants made.
type call struct {
	name   string
	key    string // of the first item it is about
	apply  operation
	partly operation
}

// Client is DynamoDB as one process sees it. Without a process its calls are
// made at once and never fail: for the test itself.
type Client struct {
	*Database
	Process *Process
	// Counted, if set, is called when an update has changed the number in an
	// attribute named used, with the difference.
	Counted func(ctx context.Context, difference int)
}

func made[T any](ctx context.Context, c Client, do call, options []func(*dynamodb.Options)) (T, error) {
	var out any
	var err error
	if c.Process == nil {
		out, err = do.apply()
	} else {
		out, err = c.Process.call(ctx, do, options)
	}
	answer, _ := out.(T)
	return answer, err
}

// GetItem reads an item.
func (c Client) GetItem(ctx context.Context, in *dynamodb.GetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	return made[*dynamodb.GetItemOutput](ctx, c, call{name: "GetItem", key: keyOf(in.Key), apply: func() (any, error) { return c.get(in) }}, o)
}

// BatchGetItem reads items.
func (c Client) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	return made[*dynamodb.BatchGetItemOutput](ctx, c, call{name: "BatchGetItem", key: firstRead(in), apply: func() (any, error) { return c.batchGet(in) }}, o)
}

// Query reads items of a partition.
func (c Client) Query(ctx context.Context, in *dynamodb.QueryInput, o ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	return made[*dynamodb.QueryOutput](ctx, c, call{name: "Query", key: text(in.ExpressionAttributeValues[":p"]), apply: func() (any, error) { return c.query(in) }}, o)
}

// Scan reads a table.
func (c Client) Scan(ctx context.Context, in *dynamodb.ScanInput, o ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	return made[*dynamodb.ScanOutput](ctx, c, call{name: "Scan", apply: func() (any, error) { return c.scan(in) }}, o)
}

// PutItem writes an item.
func (c Client) PutItem(ctx context.Context, in *dynamodb.PutItemInput, o ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	return made[*dynamodb.PutItemOutput](ctx, c, call{name: "PutItem", key: keyOf(in.Item), apply: func() (any, error) { return c.put(in) }}, o)
}

// DeleteItem deletes an item.
func (c Client) DeleteItem(ctx context.Context, in *dynamodb.DeleteItemInput, o ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	return made[*dynamodb.DeleteItemOutput](ctx, c, call{name: "DeleteItem", key: keyOf(in.Key), apply: func() (any, error) { return c.delete(in) }}, o)
}

// UpdateItem changes an item.
func (c Client) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	return made[*dynamodb.UpdateItemOutput](ctx, c, call{name: "UpdateItem", key: keyOf(in.Key), apply: func() (any, error) {
		before := c.used(in)
		out, err := c.update(in)
		if c.Counted != nil {
			c.Counted(ctx, c.used(in)-before)
		}
		return out, err
	}}, o)
}

// BatchWriteItem writes items.
func (c Client) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, o ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	return made[*dynamodb.BatchWriteItemOutput](ctx, c, call{
		name: "BatchWriteItem", key: firstWritten(in),
		apply:  func() (any, error) { return c.batchWrite(in, len(in.RequestItems)*maxBatch) },
		partly: func() (any, error) { return c.batchWrite(in, 1) },
	}, o)
}

func firstRead(in *dynamodb.BatchGetItemInput) string {
	for _, keys := range in.RequestItems {
		for _, k := range keys.Keys {
			return keyOf(k)
		}
	}
	return ""
}

func firstWritten(in *dynamodb.BatchWriteItemInput) string {
	for _, requests := range in.RequestItems {
		for _, r := range requests {
			return keyOf(target(r))
		}
	}
	return ""
}

// target is what a write puts, or the key that it deletes.
func target(r types.WriteRequest) Item {
	if r.PutRequest != nil {
		return r.PutRequest.Item
	}
	return r.DeleteRequest.Key
}
