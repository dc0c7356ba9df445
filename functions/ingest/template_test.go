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
	"testing"
)

// region is where the tests are.
const region = "eu-central-1"

// template is what infra synthesises for the stage dev (its tests hold the file to
// that): what the function reads from its environment, and what its role allows.
type template struct {
	Resources map[string]struct {
		Type       string
		Properties map[string]any
	}

	rights []*regexp.Regexp
}

func readTemplate(t *testing.T) *template {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "infra", "testdata", "dev.json"))
	if err != nil {
		t.Fatal(err)
	}
	m := &template{}
	if err := json.Unmarshal(raw, m); err != nil {
		t.Fatal(err)
	}
	m.readRights()
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
				"Sports": sports,
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

// variables are those of the function's environment.
func (m *template) variables() (list []string) {
	environment, _ := m.Resources["Ingest"].Properties["Environment"].(map[string]any)
	variables, _ := environment["Variables"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		list = append(list, name+"="+value(variables[name]))
	}
	return list
}

// readRights reads what the role of the function allows: actions with resources, such as
// "s3:GetObject IngestBucket/*".
func (m *template) readRights() {
	policies, _ := m.Resources["IngestRole"].Properties["Policies"].([]any)
	for _, p := range policies {
		policy, _ := p.(map[string]any)["PolicyDocument"].(map[string]any)
		statements, _ := policy["Statement"].([]any)
		for _, s := range statements {
			statement, _ := s.(map[string]any)
			actions, _ := statement["Action"].([]any)
			resources, _ := statement["Resource"].([]any)
			for _, action := range actions {
				for _, on := range resources {
					right := regexp.QuoteMeta(fmt.Sprint(action, " ", value(on)))
					m.rights = append(m.rights, regexp.MustCompile("^"+strings.ReplaceAll(right, `\*`, ".*")+"$"))
				}
			}
		}
	}
}

// allows reports whether the role of the function allows a call.
func (m *template) allows(call string) bool {
	return slices.ContainsFunc(m.rights, func(right *regexp.Regexp) bool { return right.MatchString(call) })
}

func TestTheTemplateIsUnderstood(t *testing.T) {
	m := readTemplate(t)
	for call, want := range map[string]bool{
		"s3:PutObject IngestBucket/a/_REPORT.json": true,
		"s3:PutObject IngestBucket/a/b":            false,
		"dynamodb:Query Sports":                    true,
		"dynamodb:Query Keys":                      false,
	} {
		if got := m.allows(call); got != want {
			t.Errorf("%s: %t", call, got)
		}
	}
}
