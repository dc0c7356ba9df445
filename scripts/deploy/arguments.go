package main

import (
	"slices"
	"strings"
)

// arguments are what is passed on to the CDK.
type arguments []string

// value is the value of an option, as --name=value or --name value; the last one
// counts.
func (a arguments) value(name string) (value string, given bool) {
	for i, word := range a {
		if word == name && i+1 < len(a) {
			value, given = a[i+1], true
		} else if v, ok := strings.CutPrefix(word, name+"="); ok {
			value, given = v, true
		}
	}
	return value, given
}

// context is -c or --context with its values, as pairs of words: "-c", "name=value".
func (a arguments) context() []string {
	var list []string
	for i, word := range a {
		if word == "-c" || word == "--context" {
			if i+1 < len(a) {
				list = append(list, "-c", a[i+1])
			}
		} else if v, ok := strings.CutPrefix(word, "--context="); ok {
			list = append(list, "-c", v)
		}
	}
	return list
}

// without is the arguments except for options that have a value.
func (a arguments) without(names ...string) []string {
	var list []string
	for i := 0; i < len(a); i++ {
		name, _, joined := strings.Cut(a[i], "=")
		if !slices.Contains(names, name) {
			list = append(list, a[i])
		} else if !joined {
			i++
		}
	}
	return list
}
