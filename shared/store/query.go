package store

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/meter"
)

// Query names items of one partition, in the order of their sort keys.
type Query struct {
	PK string
	// At most one of the two: sort keys that begin with Prefix, or sort keys
	// from From to To, both inclusive. Without either, the whole partition.
	Prefix   string
	From, To string

	Reverse    bool
	Limit      int // at most so many items; 0: all
	Consistent bool
}

// Query reads the items that q names, page after page; each page is a round
// trip of its own (1 MB at most).
func (t *Table) Query(ctx context.Context, q Query) ([]Item, error) {
	ctx = t.metered(ctx)
	in := q.input(t.Name)
	var items []Item
	for {
		if q.Limit > 0 {
			in.Limit = aws.Int32(int32(min(q.Limit-len(items), 1<<20))) //nolint:gosec // bounded here
		}
		call := meter.Begin(ctx, meter.Sports)
		out, err := t.DB.Query(ctx, in)
		call.End(1)
		if err != nil {
			return nil, t.failed("query", err)
		}
		if out.ConsumedCapacity == nil {
			out.ConsumedCapacity = &types.ConsumedCapacity{}
		}
		countRead(ctx, out.Items, *out.ConsumedCapacity)
		items = append(items, out.Items...)
		if len(out.LastEvaluatedKey) == 0 || q.Limit > 0 && len(items) >= q.Limit {
			return items, nil
		}
		in.ExclusiveStartKey = out.LastEvaluatedKey
	}
}

// queryPK stands for the partition key in the condition of a query.
const queryPK = ":p"

func (q Query) input(table string) *dynamodb.QueryInput {
	in := &dynamodb.QueryInput{
		TableName:                 aws.String(table),
		KeyConditionExpression:    aws.String("pk = " + queryPK),
		ExpressionAttributeValues: Item{queryPK: &types.AttributeValueMemberS{Value: q.PK}},
		ScanIndexForward:          aws.Bool(!q.Reverse),
		ConsistentRead:            aws.Bool(q.Consistent),
		ReturnConsumedCapacity:    types.ReturnConsumedCapacityTotal,
	}
	condition := func(expression string, values ...string) {
		in.KeyConditionExpression = aws.String(*in.KeyConditionExpression + " AND " + expression)
		for i, v := range values {
			in.ExpressionAttributeValues[[]string{":a", ":b"}[i]] = &types.AttributeValueMemberS{Value: v}
		}
	}
	switch {
	case q.Prefix != "":
		condition("begins_with(sk, :a)", q.Prefix)
	case q.From != "" && q.To != "":
		condition("sk BETWEEN :a AND :b", q.From, q.To)
	case q.From != "":
		condition("sk >= :a", q.From)
	case q.To != "":
		condition("sk <= :a", q.To)
	}
	return in
}
