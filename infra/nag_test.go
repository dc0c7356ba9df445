package main

import (
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
		}
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(stated)), slices.Sorted(maps.Keys(suppressed))); diff != "" {
		t.Errorf("suppressions (-stated +needed): %s", diff)
	}
}
