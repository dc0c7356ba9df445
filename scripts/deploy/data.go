package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/lambda/types"

	"touchline/shared/loader/upgrade"
	"touchline/shared/store"
	"touchline/shared/store/generation"
)

const (
	// newTableUnits is how many write units a second a new table takes.
	newTableUnits = 4000
	// usdPerMillion is the price of a million write units in us-east-1.
	usdPerMillion = 0.625
)

// checkData looks at the table of the data before a deployment, and returns the layout
// that they have to be upgraded from; 0: they are as this version reads them. It refuses
// to deploy in front of a table that cannot be read, for want of rights, and of one with
// data of any other layout: every route would respond with 503 (D63).
func (c call) checkData(ctx context.Context, p place, table string) (from int, err error) {
	client := dynamodb.NewFromConfig(p.config)
	asking, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	state, err := generation.Read(asking, &store.Table{DB: client, Name: table})
	other, foreign := errors.AsType[*generation.OtherError](err)
	if foreign && other.Upgradable() {
		from = other.Open
	} else if err == nil && state.Moved < generation.Layout {
		from = state.Moved // somebody went back to it
	}
	switch {
	case err == nil && state.Moved > generation.Layout:
		err = &generation.MovedError{Table: table, To: state.Moved}
		return 0, c.nevertheless(fmt.Sprintf("%v.\nDeployed in front of it, requests show the data of then, and drops wait: go back to them first, with `touchline upgrade --stack %s --back` of that version.", err, stackName(c.stage)))
	case err == nil && from == 0:
		c.printf("table %s has data of layout %d, version %d: nothing has to be loaded.\n", table, generation.Layout, state.Version)
		return 0, nil
	case foreign && other.Empty():
		c.printf("table %s is empty: load a dataset after this.\n", table)
		return 0, nil
	case err != nil && !foreign:
		return 0, c.nevertheless(fmt.Sprintf("could not look at the layout of table %s (dynamodb:BatchGetItem; infra/README.md, Rights): %v.\nIf it is another one, every route but ping responds with 503.", table, err))
	}
	if from > 0 && !c.anyLayout {
		c.printf("table %s has data of layout %d, this version reads layout %d: they are upgraded while the version that is deployed serves.%s\n",
			table, from, generation.Layout, c.effort(ctx, client, table))
		return from, nil
	}
	return 0, c.nevertheless(fmt.Sprintf("%v.\nDeployed in front of it, every route but ping responds with 503 until a table of layout %d takes its place: a new stage, or the settings sportsTable and keysTable (infra/README.md, Another layout).%s",
		err, generation.Layout, c.effort(ctx, client, table)))
}

// nevertheless refuses to deploy for a reason, unless the caller has said that it does not
// matter.
func (c call) nevertheless(what string) error {
	if c.anyLayout {
		c.printf("note: %s\nDeployed nevertheless (LAYOUT=any).\n", what)
		return nil
	}
	return fmt.Errorf("%s\nTo deploy nevertheless: make deploy LAYOUT=any", what)
}

// upgrade upgrades a table with the code of this version, while the version that is
// deployed serves. From its last write on the functions of that one show the data of the
// moment, and drops wait in their queue, until the deployment that follows has moved the
// aliases.
func (c call) upgrade(ctx context.Context, p place, table string) error {
	report, err := c.upgrader(p, table).Run(ctx)
	if err != nil {
		return fmt.Errorf("upgrade of table %s: %w\nWhat was deployed before goes on serving. Deploy again to go on; `touchline upgrade --stack %s` does the same by itself, with other rights (infra/README.md)", table, err, stackName(c.stage))
	}
	c.printf("%d records are of layout %d now.\n", report.Records, report.To)
	return nil
}

func (c call) upgrader(p place, table string) *upgrade.Upgrade {
	client := dynamodb.NewFromConfig(p.config)
	said := ""
	return &upgrade.Upgrade{
		Table: &store.Table{DB: client, Name: table}, Leases: client, Holder: rand.Text(), Label: "make deploy", Patience: upgradePatience,
		Progress: func(what string, _, _ int) {
			if what != said {
				said = what
				c.printf("  %s\n", what)
			}
		},
	}
}

// dropKept removes the data of earlier layouts that were closed as many days ago as the
// stage says, once this version is what every alias serves: another one may show them. It
// says of which others there are. A removal that was killed goes on in any case.
func (c call) dropKept(ctx context.Context, p place, table string, days int) error {
	u := c.upgrader(p, table)
	all, err := generation.List(ctx, u.Table)
	if err != nil {
		return nil //nolint:nilerr // checkData has said so: only with LAYOUT=any it comes to this
	}
	for _, g := range all {
		if g.Removing && g.Layout < generation.Layout {
			c.printf("the removal of the data of layout %d was interrupted: it goes on.\n", g.Layout)
			if err := c.drop(ctx, u, g.Layout); err != nil {
				return err
			}
		}
		if g.Moved != generation.Layout || g.Layout > generation.Layout {
			continue
		}
		since := "an upgrade before that was noted"
		if !g.Closed.IsZero() {
			since = g.Closed.UTC().Format(time.DateOnly)
		}
		if days == 0 || g.Closed.IsZero() || time.Since(g.Closed) < time.Duration(days)*24*time.Hour || !c.servesNewest(ctx, p) {
			c.printf("the data of layout %d are kept since %s: `touchline upgrade --stack %s --drop %d` removes them, once nobody goes back.\n", g.Layout, since, stackName(c.stage), g.Layout)
			continue
		}
		c.printf("the data of layout %d are kept since %s: they are removed (dropLayoutsAfterDays is %d).\n", g.Layout, since, days)
		if err := c.drop(ctx, u, g.Layout); err != nil {
			return err
		}
	}
	return nil
}

func (c call) drop(ctx context.Context, u *upgrade.Upgrade, layout int) error {
	if _, err := u.Drop(ctx, layout); err != nil {
		return fmt.Errorf("the deployment has ended well, but the data of layout %d are not removed: %w\n`touchline upgrade --stack %s --drop %d` goes on with that, and so does the next deployment", layout, err, stackName(c.stage), layout)
	}
	return nil
}

// servesNewest reports whether every function serves what was published last: somebody
// may have gone back.
func (c call) servesNewest(ctx context.Context, p place) bool {
	functions, err := c.published(ctx, lambda.NewFromConfig(p.config))
	return err == nil && !slices.ContainsFunc(functions, func(f published) bool {
		return slices.ContainsFunc(f.versions, func(v types.FunctionConfiguration) bool { return number(v) > f.served() })
	})
}

// held is the value of the parameter that keeps the aliases at the versions that they are
// at; empty where that is not known.
func (c call) held(ctx context.Context, p place, a *assembly) string {
	if a.holdsNone == "" {
		return ""
	}
	functions, err := c.published(ctx, lambda.NewFromConfig(p.config))
	if err != nil {
		c.printf("note: %v.\nSo the data are upgraded before anything is deployed, and drops wait until all of the deployment has ended.\n", err)
		return ""
	}
	var versions []string
	for _, f := range functions {
		versions = append(versions, aws.ToString(f.alias.FunctionVersion))
	}
	return strings.Join(versions, ",")
}

// upgradePatience is how long an upgrade waits for a load that is running.
const upgradePatience = 15 * time.Minute

// effort says what it takes to load as much data as a table has; empty where that is
// not known. Each item takes a unit for each KB that it begins.
func (c call) effort(ctx context.Context, client *dynamodb.Client, table string) string {
	out, err := client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &table})
	if err != nil {
		return ""
	}
	units := float64(aws.ToInt64(out.Table.ItemCount)) + float64(aws.ToInt64(out.Table.TableSizeBytes))/1024
	takes := time.Duration(math.Ceil(units/newTableUnits/60)) * time.Minute
	return fmt.Sprintf(" Loading as much takes up to %.0f write units: %.2f USD, and %.0f min at the %d a second that a new table takes.",
		units, units/1e6*usdPerMillion, takes.Minutes(), newTableUnits)
}
