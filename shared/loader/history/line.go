package history

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"touchline/shared/sport"
)

// line is a record as the fields of its line, in their order.
type line []member

type member struct {
	name  string
	value jsontext.Value
}

// split gives the fields of a line; none for nil.
func split(text []byte) (line, error) {
	if text == nil {
		return nil, nil
	}
	d := jsontext.NewDecoder(bytes.NewReader(text))
	var l line
	if _, err := d.ReadToken(); err != nil {
		return nil, fmt.Errorf("read a record: %w", err)
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, fmt.Errorf("read a record: %w", err)
		}
		m := member{name: name.String()}
		value, err := d.ReadValue()
		if err != nil {
			return nil, fmt.Errorf("read a record: %w", err)
		}
		m.value = value.Clone()
		l = append(l, m)
	}
	return l, nil
}

// splitBoth splits a record's line before a load, and the one after it.
func splitBoth(before, after []byte) (was, is line, err error) {
	if was, err = split(before); err == nil {
		is, err = split(after)
	}
	return was, is, err
}

// value is that of a field, nil where it is left out.
func (l line) value(name string) jsontext.Value {
	for _, m := range l {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// fieldsOf are the fields of both lines, in the order of the second.
func fieldsOf(was, is line) []string {
	var all []string
	for _, l := range []line{is, was} {
		for _, m := range l {
			if !slices.Contains(all, m.name) {
				all = append(all, m.name)
			}
		}
	}
	return all
}

// words gives values as people read them.
type words struct {
	called func(sport.ID) string
}

// longest bounds a value in a change, in characters.
const longest = 80

// text is a value in short, empty for none.
func (w words) text(v jsontext.Value) string {
	switch v.Kind() {
	case '"':
		plain, err := jsontext.AppendUnquote(nil, v)
		if err != nil {
			return excerpt(string(v))
		}
		if sport.IsID(string(plain)) {
			return w.called(sport.ID(plain))
		}
		return strconv.Quote(excerpt(string(plain)))
	case '[':
		n := 0
		for range elements(v) {
			n++
		}
		return strconv.Itoa(n)
	case '{':
		fields, err := split(v)
		if home, away := fields.value("home"), fields.value("away"); err == nil && len(fields) == 2 && home.Kind() == '0' && away.Kind() == '0' {
			return string(home) + ":" + string(away)
		}
		if utf8.RuneCount(v) > longest {
			return "{…}"
		}
	}
	return excerpt(string(v))
}

// elements are those of a list.
func elements(v jsontext.Value) []jsontext.Value {
	d := jsontext.NewDecoder(bytes.NewReader(v))
	if _, err := d.ReadToken(); err != nil {
		return nil
	}
	var all []jsontext.Value
	for k := d.PeekKind(); k != ']' && k != 0; k = d.PeekKind() {
		e, err := d.ReadValue()
		if err != nil {
			return all
		}
		all = append(all, e.Clone())
	}
	return all
}

// name is what people call a record.
func (w words) name(kind sport.Kind, l line) string {
	plain := func(name string) string {
		text, _ := jsontext.AppendUnquote(nil, l.value(name)) // empty for none
		return string(text)
	}
	if kind == sport.KindMatch {
		if l.value("homeTeamId") == nil {
			return ""
		}
		return w.called(sport.ID(plain("homeTeamId"))) + " - " + w.called(sport.ID(plain("awayTeamId")))
	}
	return excerpt(plain("name"))
}

// excerpt is the beginning of a text.
func excerpt(text string) string {
	if utf8.RuneCountInString(text) <= longest {
		return text
	}
	return string([]rune(text)[:longest-1]) + "…"
}
