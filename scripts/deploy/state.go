package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation/types"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/smithy-go"

	"touchline/shared/route"
	"touchline/shared/stack"
)

// state is the state of the stack on AWS before a deployment.
type state struct {
	first  bool     // there is nothing yet, or only the leftovers of a failed first deployment
	alarms []string // ARNs of the alarms of the deployed version that roll an update back

	outputs, parameters map[string]string
}

// own is the stack's own resource of a kind; empty: it has none yet. A stack of a version
// that did not say has the one that it uses.
func (st state) own(x stack.Exchange) string {
	if said := st.outputs[stack.OutputOwn]; said != "" {
		return strings.Split(said, ",")[slices.Index(stack.Exchangeable(), x)]
	}
	return st.outputs[x.Output]
}

// grants reports whether roles have the right to a resource of a kind.
func (st state) grants(x stack.Exchange, name string) bool {
	return name == st.outputs[x.Output] || name == st.parameters[x.Parameter]
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
	case types.StackStatusReviewInProgress, // of changes that nobody has made
		types.StackStatusDeleteComplete, types.StackStatusRollbackComplete, types.StackStatusCreateFailed:
		return state{first: true}
	}
	st := state{outputs: map[string]string{}, parameters: map[string]string{}}
	for _, o := range s.Outputs {
		st.outputs[aws.ToString(o.OutputKey)] = aws.ToString(o.OutputValue)
	}
	for _, p := range s.Parameters {
		st.parameters[aws.ToString(p.ParameterKey)] = aws.ToString(p.ParameterValue)
	}
	if alarms := st.outputs[stack.OutputRollbackAlarms]; alarms != "" {
		st.alarms = strings.Split(alarms, ",")
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
	if err := c.checkTables(ctx, p, a, st); err != nil {
		return err
	}
	former, err := c.former(ctx, p, a, st)
	if err != nil {
		return err
	}
	if st.first {
		if err := c.prepared(ctx, p); err != nil && !denied(err) {
			return err
		}
	}
	if st.first && (a.protects || a.metadata.TerminationProtection) {
		c.printf("%s is not there yet: it is created first, and protected from deletion as soon as it is there.\n", a.stack)
		if err := c.pass(ctx, a, p, false, nil, nil); err != nil {
			return fmt.Errorf("%w\nNothing of it is protected, so CloudFormation removes whatever was made. Mend what the lines above name, or its events, and deploy again", err)
		}
	}
	return c.pass(ctx, a, p, true, st.alarms, former)
}

// former are the parameters with what the release reads that is live, where this one reads
// another. Those of the same release stay as they are.
func (c call) former(ctx context.Context, p place, a *assembly, st state) (parameters []string, err error) {
	if st.first || st.outputs[stack.OutputRelease] == a.metadata.Release {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	ping := stack.FunctionName(c.stage, string(route.GroupPing))
	live, err := lambda.NewFromConfig(p.config).GetFunctionConfiguration(ctx, &lambda.GetFunctionConfigurationInput{FunctionName: &ping, Qualifier: aws.String(stack.Live)})
	if err != nil {
		return nil, fmt.Errorf("read what the live version of %s reads (lambda:GetFunctionConfiguration): %w", ping, err)
	}
	for _, x := range stack.Exchangeable() {
		was, is := variables(live.Environment)[x.Variable], cmp.Or(a.metadata.Named[x.Variable], st.own(x))
		if was == is {
			was = ""
		} else {
			c.printf("%s: %s until now, %s with this release; both are granted until the release after it.\n", x.Output, was, is)
		}
		parameters = append(parameters, x.Parameter+"="+was)
	}
	return parameters, nil
}

// pass runs the CDK once: protect says whether tables and stack are protected then,
// alarms roll it back, and parameters are set.
func (c call) pass(ctx context.Context, a *assembly, p place, protect bool, alarms, parameters []string) error {
	if err := a.setTerminationProtection(protect && a.metadata.TerminationProtection); err != nil {
		return fmt.Errorf("write the manifest: %w", err)
	}
	words := []string{"deploy", "--require-approval", c.approve}
	if a.protects {
		parameters = append(parameters, fmt.Sprintf("%s=%t", stack.ParameterProtect, protect))
	}
	for _, set := range parameters {
		words = append(words, "--parameters", a.stack+":"+set)
	}
	if _, given := c.args.value(rollbackOption); !given && len(alarms) > 0 {
		for _, arn := range alarms {
			words = append(words, rollbackOption, arn)
		}
		words = append(words, "--monitoring-time-minutes", strconv.Itoa(a.monitored()))
	}
	return c.runCDK(ctx, c.of(a, p, words...)...)
}
