package store_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/engine/enginetest"
	"touchline/shared/meter"
	"touchline/shared/store"
)

// newTable makes a table in an engine of the test's own.
func newTable(t testing.TB) *store.Table {
	t.Helper()
	db, err := store.NewClient(t.Context(), store.Settings{Endpoint: enginetest.Start(t)})
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.CreateTable(context.Background(), &dynamodb.CreateTableInput{
		TableName:   aws.String("Things"),
		BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("sk"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String("sk"), KeyType: types.KeyTypeRange},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return &store.Table{DB: db, Name: "Things", Meter: &meter.Meter{}}
}

func text(s string) store.Item {
	return store.Item{"v": &types.AttributeValueMemberS{Value: s}}
}

func textOf(item store.Item) string {
	v, _ := item["v"].(*types.AttributeValueMemberS)
	if v == nil {
		return ""
	}
	return v.Value
}
