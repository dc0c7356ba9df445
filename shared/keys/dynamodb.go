package keys

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/meter"
)

// The table Keys has one item for each key, with the key id as pk. Access
// patterns: get by id (consistent), put conditional on the version, scan.
const (
	attributeID      = "pk"
	attributeVersion = "version"
)

// KeysTable defines the table.
func KeysTable(name string) *dynamodb.CreateTableInput {
	return &dynamodb.CreateTableInput{
		TableName:   &name,
		BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String(attributeID), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String(attributeID), KeyType: types.KeyTypeHash},
		},
	}
}

// DynamoDBClient is the part of the DynamoDB client that the store uses.
type DynamoDBClient interface {
	GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
	PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error)
	Scan(context.Context, *dynamodb.ScanInput, ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error)
}

// DynamoDB is the Store on the table Keys.
type DynamoDB struct {
	Client DynamoDBClient
	Table  string
}

// Get reads the record consistently. Its errors do not include the id, which may
// be anything that a caller has sent.
func (d *DynamoDB) Get(ctx context.Context, id string) (Key, error) {
	call := meter.Begin(ctx, meter.Keys)
	out, err := d.Client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName:      &d.Table,
		Key:            map[string]types.AttributeValue{attributeID: &types.AttributeValueMemberS{Value: id}},
		ConsistentRead: aws.Bool(true),

		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
	call.End(1)
	if err != nil {
		return Key{}, fmt.Errorf("read a key: %w", err)
	}
	if out.ConsumedCapacity != nil {
		meter.Units(ctx, meter.Keys, aws.ToFloat64(out.ConsumedCapacity.CapacityUnits), 0)
	}
	if out.Item == nil {
		return Key{}, ErrUnknown
	}
	return Decode(out.Item)
}

// List scans the table, page by page.
func (d *DynamoDB) List(ctx context.Context) ([]Key, error) {
	var items []map[string]types.AttributeValue
	scan := dynamodb.NewScanPaginator(d.Client, &dynamodb.ScanInput{
		TableName:      &d.Table,
		ConsistentRead: aws.Bool(true),
	})
	for scan.HasMorePages() {
		page, err := scan.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("list keys: %w", err)
		}
		items = append(items, page.Items...)
	}
	return DecodeList(items), nil
}

// Put writes the next version, if the stored version is still the one that was
// read.
func (d *DynamoDB) Put(ctx context.Context, k Key) error {
	input := &dynamodb.PutItemInput{
		TableName:                &d.Table,
		ConditionExpression:      aws.String("attribute_not_exists(#pk)"),
		ExpressionAttributeNames: map[string]string{"#pk": attributeID},
	}
	switch k.Version {
	case 0:
	case Unread:
		k.Version = 0
		input.ConditionExpression, input.ExpressionAttributeNames = nil, nil
	default:
		input.ConditionExpression = aws.String("#version = :read")
		input.ExpressionAttributeNames = map[string]string{"#version": attributeVersion}
		input.ExpressionAttributeValues = map[string]types.AttributeValue{
			":read": &types.AttributeValueMemberN{Value: strconv.Itoa(k.Version)},
		}
	}
	k.Version++
	item, err := Encode(k)
	if err != nil {
		return err
	}
	input.Item = item
	_, err = d.Client.PutItem(ctx, input)
	var refused *types.ConditionalCheckFailedException
	if errors.As(err, &refused) {
		return ErrConflict
	}
	if err != nil {
		return fmt.Errorf("write key %s: %w", k.ID, err)
	}
	return nil
}

// An entry of an allowlist is a text in the table, as it is in JSON.
func asText(o *attributevalue.EncoderOptions)   { o.UseEncodingMarshalers = true }
func fromText(o *attributevalue.DecoderOptions) { o.UseEncodingUnmarshalers = true }

// Encode is the item of a record, the same in every store.
func Encode(k Key) (map[string]types.AttributeValue, error) {
	item, err := attributevalue.MarshalMapWithOptions(k, asText)
	if err != nil {
		return nil, fmt.Errorf("encode key %s: %w", k.ID, err)
	}
	return item, nil
}

// Decode is the inverse of Encode. Of a record that it cannot read in full the error is
// ErrDamaged: an allowlist with an entry left out, for example, would let strangers in.
func Decode(item map[string]types.AttributeValue) (k Key, err error) {
	if err := attributevalue.UnmarshalMapWithOptions(item, &k, fromText); err != nil {
		return Key{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if k.Version < 1 { // which all that is stored has
		return Key{}, fmt.Errorf("%w: it has no version", ErrDamaged)
	}
	return k, nil
}

// DecodeList decodes all items of a store as Store.List gives them. Of a record that could
// not be read the item has the id alone.
func DecodeList(items []map[string]types.AttributeValue) []Key {
	list := make([]Key, len(items))
	for i, item := range items {
		k, err := Decode(item)
		if id, ok := item[attributeID].(*types.AttributeValueMemberS); ok && err != nil {
			k = Key{ID: id.Value, Damaged: true}
		}
		list[i] = k.withoutSealed()
	}
	sortKeys(list)
	return list
}
