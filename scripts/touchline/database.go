package main

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

	"touchline/shared/engine"
	"touchline/shared/keys"
	"touchline/shared/limits/dynamo"
	"touchline/shared/sport"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// databaseFlags say where DynamoDB is. AWS is addressed only by those who ask
// for it: a profile that happens to be set must not turn a command that was
// meant for this machine on production.
type databaseFlags struct {
	Endpoint string `name:"dynamodb-endpoint" xor:"database" placeholder:"URL" help:"DynamoDB to use (default: AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL, else the engine of 'touchline serve' on this machine, http://${engine_addr})."`
	AWS      bool   `name:"aws" xor:"database" help:"Use DynamoDB on AWS, by the SDK's standard configuration (AWS_PROFILE, AWS_REGION, ...); --stack is easier."`
	stackFlags
	tableNames
}

// tableNames are the names of the four tables: those given; else those of the
// stack, where one is named; else those of the environment; else the usual.
type tableNames struct {
	Sports string `name:"sports-table" placeholder:"NAME" group:"Tables" help:"Table of the data (default: TOUCHLINE_SPORTS_TABLE, else touchline-sports)."`
	Nonces string `name:"nonces-table" placeholder:"NAME" group:"Tables" help:"Table of the nonces (default: TOUCHLINE_NONCES_TABLE, else touchline-nonces)."`
	Quotas string `name:"quotas-table" placeholder:"NAME" group:"Tables" help:"Table of the quotas (default: TOUCHLINE_QUOTAS_TABLE, else touchline-quotas)."`
	Keys   string `name:"keys-table" placeholder:"NAME" group:"Tables" help:"Table of the keys (default: TOUCHLINE_KEYS_TABLE, else touchline-keys)."`
}

// or fills in what is not named.
func (n tableNames) or(others tableNames) tableNames {
	return tableNames{
		Sports: cmp.Or(n.Sports, others.Sports), Nonces: cmp.Or(n.Nonces, others.Nonces),
		Quotas: cmp.Or(n.Quotas, others.Quotas), Keys: cmp.Or(n.Keys, others.Keys),
	}
}

// usualTables are the names where no stack says otherwise.
func usualTables(getenv func(string) string) tableNames {
	return tableNames(stack.LocalTables(getenv))
}

// database is DynamoDB as a command uses it.
type database struct {
	client   *dynamodb.Client
	tables   tableNames
	deployed *deployment // nil: no stack was named
	where    string      // for the person
	own      bool        // a local engine, where missing tables are made
}

// endpoint is the address of a DynamoDB that is not asked for as AWS's.
func (f databaseFlags) endpoint(getenv func(string) string) string {
	if f.Endpoint != "" {
		return f.Endpoint
	}
	if e := givenEndpoint(getenv); e != "" {
		return e
	}
	return "http://" + stack.LocalEngine
}

// found is endpoint, or, where none is given, the engine of the serve that was
// started last, in whatever folder and at whatever address it runs.
func (f databaseFlags) found(ctx context.Context, c *console) string {
	if f.Endpoint == "" && givenEndpoint(c.Getenv) == "" {
		if endpoint, ok := registeredEndpoint(ctx); ok {
			return endpoint
		}
	}
	return f.endpoint(c.Getenv)
}

// givenEndpoint is the one that the environment names, in the SDK's order.
func givenEndpoint(getenv func(string) string) string {
	if e := getenv("AWS_ENDPOINT_URL_DYNAMODB"); e != "" {
		return e
	}
	return getenv("AWS_ENDPOINT_URL")
}

// open connects and checks that DynamoDB answers.
func (f databaseFlags) open(ctx context.Context, c *console) (*database, error) {
	if f.Stack != "" || f.AWS {
		return f.openAWS(ctx, c)
	}
	if f.Profile != "" || f.Region != "" {
		return nil, usagef("--profile and --region choose where on AWS: give --stack, or --aws, too")
	}
	endpoint := f.found(ctx, c)
	if u, err := url.Parse(endpoint); err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, usagef("%q is no address of a DynamoDB: want one such as http://%s", endpoint, stack.LocalEngine)
	}
	client, err := store.NewClient(ctx, store.Settings{Endpoint: engine.Direct(ctx, endpoint), Getenv: c.Getenv})
	if err != nil {
		return nil, err
	}
	if err := store.Ping(ctx, client, endpoint); err != nil {
		if f.Endpoint == "" && givenEndpoint(c.Getenv) == "" {
			return nil, fmt.Errorf("no DynamoDB at %s: run `touchline serve` on this machine, or say where it is with --dynamodb-endpoint or --stack", endpoint)
		}
		return nil, fmt.Errorf("%w: start one there with `touchline serve`, or say where it is with --dynamodb-endpoint", err)
	}
	return &database{
		client: client, tables: f.tableNames.or(usualTables(c.Getenv)),
		where: endpoint, own: !strings.Contains(endpoint, ".amazonaws.com"),
	}, nil
}

// openAWS connects by the SDK's own configuration and nothing of ours, its
// endpoint variables included.
func (f databaseFlags) openAWS(ctx context.Context, c *console) (*database, error) {
	d := &database{tables: f.tableNames.or(usualTables(c.Getenv)), where: "AWS"}
	load := f.load
	if f.Stack != "" {
		deployed, err := f.deployment(ctx, c)
		if err != nil {
			return nil, err
		}
		d.deployed, d.where = deployed, "stack "+deployed.name
		d.tables = f.tableNames.or(tableNames{
			Sports: deployed.SportsTable, Nonces: deployed.NoncesTable, Quotas: deployed.QuotasTable, Keys: deployed.KeysTable,
		})
		load = func(context.Context) (aws.Config, error) { return deployed.config, nil }
	}
	var err error
	if d.client, err = store.NewClient(ctx, store.Settings{Load: load}); err != nil {
		return nil, err
	}
	return d, store.Ping(ctx, d.client, "")
}

func (d *database) sports() *store.Table {
	t := &store.Table{DB: d.client, Name: d.tables.Sports}
	if d.own {
		t.DB = store.Atomic{Transactor: d.client}
	}
	return t
}

// has reports whether an organization is in the data.
func (d *database) has(ctx context.Context, id sport.ID) (bool, error) {
	item, err := d.sports().Get(ctx, records.OrganizationKey(id), true)
	return item != nil, err
}

// definitions are the tables as a local engine gets them.
func (d *database) definitions() []*dynamodb.CreateTableInput {
	return []*dynamodb.CreateTableInput{
		records.SportsTable(d.tables.Sports), dynamo.NoncesTable(d.tables.Nonces),
		dynamo.QuotasTable(d.tables.Quotas), keys.KeysTable(d.tables.Keys),
	}
}

// tableLimit bounds the wait for a table; a local engine has it at once.
const tableLimit = 30 * time.Second

// ensure makes the tables that a local engine does not have. On AWS the
// deployment makes them, with their backups and protection.
func (d *database) ensure(ctx context.Context) error {
	if !d.own {
		return nil
	}
	for _, table := range d.definitions() {
		if err := d.ensureTable(ctx, table); err != nil {
			return fmt.Errorf("make table %s: %w", *table.TableName, err)
		}
	}
	return nil
}

func (d *database) ensureTable(ctx context.Context, table *dynamodb.CreateTableInput) error {
	_, err := d.client.CreateTable(ctx, table)
	var exists *types.ResourceInUseException
	if err != nil && !errors.As(err, &exists) {
		return err
	}
	return dynamodb.NewTableExistsWaiter(d.client).Wait(ctx, &dynamodb.DescribeTableInput{TableName: table.TableName}, tableLimit)
}

// explain says what to do about a failure of DynamoDB that has a usual cause.
func (d *database) explain(err error) error {
	var missing *types.ResourceNotFoundException
	switch {
	case !errors.As(err, &missing) && !errors.Is(err, store.ErrNoTable):
		return err
	case d.own:
		return fmt.Errorf("a table is missing at %s: `touchline serve` and `touchline import` make them; or name another with --keys-table, --sports-table", d.where)
	case d.deployed != nil:
		return fmt.Errorf("a table of %s is missing: was it removed by hand? Name the one it was restored to with --keys-table, --sports-table", d.where)
	}
	return errors.New("a table is missing on AWS: check region and profile, deploy the service, or name the deployment with --stack")
}
