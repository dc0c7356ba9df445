package statestest

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// languageJSON is a schema of the definitions that are known.
//
//go:embed language.json
var languageJSON []byte

var language = sync.OnceValues(func() (*jsonschema.Schema, error) {
	const name = "language.json"
	text, err := jsonschema.UnmarshalJSON(bytes.NewReader(languageJSON))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name, text); err != nil {
		return nil, err
	}
	return c.Compile(name)
})

// Machine is a definition that was understood.
type Machine struct {
	flow
	TimeoutSeconds int // of an execution; 0: none
}

// flow is a start and its states: a machine's, or those of a Map's items.
type flow struct {
	StartAt string
	States  map[string]*state
}

// state is a state of any kind.
type state struct {
	Type       string
	Next       string
	OutputPath place // null, of Task and Pass

	// Of Task and Map.
	ResultPath place
	Retry      []retrier
	Catch      []catcher

	// Of Task.
	Parameters     template
	ResultSelector template

	// Of Map.
	Label          string
	ItemProcessor  *flow
	ItemReader     struct{ Parameters template }
	ItemSelector   template
	MaxConcurrency int

	// Of Choice.
	Choices []choice
	Default string

	// Of Fail.
	Error, Cause string
}

type retrier struct {
	ErrorEquals     []string
	IntervalSeconds int
	MaxAttempts     *int
	BackoffRate     float64
	MaxDelaySeconds int
}

type catcher struct {
	ErrorEquals []string
	ResultPath  place
	Next        string
}

type choice struct {
	Variable      path
	BooleanEquals bool
	Next          string
}

// Parse reads a definition. The error says what in it is not known or wrong.
func Parse(definition []byte) (*Machine, error) {
	var given any
	if err := decode(definition, &given); err != nil {
		return nil, err
	}
	known, err := language()
	if err != nil {
		return nil, err
	}
	if err := known.Validate(given); err != nil {
		var wrong *jsonschema.ValidationError
		for errors.As(err, &wrong) && len(wrong.Causes) > 0 { // what follows the first follows from it
			err = wrong.Causes[0]
		}
		return nil, err
	}
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

// decode reads one JSON value.
func decode(raw []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more than one value")
	}
	return nil
}

// check holds a flow to what no schema says: each state is there and reached, and each
// Map has a label of its own.
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
		if s.ItemProcessor != nil {
			if labels[s.Label] {
				return fmt.Errorf("%s: its label %q is another's", above+name, s.Label)
			}
			labels[s.Label] = true
			if err := s.ItemProcessor.check(above+name+"/", labels); err != nil {
				return err
			}
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

// timeout is how long an execution may wait; 0: there is no limit.
func (m *Machine) timeout() time.Duration { return time.Duration(m.TimeoutSeconds) * time.Second }
