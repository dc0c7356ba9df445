package backup

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/keys"
	counters "touchline/shared/limits/dynamo"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/dynamo"
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
			err = readable(ctx, client, names[i])
		} else if !r.To.IsZero() {
			err = revived(ctx, c, client, tables[i].Name, names[i], database.Flags{StackFlags: r.StackFlags})
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

// readable refuses data that the version of this command does not read.
func readable(ctx context.Context, client *dynamodb.Client, table string) error {
	_, err := generation.Read(ctx, &store.Table{DB: dynamo.DB{Client: client}, Name: table})
	if err != nil && !generation.IsEmpty(err) {
		return fmt.Errorf("the deployment must not use %s: %w", table, err)
	}
	return nil
}

// revived names the keys that were ended after the second that the table was restored
// to: they work again.
func revived(ctx context.Context, c *terminal.Terminal, client *dynamodb.Client, former, restored string, flags database.Flags) error {
	ended := map[string]bool{}
	now, err := (&keys.DynamoDB{Client: client, Table: former}).List(ctx)
	if err != nil {
		return err
	}
	for _, k := range now {
		ended[k.ID] = !k.Valid(c.Now())
	}
	then, err := (&keys.DynamoDB{Client: client, Table: restored}).List(ctx)
	if err != nil {
		return err
	}
	for _, k := range then {
		if ended[k.ID] && k.Valid(c.Now()) {
			c.Printf("key %s, which was ended later, will work again. To end it: %s\n", k.ID, flags.Hint("keys revoke "+k.ID))
		}
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
