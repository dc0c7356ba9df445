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
	"touchline/shared/stack"
)

// right is one action on one resource of the stack.
type right struct {
	action, on string
	where      any // conditions
}

// actors are the kinds of resources that have a role, by the property that names
// it, with the service that the role is for.
var actors = map[string]struct{ property, service string }{
	"AWS::Lambda::Function":            {"Role", "lambda.amazonaws.com"},
	"AWS::StepFunctions::StateMachine": {"RoleArn", "states.amazonaws.com"},
}

// actors are the resources of the stack that have a role.
func (s *synthesis) actors() (list []string) {
	for _, kind := range slices.Sorted(maps.Keys(actors)) {
		list = append(list, s.of(kind)...)
	}
	return list
}

// role is the id of the role of an actor.
func (s *synthesis) role(actor string) string {
	r := s.Resources[actor]
	return named(r.at(actors[r.Type].property), "Arn")
}

// rights are what the role of a function, or of the state machine, allows, one by
// one.
func (s *synthesis) rights(t *testing.T, function string) []right {
	t.Helper()
	role := s.Resources[s.role(function)]
	if trusted := role.at("AssumeRolePolicyDocument", "Statement", 0, "Principal", "Service"); trusted != actors[s.Resources[function].Type].service {
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
// arn:<AWS::Partition>:states:....
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

// executions are all executions of the state machine, as onWhat has them.
func (s *synthesis) executions() string {
	region := "<AWS::Region>"
	for _, a := range s.manifest.Artifacts {
		if _, given, ok := strings.Cut(a.Environment, "/unknown-account/"); ok && given != "unknown-region" {
			region = given
		}
	}
	return fmt.Sprint("arn:<AWS::Partition>:states:", region, ":<AWS::AccountId>:execution:", s.Resources["Machine"].at("StateMachineName"), ":*")
}

// attached are the other resources that attach a policy to a role.
var attached = []string{"AWS::IAM::Policy", "AWS::IAM::ManagedPolicy", "AWS::IAM::RolePolicy", "AWS::IAM::User", "AWS::IAM::Group"}

// rightsAreNarrow checks that there is no wildcard except for the objects of the
// bucket and the executions of the machine, a role for each function and the
// machine, and the log group that a function writes to.
func rightsAreNarrow(t *testing.T, s *synthesis) {
	for _, kind := range attached {
		if found := s.of(kind); found != nil {
			t.Errorf("rights are given by %v, too", found)
		}
	}
	roles := map[string]string{}
	for _, function := range s.actors() {
		role := s.role(function)
		if other := roles[role]; other != "" {
			t.Errorf("%s and %s share a role", function, other)
		}
		roles[role] = function
		var logs []string
		for _, r := range s.rights(t, function) {
			wide := strings.Contains(r.on, "*") && !strings.HasPrefix(r.on, "IngestBucket/*") && !strings.HasPrefix(r.on, "IngestBucket/"+stack.WorkFolder+"/*") && r.on != s.executions()
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

// loadsArePublished checks that the two functions that load may publish to the topic
// of the settings, and that without one nobody may publish to any.
func loadsArePublished(t *testing.T, s *synthesis, topic string) {
	for _, function := range s.actors() {
		var may []string
		for _, r := range s.rights(t, function) {
			if strings.HasPrefix(r.action, "sns:") {
				may = append(may, r.action+" "+r.on)
			}
		}
		var want []string
		if loads := slices.Contains([]route.Group{stack.Ingest, stack.Bulk}, s.serves(function)); loads && topic != "" {
			want = []string{"sns:Publish " + topic}
		}
		if diff := cmp.Diff(want, may); diff != "" {
			t.Errorf("%s: %s", function, diff)
		}
	}
}

// rightsAreTheCallsMade checks that the rights of a function on tables are
// exactly what it needs to serve every operation of its group, or to load
// datasets. The rights of the function bulk are held to its calls where the machine
// is run with it: TestConductedLoads of functions/ingest.
func rightsAreTheCallsMade(t *testing.T, s *synthesis) {
	w := newWorld(t)
	for _, function := range s.of("AWS::Lambda::Function") {
		if s.serves(function) == stack.Bulk {
			continue
		}
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
	issued, err := (&keys.Registry{Store: &keys.DynamoDB{Client: simulation.Client{Database: simulation.NewDatabase()}, Table: "keys"}, Sealer: sealer(t), Now: someTime}).Create(t.Context(), keyRequest())
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
