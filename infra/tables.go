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
	lasting  life = iota // kept, protected, and left behind by the stack
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
	props := &awsdynamodb.CfnTableProps{
		BillingMode:               text(string(defined.BillingMode)),
		DeletionProtectionEnabled: l == lasting && !s.settings.Disposable,
		PointInTimeRecoverySpecification: &awsdynamodb.CfnTable_PointInTimeRecoverySpecificationProperty{
			PointInTimeRecoveryEnabled: true,
		},
		SseSpecification: &awsdynamodb.CfnTable_SSESpecificationProperty{SseEnabled: true, SseType: text("KMS")},
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
	s.keep(table, l == lasting)
	return used{table.Ref(), table.AttrArn()}
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
		PendingWindowInDays: number(30),
		KeyPolicy: policy(statement{
			allow: []string{"kms:*"}, on: []string{"*"},
			principal: map[string]any{"AWS": *s.Stack.FormatArn(&awscdk.ArnComponents{
				Service: text("iam"), Region: text(""), Resource: text("root"),
			})},
		}),
	})
	s.keepOnceUsed(key, s.settings.Disposable)
	awskms.NewCfnAlias(s.Stack, text("SecretsAlias"), &awskms.CfnAliasProps{
		AliasName: text("alias/" + stack.Name(s.settings.Stage)), TargetKeyId: key.Ref(),
	})
	return used{key.Ref(), key.AttrArn()}
}

// keep says whether a resource outlives the stack, and its own replacement.
func (s *stage) keep(resource awscdk.CfnResource, keep bool) {
	policy := awscdk.RemovalPolicy_DESTROY
	if keep && !s.settings.Disposable {
		policy = awscdk.RemovalPolicy_RETAIN
	}
	resource.ApplyRemovalPolicy(policy, &awscdk.RemovalPolicyOptions{ApplyToUpdateReplacePolicy: yes()})
}

// keepOnceUsed has a resource outlive the stack, but for one whose creation
// failed: nobody would look for what that leaves behind, and a KMS key costs. Of
// tables it would fail again, at their protection from being deleted.
func (s *stage) keepOnceUsed(resource awscdk.CfnResource, disposable bool) {
	if disposable {
		s.keep(resource, false)
		return
	}
	resource.ApplyRemovalPolicy(awscdk.RemovalPolicy_RETAIN_ON_UPDATE_OR_DELETE, &awscdk.RemovalPolicyOptions{ApplyToUpdateReplacePolicy: yes()})
}
