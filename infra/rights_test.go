package main

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/keys"
	"touchline/shared/route"
	"touchline/shared/simulation"
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

// onWhat is a resource as text: Sports, IngestBucket/*, or
// arn:<AWS::Partition>:s3:::....
func onWhat(v any) string {
	if id := named(v, "Arn"); id != "" {
		return id
	}
	if id := named(v, ""); strings.HasPrefix(id, "AWS::") {
		return "<" + id + ">"
	} else if id != "" {
		return id
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

// rightsAreNarrow checks that there is no wildcard except for the objects of the
// bucket, a role for each function, and the log group that a function writes to.
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
		for _, r := range s.rights(t, function) {
			wide := strings.Contains(r.on, "*") && !strings.HasPrefix(r.on, "IngestBucket/*") && !strings.HasPrefix(r.action, "xray:Put") // X-Ray knows no resources
			if strings.Contains(r.action, "*") || wide {
				t.Errorf("%s may %s on %s", function, r.action, r.on)
			}
			if s.Resources[r.on].Type == "AWS::Logs::LogGroup" {
				logs = append(logs, r.action+" "+r.on)
			}
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

// rightsAreTheCallsMade checks that the rights of a function on tables are
// exactly what it needs to serve every operation of its group, or to load
// datasets.
func rightsAreTheCallsMade(t *testing.T, s *synthesis) {
	w := newWorld(t)
	for _, function := range s.of("AWS::Lambda::Function") {
		t.Run(function, func(t *testing.T) {
			var made calls
			if group := s.serves(function); slices.Contains(route.Groups(), group) {
				made = w.serve(t, group)
			} else {
				made = w.ingest(t)
			}
			may := calls{}
			for _, r := range s.rights(t, function) {
				if s.Resources[r.on].Type == "AWS::DynamoDB::Table" {
					may[r.action+" "+strings.ToLower(r.on)] = true
				}
			}
			if diff := cmp.Diff(slices.Sorted(maps.Keys(made)), slices.Sorted(maps.Keys(may))); diff != "" {
				t.Errorf("(-made +allowed) %s", diff)
			}
		})
	}
}

// witness is a KMS that records the context of its calls.
type witness struct{ asked map[string]string }

func (w *witness) Decrypt(_ context.Context, _ string, _ []byte, encryptionContext map[string]string) ([]byte, error) {
	w.asked = encryptionContext
	return nil, nil
}

// secretsAreOpenedByTheirContext: a function that serves requests may have KMS
// decrypt what was sealed for a key of Touchline's, and nothing else.
func secretsAreOpenedByTheirContext(t *testing.T, s *synthesis) {
	issued, err := (&keys.Registry{Store: simulation.NewDatabase().Keys(), Sealer: sealer(t), Now: someTime}).Create(t.Context(), keyRequest())
	if err != nil {
		t.Fatal(err)
	}
	kmsCalls := &witness{}
	if _, err := (&keys.KMSOpener{Client: kmsCalls, KeyID: "arn"}).Open(t.Context(), issued.Key.ID, []byte("sealed")); err != nil {
		t.Fatal(err)
	}
	sent := kmsCalls.asked
	for _, function := range s.of("AWS::Lambda::Function") {
		var found []right
		for _, r := range s.rights(t, function) {
			if strings.HasPrefix(r.action, "kms:") {
				found = append(found, r)
			}
		}
		if !slices.Contains(route.Groups(), s.serves(function)) {
			if found != nil {
				t.Errorf("%s, which reads no secret, may %v", function, found)
			}
			continue
		}
		if len(found) != 1 || found[0].action != "kms:Decrypt" || found[0].on != "Secrets" {
			t.Fatalf("%s may %v", function, found)
		}
		for name, tt := range map[string]struct {
			context map[string]string
			may     bool
		}{
			"what it sends":   {sent, true},
			"no context":      {nil, false},
			"another's":       {map[string]string{"aws:lambda": "x"}, false},
			"more than a key": {map[string]string{"keyId": issued.Key.ID, "also": "x"}, false},
			"no key's id":     {map[string]string{"keyId": "42"}, false},
		} {
			if got := meets(t, found[0].where, tt.context); got != tt.may {
				t.Errorf("%s, %s (%v): may decrypt: %t", function, name, tt.context, got)
			}
		}
	}
}

// meets judges the two kinds of condition that the template has, as IAM does.
func meets(t *testing.T, conditions any, context map[string]string) bool {
	t.Helper()
	all, _ := conditions.(map[string]any)
	good := len(all) > 0
	for operator, tests := range all {
		tests, _ := tests.(map[string]any)
		for key, want := range tests {
			name, isValue := strings.CutPrefix(key, "kms:EncryptionContext:")
			switch {
			case operator == "StringLike" && isValue:
				value, there := context[name]
				matched, err := path.Match(fmt.Sprint(want), value)
				good = good && there && matched && err == nil
			case operator == "ForAllValues:StringEquals" && key == "kms:EncryptionContextKeys":
				for sent := range context {
					allowed, _ := want.([]any)
					good = good && slices.Contains(allowed, any(sent))
				}
			default:
				t.Errorf("a condition that is not understood: %s %s", operator, key)
			}
		}
	}
	return good
}
