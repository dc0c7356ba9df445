package keys

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/meter"
	"touchline/shared/sport"
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

// record is an item of the table.
type record struct {
	ID           string        `dynamodbav:"pk"`
	Version      int           `dynamodbav:"version"`
	Organization string        `dynamodbav:"organization"`
	ResourceType string        `dynamodbav:"resourceType"`
	Scopes       []Scope       `dynamodbav:"scopes"`
	Descendants  bool          `dynamodbav:"descendants"`
	Allowlist    []string      `dynamodbav:"allowlist,omitempty"`
	MonthlyQuota *int          `dynamodbav:"monthlyQuota,omitempty"`
	CreatedAt    time.Time     `dynamodbav:"createdAt"`
	ExpiresAt    *time.Time    `dynamodbav:"expiresAt,omitempty"`
	RevokedAt    *time.Time    `dynamodbav:"revokedAt,omitempty"`
	LastUsed     Day           `dynamodbav:"lastUsed,omitempty"`
	Label        string        `dynamodbav:"label,omitempty"`
	History      []Event       `dynamodbav:"history,omitempty"`
	Current      secretRecord  `dynamodbav:"current"`
	Previous     *secretRecord `dynamodbav:"previous,omitempty"`
}

type secretRecord struct {
	ID        string    `dynamodbav:"id"`
	CreatedAt time.Time `dynamodbav:"createdAt"`
	Sealed    []byte    `dynamodbav:"sealed"`
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
	return decodeKey(out.Item)
}

// List scans the table, page by page.
func (d *DynamoDB) List(ctx context.Context) ([]Key, error) {
	var list []Key
	scan := dynamodb.NewScanPaginator(d.Client, &dynamodb.ScanInput{
		TableName:      &d.Table,
		ConsistentRead: aws.Bool(true),
	})
	for scan.HasMorePages() {
		page, err := scan.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("list keys: %w", err)
		}
		for _, item := range page.Items {
			k, err := decodeKey(item)
			if err != nil {
				return nil, err
			}
			list = append(list, k.withoutSealed())
		}
	}
	sortKeys(list)
	return list, nil
}

// Put writes the next version, if the stored version is still the one that was
// read.
func (d *DynamoDB) Put(ctx context.Context, k Key) error {
	input := &dynamodb.PutItemInput{
		TableName:                &d.Table,
		ConditionExpression:      aws.String("attribute_not_exists(#pk)"),
		ExpressionAttributeNames: map[string]string{"#pk": attributeID},
	}
	if k.Version != 0 {
		input.ConditionExpression = aws.String("#version = :read")
		input.ExpressionAttributeNames = map[string]string{"#version": attributeVersion}
		input.ExpressionAttributeValues = map[string]types.AttributeValue{
			":read": &types.AttributeValueMemberN{Value: strconv.Itoa(k.Version)},
		}
	}
	k.Version++
	item, err := attributevalue.MarshalMap(encodeKey(k))
	if err != nil {
		return fmt.Errorf("encode key %s: %w", k.ID, err)
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

func encodeKey(k Key) record {
	r := record{
		ID: k.ID, Version: k.Version,
		Organization: string(k.Organization), ResourceType: k.ResourceType,
		Scopes: k.Scopes, Descendants: k.Descendants, MonthlyQuota: k.MonthlyQuota,
		CreatedAt: k.CreatedAt, ExpiresAt: k.ExpiresAt, RevokedAt: k.RevokedAt,
		LastUsed: k.LastUsed, Label: k.Label, History: k.History,
		Current: encodeSecret(k.Current),
	}
	for _, p := range k.Allowlist {
		r.Allowlist = append(r.Allowlist, p.String())
	}
	if k.Previous != nil {
		previous := encodeSecret(*k.Previous)
		r.Previous = &previous
	}
	return r
}

// decodeKey refuses a record that it cannot read in full: an allowlist with an
// entry left out, for example, would let strangers in.
func decodeKey(item map[string]types.AttributeValue) (Key, error) {
	var r record
	if err := attributevalue.UnmarshalMap(item, &r); err != nil {
		return Key{}, fmt.Errorf("decode a key: %w", err)
	}
	k := Key{
		ID: r.ID, Version: r.Version,
		Organization: sport.ID(r.Organization), ResourceType: r.ResourceType,
		Scopes: r.Scopes, Descendants: r.Descendants, MonthlyQuota: r.MonthlyQuota,
		CreatedAt: r.CreatedAt, ExpiresAt: r.ExpiresAt, RevokedAt: r.RevokedAt,
		LastUsed: r.LastUsed, Label: r.Label, History: r.History,
		Current: decodeSecret(r.Current),
	}
	for _, text := range r.Allowlist {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			return Key{}, fmt.Errorf("decode the allowlist of key %s: %w", r.ID, err)
		}
		k.Allowlist = append(k.Allowlist, p)
	}
	if r.Previous != nil {
		previous := decodeSecret(*r.Previous)
		k.Previous = &previous
	}
	return k, nil
}

func encodeSecret(s SealedSecret) secretRecord {
	return secretRecord{ID: s.ID, CreatedAt: s.CreatedAt, Sealed: s.Sealed}
}

func decodeSecret(r secretRecord) SealedSecret {
	return SealedSecret{ID: r.ID, CreatedAt: r.CreatedAt, Sealed: r.Sealed}
}
