package main

import (
	"log/slog"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/stack"
)

func TestTheListOfVariablesIsWhatIsRead(t *testing.T) {
	lambda := map[string]bool{ // set by Lambda
		"AWS_REGION": true, "AWS_DEFAULT_REGION": true, "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": true,
		"AWS_ACCESS_KEY_ID": true, "AWS_SECRET_ACCESS_KEY": true, "AWS_SESSION_TOKEN": true,
	}
	listed, asked := map[string]bool{}, map[string]bool{}
	environment := map[string]string{
		"AWS_REGION": "eu-central-1", "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test",
	}
	for _, v := range stack.IngestVariables() {
		listed[v.Name] = true
		if v.Required {
			environment[v.Name] = "set"
		}
	}
	_, err := fromEnvironment(t.Context(), func(name string) string {
		if !lambda[name] {
			asked[name] = true
		}
		return environment[name]
	}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(listed, asked); diff != "" {
		t.Error(diff)
	}
}
