package dataset

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// line reads the JSON of one line, token by token, and reports what is wrong
// with it. A wrong value is reported and skipped, so that one reading finds
// every wrong value; after a syntax error the rest of the line is unreadable
// and every further step does nothing.
type line struct {
	ctx    context.Context //nolint:containedctx // of the one call of Read that the line belongs to
	names  *names
	origin Origin
	report func(Fault)
	warned func(Fault)

	whole   []byte // the line as read
	src     bytes.Buffer
	dec     jsontext.Decoder
	path    []segment
	broken  bool
	faults  int // reported for this line
	scratch []byte
}

// segment is a step of the path to a value: a field's name, or, where that is
// empty, an index in a list.
type segment struct {
	name  string
	index int
}

// start begins a line.
func (l *line) start(text []byte, at Origin) {
	l.whole, l.src = text, *bytes.NewBuffer(text)
	l.dec.Reset(&l.src)
	l.origin, l.path, l.broken, l.faults = at, l.path[:0], false, 0
}

// end requires that nothing follows the record.
func (l *line) end() {
	if l.broken {
		return
	}
	if _, err := l.dec.ReadToken(); !errors.Is(err, io.EOF) {
		l.broken = true
		l.fault("", "something follows the record; a line holds one record")
	}
}

// fault reports what is wrong at the current path, or at a field below it.
func (l *line) fault(field, message string) {
	l.faults++
	l.report(Fault{File: l.origin.File, Line: l.origin.Line, Field: joined(l.path, field), Message: message})
}

// warn reports what is odd at a field below the current path, but possible.
func (l *line) warn(field, message string) {
	l.warned(Fault{File: l.origin.File, Line: l.origin.Line, Field: joined(l.path, field), Message: message})
}

func (l *line) faultf(field, format string, args ...any) {
	l.fault(field, fmt.Sprintf(format, args...))
}

// joined writes a path as faults show it: lineups.home.starting[3].playerId.
func joined(path []segment, field string) string {
	var b strings.Builder
	for _, s := range path {
		if s.name == "" {
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(s.name)
	}
	if b.Len() > 0 && field != "" && field[0] != '[' {
		b.WriteByte('.')
	}
	return b.String() + field
}

// syntax reports an error of the JSON itself.
func (l *line) syntax(err error) {
	if l.broken {
		return
	}
	l.broken = true
	if errors.Is(err, jsontext.ErrDuplicateName) {
		name := ""
		if syn := (*jsontext.SyntacticError)(nil); errors.As(err, &syn) {
			name = syn.JSONPointer.LastToken()
		}
		l.fault(shown(name), "is there twice")
		return
	}
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		l.fault("", "is cut off: the line ends inside the record")
	case !utf8.Valid(l.whole):
		l.fault("", "is not valid UTF-8")
	default:
		l.faultf("", "is not valid JSON after byte %d of the line", l.dec.InputOffset())
	}
}

// peek gives the kind of the next value; 0 after a syntax error.
func (l *line) peek() jsontext.Kind {
	if l.broken {
		return 0
	}
	k := l.dec.PeekKind()
	if k == 0 {
		_, err := l.dec.ReadToken()
		l.syntax(err)
	}
	return k
}

// raw reads the next value whole; its bytes are valid until the next step.
func (l *line) raw() ([]byte, bool) {
	v, err := l.dec.ReadValue()
	if err != nil {
		l.syntax(err)
	}
	return v, err == nil
}

// wrong reports the next value and skips it.
func (l *line) wrong(message string) {
	if l.broken {
		return
	}
	if err := l.dec.SkipValue(); err != nil {
		l.syntax(err)
		return
	}
	l.fault("", message)
}

// unquoted gives the content of a JSON string, valid until the next step.
func (l *line) unquoted(raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	l.scratch, _ = jsontext.AppendUnquote(l.scratch[:0], raw)
	return l.scratch
}

// push and pop move the path to a value below and back.
func (l *line) push(name string, index int) { l.path = append(l.path, segment{name, index}) }
func (l *line) pop()                        { l.path = l.path[:len(l.path)-1] }

// rule says whether a field must be there.
type rule uint8

const (
	optional rule = iota
	required
	identifying // required, and allowed in a deletion
	narrowing   // required in a record, optional in a deletion
	deletion    // the field that makes a record a deletion
)

// field is one field of a JSON object that is read into a T.
type field[T any] struct {
	name string
	rule rule
	read func(*line, *T)
}

// fieldSet tells which fields of an object have been seen, by their place.
type fieldSet uint32

func (s fieldSet) has(i int) bool { return s&(1<<i) != 0 }

// object reads a JSON object of at most 32 fields. What must be there and is
// not is reported.
func object[T any](l *line, fields []field[T], v *T) {
	seen, ok := walk(l, fields, v)
	if !ok || l.broken {
		return
	}
	for i, f := range fields {
		if f.rule != optional && f.rule != deletion && !seen.has(i) {
			l.fault(f.name, "is missing")
		}
	}
}

// record reads the object that is a whole line. A deletion holds nothing but
// what identifies the record.
func record[T any](l *line, fields []field[T], v *T, deleted *bool) {
	seen, ok := walk(l, fields, v)
	if !ok || l.broken {
		return
	}
	for i, f := range fields {
		switch here := seen.has(i); {
		case *deleted && here && (f.rule == optional || f.rule == required):
			l.fault(f.name, "cannot stand in a deletion")
		case !here && (f.rule == identifying || !*deleted && (f.rule == required || f.rule == narrowing)):
			l.fault(f.name, "is missing")
		}
	}
}

// walk reads the fields of an object and tells which were there; false where
// the value is no object.
func walk[T any](l *line, fields []field[T], v *T) (fieldSet, bool) {
	if l.peek() != '{' {
		l.wrong("must be a JSON object")
		return 0, false
	}
	if _, err := l.dec.ReadToken(); err != nil {
		l.syntax(err)
		return 0, false
	}
	var seen fieldSet
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
			l.unknown(fieldNames(fields), string(l.unquoted(raw)))
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
func (l *line) member(r rule) bool {
	if l.peek() != 'n' {
		return !l.broken
	}
	if r == optional || r == deletion {
		l.raw()
	} else {
		l.wrong("must not be null")
	}
	return false
}

// indexOf finds a field, looking first where it stands in dataset.md's order.
func indexOf[T any](fields []field[T], name []byte, next int) int {
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

func fieldNames[T any](fields []field[T]) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	return names
}

// unknown reports a field that the format does not have, and skips its value.
func (l *line) unknown(known []string, name string) {
	l.push(shown(name), 0)
	defer l.pop()
	if near := nearest(name, known); near != "" {
		l.wrong("is not a known field; did you mean " + near + "?")
		return
	}
	l.wrong("is not a known field; known here are " + strings.Join(known, ", "))
}

// shown makes a stranger's name fit for a message: short, and without control
// characters.
func shown(name string) string {
	name = excerpt(name)
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}

// excerpt is the beginning of a text, for a message.
func excerpt(text string) string {
	const limit = 60 // characters
	if utf8.RuneCountInString(text) > limit {
		return string([]rune(text)[:limit]) + "…"
	}
	return text
}

// list reads a JSON array of at most most elements, calling item for each with
// the path at it. What is beyond is reported once and not read.
func list(l *line, most int, item func(i int)) {
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
		if i%looksEvery == looksEvery-1 && l.ctx.Err() != nil {
			l.broken = true // the caller looks at the context, too
			l.faults++
			return
		}
		if i < most {
			l.push("", i)
			item(i)
			l.pop()
			continue
		}
		if i == most {
			l.faultf("", "has more than %d entries", most)
		}
		if err := l.dec.SkipValue(); err != nil {
			l.syntax(err)
		}
	}
}

// looksEvery is how many elements of a list are read between two looks at the
// context: some microseconds each.
const looksEvery = 64
