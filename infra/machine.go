package main

import (
	"cmp"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsstepfunctions"

	"touchline/shared/stack"
)

// conductor is what loads a dataset that is too large for one function: the state
// machine that conducts it, and the function that does its steps.
type conductor struct {
	machine  awsstepfunctions.CfnStateMachine
	function function
}

// conductor makes both. The machine is there whatever the settings are, so that a
// load which was begun before a setting was changed comes to its end.
func (s *stage) conductor(i intake) conductor {
	var c conductor
	c.function = s.stepping(i)
	c.machine = awsstepfunctions.NewCfnStateMachine(s.Stack, text("Machine"), &awsstepfunctions.CfnStateMachineProps{
		StateMachineName: text(stack.StateMachine(s.settings.Stage)),
		StateMachineType: text("STANDARD"), // a load takes longer than the five minutes of EXPRESS
		RoleArn:          s.machineRole(i, c.function).AttrArn(),
		// As text, because CloudFormation turns the numbers of an object into text,
		// which Step Functions refuses.
		DefinitionString: text(definition(s.settings.BulkConcurrency)),
		DefinitionSubstitutions: map[string]any{
			substituteFunction: c.function.invoked, substitutePartition: s.Stack.Partition(),
		},
	})
	suppress(c.machine,
		suppression{rule: "AwsSolutions-SF1", reason: "Step Functions keeps the history of an execution for 90 days, the function logs each step, and _REPORT.json says what became of the load; a log of the machine would need rights on every log of the account"},
		suppression{rule: "AwsSolutions-SF2", reason: "An execution has a dozen states one after the other, whose times its history has; nothing else here is traced"},
	)
	return c
}

// stepping makes the function that does the steps: the code of ingest, which
// takes a step for what it is by its event.
func (s *stage) stepping(i intake) function {
	work := *i.bucket.AttrArn() + "/" + stack.WorkFolder + "/*"
	f := s.function(outline{
		name:        stack.Bulk,
		code:        stack.Ingest,
		description: "Touchline " + s.settings.Stage + ": does the steps of loads that the state machine conducts",
		memory:      s.settings.BulkMemory,
		timeout:     ingestTimeout,
		storage:     s.settings.BulkStorage,
		variables:   stack.BulkVariables(),
		values:      map[string]*string{stack.VariableStorage: text(decimal(s.settings.BulkStorage)), stack.VariableLoadsTopic: &s.settings.LoadsTopic},
		rights: s.tells(map[string][]statement{
			"sports": {{allow: writesSports(), on: []string{*s.sports.arn}}},
			"drops": {
				{allow: []string{"s3:ListBucket"}, on: []string{*i.bucket.AttrArn()}},
				{allow: []string{"s3:GetObject"}, on: []string{*i.bucket.AttrArn() + "/*"}},
				{allow: []string{"s3:PutObject"}, on: []string{*i.bucket.AttrArn() + "/*/" + stack.DropReport}},
			},
			"work": {{allow: []string{"s3:DeleteObject", "s3:PutObject"}, on: []string{work}}},
		}),
	})
	suppress(f.role, suppression{
		rule: "AwsSolutions-IAM5",
		findings: []string{
			"Resource::<IngestBucket.Arn>/*", "Resource::<IngestBucket.Arn>/*/" + stack.DropReport, "Resource::<IngestBucket.Arn>/" + stack.WorkFolder + "/*",
		},
		reason: "A drop is in a folder that whoever drops it names: the function reads every object of the bucket, which is for nothing else, writes the report next to a drop, and what it has done to the work folder",
	})
	return f
}

// machineRole makes the role of the machine: to invoke the function, to read the
// lists of the Maps, and to run an execution of itself for each of their items. The
// machine is named by its ARN, because it needs the role to be made.
func (s *stage) machineRole(i intake, f function) awsiam.CfnRole {
	lists := func(name string) string { return *i.bucket.AttrArn() + "/" + stack.WorkFolder + "/*/" + name }
	role := s.role("MachineRole", "states", "What the state machine that conducts loads may do", map[string][]statement{
		"steps": {{allow: []string{"lambda:InvokeFunction"}, on: []string{*f.invoked}}},
		"lists": {{allow: []string{"s3:GetObject"}, on: []string{lists(stack.WorkParts), lists(stack.WorkBuckets)}}},
		"items": {
			{allow: []string{"states:StartExecution"}, on: []string{s.machineARN()}},
			{allow: []string{"states:DescribeExecution", "states:StopExecution"}, on: []string{s.executionARNs()}},
		},
	})
	suppress(role, suppression{
		rule: "AwsSolutions-IAM5",
		findings: []string{
			"Resource::<IngestBucket.Arn>/" + stack.WorkFolder + "/*/" + stack.WorkParts, "Resource::<IngestBucket.Arn>/" + stack.WorkFolder + "/*/" + stack.WorkBuckets,
			s.executionsFinding(),
		},
		reason: "Every load has a work folder and executions with names of their own; the machine reads the two lists of a work folder, and starts, follows and stops executions of itself alone",
	})
	return role
}

// executionsFinding is the notation of cdk-nag for the executions of the machine.
func (s *stage) executionsFinding() string {
	region := cmp.Or(s.settings.Region, "<AWS::Region>")
	return "Resource::arn:<AWS::Partition>:states:" + region + ":<AWS::AccountId>:execution:" + stack.StateMachine(s.settings.Stage) + ":*"
}

func (s *stage) machineARN() string {
	return *s.Stack.FormatArn(&awscdk.ArnComponents{
		Service: text("states"), Resource: text("stateMachine"), ResourceName: text(stack.StateMachine(s.settings.Stage)),
		ArnFormat: awscdk.ArnFormat_COLON_RESOURCE_NAME,
	})
}

// executionARNs are all executions of the machine.
func (s *stage) executionARNs() string {
	return *s.Stack.FormatArn(&awscdk.ArnComponents{
		Service: text("states"), Resource: text("execution"), ResourceName: text(stack.StateMachine(s.settings.Stage) + ":*"),
		ArnFormat: awscdk.ArnFormat_COLON_RESOURCE_NAME,
	})
}
