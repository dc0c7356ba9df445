package history

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"touchline/shared/dataset/jsonl"
	"touchline/shared/sport"
)

// split gives the fields of a line; none for nil.
func split(text []byte) (jsonl.Object, error) {
	if text == nil {
		return nil, nil
	}
	all, ok := jsonl.Split(text)
	if !ok {
		return nil, errors.New("read a record: it is not an object")
	}
	return all, nil
}

// splitBoth splits a record's line before a load, and the one after it.
func splitBoth(before, after []byte) (was, is jsonl.Object, err error) {
	if was, err = split(before); err == nil {
		is, err = split(after)
	}
	return was, is, err
}

// fieldsOf are the fields of both lines, in the order of the second.
func fieldsOf(was, is jsonl.Object) []string {
	var all []string
	for _, l := range []jsonl.Object{is, was} {
		for _, m := range l {
			if !slices.Contains(all, m.Name) {
				all = append(all, m.Name)
			}
		}
	}
	return all
}

// longest bounds a value in a change, in characters.
const longest = 80

// text is a value in short, empty for none.
func (n Names) text(v jsontext.Value) string {
	switch v.Kind() {
	case '"':
		plain, err := jsontext.AppendUnquote(nil, v)
		if err != nil {
			return excerpt(string(v))
		}
		if sport.IsID(string(plain)) {
			return n.Name(sport.ID(plain))
		}
		return strconv.Quote(excerpt(string(plain)))
	case '[':
		elements, _ := jsonl.Items(v)
		if teams := n.withdrawn(elements); teams != "" {
			return excerpt(teams)
		}
		return strconv.Itoa(len(elements))
	case '{':
		of, _ := jsonl.Split(v)
		if home, away := of.Of("home"), of.Of("away"); len(of) == 2 && home.Kind() == '0' && away.Kind() == '0' {
			return string(home) + ":" + string(away)
		}
		if utf8.RuneCount(v) > longest {
			return "{…}"
		}
	}
	return excerpt(string(v))
}

// withdrawn are the teams of withdrawals, and what becomes of their matches; empty for
// another list.
func (n Names) withdrawn(elements []jsontext.Value) string {
	var teams []string
	for _, e := range elements {
		of, _ := jsonl.Split(e)
		team, _ := jsontext.AppendUnquote(nil, of.Of("teamId"))
		matches, _ := jsontext.AppendUnquote(nil, of.Of("matches"))
		if len(team) == 0 || len(matches) == 0 {
			return ""
		}
		teams = append(teams, strconv.Quote(n.Name(sport.ID(team)))+" ("+string(matches)+")")
	}
	return strings.Join(teams, ", ")
}

// of is what people call a record.
func (n Names) of(kind sport.Kind, l jsonl.Object) string {
	plain := func(name string) string {
		text, _ := jsontext.AppendUnquote(nil, l.Of(name)) // empty for none
		return string(text)
	}
	if kind == sport.KindMatch {
		if l.Of("homeTeamId") == nil {
			return ""
		}
		return n.Name(sport.ID(plain("homeTeamId"))) + " - " + n.Name(sport.ID(plain("awayTeamId")))
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
