package main

import (
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/keys"
	"touchline/shared/stack"
	"touchline/shared/store/dynamo"
)

// right is one action on one resource of the stack.
type right struct {
	action, on string
	where      any // conditions
}

// role is the id of the role of a function.
func (s *synthesis) role(function string) string {
	return named(s.Resources[function].at("Role"), "Arn")
}

// rights are what the role of a function allows, one by one.
func (s *synthesis) rights(t *testing.T, function string) []right {
	t.Helper()
	role := s.Resources[s.role(function)]
	if trusted := role.at("AssumeRolePolicyDocument", "Statement", 0, "Principal", "Service"); trusted != "lambda.amazonaws.com" {
		t.Errorf("%s: its role is for %v", function, trusted)
	}
	if more := role.at("ManagedPolicyArns"); more != nil {
		t.Errorf("%s: its role has %v, too", function, more)
	}
	var list []right
	policies, _ := role.at("Policies").([]any)
	for _, p := range policies {
		statements, _ := at(p, "PolicyDocument", "Statement").([]any)
		for _, statement := range statements {
			if at(statement, "Effect") != "Allow" || at(statement, "NotAction") != nil || at(statement, "NotResource") != nil {
				t.Errorf("%s: %v", function, statement)
			}
			actions, _ := at(statement, "Action").([]any)
			resources, _ := at(statement, "Resource").([]any)
			for _, a := range actions {
				for _, r := range resources {
					list = append(list, right{fmt.Sprint(a), onWhat(r), at(statement, "Condition")})
				}
			}
		}
	}
	if len(list) == 0 {
		t.Fatalf("%s may do nothing", function)
	}
	return list
}

// onWhat is a resource as text: Sports, or arn:<AWS::Partition>:...; former and the ARN
// of what a parameter names.
func onWhat(v any) string {
	if id := named(v, "Arn"); id != "" {
		return id
	}
	if id := named(v, ""); strings.HasPrefix(id, "AWS::") {
		return "<" + id + ">"
	} else if id != "" {
		return id
	}
	if either := at(v, "Fn::If", 1); either != nil { // what the release before reads
		return "former " + onWhat(either)
	}
	if parts, ok := at(v, "Fn::Join", 1).([]any); ok {
		var text strings.Builder
		for _, part := range parts {
			text.WriteString(onWhat(part))
		}
		return text.String()
	}
	return fmt.Sprint(v)
}

// attached are the other resources that attach a policy to a role.
var attached = []string{"AWS::IAM::Policy", "AWS::IAM::ManagedPolicy", "AWS::IAM::RolePolicy", "AWS::IAM::User", "AWS::IAM::Group"}

// rightsAreNarrow checks that there is no wildcard, a role for each function, and the log group that a function writes to.
func rightsAreNarrow(t *testing.T, s *synthesis) {
	for _, kind := range attached {
		if found := s.of(kind); found != nil {
			t.Errorf("rights are given by %v, too", found)
		}
	}
	roles := map[string]string{}
	for _, function := range s.of("AWS::Lambda::Function") {
		role := s.role(function)
		if other := roles[role]; other != "" {
			t.Errorf("%s and %s share a role", function, other)
		}
		roles[role] = function
		var logs []string
		former := 0
		for _, r := range s.rights(t, function) {
			if strings.HasPrefix(r.on, "former ") {
				former++
			}
			if strings.Contains(r.action+r.on, "*") {
				t.Errorf("%s may %s on %s", function, r.action, r.on)
			}
			if s.Resources[r.on].Type == "AWS::Logs::LogGroup" {
				logs = append(logs, r.action+" "+r.on)
			}
		}
		if function != "Watch" && former != len(stack.Exchangeable()) {
			t.Errorf("%s has %d rights to what the release before reads, not %d", function, former, len(stack.Exchangeable()))
		}
		var want []string
		if group := named(s.Resources[function].at("LoggingConfig", "LogGroup"), ""); group != "" {
			want = []string{"logs:CreateLogStream " + group, "logs:PutLogEvents " + group}
		}
		if diff := cmp.Diff(want, logs); diff != "" {
			t.Errorf("%s: %s", function, diff)
		}
	}
	if got := s.of("AWS::IAM::Role"); len(got) != len(roles) {
		t.Errorf("roles %v, those who have one %v", got, roles)
	}
}

// secretsAreOpenedByTheirContext: a function that serves requests may have KMS
// decrypt what was sealed for a key of Touchline's, and nothing else.
func secretsAreOpenedByTheirContext(t *testing.T, s *synthesis) {
	names := slices.Collect(maps.Keys(keys.KMSContext("tk_1")))
	if len(names) != 1 {
		t.Fatal(names)
	}
	where := map[string]any{
		"StringLike":                map[string]any{"kms:EncryptionContext:" + names[0]: "tk_*"},
		"ForAllValues:StringEquals": map[string]any{"kms:EncryptionContextKeys": []any{names[0]}},
	}
	for _, function := range s.functions() {
		var found []right
		for _, r := range s.rights(t, function) {
			if strings.HasPrefix(r.action, "kms:") {
				found = append(found, right{action: r.action, where: r.where})
			}
		}
		want := []right{{action: "kms:Decrypt", where: where}, {action: "kms:Decrypt", where: where}}
		if diff := cmp.Diff(want, found, cmp.AllowUnexported(right{})); diff != "" {
			t.Errorf("%s: %s", function, diff)
		}
	}
}

// TestTheRightsOfLoadsAreTheCallsOfTheirStore: the README lists for who loads what the store of
// the data calls.
func TestTheRightsOfLoadsAreTheCallsOfTheirStore(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var said, calls []string
	row := regexp.MustCompile("(?m)^\\| `import`, .*$").Find(text)
	for _, word := range regexp.MustCompile("`([A-Z]\\w+)`").FindAllSubmatch(row, -1) {
		said = append(said, string(word[1]))
	}
	for method := range reflect.TypeFor[dynamo.Client]().Methods() {
		calls = append(calls, method.Name)
	}
	slices.Sort(said)
	if diff := cmp.Diff(calls, said); diff != "" {
		t.Errorf("called (-) and listed (+): %s", diff)
	}
}
