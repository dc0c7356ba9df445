package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awskms"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"touchline/shared/limits/dynamo"
	"touchline/shared/stack"
)

// life says what becomes of a table's items, and of the table.
type life int

const (
	lasting  life = iota // kept, protected once the stack is there, and left behind by it
	expiring             // dropped in time; the table goes with the stack
)

// used is a table, or a key of KMS, as what uses it names it.
type used struct{ name, arn *string }

// inPlaceOf gives the table that a setting names in the place of the stack's own,
// which stays: one that was restored, or that an older stack left behind.
func (s *stage) inPlaceOf(own used, table string) used {
	if table == "" {
		return own
	}
	return used{&table, s.Stack.FormatArn(&awscdk.ArnComponents{
		Service: text("dynamodb"), Resource: text("table"), ResourceName: &table,
	})}
}

// table makes a table with the key that its store defines. It is encrypted with
// the account's own KMS key for DynamoDB, whose use CloudTrail shows, rather than
// with one of DynamoDB's that nobody sees.
func (s *stage) table(id string, defined *dynamodb.CreateTableInput, l life) used {
	backups := &awsdynamodb.CfnTable_PointInTimeRecoverySpecificationProperty{PointInTimeRecoveryEnabled: true}
	props := &awsdynamodb.CfnTableProps{
		BillingMode:                      text(string(defined.BillingMode)),
		DeletionProtectionEnabled:        false,
		PointInTimeRecoverySpecification: backups,
		SseSpecification:                 &awsdynamodb.CfnTable_SSESpecificationProperty{SseEnabled: true, SseType: text("KMS")},
	}
	if l == lasting {
		backups.RecoveryPeriodInDays = number(s.settings.BackupDays)
		if s.protected != nil {
			props.DeletionProtectionEnabled = awscdk.Fn_ConditionIf(s.protected.LogicalId(), yes(), no())
		}
	}
	if id == sportsID && s.settings.WarmWrites > 0 {
		props.WarmThroughput = &awsdynamodb.CfnTable_WarmThroughputProperty{WriteUnitsPerSecond: number(s.settings.WarmWrites)}
	}
	var attributes []any
	for _, a := range defined.AttributeDefinitions {
		attributes = append(attributes, &awsdynamodb.CfnTable_AttributeDefinitionProperty{
			AttributeName: a.AttributeName, AttributeType: text(string(a.AttributeType)),
		})
	}
	props.AttributeDefinitions = &attributes
	var key []any
	for _, k := range defined.KeySchema {
		key = append(key, &awsdynamodb.CfnTable_KeySchemaProperty{AttributeName: k.AttributeName, KeyType: text(string(k.KeyType))})
	}
	props.KeySchema = &key
	if l == expiring {
		props.TimeToLiveSpecification = &awsdynamodb.CfnTable_TimeToLiveSpecificationProperty{
			AttributeName: dynamo.TimeToLive("").TimeToLiveSpecification.AttributeName, Enabled: true,
		}
	}
	table := awsdynamodb.NewCfnTable(s.Stack, &id, props)
	if l == lasting && !s.settings.Disposable {
		keepOnceUsed(table)
	} else {
		drop(table)
	}
	return used{table.Ref(), table.AttrArn()}
}

// sportsID is the table of the data in the stack.
const sportsID = "Sports"

// protection makes the parameter that protects tables from deletion, and gives the
// condition that it is set. It is by default; the first deployment of a stack sets
// it to false, so that CloudFormation can remove what a failed one leaves.
func (s *stage) protection() awscdk.CfnCondition {
	if s.settings.Disposable {
		return nil
	}
	protect := awscdk.NewCfnParameter(s.Stack, text(stack.ParameterProtect), &awscdk.CfnParameterProps{
		Type: text("String"), Default: "true", AllowedValues: texts("true", "false"),
		Description: text("Whether the tables of data and keys are protected from deletion; false in the first deployment of a stack"),
	})
	return awscdk.NewCfnCondition(s.Stack, text("Protected"), &awscdk.CfnConditionProps{
		Expression: awscdk.Fn_ConditionEquals(protect.ValueAsString(), text("true")),
	})
}

// secretsKey makes the KMS key that seals the secrets of keys. Who may use it is
// the affair of IAM policies in the account: a function opens (see
// opensSecrets), and a person who makes keys has a role for that. Without it no
// key works any more, so that deleting it takes 30 days, in which it can be
// taken back.
func (s *stage) secretsKey() used {
	key := awskms.NewCfnKey(s.Stack, text("Secrets"), &awskms.CfnKeyProps{
		Description:         textf("Seals the secrets of the keys of %s", stack.Name(s.settings.Stage)),
		EnableKeyRotation:   true,
		MultiRegion:         s.settings.MultiRegion,
		PendingWindowInDays: number(30),
		KeyPolicy: policy(statement{
			allow: []string{"kms:*"}, on: []string{"*"},
			principal: map[string]any{"AWS": *s.Stack.FormatArn(&awscdk.ArnComponents{
				Service: text("iam"), Region: text(""), Resource: text("root"),
			})},
		}),
	})
	if s.settings.Disposable {
		drop(key)
	} else {
		keepOnceUsed(key)
	}
	awskms.NewCfnAlias(s.Stack, text("SecretsAlias"), &awskms.CfnAliasProps{
		AliasName: text("alias/" + stack.Name(s.settings.Stage)), TargetKeyId: key.Ref(),
	})
	return used{key.Ref(), key.AttrArn()}
}

// drop has a resource go with the stack, and when it is replaced.
func drop(resource awscdk.CfnResource) {
	resource.ApplyRemovalPolicy(awscdk.RemovalPolicy_DESTROY, &awscdk.RemovalPolicyOptions{ApplyToUpdateReplacePolicy: yes()})
}

// keepOnceUsed has a resource outlive the stack and its own replacement, unless
// its creation failed: nobody would look for what that leaves behind, and a KMS
// key costs.
func keepOnceUsed(resource awscdk.CfnResource) {
	resource.ApplyRemovalPolicy(awscdk.RemovalPolicy_RETAIN_ON_UPDATE_OR_DELETE, &awscdk.RemovalPolicyOptions{ApplyToUpdateReplacePolicy: yes()})
}
