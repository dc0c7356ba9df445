package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awskms"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/jsii-runtime-go"

	counters "touchline/shared/limits/dynamo"
	"touchline/shared/stack"
	"touchline/shared/store/dynamo"
)

// life is what happens to the items of a table, and to the table.
type life int

const (
	lasting  life = iota // items are kept; the table is protected once the stack exists, and outlives it
	expiring             // items expire; the table is deleted with the stack
)

// used is how a table or a KMS key is referred to.
type used struct {
	name, arn *string
	former    *string // the ARN of the one that the release before reads, or AWS::NoValue; nil: there is never another
}

// arns are those that a role which uses it has a right to.
func (u used) arns() []string {
	if u.former == nil {
		return []string{*u.arn}
	}
	return []string{*u.arn, *u.former}
}

// exchange puts what settings name in the place of the stack's own, which are kept: tables
// that were restored, or that an older stack left behind. Roles keep the right to those of
// the release before until the release after, since aliases move to this release after the
// rights have changed, and may move back.
func (s *stage) exchange() {
	table := func(name *string) *string {
		return s.Stack.FormatArn(&awscdk.ArnComponents{Service: new("dynamodb"), Resource: new("table"), ResourceName: name})
	}
	key := func(arn *string) *string { return arn }
	parts := []*used{&s.sports, &s.keys, &s.secrets}
	named := s.settings.named()
	for i, x := range stack.Exchangeable() {
		part, arn := parts[i], table
		if x.Variable == stack.VariableKMSKey {
			arn = key
		}
		s.stacks = append(s.stacks, *part.name)
		if name := named[x.Variable]; name != "" {
			*part = used{name: &name, arn: arn(&name)}
		}
		former := awscdk.NewCfnParameter(s.Stack, &x.Parameter, &awscdk.CfnParameterProps{
			Type: new("String"), Default: new(""), Description: jsii.Sprintf("What the release before reads, where that is not %s", x.Output),
		})
		given := awscdk.NewCfnCondition(s.Stack, new("Has"+x.Parameter), &awscdk.CfnConditionProps{
			Expression: awscdk.Fn_ConditionNot(awscdk.Fn_ConditionEquals(former.ValueAsString(), new(""))),
		})
		part.former = awscdk.Fn_ConditionIf(given.LogicalId(), arn(former.ValueAsString()), awscdk.Aws_NO_VALUE()).ToString()
	}
}

// table makes a table with the key that its store defines. It is encrypted with
// the account's KMS key for DynamoDB, whose use is visible in CloudTrail, rather
// than with one that DynamoDB owns.
func (s *stage) table(id string, defined *dynamodb.CreateTableInput, l life) used {
	// Nobody restores nonces: one is needed for ten minutes (D31).
	backups := &awsdynamodb.CfnTable_PointInTimeRecoverySpecificationProperty{PointInTimeRecoveryEnabled: id != noncesID}
	props := &awsdynamodb.CfnTableProps{
		BillingMode:                      new(string(defined.BillingMode)),
		DeletionProtectionEnabled:        false,
		PointInTimeRecoverySpecification: backups,
		SseSpecification:                 &awsdynamodb.CfnTable_SSESpecificationProperty{SseEnabled: true, SseType: new("KMS")},
	}
	if l == lasting {
		backups.RecoveryPeriodInDays = jsii.Number(dynamo.BackupDays)
		if s.protected != nil {
			props.DeletionProtectionEnabled = awscdk.Fn_ConditionIf(s.protected.LogicalId(), new(true), new(false))
		}
	}
	var attributes []any
	for _, a := range defined.AttributeDefinitions {
		attributes = append(attributes, &awsdynamodb.CfnTable_AttributeDefinitionProperty{
			AttributeName: a.AttributeName, AttributeType: new(string(a.AttributeType)),
		})
	}
	props.AttributeDefinitions = &attributes
	var key []any
	for _, k := range defined.KeySchema {
		key = append(key, &awsdynamodb.CfnTable_KeySchemaProperty{AttributeName: k.AttributeName, KeyType: new(string(k.KeyType))})
	}
	props.KeySchema = &key
	if l == expiring {
		props.TimeToLiveSpecification = &awsdynamodb.CfnTable_TimeToLiveSpecificationProperty{
			AttributeName: counters.TimeToLive("").TimeToLiveSpecification.AttributeName, Enabled: true,
		}
	}
	table := awsdynamodb.NewCfnTable(s.Stack, &id, props)
	if id == noncesID {
		suppress(table, suppression{rule: "AwsSolutions-DDB3", reason: "A nonce is needed for ten minutes, less than restoring the table takes"})
	}
	if l == lasting && !s.settings.Disposable {
		keepOnceUsed(table)
	} else {
		drop(table)
	}
	return used{name: table.Ref(), arn: table.AttrArn()}
}

// The tables of the data and of the nonces in the stack.
const (
	sportsID = "Sports"
	noncesID = "Nonces"
)

// protection makes the parameter that protects tables from deletion, and returns
// the condition that it is set. It is set by default, but not in the first
// deployment of a stack, so that CloudFormation can clean up after a failure.
func (s *stage) protection() awscdk.CfnCondition {
	if s.settings.Disposable {
		return nil
	}
	protect := awscdk.NewCfnParameter(s.Stack, new(stack.ParameterProtect), &awscdk.CfnParameterProps{
		Type: new("String"), Default: "true", AllowedValues: jsii.Strings("true", "false"),
		Description: new("Whether the tables of data and keys are protected from deletion; false in the first deployment of a stack"),
	})
	return awscdk.NewCfnCondition(s.Stack, new("Protected"), &awscdk.CfnConditionProps{
		Expression: awscdk.Fn_ConditionEquals(protect.ValueAsString(), new("true")),
	})
}

// secretsKey makes the KMS key that seals the secrets of keys. IAM policies in
// the account decide who may use it: a function may open secrets (see
// opensSecrets), and people who make keys have a role for that. Without it no
// key works, so deleting it takes 30 days, during which the deletion can be
// cancelled.
func (s *stage) secretsKey() used {
	key := awskms.NewCfnKey(s.Stack, new("Secrets"), &awskms.CfnKeyProps{
		Description:         jsii.Sprintf("Seals the secrets of the keys of %s", stack.Name(s.settings.Stage)),
		EnableKeyRotation:   true,
		MultiRegion:         true, // to be replicated, which costs nothing until it is
		PendingWindowInDays: jsii.Number(30),
		KeyPolicy: policy(statement{
			allow: []string{"kms:*"}, on: []string{"*"},
			principal: map[string]any{"AWS": *s.Stack.FormatArn(&awscdk.ArnComponents{
				Service: new("iam"), Region: new(""), Resource: new("root"),
			})},
		}),
	})
	if s.settings.Disposable {
		drop(key)
	} else {
		keepOnceUsed(key)
	}
	awskms.NewCfnAlias(s.Stack, new("SecretsAlias"), &awskms.CfnAliasProps{
		AliasName: new("alias/" + stack.Name(s.settings.Stage)), TargetKeyId: key.Ref(),
	})
	return used{name: key.AttrArn(), arn: key.AttrArn()} // functions are told the ARN
}

// drop deletes a resource with the stack, and when it is replaced.
func drop(resource awscdk.CfnResource) {
	resource.ApplyRemovalPolicy(awscdk.RemovalPolicy_DESTROY, &awscdk.RemovalPolicyOptions{ApplyToUpdateReplacePolicy: new(true)})
}

// keepOnceUsed lets a resource outlive the stack and its own replacement, unless
// its creation has failed: nobody would look for the leftovers, and a KMS key
// costs money.
func keepOnceUsed(resource awscdk.CfnResource) {
	resource.ApplyRemovalPolicy(awscdk.RemovalPolicy_RETAIN_ON_UPDATE_OR_DELETE, &awscdk.RemovalPolicyOptions{ApplyToUpdateReplacePolicy: new(true)})
}
