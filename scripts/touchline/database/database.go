// Package database connects a command to the data, and says what to do if that
// fails.
//
// The data are in a file on this machine, in the folder that a flag names, else in
// .touchline. Or they are in a DynamoDB, whose address a flag or the environment gives, or in
// that of a deployment on AWS, but only if [StackFlags] name it.
//
// The file belongs to one process (package file). A command that ends soon opens it,
// or asks the process that has it. One that lives long shares it ([Local.Own]).
//
// Missing tables are only created in a local DynamoDB: on AWS the deployment
// creates them, with their backups and their protection.
//
// A deployment is found by the name of its stage or stack ([StackFlags]). What a
// command has to know about it is in the outputs of the CloudFormation stack:
// tables, KMS key, address, logs. Account and region are those of the SDK's
// standard configuration, which --profile and --region override.
package database

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
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

// Flags select the data. A deployment on AWS has to be selected explicitly: a profile that
// happens to be set must not direct a command at production that was meant for
// this machine.
type Flags struct {
	Local
	Endpoint string `name:"dynamodb-endpoint" xor:"database" placeholder:"URL" help:"DynamoDB to use in place of the data on this machine (default: AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL)."`
	StackFlags
}

// Database is what a command works with: the file of this machine, or DynamoDB. It is
// closed at the end of the command.
type Database struct {
	File     *file.Database   // nil: DynamoDB
	Client   *dynamodb.Client // nil: the file
	Tables   stack.Tables
	Deployed *Deployment // nil: no stack was named
	Where    string      // in messages: the folder, the address or the stack
	Own      bool        // a local DynamoDB, in which missing tables are created

	// InPlace makes sure that the file that is open is the one in the folder (file.File); nil
	// where this process has opened none to share.
	InPlace func(context.Context) error

	flags  Flags
	broken <-chan error
	close  func()
}

// Hint is the line of another command, for people, which is about the same data.
func (d *Database) Hint(command string) string { return d.flags.Hint(command) }

// Hint is the line of another command, for people, which is about the data that the flags
// select.
func (f Flags) Hint(command string) string {
	line := "touchline " + command
	for _, flag := range [][2]string{{"data-dir", f.DataDir}, {"dynamodb-endpoint", f.Endpoint}, {"stack", f.Stack}, {"profile", f.Profile}, {"region", f.Region}} {
		if flag[1] != "" {
			line += " --" + flag[0] + " " + terminal.Word(flag[1])
		}
	}
	return line
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
	return f.Stack == "" && f.endpoint(getenv) == ""
}

// GivenEndpoint is the one that the environment names, in the SDK's order.
func GivenEndpoint(getenv func(string) string) string {
	return cmp.Or(getenv(stack.VariableDynamoDBEndpoint), getenv("AWS_ENDPOINT_URL"))
}

// large is the size of a file in bytes of which the reading before it is used takes seconds.
const large = 1 << 30

// Open connects to data that are there.
func (f Flags) Open(ctx context.Context, c *terminal.Terminal) (*Database, error) {
	return f.open(ctx, c, func(folder string) (*Database, error) {
		if err := there(folder); err != nil && !IsServed(folder) {
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
	d, err := f.find(ctx, c, onFile)
	if d != nil {
		d.flags = f
		if d.File != nil && d.File.Lost() != nil {
			c.Sayf("warning: %v", d.Explain(d.File.Lost()))
		}
	}
	return d, err
}

func (f Flags) find(ctx context.Context, c *terminal.Terminal, onFile func(folder string) (*Database, error)) (*Database, error) {
	if f.Stack != "" {
		return f.openStack(ctx, c)
	}
	if f.Profile != "" || f.Region != "" {
		return nil, terminal.Usagef("--profile and --region choose where on AWS: give --stack, too")
	}
	endpoint := f.endpoint(c.Getenv)
	if endpoint == "" {
		path := filepath.Join(f.Folder(), FileName)
		if info, err := os.Stat(path); err == nil && info.Size() > large && !IsServed(f.Folder()) {
			c.Sayf("reading %s first, %d MB", path, info.Size()>>20)
		}
		return onFile(f.Folder())
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
		Client: client, Tables: stack.LocalTables(c.Getenv),
		Where: endpoint, Own: !strings.Contains(endpoint, ".amazonaws.com"),
	}, nil
}

// openStack connects to a deployment.
func (f Flags) openStack(ctx context.Context, c *terminal.Terminal) (*Database, error) {
	deployed, err := f.Deployment(ctx, c)
	if err != nil {
		return nil, err
	}
	d := &Database{Deployed: deployed, Where: "stack " + deployed.Name, Tables: deployed.Tables}
	d.Client, err = dynamo.NewClient(ctx, dynamo.Settings{Load: func(context.Context) (aws.Config, error) { return deployed.Config, nil }})
	if err != nil {
		return nil, err
	}
	return d, dynamo.Ping(ctx, d.Client, "")
}

// definitions are the tables as created in a local DynamoDB.
func (d *Database) definitions() []*dynamodb.CreateTableInput {
	return []*dynamodb.CreateTableInput{
		dynamo.Table(d.Tables.Sports), counters.Table(d.Tables.Nonces),
		counters.Table(d.Tables.Quotas), keys.KeysTable(d.Tables.Keys),
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
	case ok && other.Upgradable():
		return fmt.Errorf("%w (%s: %s)", err, d.Where, d.Hint("upgrade"))
	case ok && d.Deployed != nil:
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

// Explain says what to do about the usual failures.
func (d *Database) Explain(err error) error {
	var missing *types.ResourceNotFoundException
	held, running := errors.AsType[*store.HeldError](err)
	switch {
	case running:
		return fmt.Errorf("an import is running (%s): wait for its end, or give it longer with --wait", held.Label)
	case d.File != nil:
		return explainFile(err, d.Where)
	case !errors.As(err, &missing) && !errors.Is(err, store.ErrNoTable):
		return err
	case d.Own:
		return fmt.Errorf("a table is missing at %s: `touchline serve` and `touchline import` make them", d.Where)
	case d.Deployed == nil:
		return fmt.Errorf("there is no table %s in the account at %s: %s names another", d.Tables.Sports, d.Where, stack.VariableSportsTable)
	}
	return fmt.Errorf("a table of %s is missing: `%s` brings it back if it was deleted", d.Where, d.Hint("restore"))
}
