package pagedlist

import (
	"context"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/engine/enginetest"
	"touchline/shared/meter"
	"touchline/shared/simulation"
	"touchline/shared/store"
)

// tables makes tables in an engine of the test's own, or in memory.
type tables struct {
	db *dynamodb.Client // nil: in memory
	n  atomic.Int64
}

func newTables(t testing.TB) *tables {
	t.Helper()
	db, err := store.NewClient(t.Context(), store.Settings{Endpoint: enginetest.Start(t)})
	if err != nil {
		t.Fatal(err)
	}
	return &tables{db: db}
}

// uncounted makes tables for a test that counts no units: in short mode in memory, unless
// an engine is named.
func uncounted(t testing.TB) *tables {
	t.Helper()
	if testing.Short() && enginetest.InMemory() {
		return &tables{}
	}
	return newTables(t)
}

func (ts *tables) table(t testing.TB) *store.Table {
	t.Helper()
	if ts.db == nil {
		return &store.Table{DB: simulation.Client{Database: simulation.NewDatabase()}, Name: "Lists", Meter: &meter.Meter{}}
	}
	name := "Lists" + strconv.FormatInt(ts.n.Add(1), 10)
	_, err := ts.db.CreateTable(context.Background(), &dynamodb.CreateTableInput{
		TableName:   aws.String(name),
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
	return &store.Table{DB: ts.db, Name: name, Meter: &meter.Meter{}}
}

func unmarshal(t *testing.T, item store.Item, to any) {
	t.Helper()
	if err := attributevalue.UnmarshalMap(item, to); err != nil {
		t.Fatal(err)
	}
}
