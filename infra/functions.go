package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3assets"
	"github.com/aws/jsii-runtime-go"

	"touchline/shared/route"
	"touchline/shared/stack"
	"touchline/shared/store/records"
)

// function is a function, the role it runs as, where it logs, and its alias.
type function struct {
	name, id string // of its folder: the group's; in the stack
	props    *awslambda.CfnFunctionProps
	lambda   awslambda.CfnFunction
	role     awsiam.CfnRole
	logs     awslogs.CfnLogGroup
	version  awslambda.CfnVersion
	alias    awslambda.CfnAlias
	invoked  *string // ARN by which it is invoked
}

// outline is what differs between the functions.
type outline struct {
	name        string
	description string
	rights      map[string][]statement // in addition to the one to log
}

// requestTimeout is above the pipeline's own limit of 8 s, after which it
// responds.
const requestTimeout = 10

// serving makes the function of a route group.
func (s *stage) serving(group route.Group) function {
	calls := stack.RequestCalls()
	data := mayCall(calls[stack.VariableSportsTable], s.sports)
	if group == route.GroupPing { // it shows no data: it reads the organization of a key, and what is loaded
		// Of any layout: while this version is deployed, and after a rollback, the one
		// before serves with the same role.
		data.where = map[string]any{"ForAllValues:StringLike": map[string]any{
			"dynamodb:LeadingKeys": []string{"?#O#*", "??#O#*", records.VersionKey().PK},
		}}
	}
	return s.function(outline{
		name:        string(group),
		description: fmt.Sprintf("Touchline %s: serves %s", s.settings.Stage, strings.Join(keysOf(group), ", ")),
		rights: map[string][]statement{
			"keys":    {mayCall(calls[stack.VariableKeysTable], s.keys)},
			"secrets": {s.opensSecrets()},
			"nonces":  {mayCall(calls[stack.VariableNoncesTable], s.nonces)},
			"quotas":  {mayCall(calls[stack.VariableQuotasTable], s.quotas)},
			"sports":  {data},
		},
	})
}

// mayCall is the right to make calls of DynamoDB on a table.
func mayCall(operations []string, table used) statement {
	may := statement{on: table.arns()}
	for _, operation := range operations {
		may.allow = append(may.allow, "dynamodb:"+operation)
	}
	return may
}

// opensSecrets is the right to open a secret for the key that it was sealed for:
// the encryption context of keys.KMSOpener is the id of a key and nothing else.
func (s *stage) opensSecrets() statement {
	return statement{
		allow: []string{"kms:Decrypt"}, on: s.secrets.arns(),
		where: map[string]any{
			"StringLike":                map[string]any{"kms:EncryptionContext:keyId": "tk_*"},
			"ForAllValues:StringEquals": map[string]any{"kms:EncryptionContextKeys": []string{"keyId"}},
		},
	}
}

// function makes a function with a role, a log group and an alias of its own.
func (s *stage) function(o outline) function {
	id := strings.ToUpper(o.name[:1]) + o.name[1:]
	f := function{name: o.name, id: id}
	f.logs = awslogs.NewCfnLogGroup(s.Stack, new(id+"Logs"), &awslogs.CfnLogGroupProps{
		LogGroupName:    new(stack.LogGroup(s.settings.Stage, o.name)),
		RetentionInDays: jsii.Number(s.settings.LogDays),
	})
	drop(f.logs)
	rights := maps.Clone(o.rights)
	rights["logs"] = []statement{{allow: []string{"logs:CreateLogStream", "logs:PutLogEvents"}, on: []string{*f.logs.AttrArn()}}}
	f.role = s.role(id+"Role", "What the function "+o.name+" may do", rights)

	asset := awss3assets.NewAsset(s.Stack, new(id+"Code"), &awss3assets.AssetProps{Path: new(s.code(o.name, s.settings.processor()))})
	props := &awslambda.CfnFunctionProps{
		FunctionName:  new(stack.FunctionName(s.settings.Stage, o.name)),
		Description:   &o.description,
		Runtime:       new("provided.al2023"),
		Handler:       new("bootstrap"),
		Architectures: jsii.Strings(map[string]string{"arm64": "arm64", "amd64": "x86_64"}[s.settings.processor()]),
		Code:          &awslambda.CfnFunction_CodeProperty{S3Bucket: asset.S3BucketName(), S3Key: asset.S3ObjectKey()},
		Role:          *f.role.AttrArn(),
		MemorySize:    jsii.Number(s.settings.Memory),
		Timeout:       jsii.Number(requestTimeout),
		Environment:   &awslambda.CfnFunction_EnvironmentProperty{Variables: s.environment()},
		// In this format the lines of Lambda itself have levels: those about a
		// successful request are INFO, and would cost more than ours.
		LoggingConfig: &awslambda.CfnFunction_LoggingConfigProperty{
			LogGroup: f.logs.Ref(), LogFormat: new("JSON"), SystemLogLevel: new("WARN"), ApplicationLogLevel: new("INFO"),
		},
	}
	f.props, f.lambda = props, awslambda.NewCfnFunction(s.Stack, &id, props)
	asset.AddResourceMetadata(f.lambda, new("Code"))
	return s.publish(f)
}

// onALaptop is the value of variables that only exist on a laptop: whoever runs
// a function there replaces it.
const onALaptop = "set this where the function is run"

// environment gives values to the variables that a function reads. It panics if a new
// variable has no value: a programming error in this app.
func (s *stage) environment() map[string]*string {
	values := map[string]*string{
		stack.VariableSportsTable:  s.sports.name,
		stack.VariableNoncesTable:  s.nonces.name,
		stack.VariableQuotasTable:  s.quotas.name,
		stack.VariableKeysTable:    s.keys.name,
		stack.VariableDefaultPhoto: &s.settings.DefaultPhoto,
		stack.VariableKMSKey:       s.secrets.arn,
		stack.VariableStage:        &s.settings.Stage,
		stack.VariableFailureLimit: new(strconv.Itoa(s.settings.FailureLimit)),
		stack.VariableProcessors:   new(strconv.Itoa(stack.Processors(s.settings.Memory))),
	}
	environment := map[string]*string{}
	for _, v := range stack.RequestVariables() {
		switch value := values[v.Name]; {
		case v.Deployed && value == nil:
			panic("infra: no value for the variable " + v.Name)
		case v.Deployed:
			environment[v.Name] = value
		case s.settings.Local:
			environment[v.Name] = new(onALaptop)
		}
	}
	return environment
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
