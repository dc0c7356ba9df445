package main

import (
	"fmt"
	"strconv"
)

// The CDK takes pointers, to distinguish what is left out from what is empty.

func text(s string) *string { return &s }

func textf(format string, args ...any) *string { return text(fmt.Sprintf(format, args...)) }

func decimal(n int) string { return strconv.Itoa(n) }

func number(n int) *float64 {
	f := float64(n)
	return &f
}

func yes() *bool {
	b := true
	return &b
}

func no() *bool { return new(bool) }

// texts are several strings.
func texts(values ...string) *[]*string {
	var list []*string
	for _, v := range values {
		list = append(list, text(v))
	}
	return &list
}
