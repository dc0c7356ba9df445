package dynamo

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// The attributes that both tables are defined by.
const (
	// PartitionKey is the name of the tables' key, a string; they have no sort key.
	PartitionKey = "pk"
	// ExpiresAt is the time-to-live attribute, Unix seconds.
	ExpiresAt = "expiresAt"
)

// NoncesTable defines the table of Nonces.
func NoncesTable(name string) *dynamodb.CreateTableInput { return table(name) }

// QuotasTable defines the table of Quotas.
func QuotasTable(name string) *dynamodb.CreateTableInput { return table(name) }

func table(name string) *dynamodb.CreateTableInput {
	return &dynamodb.CreateTableInput{
		TableName:   aws.String(name),
		BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String(PartitionKey), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String(PartitionKey), KeyType: types.KeyTypeHash},
		},
	}
}

// units is the capacity that a call of one kind consumed, in units.
func units(c *types.ConsumedCapacity) float64 {
	if c == nil {
		return 0
	}
	return aws.ToFloat64(c.CapacityUnits)
}

// TimeToLive turns the dropping of expired items on, for either table; DynamoDB
// takes it only once the table exists.
func TimeToLive(name string) *dynamodb.UpdateTimeToLiveInput {
	return &dynamodb.UpdateTimeToLiveInput{
		TableName: aws.String(name),
		TimeToLiveSpecification: &types.TimeToLiveSpecification{
			AttributeName: aws.String(ExpiresAt),
			Enabled:       aws.Bool(true),
		},
	}
}
