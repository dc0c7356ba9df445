package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// nagFindsNothing checks that cdk-nag finds nothing that is not suppressed, and
// that nothing is suppressed without need.
func nagFindsNothing(t *testing.T, s *synthesis) {
	if len(s.findings) < 25 {
		t.Fatalf("only %d rules were applied", len(s.findings))
	}
	suppressed := map[string]bool{} // rule[finding] at resource
	for _, f := range s.findings {
		_, resource, _ := strings.Cut(f.ResourceID, "/")
		switch f.Compliance {
		case "Suppressed":
			suppressed[f.RuleID+" at "+resource] = true
		case "Compliant", "N/A":
		default:
			t.Errorf("%s: %s is %s: %s", resource, f.RuleID, f.Compliance, f.RuleInfo)
		}
	}
	stated := map[string]bool{}
	for id, r := range s.Resources {
		rules, _ := at(r.Metadata, "cdk_nag", "rules_to_suppress").([]any)
		for _, rule := range rules {
			name, _ := at(rule, "id").(string)
			stated[name+" at "+id] = true
			if reason, _ := at(rule, "reason").(string); len(reason) < 40 {
				t.Errorf("%s: %s is suppressed because of %q", id, name, reason)
			}
			// The report does not distinguish the findings of a rule.
			findings, _ := at(rule, "applies_to").([]any)
			for _, finding := range findings {
				if !s.wildcards(t)[fmt.Sprint(finding)] {
					t.Errorf("%s: %s is not found there", id, finding)
				}
			}
		}
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(stated)), slices.Sorted(maps.Keys(suppressed))); diff != "" {
		t.Errorf("suppressions (-stated +needed): %s", diff)
	}
}

// wildcards are the resources with an asterisk on which roles allow something,
// in the notation of cdk-nag.
func (s *synthesis) wildcards(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, function := range s.of("AWS::Lambda::Function") {
		for _, r := range s.rights(t, function) {
			if r.on == "*" || strings.HasPrefix(r.on, "arn:") && strings.Contains(r.on, "*") {
				found["Resource::"+r.on] = true
			} else if id, rest, ok := strings.Cut(r.on, "/"); ok && strings.Contains(rest, "*") {
				found["Resource::<"+id+".Arn>/"+rest] = true
			}
		}
	}
	return found
}
