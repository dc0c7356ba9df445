package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// template is what sam needs of a synthesised template.
type template struct {
	Resources map[string]resource
	file      string
}

type resource struct {
	Type       string
	Properties struct {
		FunctionName json.RawMessage
		Environment  struct {
			Variables map[string]json.RawMessage
		}
	}
	Metadata map[string]json.RawMessage
}

// The metadata by which sam finds a function's code.
const (
	assetPath     = "aws:asset:path"
	assetProperty = "aws:asset:property"
)

// readTemplate reads a template with functions that sam can run.
func readTemplate(file string) (*template, error) {
	raw, err := os.ReadFile(filepath.Clean(file))
	if err != nil {
		return nil, fmt.Errorf("%w: synthesise it first", err)
	}
	t := &template{file: file}
	if err := json.Unmarshal(raw, t); err != nil {
		return nil, fmt.Errorf("%s is no template: %w", file, err)
	}
	maps.DeleteFunc(t.Resources, func(_ string, r resource) bool { return r.Type != "AWS::Lambda::Function" })
	if len(t.Resources) == 0 {
		return nil, fmt.Errorf("%s has no functions", file)
	}
	for id, r := range t.Resources {
		for _, name := range []string{assetPath, assetProperty} {
			if len(r.Metadata[name]) == 0 {
				return nil, fmt.Errorf("%s: function %s has no metadata %s: set the context aws:cdk:enable-asset-metadata", file, id, name)
			}
		}
	}
	return t, nil
}

// logicalID is the id of a function in the template, found by the last part of
// its name, touchline-<stage>-<name>.
func (t *template) logicalID(function string) (string, error) {
	var names []string
	for id, r := range t.Resources {
		var name string
		if json.Unmarshal(r.Properties.FunctionName, &name) != nil {
			continue // made by CloudFormation
		}
		name = name[strings.LastIndex(name, "-")+1:]
		if name == function {
			return id, nil
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return "", fmt.Errorf("no function %q: there are %s", function, strings.Join(names, ", "))
}

// declares refuses variables that no function declares: sam would leave them out
// silently.
func (t *template) declares(variables map[string]string) error {
	var missing []string
	for name := range variables {
		declared := false
		for _, r := range t.Resources {
			_, here := r.Properties.Environment.Variables[name]
			declared = declared || here
		}
		if !declared {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	slices.Sort(missing)
	return fmt.Errorf("%s declares no %s: synthesise it with -c local=true", t.file, strings.Join(missing, ", "))
}

// takes refuses a function that does not declare a variable: it would work on
// AWS.
func (t *template) takes(id, variable string) error {
	if _, here := t.Resources[id].Properties.Environment.Variables[variable]; !here {
		return fmt.Errorf("%s declares no %s for %s: it would work on AWS, not on this machine", t.file, variable, id)
	}
	return nil
}
