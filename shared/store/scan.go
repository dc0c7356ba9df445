package store

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/meter"
)

// Scanner is the part of the DynamoDB client that Table.Scan uses.
type Scanner interface {
	Scan(context.Context, *dynamodb.ScanInput, ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error)
}

// errNoScan is the error of a Table whose DB is no Scanner.
var errNoScan = errors.New("the table cannot be scanned")

// Scan calls each for every item of the table, in no order, with consistent
// reads. An error of each ends it and is returned.
func (t *Table) Scan(ctx context.Context, each func(Item) error) error {
	db, ok := t.DB.(Scanner)
	if !ok {
		return t.failed("scan", errNoScan)
	}
	in := &dynamodb.ScanInput{TableName: aws.String(t.Name), ConsistentRead: aws.Bool(true), ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal}
	ctx = t.metered(ctx)
	for {
		call := meter.Begin(ctx, meter.Sports)
		out, err := db.Scan(ctx, in)
		call.End(1)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			return t.failed("scan", err)
		}
		if out.ConsumedCapacity != nil {
			countRead(ctx, out.Items, *out.ConsumedCapacity)
		}
		for _, item := range out.Items {
			if err := each(item); err != nil {
				return err
			}
		}
		if len(out.LastEvaluatedKey) == 0 {
			return nil
		}
		in.ExclusiveStartKey = out.LastEvaluatedKey
	}
}

// Scan implements Scanner where the client that is made atomic does.
func (a Atomic) Scan(ctx context.Context, in *dynamodb.ScanInput, options ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	db, ok := a.Transactor.(Scanner)
	if !ok {
		return nil, errNoScan
	}
	return db.Scan(ctx, in, options...)
}
