package jsonl

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"touchline/shared/dataset/files"
	"touchline/shared/dataset/slips"
	"touchline/shared/sport"
)

// Seen says which fields of an object have been read, by their index.
type Seen uint32

func (s Seen) has(i int) bool { return s&(1<<i) != 0 }

// ReadObject reads a JSON object of at most 32 fields. It reports what is missing.
func ReadObject[T any](l *Line, fields []Field[T], v *T) Seen {
	seen, ok := walk(l, fields, v)
	if !ok || l.broken {
		return seen
	}
	for i, f := range fields {
		if f.rule != optional && f.rule != deletion && !seen.has(i) {
			l.Fault(f.name, "is missing")
		}
	}
	return seen
}

// ReadRecord reads the object that is a whole line, and sets deleted where a field of
// [Deletion] is true. Such a record holds nothing but what identifies it.
func ReadRecord[T any](l *Line, fields []Field[T], v *T, deleted *bool) {
	seen, ok := walk(l, fields, v)
	for _, f := range fields {
		*deleted = *deleted || f.rule == deletion && !f.none(v)
	}
	if !ok || l.broken {
		return
	}
	for i, f := range fields {
		switch here := seen.has(i); {
		case *deleted && here && (f.rule == optional || f.rule == required):
			l.Fault(f.name, "must not be given in a deletion")
		case !here && f.rule == identifying && f.name == "id" && files.IsSheet(l.origin.File):
			l.Fault(f.name, "is missing: every row needs an id, which no other row has"+withoutID[f.kind])
		case !here && (f.rule == identifying || !*deleted && (f.rule == required || f.rule == narrowing)):
			l.Fault(f.name, "is missing")
		}
	}
}

// withoutID is what a row needs to do without an id.
var withoutID = map[sport.Kind]string{
	sport.KindTeam:  "; an entry does without if it gives its club and competition",
	sport.KindMatch: "; a match does without if it gives its competition and both teams",
}

// walk reads the fields of an object and returns which were there; false if the
// value is not an object, or not JSON.
func walk[T any](l *Line, fields []Field[T], v *T) (Seen, bool) {
	if l.peek() != '{' {
		l.wrong("must be a JSON object")
		return 0, false
	}
	if _, err := l.dec.ReadToken(); err != nil {
		l.syntax(err)
		return 0, false
	}
	var seen Seen
	next := 0
	for {
		switch l.peek() {
		case 0:
			return seen, false
		case '}':
			_, err := l.dec.ReadToken()
			return seen, err == nil
		}
		raw, ok := l.raw()
		if !ok {
			return seen, false
		}
		i := indexOf(fields, l.unquoted(raw), next)
		if i < 0 {
			l.unknown(Names(fields), string(l.unquoted(raw)))
			continue
		}
		next = i + 1
		l.push(fields[i].name, 0)
		if l.member(fields[i].rule) {
			fields[i].read(l, v)
			seen |= 1 << i
		} else if fields[i].rule != optional && fields[i].rule != deletion {
			seen |= 1 << i // null, reported
		}
		l.pop()
	}
}

// member reports whether the value of a field is to be read: null is not.
func (l *Line) member(r rule) bool {
	if l.peek() != 'n' {
		return !l.broken
	}
	if r == optional || r == deletion || r == nullable {
		l.raw()
	} else {
		l.wrong("must not be null")
	}
	return false
}

// indexOf finds a field. It first tries next, as records usually have their fields
// in the order of dataset.md.
func indexOf[T any](fields []Field[T], name []byte, next int) int {
	if next < len(fields) && string(name) == fields[next].name {
		return next
	}
	for i := range fields {
		if string(name) == fields[i].name {
			return i
		}
	}
	return -1
}

// Names are the names of fields, in their order.
func Names[T any](fields []Field[T]) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	return names
}

// unknown reports a field that the format does not have, and skips its value.
func (l *Line) unknown(known []string, name string) {
	l.push(Shown(name), 0)
	defer l.pop()
	if near := slips.Near(name, known); near != "" {
		l.wrong("is not a known field; did you mean " + near + "?")
		return
	}
	l.wrong("is not a known field; known here are " + strings.Join(known, ", "))
}

// Shown makes a name that comes from outside fit for a message: short, and
// without control characters.
func Shown(name string) string {
	name = Excerpt(name)
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}

// Excerpt is the beginning of a text, for a message.
func Excerpt(text string) string {
	const limit = 60 // characters
	if utf8.RuneCountInString(text) > limit {
		return string([]rune(text)[:limit]) + "…"
	}
	return text
}

// List reads a JSON array of at most most elements. It calls item for each, with
// the path at the element. Elements beyond are reported once and not read.
func (l *Line) List(most int, item func(i int)) {
	if l.peek() != '[' {
		l.wrong("must be a list")
		return
	}
	if _, err := l.dec.ReadToken(); err != nil {
		l.syntax(err)
		return
	}
	for i := 0; ; i++ {
		switch l.peek() {
		case 0:
			return
		case ']':
			if _, err := l.dec.ReadToken(); err != nil {
				l.syntax(err)
			}
			return
		}
		if i < most {
			l.push("", i)
			item(i)
			l.pop()
			continue
		}
		if i == most {
			l.Faultf("", "has more than %d entries", most)
		}
		if err := l.dec.SkipValue(); err != nil {
			l.syntax(err)
		}
	}
}
