package database

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/aws/smithy-go"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/stack"
)

// StackFlags select a deployment on AWS. The environment never does: a variable
// that happens to be set must not direct a command at production.
type StackFlags struct {
	Stack string `name:"stack" xor:"database" placeholder:"NAME" help:"Use the deployment on AWS of this stage (dev, prod) or stack: its tables, its key and its address are read from the stack's outputs."`
	AWSFlags
}

// AWSFlags select account and region, overriding the SDK's standard
// configuration.
type AWSFlags struct {
	Profile string `name:"profile" placeholder:"NAME" help:"Profile of the AWS configuration (default: AWS_PROFILE), with --stack."`
	Region  string `name:"region" placeholder:"NAME" help:"AWS region (default: AWS_REGION, else that of the profile), with --stack."`
}

// Deployment is the stack of a stage, with the configuration for its account.
type Deployment struct {
	stack.Outputs
	Name   string
	Config aws.Config // with region and credentials
}

// stackLimit bounds the time for reading a stack: as long as a person would
// wait.
const stackLimit = 20 * time.Second

// Deployment reads the stack's outputs.
func (f StackFlags) Deployment(ctx context.Context, c *terminal.Terminal) (*Deployment, error) {
	name, err := f.name()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, stackLimit)
	defer cancel()
	cfg, err := f.Load(ctx)
	if err != nil {
		return nil, err
	}
	out, err := cloudformation.NewFromConfig(cfg).DescribeStacks(ctx, &cloudformation.DescribeStacksInput{StackName: &name})
	if err != nil {
		return nil, stackFault(ctx, cfg, name, err)
	}
	if len(out.Stacks) != 1 {
		return nil, fmt.Errorf("CloudFormation answers %d stacks named %s", len(out.Stacks), name)
	}
	status := string(out.Stacks[0].StackStatus)
	if !strings.HasSuffix(status, "_COMPLETE") { // the outputs may be those of before
		c.Sayf("note: stack %s is in state %s: it is being changed, or that has failed", name, status)
	}
	values := map[string]string{}
	for _, o := range out.Stacks[0].Outputs {
		values[aws.ToString(o.OutputKey)] = aws.ToString(o.OutputValue)
	}
	outputs, err := stack.Parse(values)
	if err != nil {
		return nil, fmt.Errorf("stack %s (%s) is not one of this version of Touchline (%s): deploy it again, or name another", name, status, strings.ReplaceAll(err.Error(), "\n", ", "))
	}
	return &Deployment{Outputs: outputs, Name: name, Config: cfg}, nil
}

// stackName matches what CloudFormation accepts: a name or an id, which is an
// ARN.
var stackName = regexp.MustCompile(`^[A-Za-z][-A-Za-z0-9]{0,127}$|^arn:[-A-Za-z0-9:/]+$`)

// name is the name of the stack: the one given, or that for the stage given.
func (f StackFlags) name() (string, error) {
	if !stackName.MatchString(f.Stack) {
		return "", terminal.Usagef("--stack %q: want the name of a stage, such as dev, or of a stack, such as %s", f.Stack, stack.Name("dev"))
	}
	if strings.HasPrefix(f.Stack, stack.Name("")) || strings.HasPrefix(f.Stack, "arn:") {
		return f.Stack, nil
	}
	return stack.Name(f.Stack), nil
}

// Load is the SDK's standard configuration, with a region and credentials.
func (f AWSFlags) Load(ctx context.Context) (aws.Config, error) {
	var options []func(*config.LoadOptions) error
	if f.Profile != "" {
		options = append(options, config.WithSharedConfigProfile(f.Profile))
	}
	if f.Region != "" {
		options = append(options, config.WithRegion(f.Region))
	}
	cfg, err := config.LoadDefaultConfig(ctx, options...)
	if _, ok := errors.AsType[config.SharedConfigProfileNotExistError](err); ok {
		return aws.Config{}, fmt.Errorf("%w: choose another with --profile or AWS_PROFILE (`aws configure list-profiles` shows them)", err)
	}
	if err != nil {
		return aws.Config{}, fmt.Errorf("AWS configuration: %w", err)
	}
	if cfg.Region == "" {
		return aws.Config{}, errors.New("no AWS region: give --region, set AWS_REGION, or set region in the profile")
	}
	if _, err := cfg.Credentials.Retrieve(ctx); err != nil {
		return aws.Config{}, fmt.Errorf("no AWS credentials: sign in (`aws sso login`, `aws configure`), or choose a profile with --profile or AWS_PROFILE: %w", err)
	}
	if cfg.HTTPClient == nil { // it has one where AWS_CA_BUNDLE is set; the SDK's clients make their own
		cfg.HTTPClient = awshttp.NewBuildableClient()
	}
	return cfg, nil
}

// stackFault says what to do about a stack that CloudFormation cannot describe.
func stackFault(ctx context.Context, cfg aws.Config, name string, err error) error {
	api, ok := errors.AsType[smithy.APIError](err)
	if !ok {
		return fmt.Errorf("CloudFormation in %s does not answer; check the region (--region) and the network: %w", cfg.Region, err)
	}
	switch api.ErrorCode() {
	case "ValidationError":
		if strings.Contains(api.ErrorMessage(), "does not exist") {
			return fmt.Errorf("no stack %s in region %s of %s: deploy it, or choose another place with --region, --profile", name, cfg.Region, account(ctx, cfg))
		}
	case "AccessDenied", "AccessDeniedException":
		return fmt.Errorf("%s may not read stack %s in region %s: it needs cloudformation:DescribeStacks: %s", account(ctx, cfg), name, cfg.Region, api.ErrorMessage())
	case "ExpiredToken", "ExpiredTokenException", "InvalidClientTokenId", "UnrecognizedClientException", "SignatureDoesNotMatch", "InvalidAccessKeyId":
		return fmt.Errorf("AWS refuses the credentials (%s): sign in again, or choose another profile with --profile: %s", api.ErrorCode(), api.ErrorMessage())
	}
	return fmt.Errorf("stack %s: %w", name, err)
}

// account is the account for an error message: people with two accounts are
// often in the wrong one. If it is not known, the message says less.
func account(ctx context.Context, cfg aws.Config) string {
	out, err := sts.NewFromConfig(cfg).GetCallerIdentity(ctx, &sts.GetCallerIdentityInput{})
	if err != nil {
		return "this AWS account"
	}
	return fmt.Sprintf("AWS account %s (as %s)", aws.ToString(out.Account), aws.ToString(out.Arn))
}

// EndpointOf is the endpoint that the environment or the profile names for a service, by
// the SDK's name of it, or for all; empty: AWS's.
func EndpointOf(ctx context.Context, cfg aws.Config, service string) string {
	for _, source := range cfg.ConfigSources {
		if s, ok := source.(interface {
			GetServiceBaseEndpoint(ctx context.Context, service string) (string, bool, error)
		}); ok {
			if endpoint, found, err := s.GetServiceBaseEndpoint(ctx, service); found && err == nil {
				return endpoint
			}
		}
	}
	return aws.ToString(cfg.BaseEndpoint)
}
