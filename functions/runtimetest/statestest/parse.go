package statestest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"
)

// Machine is a definition that was understood.
type Machine struct {
	flow
	TimeoutSeconds int // of an execution; 0: none
}

// flow is a start and its states: a machine's, or those of a Map's items.
type flow struct {
	Comment string
	StartAt string
	States  map[string]*state
}

// processor is the definition of what a Map does with an item.
type processor struct {
	ProcessorConfig struct{ Mode, ExecutionType string }
	flow
}

// state is a state of any kind. Which fields a kind has is in fields.
type state struct {
	Type, Comment string
	Next          string
	End           bool
	OutputPath    place // null, of Task and Pass

	// Of Task and Map.
	ResultPath place
	Retry      []retrier
	Catch      []catcher

	// Of Task.
	Resource       string
	Parameters     template
	ResultSelector template
	TimeoutSeconds int

	// Of Map.
	Label                      string
	ItemProcessor              *processor
	ItemReader                 *itemReader
	ItemSelector               template
	MaxConcurrency             int
	ToleratedFailurePercentage int

	// Of Choice.
	Choices []choice
	Default string

	// Of Fail.
	Error, Cause string
}

type itemReader struct {
	Resource     string
	ReaderConfig struct{ InputType string }
	Parameters   template
}

type retrier struct {
	ErrorEquals     []string
	IntervalSeconds int
	MaxAttempts     *int
	BackoffRate     float64
	MaxDelaySeconds int
	JitterStrategy  string
}

type catcher struct {
	ErrorEquals []string
	ResultPath  place
	Next        string
}

type choice struct {
	Variable      path
	BooleanEquals *bool
	Next          string
}

var (
	everyKind = []string{"Type", "Comment"}
	going     = []string{"Next", "End"}
	working   = []string{"ResultPath", "Retry", "Catch"}
	// fields are those that a kind of state may have.
	fields = map[string][]string{
		"Task":    slices.Concat(everyKind, going, working, []string{"Resource", "Parameters", "ResultSelector", "OutputPath", "TimeoutSeconds"}),
		"Map":     slices.Concat(everyKind, going, working, []string{"Label", "ItemProcessor", "ItemReader", "ItemSelector", "MaxConcurrency", "ToleratedFailurePercentage"}),
		"Choice":  slices.Concat(everyKind, []string{"Choices", "Default"}),
		"Pass":    slices.Concat(everyKind, going, []string{"OutputPath"}),
		"Succeed": everyKind,
		"Fail":    slices.Concat(everyKind, []string{"Error", "Cause"}),
	}
)

const (
	invoking  = "arn:aws:states:::lambda:invoke"
	reading   = "arn:aws:states:::s3:getObject"
	labelMost = 40 // characters
)

// Parse reads a definition. The error says what in it is not known or wrong.
func Parse(definition []byte) (*Machine, error) {
	var m Machine
	if err := decode(definition, &m); err != nil {
		return nil, err
	}
	return &m, m.check("", map[string]bool{})
}

// States are the names of all states, in order: Project, and Project/Part for a
// state of what the Map named Project does with an item.
func (m *Machine) States() []string {
	names := m.names("")
	slices.Sort(names)
	return names
}

func (f *flow) names(above string) (all []string) {
	for name, s := range f.States {
		all = append(all, above+name)
		if s.ItemProcessor != nil {
			all = append(all, s.ItemProcessor.names(above+name+"/")...)
		}
	}
	return all
}

// decode reads one JSON value, and refuses what has no place in v.
func decode(raw []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more than one value")
	}
	return nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *state) UnmarshalJSON(raw []byte) error {
	var given map[string]json.RawMessage
	if err := decode(raw, &given); err != nil {
		return err
	}
	type plain state // without this method
	if err := decode(raw, (*plain)(s)); err != nil {
		return err
	}
	known, ok := fields[s.Type]
	if !ok {
		return fmt.Errorf("%q is a kind of state that is not known", s.Type)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(known, name) {
			return fmt.Errorf("%s is no field of a state of the kind %s", name, s.Type)
		}
	}
	return nil
}

// check finds what is wrong in a flow beyond the fields of its states.
func (f *flow) check(above string, labels map[string]bool) error {
	reached := map[string]bool{}
	var visit func(from, name string) error
	visit = func(from, name string) error {
		s := f.States[name]
		if s == nil {
			return fmt.Errorf("%s leads to %q, which is no state", from, above+name)
		}
		if reached[name] {
			return nil
		}
		reached[name] = true
		if err := s.check(above+name, labels); err != nil {
			return fmt.Errorf("%s: %w", above+name, err)
		}
		for _, to := range s.leads() {
			if err := visit(above+name, to); err != nil {
				return err
			}
		}
		return nil
	}
	if err := visit("the start", f.StartAt); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(f.States)) {
		if !reached[name] {
			return fmt.Errorf("nothing leads to %s", above+name)
		}
	}
	return nil
}

// leads are the states that may follow.
func (s *state) leads() (to []string) {
	for _, c := range s.Choices {
		to = append(to, c.Next)
	}
	for _, c := range s.Catch {
		to = append(to, c.Next)
	}
	return slices.DeleteFunc(append(to, s.Next, s.Default), func(name string) bool { return name == "" })
}

func (s *state) check(name string, labels map[string]bool) error {
	if slices.Contains(fields[s.Type], "Next") && (s.Next == "") != s.End {
		return errors.New("it has to have one of Next and End")
	}
	if s.OutputPath.field != "" {
		return errors.New("of the paths of an output only null is known")
	}
	for _, r := range s.Retry {
		if len(r.ErrorEquals) == 0 || r.IntervalSeconds < 0 || r.BackoffRate != 0 && r.BackoffRate < 1 || !slices.Contains([]string{"", "FULL", "NONE"}, r.JitterStrategy) {
			return fmt.Errorf("a retrier is wrong: %+v", r)
		}
	}
	for _, c := range s.Catch {
		if len(c.ErrorEquals) == 0 || c.Next == "" {
			return fmt.Errorf("a catcher is wrong: %+v", c)
		}
	}
	switch s.Type {
	case "Task":
		return s.checkTask()
	case "Map":
		return s.checkMap(name, labels)
	case "Choice":
		if len(s.Choices) == 0 || s.Default == "" {
			return errors.New("it has no choices, or no default")
		}
		for _, c := range s.Choices {
			if c.Variable == nil || c.BooleanEquals == nil || c.Next == "" {
				return errors.New("a choice has to have a Variable, BooleanEquals, and Next")
			}
		}
	}
	return nil
}

func (s *state) checkTask() error {
	if s.Resource != invoking {
		return fmt.Errorf("%q is a resource that is not known", s.Resource)
	}
	if name, _ := s.Parameters["FunctionName"].(string); name == "" {
		return errors.New("it names no function")
	}
	for argument := range s.Parameters {
		if argument != "FunctionName" && argument != "Payload" {
			return fmt.Errorf("%s is a parameter that is not known", argument)
		}
	}
	return nil
}

func (s *state) checkMap(name string, labels map[string]bool) error {
	p, r := s.ItemProcessor, s.ItemReader
	switch {
	case p == nil || p.ProcessorConfig.Mode != "DISTRIBUTED" || p.ProcessorConfig.ExecutionType != "STANDARD":
		return errors.New("it is no Map of the mode DISTRIBUTED with STANDARD executions")
	case r == nil || r.Resource != reading || r.ReaderConfig.InputType != "JSON" || s.ItemSelector == nil:
		return errors.New("its items are not selected from a JSON array in S3")
	case s.ToleratedFailurePercentage != 0:
		return errors.New("failures that are tolerated are not known")
	case s.Label == "" || len(s.Label) > labelMost || labels[s.Label]:
		return fmt.Errorf("its label %q is missing, too long, or another's", s.Label)
	}
	labels[s.Label] = true
	return p.check(name+"/", labels)
}

// timeout is how long an execution may wait; 0: there is no limit.
func (m *Machine) timeout() time.Duration { return time.Duration(m.TimeoutSeconds) * time.Second }
