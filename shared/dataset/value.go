package dataset

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"touchline/shared/sport"
)

// Bounds of texts, in characters (code points). Keys have theirs from
// dataset.md; the others keep a record, and a page of a hundred of them, within
// what a store's item and an answer can hold.
const (
	maxKey         = 200
	maxName        = 1000
	maxURL         = 2000
	maxDescription = 20000
)

// maxInt bounds integers in both directions: nine digits, as a season has
// (read-api, Limits), so that sums never overflow.
const maxInt = 999_999_999

// maxMinute bounds minutes of a match, stoppage time included; it only refuses
// what cannot be a minute.
const maxMinute = 999

// text reads a string of 1 to limit characters; empty where it is faulty.
func (l *line) text(limit int) string {
	b, ok := l.chars()
	if !ok {
		return ""
	}
	if len(b) == 0 {
		l.fault("", "must not be empty")
		return ""
	}
	return l.bounded(b, limit)
}

// prose reads a string of 0 to limit characters.
func (l *line) prose(limit int) string {
	b, ok := l.chars()
	if !ok {
		return ""
	}
	return l.bounded(b, limit)
}

func (l *line) bounded(b []byte, limit int) string {
	if len(b) > limit && utf8.RuneCount(b) > limit {
		l.faultf("", "is longer than %d characters", limit)
		return ""
	}
	return string(b)
}

// chars reads a string; its bytes are valid until the next step.
func (l *line) chars() ([]byte, bool) {
	if l.peek() != '"' {
		l.wrong("must be a string")
		return nil, false
	}
	raw, ok := l.raw()
	if !ok {
		return nil, false
	}
	return l.unquoted(raw), true
}

// key reads a key or an id as dataset.md's Ids says, and gives it as it stands;
// false where it is faulty.
func (l *line) key() ([]byte, bool) {
	b, ok := l.chars()
	if !ok {
		return nil, false
	}
	if n := utf8.RuneCount(b); n < 1 || n > maxKey {
		l.faultf("", "must have 1 to %d characters", maxKey)
		return nil, false
	}
	return b, true
}

// id reads the id of a record of a kind: the id and the key as it was given.
func (l *line) id(kind sport.Kind) (sport.ID, string) {
	b, ok := l.key()
	if !ok {
		return "", ""
	}
	return l.names.add(kind, b)
}

// ref reads a reference to a record of a kind; empty where it is faulty.
func (l *line) ref(kind sport.Kind) sport.ID {
	id, _ := l.id(kind)
	return id
}

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
	l.fault("", "must be one of "+strings.Join(names, ", "))
	return ""
}

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
