// Package database connects a command to the data, and says what to do if that
// fails.
//
// The data are in a file on this machine, in the folder that a flag names, else in
// that of the `touchline serve` that was started last, else in .touchline. Or they
// are in a DynamoDB, whose address a flag or the environment gives; or in that of
// AWS, but only if [Flags] say so.
//
// The file belongs to one process (package file). A command that ends soon opens it,
// or reaches the process that has it. One that lives long shares it ([Local.Own]): a
// serve also says where it serves, in the folder of the data, and the folder is noted
// in the user's configuration folder, so that commands find it from anywhere.
//
// Missing tables are only created in a local DynamoDB: on AWS the deployment
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
	"touchline/shared/keys"
	counters "touchline/shared/limits/dynamo"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/dynamo"
	"touchline/shared/store/file"
	"touchline/shared/store/generation"
)

// Flags select the data. AWS has to be selected explicitly: a profile that
// happens to be set must not direct a command at production that was meant for
// this machine.
type Flags struct {
	Local
	Endpoint string `name:"dynamodb-endpoint" xor:"database" placeholder:"URL" help:"DynamoDB to use in place of the data on this machine (default: AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL)."`
	AWS      bool   `name:"aws" xor:"database" help:"Use DynamoDB on AWS, by the SDK's standard configuration (AWS_PROFILE, AWS_REGION, ...); --stack is easier."`
	StackFlags
	Tables
}

// Tables are the names of the four tables of a DynamoDB: those given; else those of the
// stack, if one is named; else those of the environment; else the default ones.
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

// Database is what a command works with: the file of this machine, or DynamoDB. It is
// closed at the end of the command.
type Database struct {
	File     *file.Database   // nil: DynamoDB
	Client   *dynamodb.Client // nil: the file
	Tables   Tables
	Deployed *Deployment // nil: no stack was named
	Where    string      // in messages: the folder, the address or the stack
	Own      bool        // a local DynamoDB, in which missing tables are created

	broken <-chan error
	close  func()
}

// Close lets go of the data. What was written is kept.
func (d *Database) Close() {
	if d.close != nil {
		d.close()
	}
}

// Broken receives the reason, once, where nothing can be written any more to a file
// that this process shares.
func (d *Database) Broken() <-chan error { return d.broken }

// endpoint is the address of a DynamoDB; empty: the data are on this machine. A folder
// that was given comes before the environment.
func (f Flags) endpoint(getenv func(string) string) string {
	if f.Endpoint != "" || f.DataDir != "" {
		return f.Endpoint
	}
	return GivenEndpoint(getenv)
}

// OnFile reports whether the data are in a file on this machine.
func (f Flags) OnFile(getenv func(string) string) bool {
	return f.Stack == "" && !f.AWS && f.endpoint(getenv) == ""
}

// GivenEndpoint is the one that the environment names, in the SDK's order.
func GivenEndpoint(getenv func(string) string) string {
	if e := getenv("AWS_ENDPOINT_URL_DYNAMODB"); e != "" {
		return e
	}
	return getenv("AWS_ENDPOINT_URL")
}

// Open connects to data that are there.
func (f Flags) Open(ctx context.Context, c *terminal.Terminal) (*Database, error) {
	return f.open(ctx, c, func(folder string) (*Database, error) {
		if err := there(folder); err != nil {
			return nil, err
		}
		return connect(ctx, folder)
	})
}

// OpenOrMake connects to the data. It makes the file, or the tables of a local
// DynamoDB, if they do not exist.
func (f Flags) OpenOrMake(ctx context.Context, c *terminal.Terminal) (*Database, error) {
	d, err := f.open(ctx, c, func(folder string) (*Database, error) { return connect(ctx, folder) })
	if err == nil {
		err = d.Ensure(ctx)
	}
	return d, err
}

// OpenShared is OpenOrMake for a command that lives long. Where no other process has the
// file, this one shares it.
func (f Flags) OpenShared(ctx context.Context, c *terminal.Terminal) (*Database, error) {
	d, err := f.open(ctx, c, func(folder string) (*Database, error) {
		if d, err := own(ctx, folder); !errors.Is(err, errShared) {
			return d, err
		}
		return connect(ctx, folder)
	})
	if err == nil {
		err = d.Ensure(ctx)
	}
	return d, err
}

func (f Flags) open(ctx context.Context, c *terminal.Terminal, onFile func(folder string) (*Database, error)) (*Database, error) {
	if f.Stack != "" || f.AWS {
		return f.openAWS(ctx, c)
	}
	if f.Profile != "" || f.Region != "" {
		return nil, terminal.Usagef("--profile and --region choose where on AWS: give --stack, or --aws, too")
	}
	endpoint := f.endpoint(c.Getenv)
	if endpoint == "" {
		if (f.Tables != Tables{}) {
			return nil, terminal.Usagef("--sports-table and the like name tables of a DynamoDB: give --dynamodb-endpoint or --stack, too")
		}
		f.sayWhich(ctx, c)
		return onFile(f.Folder(ctx))
	}
	if u, err := url.Parse(endpoint); err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, terminal.Usagef("%q is no address of a DynamoDB: want one such as http://127.0.0.1:8000", endpoint)
	}
	client, err := dynamo.NewClient(ctx, dynamo.Settings{Endpoint: endpoint, Getenv: c.Getenv})
	if err != nil {
		return nil, err
	}
	if err := dynamo.Ping(ctx, client, endpoint); err != nil {
		return nil, fmt.Errorf("%w: start one there, or leave --dynamodb-endpoint and AWS_ENDPOINT_URL out to use the data on this machine", err)
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

// definitions are the tables as created in a local DynamoDB.
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

// tableLimit bounds the time for creating a table; a local DynamoDB takes no time.
const tableLimit = 30 * time.Second

// Ensure creates the tables that a local DynamoDB does not have. On AWS the
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
	case d.File != nil:
		return explainFile(err, d.Where)
	case !errors.As(err, &missing) && !errors.Is(err, store.ErrNoTable):
		return err
	case d.Own:
		return fmt.Errorf("a table is missing at %s: `touchline serve` and `touchline import` make them; or name another with --keys-table, --sports-table", d.Where)
	case d.Deployed != nil:
		return fmt.Errorf("a table of %s is missing: was it removed by hand? Name the one it was restored to with --keys-table, --sports-table", d.Where)
	}
	return errors.New("a table is missing on AWS: check region and profile, deploy the service, or name the deployment with --stack")
}
