package protocol

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/signing"
)

// longestCanonical is a size in bytes, far above that of the string for a valid
// request.
const longestCanonical = 64 << 10

// errDiffers says that a canonical string is wrong; the differences have been
// printed.
var errDiffers = errors.New("the canonical string is not the one that is signed")

// check compares a canonical string on standard input with the right one. It
// takes timestamp and nonce from the input, and needs no key.
func (s *SignCommand) check(c *terminal.Terminal, target string) error {
	path, query, err := splitTarget(target)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(io.LimitReader(c.In, longestCanonical))
	if err != nil {
		return err
	}
	given := readCanonical(string(text))
	m := signing.Message{Method: s.Method, Path: path, Query: query, Timestamp: s.Timestamp, Nonce: s.Nonce}
	if m.Timestamp == "" {
		m.Timestamp = given.field(timestampField)
	}
	if m.Nonce == "" {
		m.Nonce = given.field(nonceField)
	}
	right, err := m.Canonical()
	if err != nil {
		return terminal.Usagef("%s: %w: a %% must be followed by two hex digits", target, err)
	}
	if string(text) == right {
		c.Printf("%s\n", c.Colour(terminal.Green, "right: this is the string that is signed"))
		return nil
	}
	for _, fault := range given.faults {
		c.Printf("%s %s\n", c.Colour(terminal.Red, "wrong"), fault)
	}
	want := strings.Split(right, "\n")
	for i, name := range canonicalFields {
		got := given.field(i)
		if got == want[i] {
			c.Printf("%s %-20s  %s\n", c.Colour(terminal.Green, "right"), name, shownField(got))
			continue
		}
		c.Printf("%s %-20s  %s\n      %-20s  %s\n", c.Colour(terminal.Red, "wrong"), name, c.Colour(terminal.Red, shownField(got)), "  should be", c.Colour(terminal.Green, shownField(want[i])))
		if hint := mistake(i, got, want[i], m); hint != "" {
			c.Printf("      %-20s  %s\n", "", hint)
		}
	}
	return errDiffers
}

// The places of the fields in a canonical string.
const (
	methodField = iota
	pathField
	queryField
	timestampField
	nonceField
	bodyField
)

// canonical is a canonical string from another program, as far as it can be
// read.
type canonical struct {
	fields []string
	faults []string // in how the fields are joined
}

// readCanonical splits a string whose fields may be joined wrongly.
func readCanonical(text string) canonical {
	var c canonical
	fault := func(format string, args ...any) { c.faults = append(c.faults, fmt.Sprintf(format, args...)) }
	if strings.Contains(text, "\r\n") {
		fault("the lines end with CR LF: join the fields by a line feed alone")
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	if !strings.Contains(text, "\n") && strings.Contains(text, `\n`) {
		fault(`the fields are joined by a backslash and an n: the line feed was not made (use printf or $'\n' in a shell)`)
		text = strings.ReplaceAll(text, `\n`, "\n")
	}
	if trimmed := strings.TrimRight(text, "\n"); len(trimmed) < len(text) {
		fault("there is a line feed at the end: the body hash ends the string")
		text = trimmed
	}
	c.fields = strings.Split(text, "\n")
	if n := len(c.fields); n != len(canonicalFields) {
		fault("it has %s, not %d: an empty query is an empty line, and the body hash is always there", terminal.Counted(n, "field"), len(canonicalFields))
	}
	return c
}

func (c canonical) field(i int) string {
	if i >= len(c.fields) {
		return ""
	}
	return c.fields[i]
}

func shownField(text string) string {
	if text == "" {
		return "(empty)"
	}
	return fmt.Sprintf("%+q", text)
}

// mistake is the usual mistake that turns want into got; empty if it is another.
func mistake(field int, got, want string, m signing.Message) string {
	usual := map[int][]struct{ got, says string }{
		methodField: {
			{strings.ToLower(want), "the method is written in capitals"},
			{map[string]string{"HEAD": "GET", "GET": "HEAD"}[want], "sign the method that is sent"},
		},
		pathField: {
			{strings.TrimPrefix(want, "/v1"), "the path begins at /v1"},
			{want + "/", "the slash at the end is not in the path that is sent"},
			{m.Path, "the hex digits of percent-escapes are upper-case"},
			{m.Path + "?" + m.Query, "the query is a field of its own"},
		},
		queryField: {
			{"", "the query is signed, too"},
			{m.Query, "the query is not signed as it is sent: encode each key and value, then sort the pairs"},
			{"?" + m.Query, "the question mark is not part of the query"},
			{"?" + want, "the question mark is not part of the query"},
			{strings.ReplaceAll(want, "%20", "+"), "a space is written %20, a plus %2B"},
		},
		bodyField: {
			{"", "the hash of an empty body is written out"},
			{strings.ToUpper(want), "the hash is written in lower case"},
		},
	}
	for _, u := range usual[field] {
		if u.got == got && got != want {
			return u.says
		}
	}
	switch {
	case field == pathField && strings.Contains(got, "://"):
		return "scheme and host are not signed"
	case field == queryField && sortedPairs(got) == sortedPairs(want):
		return "the pairs are sorted by key, then by value, in the order of bytes: capitals first"
	case field == queryField && strings.EqualFold(got, want):
		return "the hex digits of percent-escapes are upper-case"
	}
	return ""
}

func sortedPairs(query string) string {
	pairs := strings.Split(query, "&")
	slices.Sort(pairs)
	return strings.Join(pairs, "&")
}
