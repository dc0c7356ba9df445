// Package database connects a command to DynamoDB, and says what to do if that
// fails.
//
// DynamoDB is the engine of `touchline serve` on this machine, found by what
// serve has recorded in the user's configuration folder; or one whose address a
// flag or the environment gives; or that of AWS, but only if [Flags] say so.
// Missing tables are only created in a local engine: on AWS the deployment
// creates them, with their backups and their protection.
//
// A deployment is found by the name of its stage or stack ([StackFlags]). What a
// command has to know about it is in the outputs of the CloudFormation stack:
// tables, KMS key, bucket, address, logs. Account and region are those of the SDK's
// standard configuration, which --profile and --region override.
package database

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/engine"
	"touchline/shared/keys"
	counters "touchline/shared/limits/dynamo"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/dynamo"
	"touchline/shared/store/file"
	"touchline/shared/store/generation"
)

// Flags select a DynamoDB. AWS has to be selected explicitly: a profile that
// happens to be set must not direct a command at production that was meant for
// this machine.
type Flags struct {
	Endpoint string `name:"dynamodb-endpoint" xor:"database" placeholder:"URL" help:"DynamoDB to use (default: AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL, else the engine of 'touchline serve' on this machine, http://${engine_addr})."`
	AWS      bool   `name:"aws" xor:"database" help:"Use DynamoDB on AWS, by the SDK's standard configuration (AWS_PROFILE, AWS_REGION, ...); --stack is easier."`
	StackFlags
	Tables
}

// Tables are the names of the four tables: those given; else those of the stack,
// if one is named; else those of the environment; else the default ones.
type Tables struct {
	Sports string `name:"sports-table" placeholder:"NAME" group:"Tables" help:"Table of the data (default: TOUCHLINE_SPORTS_TABLE, else touchline-sports)."`
	Nonces string `name:"nonces-table" placeholder:"NAME" group:"Tables" help:"Table of the nonces (default: TOUCHLINE_NONCES_TABLE, else touchline-nonces)."`
	Quotas string `name:"quotas-table" placeholder:"NAME" group:"Tables" help:"Table of the quotas (default: TOUCHLINE_QUOTAS_TABLE, else touchline-quotas)."`
	Keys   string `name:"keys-table" placeholder:"NAME" group:"Tables" help:"Table of the keys (default: TOUCHLINE_KEYS_TABLE, else touchline-keys)."`
}

// or fills in what is not named.
func (n Tables) or(others Tables) Tables {
	return Tables{
		Sports: cmp.Or(n.Sports, others.Sports), Nonces: cmp.Or(n.Nonces, others.Nonces),
		Quotas: cmp.Or(n.Quotas, others.Quotas), Keys: cmp.Or(n.Keys, others.Keys),
	}
}

// usualTables are the names if there is no stack.
func usualTables(getenv func(string) string) Tables {
	return Tables(stack.LocalTables(getenv))
}

// Database is what a command works with: the file of this machine, or DynamoDB.
type Database struct {
	File     *file.Database   // nil: DynamoDB
	Client   *dynamodb.Client // nil: the file
	Tables   Tables
	Deployed *Deployment // nil: no stack was named
	Where    string      // in messages
	Own      bool        // a local engine, in which missing tables are created
}

// endpoint is the address of DynamoDB, unless it is that of AWS.
func (f Flags) endpoint(getenv func(string) string) string {
	if f.Endpoint != "" {
		return f.Endpoint
	}
	if e := GivenEndpoint(getenv); e != "" {
		return e
	}
	return "http://" + stack.LocalEngine
}

// Found is endpoint or, if none is given, the engine of the serve that was
// started last, in whatever folder and at whatever address it runs.
func (f Flags) Found(ctx context.Context, c *terminal.Terminal) string {
	if f.Endpoint == "" && GivenEndpoint(c.Getenv) == "" {
		if running := Running(ctx); len(running) > 0 {
			return running[0].Endpoint
		}
	}
	return f.endpoint(c.Getenv)
}

// sayWhich names the service that a command works with, where there are others.
func (f Flags) sayWhich(ctx context.Context, c *terminal.Terminal) {
	if f.Endpoint != "" || GivenEndpoint(c.Getenv) != "" {
		return
	}
	running := Running(ctx)
	for i, r := range running {
		switch {
		case len(running) == 1:
		case i == 0:
			c.Sayf("note: %d services run here; this is about the one started last, %s (process %d)", len(running), r.BaseURL, r.PID)
		default:
			c.Sayf("  for %s (process %d) give --dynamodb-endpoint %s", r.BaseURL, r.PID, r.Endpoint)
		}
	}
}

// GivenEndpoint is the one that the environment names, in the SDK's order.
func GivenEndpoint(getenv func(string) string) string {
	if e := getenv("AWS_ENDPOINT_URL_DYNAMODB"); e != "" {
		return e
	}
	return getenv("AWS_ENDPOINT_URL")
}

// Open connects and checks that DynamoDB responds.
func (f Flags) Open(ctx context.Context, c *terminal.Terminal) (*Database, error) {
	if f.Stack != "" || f.AWS {
		return f.openAWS(ctx, c)
	}
	if f.Profile != "" || f.Region != "" {
		return nil, terminal.Usagef("--profile and --region choose where on AWS: give --stack, or --aws, too")
	}
	endpoint := f.Found(ctx, c)
	f.sayWhich(ctx, c)
	if u, err := url.Parse(endpoint); err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, terminal.Usagef("%q is no address of a DynamoDB: want one such as http://%s", endpoint, stack.LocalEngine)
	}
	client, err := dynamo.NewClient(ctx, dynamo.Settings{Endpoint: engine.Direct(ctx, endpoint), Getenv: c.Getenv})
	if err != nil {
		return nil, err
	}
	if err := dynamo.Ping(ctx, client, endpoint); err != nil {
		if f.Endpoint == "" && GivenEndpoint(c.Getenv) == "" {
			return nil, fmt.Errorf("no DynamoDB at %s: run `touchline serve` on this machine, or say where it is with --dynamodb-endpoint or --stack", endpoint)
		}
		return nil, fmt.Errorf("%w: start one there with `touchline serve`, or say where it is with --dynamodb-endpoint", err)
	}
	return &Database{
		Client: client, Tables: f.Tables.or(usualTables(c.Getenv)),
		Where: endpoint, Own: !strings.Contains(endpoint, ".amazonaws.com"),
	}, nil
}

// openAWS connects with the standard configuration of the SDK only, including
// its variables for endpoints.
func (f Flags) openAWS(ctx context.Context, c *terminal.Terminal) (*Database, error) {
	d := &Database{Tables: f.Tables.or(usualTables(c.Getenv)), Where: "AWS"}
	load := f.Load
	if f.Stack != "" {
		deployed, err := f.Deployment(ctx, c)
		if err != nil {
			return nil, err
		}
		d.Deployed, d.Where = deployed, "stack "+deployed.Name
		d.Tables = f.Tables.or(Tables{
			Sports: deployed.SportsTable, Nonces: deployed.NoncesTable, Quotas: deployed.QuotasTable, Keys: deployed.KeysTable,
		})
		load = func(context.Context) (aws.Config, error) { return deployed.Config, nil }
	}
	var err error
	if d.Client, err = dynamo.NewClient(ctx, dynamo.Settings{Load: load}); err != nil {
		return nil, err
	}
	return d, dynamo.Ping(ctx, d.Client, "")
}

// definitions are the tables as created in a local engine.
func (d *Database) definitions() []*dynamodb.CreateTableInput {
	return []*dynamodb.CreateTableInput{
		dynamo.Table(d.Tables.Sports), counters.NoncesTable(d.Tables.Nonces),
		counters.QuotasTable(d.Tables.Quotas), keys.KeysTable(d.Tables.Keys),
	}
}

// CheckLayout refuses a table with data that this version does not read (D63). An
// empty table is fine.
func (d *Database) CheckLayout(ctx context.Context) error {
	_, err := generation.Read(ctx, d.Sports())
	other, ok := errors.AsType[*generation.OtherError](err)
	switch {
	case ok && other.Empty():
		return nil
	case ok && (other.Upgradable() || d.Deployed != nil):
		return fmt.Errorf("%w (%s)", err, d.Where)
	case ok:
		return fmt.Errorf("%w. Here that is: `touchline export DIR` with the version that loaded it, then `touchline serve --data DIR --data-dir NEW` with this one", err)
	}
	return d.Explain(err)
}

// tableLimit bounds the time for creating a table; a local engine takes no time.
const tableLimit = 30 * time.Second

// Ensure creates the tables that a local engine does not have. On AWS the
// deployment creates them, with their backups and protection.
func (d *Database) Ensure(ctx context.Context) error {
	if !d.Own {
		return nil
	}
	for _, table := range d.definitions() {
		if err := d.ensureTable(ctx, table); err != nil {
			return fmt.Errorf("make table %s: %w", *table.TableName, err)
		}
	}
	return nil
}

func (d *Database) ensureTable(ctx context.Context, table *dynamodb.CreateTableInput) error {
	_, err := d.Client.CreateTable(ctx, table)
	var exists *types.ResourceInUseException
	if err != nil && !errors.As(err, &exists) {
		return err
	}
	return dynamodb.NewTableExistsWaiter(d.Client).Wait(ctx, &dynamodb.DescribeTableInput{TableName: table.TableName}, tableLimit)
}

// Explain says what to do about the usual failures of DynamoDB.
func (d *Database) Explain(err error) error {
	var missing *types.ResourceNotFoundException
	switch {
	case !errors.As(err, &missing) && !errors.Is(err, store.ErrNoTable):
		return err
	case d.Own:
		return fmt.Errorf("a table is missing at %s: `touchline serve` and `touchline import` make them; or name another with --keys-table, --sports-table", d.Where)
	case d.Deployed != nil:
		return fmt.Errorf("a table of %s is missing: was it removed by hand? Name the one it was restored to with --keys-table, --sports-table", d.Where)
	}
	return errors.New("a table is missing on AWS: check region and profile, deploy the service, or name the deployment with --stack")
}

// FileName is the file of the embedded engine in the folder of the data.
const FileName = "touchline.db"
