package main

import (
	"fmt"
	"strings"
	"testing"

	"touchline/shared/stack"
)

// releases is the name of the release that a stage publishes.
func (s *synthesis) releases(t *testing.T) string {
	t.Helper()
	published := s.of("AWS::Lambda::Version")
	if len(published) == 0 {
		t.Fatal("nothing is published")
	}
	told := s.Resources[published[0]].at("Description")
	name, ok := strings.CutPrefix(fmt.Sprint(told), stack.Release(""))
	if !ok || len(name) != releaseLength {
		t.Fatalf("%s is described as %q", published[0], told)
	}
	return name
}

// everyFunctionIsInvokedByItsAlias: a version of the release for each, which stays
// when the next one comes, and whoever invokes a function names its alias.
func everyFunctionIsInvokedByItsAlias(t *testing.T, s *synthesis) {
	name := s.releases(t)
	functions := s.of("AWS::Lambda::Function")
	for _, id := range functions {
		version, alias := s.Resources[id+"Version"+name], s.Resources[id+"Alias"]
		if named(version.at("FunctionName"), "") != id || version.DeletionPolicy != "RetainExceptOnCreate" || version.UpdateReplacePolicy != "Retain" || version.at("Description") != stack.Release(name) {
			t.Errorf("%s: its version is %+v", id, version)
		}
		if alias.at("Name") != stack.Live || named(alias.at("FunctionName"), "") != id || named(alias.at("FunctionVersion"), "Version") != id+"Version"+name {
			t.Errorf("%s: its alias is %+v", id, alias)
		}
		// Lambda publishes what has changed alone: every function says its release.
		if told := fmt.Sprint(s.Resources[id].at("Description")); !strings.HasSuffix(told, stack.Release(name)) || len(told) > 256 {
			t.Errorf("%s is described as %q", id, told)
		}
	}
	if n := len(s.of("AWS::Lambda::Version")); n != len(functions) || len(s.of("AWS::Lambda::Alias")) != n {
		t.Errorf("%d functions, %d versions, %d aliases", len(functions), n, len(s.of("AWS::Lambda::Alias")))
	}
	by := map[string]string{}
	for _, id := range s.of("AWS::ApiGatewayV2::Integration") {
		by[id] = named(s.Resources[id].at("IntegrationUri"), "")
	}
	by["IngestSource"] = named(s.Resources["IngestSource"].at("FunctionName"), "")
	for id, alias := range by {
		if s.Resources[alias].Type != "AWS::Lambda::Alias" {
			t.Errorf("%s invokes %q, which a rollback does not change", id, alias)
		}
	}
	if len(by) != len(functions) {
		t.Errorf("%d functions are invoked by %v", len(functions), by)
	}
}
