// Package jsonl reads and writes a line of a dataset's file: a JSON object whose fields
// go into the fields of a struct.
//
// A table of [Field] values says what an object can hold, which fields it must
// have, and how each is read and written. [AppendRecord] writes a line, [ReadRecord]
// reads the object that is a whole line, and [ReadObject] one inside it; both report
// what is missing, unknown or there twice. The methods of [Line] and [Enum] read values
// and hold them to the bounds that every text and number has (D47).
//
// A wrong value is reported with its path, and skipped, so that one reading finds
// every wrong value of a line. After an error of the JSON itself the rest of the
// line is unreadable: it is [Line.Broken], and whatever else is read is the zero
// value. A reader of a value that reports a fault returns the zero value, too.
//
// What is wrong is a [Fault], with file, line and field. [Faults] keep a dataset from
// being loaded, [Warnings] do not (D51). A list of either is sorted by the order of the
// files and then by line, and keeps the first of them: of a million faults a hundred are
// reported, and a count.
//
// An [Object] is the text of a record, field by field: a stored record is given the
// fields of a patch, or of a row of CSV, before it is read (D62).
package jsonl

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"touchline/shared/dataset/ids"
	"touchline/shared/sport"
)

// Line reads the lines of files, one after the other.
type Line struct {
	ids    *ids.Table
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

// New returns a reader of lines. It adds the ids that it reads to a table, and
// calls report for each fault and warn for each warning.
func New(table *ids.Table, report, warn func(Fault)) *Line {
	return &Line{ids: table, report: report, warned: warn}
}

// Start begins a line, whose text must not change while it is read.
func (l *Line) Start(text []byte, at Origin) {
	l.whole, l.src = text, *bytes.NewBuffer(text)
	l.dec.Reset(&l.src)
	l.origin, l.path, l.broken, l.faults = at, l.path[:0], false, 0
}

// End requires that nothing follows the record.
func (l *Line) End() {
	if l.broken {
		return
	}
	if _, err := l.dec.ReadToken(); !errors.Is(err, io.EOF) {
		l.broken = true
		l.Fault("", "something follows the record; a line holds one record")
	}
}

// Origin is the place of the line.
func (l *Line) Origin() Origin { return l.origin }

// Broken reports whether the line is not JSON, so that the rest is not read.
func (l *Line) Broken() bool { return l.broken }

// Faults counts the faults of the line.
func (l *Line) Faults() int { return l.faults }

// Given returns what the dataset calls an id that it mentions.
func (l *Line) Given(id sport.ID) string { return l.ids.Given(id) }

// Fault reports what is wrong at the current path, or at a field below it.
func (l *Line) Fault(field, message string) {
	l.faults++
	l.report(Fault{File: l.origin.File, Line: l.origin.Line, Field: joined(l.path, field), Message: message})
}

// Warnf reports what is odd at a field below the current path, but possible. The format is
// the kind of the warning.
func (l *Line) Warnf(field, format string, args ...any) {
	l.warn(field, fmt.Sprintf(format, args...), format)
}

func (l *Line) warn(field, message, kind string) {
	l.warned(Fault{File: l.origin.File, Line: l.origin.Line, Field: joined(l.path, field), Message: message, Kind: kind})
}

// Faultf is Fault with a format.
func (l *Line) Faultf(field, format string, args ...any) {
	l.Fault(field, fmt.Sprintf(format, args...))
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
func (l *Line) syntax(err error) {
	if l.broken {
		return
	}
	l.broken = true
	if errors.Is(err, jsontext.ErrDuplicateName) {
		name := ""
		if syn := (*jsontext.SyntacticError)(nil); errors.As(err, &syn) {
			name = syn.JSONPointer.LastToken()
		}
		l.Fault(Shown(name), "is there twice")
		return
	}
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		l.Fault("", "is cut off: the line ends inside the record")
	case !utf8.Valid(l.whole):
		l.Fault("", "is not valid UTF-8")
	default:
		l.Faultf("", "is not valid JSON after byte %d of the line", l.dec.InputOffset())
	}
}

// peek gives the kind of the next value; 0 after a syntax error.
func (l *Line) peek() jsontext.Kind {
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
func (l *Line) raw() ([]byte, bool) {
	v, err := l.dec.ReadValue()
	if err != nil {
		l.syntax(err)
	}
	return v, err == nil
}

// wrong reports the next value and skips it.
func (l *Line) wrong(message string) {
	if l.broken {
		return
	}
	if err := l.dec.SkipValue(); err != nil {
		l.syntax(err)
		return
	}
	l.Fault("", message)
}

// mistyped reports the next value, which is of another type, and skips it: message is
// what it must be. A text or a number is shown.
func (l *Line) mistyped(message string) {
	switch l.peek() {
	case '"':
		if raw, ok := l.raw(); ok {
			l.Fault("", message+NotGiven(string(l.unquoted(raw))))
		}
	case '0', 't', 'f':
		if raw, ok := l.raw(); ok {
			l.Fault("", message+", not "+Excerpt(string(raw)))
		}
	default:
		l.wrong(message)
	}
}

// unquoted gives the content of a JSON string, valid until the next step.
func (l *Line) unquoted(raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	l.scratch, _ = jsontext.AppendUnquote(l.scratch[:0], raw)
	return l.scratch
}

// push and pop move the path to a value below and back.
func (l *Line) push(name string, index int) { l.path = append(l.path, segment{name, index}) }
func (l *Line) pop()                        { l.path = l.path[:len(l.path)-1] }
