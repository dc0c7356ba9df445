package direct_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/engine/enginetest"
	"touchline/shared/store/direct"
	"touchline/shared/store/dynamo"
)

// TestADatabasesResponsesAreUnderstood reads every kind of value that tables have.
func TestADatabasesResponsesAreUnderstood(t *testing.T) {
	sdk, err := dynamo.NewClient(t.Context(), dynamo.Settings{Endpoint: enginetest.Start(t)})
	if err != nil {
		t.Fatal(err)
	}
	_, err = sdk.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("things"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash}},
	})
	if err != nil {
		t.Fatal(err)
	}
	full := item{
		"pk": text("full"), "odd": text(odd), "n": &types.AttributeValueMemberN{Value: "-1.5"}, "b": &types.AttributeValueMemberB{Value: []byte{0, 255}},
		"yes": &types.AttributeValueMemberBOOL{Value: true}, "no": &types.AttributeValueMemberBOOL{}, "null": &types.AttributeValueMemberNULL{Value: true},
		"list": &types.AttributeValueMemberL{Value: []types.AttributeValue{text(""), &types.AttributeValueMemberL{Value: []types.AttributeValue{}}}},
		"map":  &types.AttributeValueMemberM{Value: item{"a": &types.AttributeValueMemberM{Value: item{}}}},
	}
	if _, err := sdk.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("things"), Item: full}); err != nil {
		t.Fatal(err)
	}
	ours, total := direct.New(sdk), types.ReturnConsumedCapacityTotal
	unasked := func(*dynamodb.Options) { t.Error("the SDK is asked") }
	put, err := ours.PutItem(t.Context(), &dynamodb.PutItemInput{
		TableName: aws.String("things"), Item: item{"pk": text(odd)}, ConditionExpression: aws.String("attribute_not_exists(pk)"), ReturnConsumedCapacity: total,
	}, unasked)
	if err != nil || *put.ConsumedCapacity.CapacityUnits != 1 {
		t.Errorf("%+v, %v", put, err)
	}
	updated, err := ours.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: aws.String("things"), Key: item{"pk": text(odd)}, UpdateExpression: aws.String("ADD n :one"), ReturnValues: types.ReturnValueAllNew,
		ExpressionAttributeValues: item{":one": &types.AttributeValueMemberN{Value: "1"}}, ReturnConsumedCapacity: total,
	}, unasked)
	if err != nil || *updated.ConsumedCapacity.CapacityUnits != 1 {
		t.Fatalf("%+v, %v", updated, err)
	}
	if diff := cmp.Diff(item{"pk": text(odd), "n": &types.AttributeValueMemberN{Value: "1"}}, updated.Attributes, outputs); diff != "" {
		t.Error(diff)
	}
	key := item{"pk": text("full")}
	got, err := ours.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("things"), Key: key, ConsistentRead: aws.Bool(true), ReturnConsumedCapacity: total}, unasked)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(full, got.Item, outputs); diff != "" {
		t.Error(diff)
	}
	many, err := ours.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{
		RequestItems: map[string]types.KeysAndAttributes{"things": {Keys: []item{key, {"pk": text("nobody")}}}}, ReturnConsumedCapacity: total,
	}, unasked)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string][]item{"things": {full}}, many.Responses, outputs); diff != "" {
		t.Error(diff)
	}
}
