package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"touchline/functions/runtimetest/statestest"
	"touchline/shared/stack"
)

// Where the tests are.
const (
	region  = "eu-central-1"
	machine = "arn:aws:states:" + region + ":123456789012:stateMachine:touchline-dev-bulk"
)

// template is what infra synthesises for the stage dev (its tests hold the file to
// that): the state machine, what functions read from their environment, and what
// roles allow.
type template struct {
	Resources map[string]struct {
		Type       string
		Properties map[string]any
	}

	mu       sync.Mutex
	patterns map[string]map[string]*regexp.Regexp // of rights, by who has them
	used     map[string]bool                      // rights, by who has them: "bulk s3:GetObject IngestBucket/*"
}

func readTemplate(t *testing.T) *template {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "infra", "testdata", "dev.json"))
	if err != nil {
		t.Fatal(err)
	}
	m := &template{used: map[string]bool{}, patterns: map[string]map[string]*regexp.Regexp{}}
	if err := json.Unmarshal(raw, m); err != nil {
		t.Fatal(err)
	}
	return m
}

// value is a value of the template with the names of resources in the place of
// their ARNs, and what CloudFormation knows.
func value(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case map[string]any:
		if id, ok := v["Ref"].(string); ok {
			known := map[string]string{
				"AWS::Partition": "aws", "AWS::Region": region, "AWS::AccountId": "123456789012",
				"Machine": machine, "Sports": sports,
			}
			if name, ok := known[id]; ok {
				return name
			}
			return strings.TrimSuffix(id, "Alias") // by which a function is invoked
		}
		if of, ok := v["Fn::GetAtt"].([]any); ok && len(of) == 2 && of[1] == "Arn" {
			return fmt.Sprint(of[0])
		}
		if join, ok := v["Fn::Join"].([]any); ok && len(join) == 2 {
			var text strings.Builder
			parts, _ := join[1].([]any)
			for _, part := range parts {
				text.WriteString(value(part))
			}
			return text.String()
		}
	}
	return fmt.Sprintf("(%v)", v)
}

// machine is the state machine.
func (m *template) machine(t *testing.T) *statestest.Machine {
	t.Helper()
	properties := m.Resources["Machine"].Properties
	text, _ := properties["DefinitionString"].(string)
	by, _ := properties["DefinitionSubstitutions"].(map[string]any)
	for name, of := range by {
		text = strings.ReplaceAll(text, "${"+name+"}", value(of))
	}
	parsed, err := statestest.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// resource is the id of a function, or of the machine, in the template.
func resource(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// variables are those of a function's environment.
func (m *template) variables(function string) (list []string) {
	environment, _ := m.Resources[resource(function)].Properties["Environment"].(map[string]any)
	variables, _ := environment["Variables"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		list = append(list, name+"="+value(variables[name]))
	}
	return list
}

// rights are what the role of a function, or of the machine, allows: actions with
// resources, "s3:GetObject IngestBucket/*".
func (m *template) rights(name string) (list []string) {
	policies, _ := m.Resources[resource(name)+"Role"].Properties["Policies"].([]any)
	for _, p := range policies {
		policy, _ := p.(map[string]any)["PolicyDocument"].(map[string]any)
		statements, _ := policy["Statement"].([]any)
		for _, s := range statements {
			statement, _ := s.(map[string]any)
			actions, _ := statement["Action"].([]any)
			resources, _ := statement["Resource"].([]any)
			for _, action := range actions {
				for _, on := range resources {
					list = append(list, fmt.Sprint(action, " ", value(on)))
				}
			}
		}
	}
	return list
}

// allows reports whether the role of a function, or of the machine, allows a call,
// and notes the rights that do.
func (m *template) allows(name, call string) (may bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.patterns[name] == nil {
		m.patterns[name] = map[string]*regexp.Regexp{}
		for _, right := range m.rights(name) {
			m.patterns[name][right] = regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(right), `\*`, ".*") + "$")
		}
	}
	for right, pattern := range m.patterns[name] {
		if pattern.MatchString(call) {
			m.used[name+" "+right] = true
			may = true
		}
	}
	return may
}

// unused are the rights of a function that it did not use, apart from those on its
// log.
func (m *template) unused(name string, used map[string]bool) (list []string) {
	for _, right := range m.rights(name) {
		if !used[name+" "+right] && !strings.HasPrefix(right, "logs:") {
			list = append(list, right)
		}
	}
	return list
}

func TestTheTemplateIsUnderstood(t *testing.T) {
	m := readTemplate(t)
	for call, want := range map[string]bool{
		"s3:PutObject IngestBucket/_work/a/b": true,
		"s3:PutObject IngestBucket/a/b":       false,
		"dynamodb:Query Sports":               true,
		"dynamodb:Query Keys":                 false,
	} {
		if got := m.allows(stack.Bulk, call); got != want {
			t.Errorf("%s: %t", call, got)
		}
	}
	if unused := m.unused(stack.Bulk, m.used); !slices.Contains(unused, "s3:GetObject IngestBucket/*") || slices.Contains(unused, "dynamodb:Query Sports") {
		t.Errorf("%q", unused)
	}
	if len(m.machine(t).States()) < 10 {
		t.Error("the machine has next to no states")
	}
}
