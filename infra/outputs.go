package main

import (
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"

	"touchline/shared/stack"
)

// outputs are what people and the touchline command find the parts by.
func (s *stage) outputs() {
	var logs []string
	for _, f := range s.servers() {
		logs = append(logs, *f.logs.Ref())
	}
	s.output(stack.OutputBaseURL, s.gateway.baseURL, "Where requests are sent to")
	s.output(stack.OutputSportsTable, *s.sports.name, "Table of the data")
	s.output(stack.OutputNoncesTable, *s.nonces.name, "Table of the nonces")
	s.output(stack.OutputQuotasTable, *s.quotas.name, "Table of the quotas")
	s.output(stack.OutputKeysTable, *s.keys.name, "Table of the keys")
	s.output(stack.OutputSecretsKey, *s.secrets.arn, "KMS key that seals the secrets of keys")
	s.output(stack.OutputLogGroups, strings.Join(logs, ","), "Log groups of the functions")
	s.output(stack.OutputAlarmTopic, *s.alarms.topic.Ref(), "Topic that alarms notify")
	s.output(stack.OutputRollbackAlarms, strings.Join(s.alarms.rollback, ","), "Alarms that roll the next deployment back")
	s.output(stack.OutputRelease, s.name, "Release that was deployed last")
	s.output(stack.OutputOwn, strings.Join(s.stacks, ","), "The stack's own tables of data and keys, and its KMS key")
}

func (s *stage) output(key, value, description string) {
	awscdk.NewCfnOutput(s.Stack, new("Output"+key), &awscdk.CfnOutputProps{
		Key: &key, Value: &value, Description: &description,
	})
}

// refuseToDeploy adds a rule that no deployment meets: the variables of a laptop
// would make functions on AWS use a database that does not exist there.
func (s *stage) refuseToDeploy() {
	awscdk.NewCfnRule(s.Stack, new("Local"), &awscdk.CfnRuleProps{
		Assertions: &[]*awscdk.CfnRuleAssertion{{
			Assert:            awscdk.Fn_ConditionEquals(new("local"), new("deployed")),
			AssertDescription: new("This template was made with -c local=true, for running functions on a laptop."),
		}},
	})
}
