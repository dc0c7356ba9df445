package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
)

// statement is a statement of a policy.
type statement struct {
	allow     []string // actions; or
	deny      []string
	on        []string       // resources
	principal any            // in a resource's policy: to whom it applies
	where     map[string]any // conditions; nil: none
}

// policy is a document of statements.
func policy(statements ...statement) map[string]any {
	var list []any
	for _, s := range statements {
		one := map[string]any{"Effect": "Allow", "Action": s.allow, "Resource": s.on}
		if s.deny != nil {
			one["Effect"], one["Action"] = "Deny", s.deny
		}
		if s.principal != nil {
			one["Principal"] = s.principal
		}
		if s.where != nil {
			one["Condition"] = s.where
		}
		list = append(list, one)
	}
	return map[string]any{"Version": "2012-10-17", "Statement": list}
}

// overTLS denies everybody access without encryption.
func overTLS(actions, on []string) statement {
	return statement{
		deny: actions, on: on, principal: map[string]any{"AWS": "*"},
		where: map[string]any{"Bool": map[string]any{"aws:SecureTransport": "false"}},
	}
}

// awsService is an AWS service as a principal.
func awsService(name string) map[string]any {
	return map[string]any{"Service": name + ".amazonaws.com"}
}

// role is what a function runs as. Its rights are part of the role, named by subject, so
// that it has all of them from the moment it exists.
func (s *stage) role(id, description string, rights map[string][]statement) awsiam.CfnRole {
	var policies []any
	for _, name := range sorted(rights) {
		policies = append(policies, &awsiam.CfnRole_PolicyProperty{
			PolicyName: &name, PolicyDocument: policy(rights[name]...),
		})
	}
	var boundary *string
	if s.settings.PermissionsBoundary != "" {
		boundary = &s.settings.PermissionsBoundary
	}
	return awsiam.NewCfnRole(s.Stack, &id, &awsiam.CfnRoleProps{
		Description:         &description,
		PermissionsBoundary: boundary,
		AssumeRolePolicyDocument: map[string]any{
			"Version": "2012-10-17",
			"Statement": []any{map[string]any{
				"Effect": "Allow", "Principal": awsService("lambda"), "Action": "sts:AssumeRole",
			}},
		},
		Policies: &policies,
	})
}

// suppress says why a resource does not need to meet a rule of cdk-nag. Only a
// test uses that, so it is metadata: deploying does not need cdk-nag.
func suppress(resource awscdk.CfnResource, suppressions ...suppression) {
	var rules []any
	for _, s := range suppressions {
		rules = append(rules, map[string]any{"id": s.rule, "reason": s.reason})
	}
	resource.AddMetadata(new("cdk_nag"), map[string]any{"rules_to_suppress": rules})
}

type suppression struct {
	rule, reason string
}
