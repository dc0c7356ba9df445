package dynamo

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/store"
)

// Table defines a table of items, such as that of all sports data: a partition and a sort
// key, both strings, paid by the request. On AWS the stack creates it, with
// point-in-time recovery and deletion protection.
func Table(name string) *dynamodb.CreateTableInput {
	attribute := func(name string) types.AttributeDefinition {
		return types.AttributeDefinition{AttributeName: aws.String(name), AttributeType: types.ScalarAttributeTypeS}
	}
	key := func(name string, kind types.KeyType) types.KeySchemaElement {
		return types.KeySchemaElement{AttributeName: aws.String(name), KeyType: kind}
	}
	return &dynamodb.CreateTableInput{
		TableName:            aws.String(name),
		BillingMode:          types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{attribute(store.PKName), attribute(store.SKName)},
		KeySchema:            []types.KeySchemaElement{key(store.PKName, types.KeyTypeHash), key(store.SKName, types.KeyTypeRange)},
	}
}
