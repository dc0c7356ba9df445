package jsonl

import (
	"fmt"
	"strconv"
	"strings"

	"touchline/shared/dataset/slips"
)

// MaxInt bounds integers in both directions: nine digits, as a season has
// (read-api, Limits), so that sums never overflow.
const MaxInt = 999_999_999

// Enum reads one of the allowed strings.
func Enum[T ~string](l *Line, allowed []T) T {
	b, ok := l.chars()
	if !ok {
		return ""
	}
	for _, a := range allowed {
		if string(b) == string(a) {
			return a
		}
	}
	names, given := texts(allowed), string(b)
	l.Fault("", "must be one of "+strings.Join(names, ", ")+NotGiven(given)+slips.DidYouMean(given, names))
	return ""
}

func texts[T ~string](values []T) []string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = string(v)
	}
	return all
}

// NotGiven returns the end of a message on a value that is not what it must be.
func NotGiven(value string) string { return notGiven + strconv.Quote(Excerpt(value)) }

const notGiven = ", not "

// AtObject reports whether the next value is an object, for a value that may also
// be of another type.
func (l *Line) AtObject() bool { return l.peek() == '{' }

// Bool reads true or false.
func (l *Line) Bool() bool {
	switch k := l.peek(); k {
	case 't', 'f':
		if _, ok := l.raw(); !ok {
			return false
		}
		return k == 't'
	}
	l.mistyped("must be true or false")
	return false
}

// Integer reads an integer within bounds, written with digits alone.
func (l *Line) Integer(least, most int) int {
	kind := l.peek()
	if kind != '"' && kind != '0' {
		l.mistyped(integerMessage(least, most))
		return 0
	}
	raw, ok := l.raw()
	if ok && kind == '"' {
		text := string(l.unquoted(raw))
		l.Fault("", integerMessage(least, most)+NotGiven(text)+slips.Advice(text, least < 0))
		return 0
	}
	if !ok {
		return 0
	}
	n, err := strconv.Atoi(string(raw))
	if err != nil || n < least || n > most {
		l.Fault("", integerMessage(least, most)+", not "+Excerpt(string(raw)))
		return 0
	}
	return n
}

func integerMessage(least, most int) string {
	switch {
	case most == MaxInt && least == -MaxInt:
		return "must be an integer of at most 9 digits"
	case most == MaxInt:
		return fmt.Sprintf("must be an integer of at least %d and at most 9 digits", least)
	}
	return fmt.Sprintf("must be an integer from %d to %d", least, most)
}
