package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"touchline/shared/route"
)

// contextReader reads settings from a context and collects the faults.
type contextReader struct {
	own    map[string]any // for this run, or for every stage
	stage  map[string]any // the stage's
	used   map[string]bool
	faults []error
}

// newContextReader reads a context, as decoded from JSON.
func newContextReader(context map[string]any) *contextReader {
	return &contextReader{own: context, used: map[string]bool{"stages": true}}
}

// Err is every fault that was found.
func (r *contextReader) Err() error { return errors.Join(r.faults...) }

// Fault adds a fault to those of Err.
func (r *contextReader) Fault(format string, args ...any) {
	r.faults = append(r.faults, fmt.Errorf(format, args...))
}

// OfStage reads the stage's settings, too, if there are any.
func (r *contextReader) OfStage(name string) {
	stages, ok := r.own["stages"].(map[string]any)
	if r.own["stages"] != nil && !ok {
		r.Fault("stages in cdk.json is no object: want {\"dev\": {...}, ...}")
	}
	r.stage, ok = stages[name].(map[string]any)
	if stages[name] != nil && !ok {
		r.Fault("stages.%s in cdk.json is no object", name)
	}
}

// Value is a setting as given; false: it is not.
func (r *contextReader) Value(name string) (any, bool) {
	r.used[name] = true
	if v, ok := r.own[name]; ok {
		return v, true
	}
	v, ok := r.stage[name]
	return v, ok
}

// Text is a setting that is text which is good, else a default; want says which is.
func (r *contextReader) Text(name, otherwise, want string, good func(string) bool) string {
	given, ok := r.Value(name)
	if !ok {
		return otherwise
	}
	v, ok := given.(string)
	if !ok || !good(v) {
		r.Fault("%s is %s: want %s", name, shown(given), want)
		return otherwise
	}
	return v
}

// Number is a setting that is a whole number in a range, else a default.
func (r *contextReader) Number(name string, otherwise, low, high int) int {
	given, ok := r.Value(name)
	if !ok {
		return otherwise
	}
	n, err := strconv.Atoi(fmt.Sprint(given)) // from -c it is text
	if err != nil || n < low || n > high {
		r.Fault("%s is %s: want a whole number from %d to %d", name, shown(given), low, high)
		return otherwise
	}
	return n
}

// Flag is a setting that is true or false, else a default.
func (r *contextReader) Flag(name string, otherwise bool) bool {
	given, ok := r.Value(name)
	if !ok {
		return otherwise
	}
	switch given {
	case true, "true":
		return true
	case false, "false":
		return false
	}
	r.Fault("%s is %s: want true or false", name, shown(given))
	return otherwise
}

func shown(v any) string {
	raw, err := route.JSON(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(raw)
}

// Unknown adds a fault for each name that nobody has asked for. Names with a colon, an at sign, a
// slash or a hyphen belong to the CDK.
func (r *contextReader) Unknown() {
	for _, name := range slices.Sorted(maps.Keys(r.own)) {
		if !r.used[name] && !strings.ContainsAny(name, ":@/-") {
			r.Fault("%s is no setting: want one of %s", name, r.names())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.stage)) {
		if !r.used[name] || name == "stage" || name == "stages" {
			r.Fault("%s is no setting of a stage: want one of %s", name, r.names())
		}
	}
}

func (r *contextReader) names() string {
	names := slices.Sorted(maps.Keys(r.used))
	return strings.Join(slices.DeleteFunc(names, func(name string) bool { return name == "stages" }), ", ")
}
