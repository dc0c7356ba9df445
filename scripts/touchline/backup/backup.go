// Package backup copies the database of serve: `touchline backup` and `touchline
// restore`.
//
// A copy is made item by item through a second engine while serve keeps running;
// imports have to wait meanwhile, so that the copy never has half a load. The
// lease of an import is free in the copy. Secrets stay sealed: a backup is
// useless without the master key. A restore reads all of a backup before it changes
// anything, and keeps the database that it replaces.
//
// On AWS `touchline restore` restores tables to a second of the past (PointInTime),
// and has the stage use them.
package backup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/engine"
	"touchline/shared/store"
	"touchline/shared/store/dynamo"
	"touchline/shared/store/records"
)

// Command is `touchline backup`.
type Command struct {
	File     string `arg:"" help:"File to write; it must not be there yet."`
	Endpoint string `name:"dynamodb-endpoint" placeholder:"URL" help:"Local engine to copy (default: that of 'touchline serve')."`
	JSON     bool   `name:"json" help:"Print the file and the number of items as JSON."`
}

// Help is shown below the flags.
func (Command) Help() string {
	return `Copies every table of the engine of 'touchline serve', while it runs, into one file: data, keys, quotas. The secrets in it stay sealed: keep the master key, too (TOUCHLINE_MASTER_KEY, else master.key in your configuration folder). A deployment on AWS has backups of its own.

Example:

    touchline backup touchline-2026-03-14.db
`
}

// Run copies the database.
func (b *Command) Run(ctx context.Context, c *terminal.Terminal) (err error) {
	if _, err := os.Lstat(b.File); err == nil {
		return fmt.Errorf("%s is there already: name another file", b.File)
	}
	d, err := database.Flags{Endpoint: b.Endpoint}.Open(ctx, c)
	if err != nil {
		return err
	}
	if !d.Own {
		return errors.New("only a local engine is copied: on AWS restore tables to a point in time")
	}
	free, err := alone(ctx, d)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, free()) }()
	items, err := Save(ctx, c, d, b.File)
	if err == nil && b.JSON {
		return c.JSON(map[string]any{"file": b.File, "items": items})
	}
	return err
}

// Save copies a local database to a file while no import runs, and returns the number
// of items.
func Save(ctx context.Context, c *terminal.Terminal, d *database.Database, file string) (items int, err error) {
	p := c.Progress("copying", 0)
	err = engine.Save(ctx, file, func(to string) error {
		var err error
		items, err = copyDatabase(ctx, c, d.Client, to, p.At)
		return err
	})
	p.End()
	if err != nil {
		return 0, fmt.Errorf("backup: %w", err)
	}
	c.Sayf("%s holds %s; its keys work with this machine's master key only", file, terminal.Counted(items, "item"))
	return items, nil
}

// alone prevents imports from writing until free is called.
func alone(ctx context.Context, d *database.Database) (free func() error, err error) {
	l := &store.Lease{
		DB: d.Leases(), Table: d.Tables.Sports, Key: records.LockKey(), Holder: uuid.NewString(),
		Label: fmt.Sprintf("touchline backup, process %d", os.Getpid()), Now: time.Now,
	}
	_, err = l.Take(ctx)
	if held, ok := errors.AsType[*store.HeldError](err); ok {
		return nil, fmt.Errorf("an import is running (%s): wait for its end", held.Label)
	}
	if err != nil {
		return nil, d.Explain(err)
	}
	ended, end := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		renew := time.NewTicker(store.LeaseTerm / 3)
		defer renew.Stop()
		for {
			select {
			case <-renew.C:
				_ = l.Renew(ended) // a failed one is repeated within the term
			case <-ended.Done():
				return
			}
		}
	}()
	return func() error {
		end()
		<-done
		return l.Free(context.WithoutCancel(ctx))
	}, nil
}

// copyDatabase copies every table from one engine to another, and returns the
// number of items. A lease that is held is free in the copy.
func copyDatabase(ctx context.Context, c *terminal.Terminal, from *dynamodb.Client, to string, at func(int)) (items int, err error) {
	target, err := dynamo.NewClient(ctx, dynamo.Settings{Endpoint: to, Getenv: c.Getenv})
	if err != nil {
		return 0, err
	}
	tables := dynamodb.NewListTablesPaginator(from, &dynamodb.ListTablesInput{})
	for tables.HasMorePages() {
		page, err := tables.NextPage(ctx)
		if err != nil {
			return items, err
		}
		for _, name := range page.TableNames {
			n, err := copyTable(ctx, from, target, name, func(n int) { at(items + n) })
			items += n
			if err != nil {
				return items, fmt.Errorf("table %s: %w", name, err)
			}
		}
	}
	return items, nil
}

func copyTable(ctx context.Context, from, to *dynamodb.Client, name string, at func(int)) (items int, err error) {
	described, err := from.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
	if err != nil {
		return 0, err
	}
	t := described.Table
	if len(t.GlobalSecondaryIndexes)+len(t.LocalSecondaryIndexes) > 0 {
		return 0, errors.New("it has an index, which no table of Touchline has: copy it by other means")
	}
	if _, err := to.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName: &name, AttributeDefinitions: t.AttributeDefinitions, KeySchema: t.KeySchema, BillingMode: types.BillingModePayPerRequest,
	}); err != nil {
		return 0, err
	}
	lock := records.LockKey().SK
	scan := dynamodb.NewScanPaginator(from, &dynamodb.ScanInput{TableName: &name, ConsistentRead: aws.Bool(true)})
	for scan.HasMorePages() {
		page, err := scan.NextPage(ctx)
		if err != nil {
			return items, err
		}
		var requests []types.WriteRequest
		for _, item := range page.Items {
			if textOf(item[store.SKName]) == lock { // of whatever layout
				store.FreeLease(item)
			}
			requests = append(requests, types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
		}
		for len(requests) > 0 {
			n := min(len(requests), largestBatch)
			if err := writeBatch(ctx, to, name, requests[:n]); err != nil {
				return items, err
			}
			items, requests = items+n, requests[n:]
			at(items)
		}
	}
	return items, nil
}

// largestBatch is the number of items that BatchWriteItem accepts.
const largestBatch = 25

// writeBatch writes until nothing is left undone.
func writeBatch(ctx context.Context, to *dynamodb.Client, table string, requests []types.WriteRequest) error {
	for len(requests) > 0 {
		out, err := to.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{table: requests}})
		if err != nil {
			return err
		}
		requests = out.UnprocessedItems[table]
	}
	return nil
}

func textOf(v types.AttributeValue) string {
	s, _ := v.(*types.AttributeValueMemberS)
	if s == nil {
		return ""
	}
	return s.Value
}
