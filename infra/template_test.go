package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2"

	"touchline/shared/stack"
)

// template is what CloudFormation is given, read as it is written.
type template struct {
	Resources map[string]resource
	Outputs   map[string]struct{ Description, Value any }
	Rules     map[string]any

	folder string // of the assembly
}

type resource struct {
	Type                string
	Properties          map[string]any
	Metadata            map[string]any
	DependsOn           []string
	DeletionPolicy      string
	UpdateReplacePolicy string
}

// of lists the resources of a type.
func (t template) of(kind string) map[string]resource {
	found := map[string]resource{}
	for id, r := range t.Resources {
		if r.Type == kind {
			found[id] = r
		}
	}
	return found
}

// at walks down the properties of a resource; nil where there is nothing.
func (r resource) at(path ...any) any {
	var v any = r.Properties
	for _, step := range path {
		switch step := step.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[step]
		case int:
			l, _ := v.([]any)
			if step >= len(l) {
				return nil
			}
			v = l[step]
		}
	}
	return v
}

// context is that of the cdk command line: cdk.json's, with what it adds itself,
// and what -c gives.
func context(t *testing.T, given map[string]any) map[string]any {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "cdk.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		AssetMetadata bool
		Context       map[string]any
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	file.Context["aws:cdk:enable-asset-metadata"] = file.AssetMetadata
	maps.Copy(file.Context, given)
	return file.Context
}

// bootstraps are folders as scripts/functions leaves them, without compiling:
// each binary holds its own name.
func bootstraps(t *testing.T) code {
	t.Helper()
	dir := t.TempDir()
	return func(function, architecture string) string {
		folder := filepath.Join(dir, function, architecture)
		if err := os.MkdirAll(folder, 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "bootstrap"), []byte(function+" for "+architecture), 0o600); err != nil {
			t.Fatal(err)
		}
		return folder
	}
}

// app is one with a stage's stack in it.
func app(t *testing.T, given map[string]any) (awscdk.App, awscdk.Stack, string) {
	t.Helper()
	folder := t.TempDir()
	c := context(t, given)
	a := awscdk.NewApp(&awscdk.AppProps{Outdir: &folder, Context: &c})
	s, err := settingsOf(a)
	if err != nil {
		t.Fatal(err)
	}
	return a, newStage(a, s, bootstraps(t)), folder
}

// synthesized gives the template of a stage.
func synthesized(t *testing.T, given map[string]any) template {
	t.Helper()
	a, _, folder := app(t, given)
	a.Synth(nil)
	name, _ := given["stage"].(string)
	if name == "" {
		name = "dev"
	}
	raw, err := os.ReadFile(filepath.Join(folder, stack.Name(name)+".template.json")) //nolint:gosec // a folder of the test's
	if err != nil {
		t.Fatal(err)
	}
	found := template{folder: folder}
	if err := json.Unmarshal(raw, &found); err != nil {
		t.Fatal(err)
	}
	return found
}
