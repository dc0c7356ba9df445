package loader

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/loader/commit"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// Layout is the version of what the loader writes. A table written by another
// version is not touched: its lists would not be what this one takes them for.
const Layout = 8

type layoutRecord struct {
	Layout int `dynamodbav:"v"`
}

// Empty reports whether nothing was ever loaded into the table.
func Empty(ctx context.Context, table *store.Table) (bool, error) {
	item, err := table.Get(ctx, records.VersionKey(), true)
	return item == nil, err
}

// checkLayout reports whether the table is empty.
func (l *Loader) checkLayout(ctx context.Context) (empty bool, err error) {
	item, err := l.Table.Get(ctx, records.VersionKey(), true)
	if err != nil || item == nil {
		return item == nil, err
	}
	version, err := store.Decode[layoutRecord](item)
	if err != nil {
		return false, err
	}
	if version.Layout != Layout {
		return false, fmt.Errorf("table %s has layout %d, this version writes layout %d: load into a new table", l.Table.Name, version.Layout, Layout)
	}
	return false, nil
}

// State says what loads have made of a table.
type State struct {
	Empty bool // nothing was ever loaded
}

// StateOf reads the state of a table. The error is ErrUnfinished where a load was
// interrupted, *ConductedError where one is conducted, and another where the table is
// of another layout.
func StateOf(ctx context.Context, table *store.Table) (State, error) {
	empty, err := (&Loader{Table: table}).checkLayout(ctx)
	if err != nil {
		return State{}, err
	}
	return State{Empty: empty}, unfinished(commit.ReadHead(ctx, table))
}

// WriteLayout notes that a table is not empty any more, and of this layout.
func WriteLayout(ctx context.Context, table *store.Table) error {
	item, err := attributevalue.MarshalMap(layoutRecord{Layout})
	if err != nil {
		return fmt.Errorf("encode layout: %w", err)
	}
	return table.Write(ctx, []store.Write{{Key: records.VersionKey(), Item: item}})
}
