package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/route"
	"touchline/shared/stack"
)

// target is the function that the gateway calls for a path: an exact route takes
// precedence over one with {proxy+}, which matches at least one segment, and
// that over $default.
func (s *synthesis) target(t *testing.T, path string) (key, function string) {
	t.Helper()
	best := -1
	for _, id := range s.of("AWS::ApiGatewayV2::Route") {
		r := s.Resources[id]
		given, _ := r.at("RouteKey").(string)
		length := -1
		switch pattern := strings.TrimPrefix(given, "ANY "); {
		case given == "$default":
			length = 0
		case pattern == path:
			length = 1000
		case strings.HasSuffix(pattern, "/{proxy+}"):
			if before := strings.TrimSuffix(pattern, "{proxy+}"); strings.HasPrefix(path, before) && path != before {
				length = len(before)
			}
		}
		if length > best {
			best, key = length, given
			integration := s.Resources[named(r.at("Target", "Fn::Join", 1, 1), "")]
			if r.at("Target", "Fn::Join", 1, 0) != "integrations" || integration.at("PayloadFormatVersion") != "2.0" || integration.at("IntegrationType") != "AWS_PROXY" {
				t.Errorf("%s leads to %v", given, integration)
			}
			function = s.invokes(integration.at("IntegrationUri"))
		}
	}
	return key, function
}

// invokes is the function behind an alias; on a laptop it is named itself.
func (s *synthesis) invokes(v any) string {
	if alias := s.Resources[named(v, "")]; alias.Type == "AWS::Lambda::Alias" {
		return named(alias.at("FunctionName"), "")
	}
	return named(v, "Arn")
}

// serves is the group of a function, by its name on AWS.
func (s *synthesis) serves(function string) route.Group {
	name, _ := s.Resources[function].at("FunctionName").(string)
	stage, _ := s.Resources[function].at("Environment", "Variables", "TOUCHLINE_STAGE").(string)
	return route.Group(strings.TrimPrefix(name, stack.Name(stage)+"-"))
}

func everyOperationReachesItsFunction(t *testing.T, s *synthesis) {
	asked := 0
	for operation := range groups.Table(endpoints.Deps{}).All() {
		for _, alias := range route.Aliases() {
			path := strings.NewReplacer("{alias}", string(alias), "{id}", "0123456789abcdef01234567").Replace(operation.Path)
			key, function := s.target(t, path)
			if got := s.serves(function); got != operation.Group || key == "$default" {
				t.Errorf("%s takes %s to %q, not to %s", path, key, got, operation.Group)
			}
			asked++
		}
	}
	if asked < 28*len(route.Aliases()) {
		t.Errorf("only %d paths", asked)
	}
	for _, path := range []string{"/", "/v1", "/v1/", "/v1/teams", "/v1/teams/", "/v1/ping/", "/v1/ping/x", "/v2/teams/x", "/v1/referees/x"} {
		if key, function := s.target(t, path); key != "$default" || s.serves(function) != route.GroupPing {
			t.Errorf("%s takes %s to %s", path, key, function)
		}
	}
	for _, id := range s.of("AWS::ApiGatewayV2::Api") {
		if cors := s.Resources[id].at("CorsConfiguration"); cors != nil {
			t.Errorf("the gateway answers OPTIONS: %v", cors)
		}
	}
}

func eventsComeByTheRoutes(t *testing.T, s *synthesis) {
	files, err := filepath.Glob(filepath.Join("..", "events", "*", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[route.Group]bool{}
	for _, file := range files {
		group := route.Group(filepath.Base(filepath.Dir(file)))
		if !slices.Contains(route.Groups(), group) {
			continue // not for the gateway
		}
		seen[group] = true
		var event struct{ RouteKey, RawPath string }
		decode(t, file, &event)
		if key, function := s.target(t, event.RawPath); key != event.RouteKey || s.serves(function) != group {
			t.Errorf("%s: %s takes %s to %s", file, event.RawPath, key, function)
		}
	}
	if len(seen) != len(route.Groups()) {
		t.Errorf("events of %v only", seen)
	}
}

// everyFunctionIsDeployed checks that every function is deployed, and nothing
// else.
func everyFunctionIsDeployed(t *testing.T, s *synthesis) {
	folders, err := filepath.Glob(filepath.Join("..", "functions", "*", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for _, main := range folders {
		want[filepath.Base(filepath.Dir(main))] = true
	}
	got := map[string]bool{}
	for _, id := range s.functions() {
		got[string(s.serves(id))] = true
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-there +deployed) %s", diff)
	}
}
