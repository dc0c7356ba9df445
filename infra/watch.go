package main

import (
	_ "embed"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsevents"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/jsii-runtime-go"

	"touchline/shared/stack"
)

// watchCode is the function that signs a ping. It is in JavaScript, which Lambda
// takes as text: at most 4,096 characters, with the SDK that its runtime has.
//
//go:embed watch.js
var watchCode string

// watcher is the name of that function, and of the alarm that rings on silence.
const watcher = "watch"

// check has a function sign a ping once a minute, by the way that partners take:
// name, certificate, gateway, function, tables, KMS. It may read the parameter with
// its key and write its log.
func (s *stage) check() {
	parameter := s.settings.WatchKey
	if parameter == "" || s.settings.Local {
		return
	}
	name := stack.FunctionName(s.settings.Stage, watcher)
	logs := awslogs.NewCfnLogGroup(s.Stack, new("WatchLogs"), &awslogs.CfnLogGroupProps{
		LogGroupName: new(stack.LogGroup(s.settings.Stage, watcher)), RetentionInDays: jsii.Number(s.settings.LogDays),
	})
	drop(logs)
	role := s.role("WatchRole", "What the function "+watcher+" may do", map[string][]statement{
		"logs": {{allow: []string{"logs:CreateLogStream", "logs:PutLogEvents"}, on: []string{*logs.AttrArn()}}},
		"key": {{allow: []string{"ssm:GetParameter"}, on: []string{*s.Stack.FormatArn(&awscdk.ArnComponents{
			Service: new("ssm"), Resource: new("parameter" + parameter),
		})}}},
	})
	function := awslambda.NewCfnFunction(s.Stack, new("Watch"), &awslambda.CfnFunctionProps{
		FunctionName: &name,
		Description:  new("Touchline " + s.settings.Stage + ": signs a ping every minute, and fails unless it is answered with 200"),
		Runtime:      new("nodejs22.x"), Handler: new("index.handler"), Architectures: jsii.Strings("arm64"),
		Code: &awslambda.CfnFunction_CodeProperty{ZipFile: &watchCode},
		Role: role.AttrArn(), MemorySize: jsii.Number(128), Timeout: jsii.Number(15),
		Environment: &awslambda.CfnFunction_EnvironmentProperty{Variables: map[string]*string{
			"BASE_URL": &s.gateway.baseURL, "KEY_PARAMETER": &parameter,
		}},
		LoggingConfig: &awslambda.CfnFunction_LoggingConfigProperty{
			LogGroup: logs.Ref(), LogFormat: new("JSON"), SystemLogLevel: new("WARN"), ApplicationLogLevel: new("INFO"),
		},
	})
	suppress(function, suppression{rule: "AwsSolutions-L1", reason: "The code needs nothing newer, and the runtime is supported until 2027"})
	// A ping that failed is not sent again: the next one is a minute away.
	awslambda.NewCfnEventInvokeConfig(s.Stack, new("WatchOnce"), &awslambda.CfnEventInvokeConfigProps{
		FunctionName: function.Ref(), Qualifier: new("$LATEST"), MaximumRetryAttempts: jsii.Number(0),
	})
	rule := awsevents.NewCfnRule(s.Stack, new("WatchSchedule"), &awsevents.CfnRuleProps{
		Description: new("Has " + name + " sign a ping"), ScheduleExpression: new("rate(1 minute)"),
		Targets: &[]any{&awsevents.CfnRule_TargetProperty{Id: new(watcher), Arn: function.AttrArn()}},
	})
	awslambda.NewCfnPermission(s.Stack, new("WatchInvoked"), &awslambda.CfnPermissionProps{
		Action: new("lambda:InvokeFunction"), FunctionName: function.Ref(), Principal: new("events.amazonaws.com"), SourceArn: rule.AttrArn(),
	})
}

// expiryDays is how long before its end the certificate of the domain rings. ACM
// renews its own 60 days before.
const expiryDays = 30

// alarmsOfSilence ring on what does not happen: pings that are answered, or a
// certificate that is renewed.
func (s *stage) alarmsOfSilence() (list []alarm) {
	if s.settings.WatchKey != "" && !s.settings.Local {
		of := func(name string) metric {
			return metric{namespace: "AWS/Lambda", name: name, dimension: "FunctionName", of: stack.FunctionName(s.settings.Stage, watcher), statistic: "Sum"}
		}
		list = append(list, alarm{id: "Silence", name: watcher, metrics: []metric{of("Invocations"), of("Errors")}, formula: "FILL(m0, 0) - FILL(m1, 0)", limit: 1, below: true, missing: "breaching",
			todo: "For five minutes no signed ping was answered: callers get nothing, or wrong answers, whatever the other alarms say; or the key of the check has ended."})
	}
	if s.settings.CertificateARN != "" {
		list = append(list, alarm{id: "Certificate", name: "certificate", limit: expiryDays, below: true, period: 24 * 60 * 60,
			metrics: []metric{{namespace: "AWS/CertificateManager", name: "DaysToExpiry", dimension: "CertificateArn", of: s.settings.CertificateARN, statistic: "Minimum"}},
			todo:    "The certificate of the domain expires within 30 days, and was not renewed: the record in DNS that proves the domain is missing, or the certificate was imported."})
	}
	return list
}
