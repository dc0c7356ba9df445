package backup

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/keys"
	counters "touchline/shared/limits/dynamo"
	"touchline/shared/loader"
	"touchline/shared/stack"
	"touchline/shared/store/generation"
)

// deployed restores tables of a deployment, and says how the stage comes to use them.
func (r *RestoreCommand) deployed(ctx context.Context, c *terminal.Terminal) error {
	programs := c
	if r.JSON { // what is said to people goes where progress is shown
		people := *c
		people.Out = c.Err
		c = &people
	}
	d, err := r.Deployment(ctx, c)
	if err != nil {
		return err
	}
	var settings []string
	var tables []Table
	every := !r.Keys && !r.Sports && !r.All
	if r.Sports || r.All || every {
		settings, tables = append(settings, "sportsTable"), append(tables, Table{Name: d.Tables.Sports, Backups: true})
	}
	if r.Keys || r.All || every {
		settings, tables = append(settings, "keysTable"), append(tables, Table{Name: d.Tables.Keys, Backups: true})
	}
	if every {
		tables = append(tables, Table{Name: d.Tables.Quotas, Empty: counters.Table(d.Tables.Quotas), Backups: true},
			Table{Name: d.Tables.Nonces, Empty: counters.Table(d.Tables.Nonces)}) // no longer needed after ten minutes
	}
	client := dynamodb.NewFromConfig(d.Config)
	restore := Recovery{
		Client: client, Stage: strings.TrimPrefix(d.Name, stack.Name("")), To: r.To.UTC().Truncate(time.Second), DryRun: r.DryRun, Pause: terminal.Pause,
		Say: func(format string, args ...any) { c.Printf(format+"\n", args...) },
	}
	names, err := restore.Run(ctx, tables)
	if err != nil {
		return err
	}
	for i, setting := range settings {
		if r.DryRun {
			break
		}
		if setting == "sportsTable" {
			err = r.taken(ctx, c, client, tables[i].Name, names[i])
		} else if !r.To.IsZero() {
			err = sayRevived(ctx, c, client, tables[i].Name, names[i], database.Flags{StackFlags: r.StackFlags})
		}
		if err != nil {
			return err
		}
	}
	if r.To.IsZero() {
		c.Printf("\nWhat was brought back has its name: nothing has to be deployed. `touchline doctor --stack %s` looks at all of it.\n", r.Stack)
	} else {
		r.sayWhatFollows(c, d, settings, names)
	}
	if !r.JSON {
		return nil
	}
	return programs.JSON(map[string]any{"tables": names, "dryRun": r.DryRun})
}

// sayRevived names the keys that were ended after the second that the table was restored
// to: they work again.
func sayRevived(ctx context.Context, c *terminal.Terminal, client *dynamodb.Client, former, restored string, flags database.Flags) error {
	now, err := (&keys.DynamoDB{Client: client, Table: former}).List(ctx)
	if err != nil {
		return unreadable(c, former, err)
	}
	then, err := (&keys.DynamoDB{Client: client, Table: restored}).List(ctx)
	for _, id := range revived(now, then, c.Now()) {
		c.Printf("key %s, which was ended later, will work again. To end it: %s\n", id, flags.Hint("keys revoke "+id))
	}
	return err
}

// unreadable says that a former table cannot be read, so that what was decided in it is not
// known. The end of the context is an error.
func unreadable(c *terminal.Terminal, table string, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	c.Printf("note: table %s cannot be read (%v): what was decided in it after the second is not known. infra/runbook.md says under data what to check\n", table, err)
	return nil
}

// taken brings what was decided since the second to a table of the data: who was erased or
// hidden stays so. Until the stage is deployed it may be repeated.
func (r *RestoreCommand) taken(ctx context.Context, c *terminal.Terminal, client *dynamodb.Client, former, restored string) error {
	table := func(name string) *database.Database {
		return &database.Database{Client: client, Tables: stack.Tables{Sports: name}, Where: "table " + name}
	}
	then := table(restored)
	if _, err := generation.Read(ctx, then.Sports()); err != nil {
		if generation.IsEmpty(err) {
			return nil
		}
		return fmt.Errorf("the deployment must not use %s: %w", restored, err)
	}
	if former == restored {
		return nil
	}
	now := table(former).Sports()
	state, err := generation.Read(ctx, now)
	if err == nil && state.Moved > 0 {
		err = &generation.MovedError{Table: former, To: state.Moved}
	}
	if err == nil {
		_, err = loader.StateOf(ctx, now)
	}
	if err != nil {
		return unreadable(c, former, err)
	}
	p := c.Steps()
	report, err := bring(ctx, now, then, p, r.ShowAgain, c.Now)
	p.End()
	if err != nil {
		return err
	}
	sayTaken(c, report)
	for _, line := range costs(report) {
		c.Printf("%s\n", terminal.Plain(line))
	}
	return nil
}

// sayWhatFollows says how the stage comes to use the tables. The deployment mends: the
// alarms that would roll it back may ring already, and no request is to see the former
// tables longer than it has to.
func (r *RestoreCommand) sayWhatFollows(c *terminal.Terminal, d *database.Deployment, settings, tables []string) {
	stage := strings.TrimPrefix(d.Name, stack.Name(""))
	c.Printf("\nThe stage uses what is restored once cdk.json of the version that is deployed has, under stages.%s,\n\n", stage)
	for i, setting := range settings {
		c.Printf("  %q: %q\n", setting, tables[i])
	}
	arguments := "--region=" + d.Config.Region + " --rollback-trigger-alarm-arns none"
	if r.Profile != "" {
		arguments += " --profile=" + r.Profile
	}
	c.Printf("\nand is deployed by\n\n  make deploy STAGE=%s ARGS=%s\n\nCommit cdk.json, or the next deployment goes back to the tables of before, which are kept until you delete them.\n", stage, terminal.Quote(arguments))
}
