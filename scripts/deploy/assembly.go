package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"touchline/shared/stack"
)

// assembly is what a deployment has to know of the output of a synthesis.
type assembly struct {
	folder string
	stack  string // name of the stage's stack
	region string // that of the stage's setting; empty: none

	metadata  stack.Metadata
	protects  bool // whether the template has the parameter that protects tables
	manifest  map[string]any
	artifacts map[string]any // properties of the stack in the manifest
}

// readAssembly reads the manifest and the template of a stage's stack.
func readAssembly(folder, stage string) (*assembly, error) {
	a := &assembly{folder: folder, stack: stack.Name(stage)}
	if err := decode(filepath.Join(folder, "manifest.json"), &a.manifest); err != nil {
		return nil, fmt.Errorf("read the assembly: %w", err)
	}
	all, _ := a.manifest["artifacts"].(map[string]any)
	artifact, ok := all[a.stack].(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s holds no stack %s: synthesize that stage first", folder, a.stack)
	}
	environment, _ := artifact["environment"].(string) // aws://unknown-account/eu-central-1
	if at := strings.LastIndexByte(environment, '/'); environment[at+1:] != "unknown-region" {
		a.region = environment[at+1:]
	}
	if a.artifacts, ok = artifact["properties"].(map[string]any); !ok {
		return nil, fmt.Errorf("%s: the manifest says nothing of stack %s", folder, a.stack)
	}
	var template struct {
		Metadata   map[string]json.RawMessage
		Parameters map[string]any
	}
	if err := decode(filepath.Join(folder, a.stack+".template.json"), &template); err != nil {
		return nil, fmt.Errorf("read the assembly: %w", err)
	}
	_, a.protects = template.Parameters[stack.ParameterProtect]
	if raw := template.Metadata[stack.MetadataKey]; raw != nil {
		if err := json.Unmarshal(raw, &a.metadata); err != nil {
			return nil, fmt.Errorf("read the template's metadata: %w", err)
		}
	}
	return a, nil
}

// attended refuses a stage of which nobody would notice that it fails or what it
// costs.
func (a *assembly) attended() error {
	var faults []error
	for _, lack := range a.metadata.Unattended {
		faults = append(faults, fmt.Errorf("%s: %s", a.stack, lack))
	}
	return errors.Join(faults...)
}

// monitoringMinutes is how long the alarms go on rolling back an update of a protected
// stage after it. They look at the last quarter of an hour, every minute.
const monitoringMinutes = 10

// monitored is how many minutes CloudFormation watches the alarms after an update. A
// stage that may be lost is not waited for.
func (a *assembly) monitored() int {
	if a.metadata.TerminationProtection {
		return monitoringMinutes
	}
	return 0
}

// setTerminationProtection makes the CDK protect the stack, or not, with this
// deployment: the CDK reads that from the manifest.
func (a *assembly) setTerminationProtection(on bool) error {
	if a.artifacts["terminationProtection"] == on {
		return nil
	}
	a.artifacts["terminationProtection"] = on
	raw, err := json.MarshalIndent(a.manifest, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(a.folder, "manifest.json"), raw, 0o600)
}

func decode(file string, into any) error {
	raw, err := os.ReadFile(filepath.Clean(file))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}
