package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation/types"
	"github.com/aws/smithy-go"

	"touchline/shared/stack"
)

// state is the state of the stack on AWS before a deployment.
type state struct {
	first  bool     // there is nothing yet, or only the leftovers of a failed first deployment
	made   bool     // CloudFormation has begun to make it, or more
	alarms []string // ARNs of the alarms of the deployed version that roll an update back
	sports string   // name of the table of the data; empty: not known
}

// readState reads the state from CloudFormation. The CDK waits for the end of a change that
// is under way, and says of a stack that failed what its events say.
func readState(ctx context.Context, p place, name string) (state, error) {
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	out, err := cloudformation.NewFromConfig(p.config).DescribeStacks(ctx, &cloudformation.DescribeStacksInput{StackName: &name})
	if api, ok := errors.AsType[smithy.APIError](err); ok && api.ErrorCode() == "ValidationError" && strings.Contains(api.ErrorMessage(), "does not exist") {
		return state{first: true}, nil
	}
	if err != nil {
		return state{}, fmt.Errorf("read stack %s (cloudformation:DescribeStacks): %w", name, err)
	}
	if len(out.Stacks) != 1 {
		return state{}, fmt.Errorf("CloudFormation describes %d stacks named %s", len(out.Stacks), name)
	}
	return stateOf(out.Stacks[0]), nil
}

// denied reports whether AWS refuses to tell, as whoever may deploy need not read the
// toolkit.
func denied(err error) bool {
	api, ok := errors.AsType[smithy.APIError](err)
	return ok && strings.HasPrefix(api.ErrorCode(), "AccessDenied")
}

func stateOf(s types.Stack) state {
	switch s.StackStatus {
	case types.StackStatusReviewInProgress: // of changes that nobody has made
		return state{first: true}
	case types.StackStatusDeleteComplete, types.StackStatusRollbackComplete, types.StackStatusCreateFailed:
		return state{first: true, made: true}
	}
	st := state{made: true}
	for _, o := range s.Outputs {
		switch aws.ToString(o.OutputKey) {
		case stack.OutputRollbackAlarms:
			st.alarms = strings.Split(aws.ToString(o.OutputValue), ",")
		case stack.OutputSportsTable:
			st.sports = aws.ToString(o.OutputValue)
		}
	}
	return st
}

// rollbackOption is an option of the CDK.
const rollbackOption = "--rollback-trigger-alarm-arns"

// deploy runs the CDK's deployment. Those of a new stack are two: the second one protects
// it.
func (c call) deploy(ctx context.Context, a *assembly, p place) error {
	st, err := readState(ctx, p, a.stack)
	if err != nil {
		return err
	}
	if st.sports != "" {
		if err := c.checkData(ctx, p, st.sports); err != nil {
			return err
		}
	}
	if st.first {
		if err := c.prepared(ctx, p); err != nil && !denied(err) {
			return err
		}
	}
	if st.first && (a.protects || a.metadata.TerminationProtection) {
		c.printf("%s is not there yet: it is created first, and protected from deletion as soon as it is there.\n", a.stack)
		if err := c.pass(ctx, a, p, false, nil); err != nil {
			if now, asked := readState(ctx, p, a.stack); asked == nil && !now.made {
				return fmt.Errorf("%w\nNothing was made: mend what the lines above name and deploy again", err)
			}
			return fmt.Errorf("%w\nNothing of it is protected, so CloudFormation removes what was made. Mend what its events name and deploy again", err)
		}
	}
	return c.pass(ctx, a, p, true, st.alarms)
}

// pass runs the CDK once: protect says whether tables and stack are protected then, and
// alarms roll it back.
func (c call) pass(ctx context.Context, a *assembly, p place, protect bool, alarms []string) error {
	if err := a.setTerminationProtection(protect && a.metadata.TerminationProtection); err != nil {
		return fmt.Errorf("write the manifest: %w", err)
	}
	words := []string{"deploy", "--require-approval", c.approve}
	if a.protects {
		words = append(words, "--parameters", fmt.Sprintf("%s:%s=%t", a.stack, stack.ParameterProtect, protect))
	}
	if _, given := c.args.value(rollbackOption); !given && len(alarms) > 0 {
		for _, arn := range alarms {
			words = append(words, rollbackOption, arn)
		}
		words = append(words, "--monitoring-time-minutes", strconv.Itoa(a.monitored()))
	}
	return c.runCDK(ctx, c.of(a, p, words...)...)
}
