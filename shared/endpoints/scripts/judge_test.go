package scripts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/textproto"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"touchline/shared/problem"
)

// judge says in what an answer is not as expected; empty: in nothing. On update
// it notes what is to be written instead.
func (r *run) judge(t *testing.T, s *step, x Exchange) string {
	body := r.names.take(string(x.Body))
	var faults []string
	fault := func(format string, values ...any) { faults = append(faults, fmt.Sprintf(format, values...)) }
	if x.Status != s.expect.status {
		return fmt.Sprintf("status %d, not %d: %s", x.Status, s.expect.status, body)
	}
	if len(s.expect.refusal) > 0 {
		if diff := cmp.Diff(refusal(s.expect.refusal, x.Header.Get("Retry-After")), parse(body)); diff != "" {
			fault("%s", diff)
		}
	}
	for _, h := range s.expect.headers {
		values, there := x.Header[textproto.CanonicalMIMEHeaderKey(h.name)]
		pattern, isPattern := strings.CutPrefix(h.value, "~")
		switch {
		case h.value == "-" && there:
			fault("%s: %s", h.name, values)
		case h.value == "-":
		case !there:
			fault("%s is missing", h.name)
		case isPattern && !regexp.MustCompile("^("+strings.TrimSpace(pattern)+")$").MatchString(values[0]),
			!isPattern && values[0] != h.value:
			fault("%s: %s, not %s", h.name, values[0], h.value)
		}
	}
	for _, f := range s.expect.fields {
		got, err := field(body, f.name)
		switch {
		case f.value == "-" && err == nil:
			fault("%s is there", f.name)
		case f.value == "-":
		case err != nil:
			fault("%s: %v", f.name, err)
		case got != f.value && *update:
			t.Logf("%s:%d: %s = %s\nwas %s", r.file, f.line, f.name, got, f.value)
			r.editField(f, got)
		case got != f.value:
			fault("%s = %s\nnot %s", f.name, got, f.value)
		}
	}
	if s.expect.first != 0 {
		diff := cmp.Diff(parse(s.expect.body), parse(body))
		if *update {
			r.edits[s.expect.first] = edit{s.expect.last, layout(body)}
		} else if diff != "" {
			fault("%s", diff)
		}
	}
	return strings.Join(faults, "\n")
}

// parse reads JSON for a comparison; anything else stays text.
func parse(text string) any {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return text
	}
	return v
}

// refusal is the body of a refusal written "CODE [WORD...]": for badRequest the
// field and the bound, for unauthorized the reason, for what limits the seconds
// where they are not only those of Retry-After, for scopeTooLarge the bound and
// what would narrow.
func refusal(words []string, retryAfter string) any {
	code, rest := problem.Code(words[0]), words[1:]
	e := map[string]any{"code": string(code), "message": code.Message()}
	if retryAfter != "" {
		e["retryAfter"] = json.Number(retryAfter)
	}
	switch {
	case len(rest) == 0:
	case code == problem.Unauthorized:
		e["reason"] = rest[0]
	case code == problem.RateLimited, code == problem.QuotaExceeded:
		e["retryAfter"] = json.Number(rest[0])
	case code == problem.ScopeTooLarge:
		details := map[string]any{"max": json.Number(rest[0])}
		if len(rest) > 1 {
			var names []any
			for _, name := range rest[1:] {
				names = append(names, name)
			}
			details["requiresOneOf"] = names
		}
		e["details"] = details
	default:
		details := map[string]any{"field": strings.ReplaceAll(rest[0], `""`, "")}
		if len(rest) > 1 {
			details["limit"] = json.Number(rest[1])
		}
		e["details"] = details
	}
	return map[string]any{"error": e}
}

// field gives the values at a path, those of every item where it leads through a
// list, separated by spaces; "count PATH" their number.
func field(body, path string) (string, error) {
	count := strings.HasPrefix(path, "count ")
	values := []any{parse(body)}
	for name := range strings.SplitSeq(strings.TrimPrefix(path, "count "), ".") {
		var next []any
		for _, v := range values {
			found, err := at(v, name)
			if err != nil {
				return "", err
			}
			next = append(next, found...)
		}
		values = next
	}
	if count {
		return strconv.Itoa(len(flat(values))), nil
	}
	var words []string
	for _, v := range flat(values) {
		word, err := plain(v)
		if err != nil {
			return "", err
		}
		words = append(words, word)
	}
	return strings.Join(words, " "), nil
}

// at steps into a value: by name into an object, by number into a list, and by
// name into every item of a list.
func at(v any, name string) ([]any, error) {
	switch v := v.(type) {
	case map[string]any:
		member, there := v[name]
		if !there {
			return nil, fmt.Errorf("no %s in %v", name, v)
		}
		return []any{member}, nil
	case []any:
		if i, err := strconv.Atoi(name); err == nil {
			if i >= len(v) {
				return nil, fmt.Errorf("%d items", len(v))
			}
			return []any{v[i]}, nil
		}
		var all []any
		for _, item := range v {
			found, err := at(item, name)
			if err != nil {
				return nil, err
			}
			all = append(all, found...)
		}
		return all, nil
	}
	return nil, fmt.Errorf("no %s in %v", name, v)
}

// flat takes lists apart.
func flat(values []any) []any {
	var all []any
	for _, v := range values {
		if items, isList := v.([]any); isList {
			all = append(all, flat(items)...)
			continue
		}
		all = append(all, v)
	}
	return all
}

var bare = regexp.MustCompile(`^[^\s"\[\]{}|;]+$`)

// plain writes a value: a text as it is where nothing else is written so.
func plain(v any) (string, error) {
	if s, isText := v.(string); isText && bare.MatchString(s) {
		if !json.Valid([]byte(s)) {
			return s, nil
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSpace(b.String()), err
}
