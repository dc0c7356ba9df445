package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/lambda"
)

// toolkit is the stack that the CDK's bootstrap makes in an account and region.
const toolkit = "CDKToolkit"

// enoughAtOnce is how many functions an account should run at once: a new one may run 10,
// which take 100 requests a second, of all stages together.
const enoughAtOnce = 100

// ready says all that a deployment would stop at, before anything is made. Of an
// assembly that was given it looks at the settings alone, in a pipeline's job that may
// assume no role.
func (c call) ready(ctx context.Context, a *assembly, given bool) error {
	if given {
		return a.attended()
	}
	return errors.Join(a.attended(), c.readyThere(ctx, a))
}

// errUnprepared refuses an account that has no toolkit in the region.
var errUnprepared = errors.New("the account is not prepared for the CDK in the region: as an administrator, run make bootstrap STAGE=")

func (c call) prepared(ctx context.Context, p place) error {
	bootstrap, err := readState(ctx, p, toolkit)
	if bootstrap.first {
		return fmt.Errorf("%w%s", errUnprepared, c.stage)
	}
	return err
}

// readyThere asks the account.
func (c call) readyThere(ctx context.Context, a *assembly) error {
	p, err := findPlace(ctx, a.region, c.args)
	if err != nil {
		return err
	}
	c.printf("%s %s: %s\n", c.command, a.stack, p)
	st, stuck := readState(ctx, p, a.stack)
	if stuck == nil {
		stuck = c.checkTables(ctx, p, a, st)
	}
	unprepared := c.prepared(ctx, p)
	if errors.Is(unprepared, errUnprepared) { // which is the next step, and no fault
		c.printf("next: %v\n", unprepared)
		unprepared = nil
	}
	limit, err := lambda.NewFromConfig(p.config).GetAccountSettings(ctx, &lambda.GetAccountSettingsInput{})
	switch {
	case err != nil:
		c.printf("note: how many functions the account runs at once is not known (lambda:GetAccountSettings): %v\n", err)
	case limit.AccountLimit.ConcurrentExecutions < enoughAtOnce:
		c.printf("note: the account runs %d functions at once: ask AWS for 1,000 (Service Quotas, Lambda, concurrent executions), which may take days.\n", limit.AccountLimit.ConcurrentExecutions)
	}
	return errors.Join(stuck, unprepared)
}
