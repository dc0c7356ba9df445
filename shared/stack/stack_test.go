package stack_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/stack"
)

func outputs() map[string]string {
	return map[string]string{
		stack.OutputBaseURL: "https://api.example/", stack.OutputSportsTable: "s", stack.OutputNoncesTable: "n",
		stack.OutputQuotasTable: "q", stack.OutputKeysTable: "k", stack.OutputSecretsKey: "arn:key",
		stack.OutputLogGroups: "/touchline/dev/ping,/touchline/dev/teams",
	}
}

func TestOutputsSayWhereThePartsAre(t *testing.T) {
	given := outputs()
	given["Other"] = "x"
	got, err := stack.Parse(given)
	if err != nil {
		t.Fatal(err)
	}
	want := stack.Outputs{
		BaseURL: "https://api.example", Tables: stack.Tables{Sports: "s", Nonces: "n", Quotas: "q", Keys: "k"},
		SecretsKey: "arn:key", LogGroups: []string{"/touchline/dev/ping", "/touchline/dev/teams"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestEveryOutputIsNeeded(t *testing.T) {
	for key := range outputs() {
		given := outputs()
		maps.DeleteFunc(given, func(k, _ string) bool { return k == key })
		got, err := stack.Parse(given)
		if err == nil || !strings.Contains(err.Error(), "no output "+key) {
			t.Errorf("without %s: %v", key, err)
		}
		if diff := cmp.Diff(stack.Outputs{}, got); diff != "" {
			t.Error(diff)
		}
	}
}
