package backup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/keys"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/dynamo"
	"touchline/shared/store/generation"
)

// deployed restores tables of a deployment, and has the stage use them.
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
	stage := strings.TrimPrefix(d.Name, stack.Name(""))
	if _, err := readCDK(r.Checkout, stage); err != nil {
		return err // before hours are spent
	}
	var settings, tables []string
	if r.Sports || r.All {
		settings, tables = append(settings, "sportsTable"), append(tables, d.Tables.Sports)
	}
	if r.Keys || r.All {
		settings, tables = append(settings, "keysTable"), append(tables, d.Tables.Keys)
	}
	client := dynamodb.NewFromConfig(d.Config)
	restore := PointInTime{
		Client: client, To: r.To.UTC().Truncate(time.Second), DryRun: r.DryRun, Pause: pause,
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
		} else {
			err = revived(ctx, c, client, tables[i], names[i], r.Stack)
		}
		if err != nil {
			return err
		}
	}
	if err := r.switchTo(ctx, c, d, stage, settings, names); err != nil || !r.JSON {
		return err
	}
	return programs.JSON(map[string]any{"tables": names, "dryRun": r.DryRun})
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// readable refuses to switch to data that the version of this command does not read.
func readable(ctx context.Context, client *dynamodb.Client, table string) error {
	_, err := generation.Read(ctx, &store.Table{DB: dynamo.DB{Client: client}, Name: table})
	if err != nil && !generation.IsEmpty(err) {
		return fmt.Errorf("the deployment was not switched to %s: %w", table, err)
	}
	return nil
}

// revived names the keys that were ended after the second that the table was restored
// to: they work again.
func revived(ctx context.Context, c *terminal.Terminal, client *dynamodb.Client, former, restored, stack string) error {
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
			c.Printf("key %s, which was ended later, will work again. To end it: touchline keys revoke --stack %s %s\n", k.ID, stack, k.ID)
		}
	}
	return nil
}

// switchTo names the tables in cdk.json and deploys, or says how.
func (r *RestoreCommand) switchTo(ctx context.Context, c *terminal.Terminal, d *database.Deployment, stage string, settings, tables []string) error {
	raw, err := readCDK(r.Checkout, stage)
	if err != nil {
		return err
	}
	for i, name := range settings {
		if r.DryRun {
			c.Printf("set %q to %q in cdk.json, under stages.%s\n", name, tables[i], stage)
		}
		if raw, err = sjson.SetBytes(raw, "context.stages."+stage+"."+name, tables[i]); err != nil {
			return err
		}
	}
	deploy := []string{"make", "-C", r.Checkout, "deploy", "STAGE=" + stage, "ARGS=" + r.arguments(d)}
	if r.DryRun {
		c.Printf("%s\nNothing was changed.\n", shell(deploy))
		return nil
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, raw, "", "  "); err != nil {
		return err
	}
	path := filepath.Join(r.Checkout, "cdk.json")
	if err := replaceFile(path, append(bytes.TrimSpace(pretty.Bytes()), '\n')); err != nil {
		return err
	}
	c.Printf("%s names the restored tables: commit it, or the next deployment goes back to those of before\n", path)
	if r.NoDeploy {
		c.Printf("the stage uses them once it is deployed: %s\n", shell(deploy))
		return nil
	}
	c.Printf("%s\n", shell(deploy))
	run := exec.CommandContext(ctx, deploy[0], deploy[1:]...) //nolint:gosec // the operator's own checkout
	run.Stdin, run.Stdout, run.Stderr = c.In, c.Out, c.Err
	run.Cancel = func() error { return run.Process.Signal(os.Interrupt) } // it ends by itself
	if err := run.Run(); err != nil {
		return fmt.Errorf("the tables are restored, and not in use: %w. Run it again to go on", err)
	}
	c.Printf("stack %s uses %s. The tables of before are kept until you delete them\n", d.Name, strings.Join(tables, " and "))
	return nil
}

// arguments are those of the deployment, for the same place. It mends: the alarms that
// would roll it back may ring already, and no request is to see the former tables longer
// than it has to.
func (r *RestoreCommand) arguments(d *database.Deployment) string {
	args := "--region=" + d.Config.Region + " --rollback-trigger-alarm-arns none"
	if r.Profile != "" {
		args += " --profile=" + r.Profile
	}
	return args
}

// readCDK reads cdk.json of a checkout, which has to have the stage.
func readCDK(checkout, stage string) ([]byte, error) {
	path := filepath.Join(checkout, "cdk.json")
	raw, err := os.ReadFile(filepath.Clean(path))
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("there is no %s: run this in the checkout of the version that is deployed, or name it with --checkout; its settings have to name the restored tables", path)
	case err != nil:
		return nil, err
	case !gjson.ValidBytes(raw) || !gjson.GetBytes(raw, "context.stages."+stage).IsObject():
		return nil, fmt.Errorf("%s has no stage %s: it is not the checkout that deploys it", path, stage)
	}
	return raw, nil
}

// replaceFile writes a file whole or not at all.
func replaceFile(path string, text []byte) error {
	next := path + ".new"
	if err := os.WriteFile(next, text, 0o644); err != nil { //nolint:gosec // settings, which others read
		return err
	}
	return os.Rename(next, path)
}
