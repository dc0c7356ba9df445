package dataset

import (
	"fmt"
	"strconv"
	"strings"
)

// maxInt bounds integers in both directions: nine digits, as a season has
// (read-api, Limits), so that sums never overflow.
const maxInt = 999_999_999

// maxMinute bounds minutes of a match, stoppage time included; it only refuses
// what cannot be a minute.
const maxMinute = 999

// enum reads one of the allowed strings; empty where it is none of them.
func enum[T ~string](l *line, allowed []T) T {
	b, ok := l.chars()
	if !ok {
		return ""
	}
	for _, a := range allowed {
		if string(b) == string(a) {
			return a
		}
	}
	names := make([]string, len(allowed))
	for i, a := range allowed {
		names[i] = string(a)
	}
	given := string(b)
	l.fault("", "must be one of "+strings.Join(names, ", ")+notGiven(given)+meant(given, names))
	return ""
}

// notGiven ends a message on a value that is not what it must be.
func notGiven(value string) string { return ", not " + strconv.Quote(excerpt(value)) }

// truth reads true or false.
func (l *line) truth() bool {
	switch k := l.peek(); k {
	case 't', 'f':
		if _, ok := l.raw(); !ok {
			return false
		}
		return k == 't'
	}
	l.wrong("must be true or false")
	return false
}

// season reads a season: the year in which it starts (D33, D47).
func (l *line) season() int { return l.integer(1850, 2200) }

// goals reads one side of a score (D47).
func (l *line) goals() int { return l.integer(0, 999) }

// count reads an integer from 0.
func (l *line) count() int { return l.integer(0, maxInt) }

// integer reads an integer within bounds, written with digits alone; 0 where it
// is faulty.
func (l *line) integer(least, most int) int {
	if l.peek() != '0' {
		l.wrong(integerMessage(least, most))
		return 0
	}
	raw, ok := l.raw()
	if !ok {
		return 0
	}
	n, err := strconv.Atoi(string(raw))
	if err != nil || n < least || n > most {
		l.fault("", integerMessage(least, most))
		return 0
	}
	return n
}

func integerMessage(least, most int) string {
	switch {
	case most == maxInt && least == -maxInt:
		return "must be an integer of at most 9 digits"
	case most == maxInt:
		return fmt.Sprintf("must be an integer of at least %d and at most 9 digits", least)
	}
	return fmt.Sprintf("must be an integer from %d to %d", least, most)
}
