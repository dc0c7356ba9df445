package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"

	"touchline/shared/stack"
	"touchline/shared/store/space"
)

// publish makes the version of a function that this deployment publishes, and the
// alias by which everybody invokes it. Versions stay when the next one is published,
// so that the alias can go back to them.
//
// CloudFormation moves the aliases within seconds of each other. Their order does not
// matter: a request is served by one function, and no function calls another.
//
// A template for a laptop has neither: what runs functions there takes them by name.
func (s *stage) publish(f function) function {
	f.invoked = f.lambda.AttrArn()
	if s.settings.Local {
		return f
	}
	f.version = awslambda.NewCfnVersion(s.Stack, new(f.id+"Version"), &awslambda.CfnVersionProps{FunctionName: f.lambda.Ref()})
	// Not of an update that is rolled back: Lambda publishes no second version of the same
	// code and description, so that the same release could not be deployed again.
	keepOnceUsed(f.version)
	f.alias = awslambda.NewCfnAlias(s.Stack, new(f.id+"Alias"), &awslambda.CfnAliasProps{
		Name: new(stack.Live), FunctionName: f.lambda.Ref(), FunctionVersion: f.version.AttrVersion(),
		Description: new("What is served: the version that was deployed last, or that `make rollback` went back to"),
	})
	f.invoked = f.alias.Ref()
	return f
}

// release names what this deployment publishes by what its functions are made of,
// and has every function publish a version of it: a release is the same for all, so
// that going back finds one of each. Lambda publishes a version only of what has
// changed since the last one, which the description sees to.
func (s *stage) release() {
	if s.settings.Local {
		return
	}
	sum := sha256.New()
	for _, f := range s.servers() {
		made, err := json.Marshal(s.Stack.Resolve(f.props))
		if err != nil {
			panic("infra: the properties of a function are no JSON: " + err.Error())
		}
		_, _ = sum.Write(made) // which never fails
	}
	s.name = hex.EncodeToString(sum.Sum(nil))[:releaseLength]
	for _, f := range s.servers() {
		f.lambda.SetDescription(new(*f.props.Description + ". " + stack.Release(s.name)))
		f.version.SetDescription(new(stack.Release(s.name) + stack.Reading + space.Reads))
		f.version.OverrideLogicalId(new(f.id + "Version" + s.name))
	}
}

// releaseLength is in hexadecimal digits, of four bits each.
const releaseLength = 12
