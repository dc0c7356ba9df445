package route

import (
	"net/url"
	"reflect"
	"slices"
	"strings"

	"touchline/shared/problem"
)

// PageWindow is the bound of page * limit on routes with a window, and the
// bound given with every fault of page (read-api, Limits; D8).
const PageWindow = 10000

// maxInteger is the largest integer of a query: at most 9 digits (D12, D34).
const maxInteger = 999_999_999

// query is a parameter struct's tags, read, and the rules across them.
type query struct {
	fields []field
	window bool

	// Places in fields of the parameters that have rules of their own; -1: none.
	page, limit, from, to, descendants int
}

func (q *query) params() []Param {
	params := make([]Param, 0, len(q.fields))
	for _, f := range q.fields {
		params = append(params, f.Param)
	}
	return params
}

func (q *query) find(name string) int {
	return slices.IndexFunc(q.fields, func(f field) bool { return f.Name == name })
}

func (q *query) setDefaults(params reflect.Value) {
	for _, f := range q.fields {
		if f.Default != "" {
			f.set(params.FieldByIndex(f.index), f.Default)
		}
	}
}

// sent is what a query holds, in the order sent.
type sent struct {
	n     int
	parts [maxParams]struct {
		field int // in query.fields
		value string
	}
}

// decode judges raw and fills params, which holds the defaults, and args. The
// error is a *problem.Error.
func (q *query) decode(raw string, params reflect.Value, args *Arguments) error {
	var s sent
	if err := q.walk(raw, &s); err != nil {
		return err
	}
	for _, part := range s.parts[:s.n] {
		f := &q.fields[part.field]
		if !f.set(params.FieldByIndex(f.index), part.value) {
			return f.fault(problem.RuleValue)
		}
	}
	if err := q.across(params); err != nil {
		return err
	}
	if q.descendants >= 0 {
		args.IncludeDescendants = q.value(params, q.descendants).Bool()
	}
	return nil
}

// walk splits the query and refuses the first key that is unknown or repeated,
// or whose value is empty (D34). Keys and values are compared decoded, and a
// plus is a plus (D11).
func (q *query) walk(raw string, s *sent) error {
	var seen [maxParams]bool
	for raw != "" {
		var part string
		part, raw, _ = strings.Cut(raw, "&")
		if part == "" {
			continue
		}
		key, value, _ := strings.Cut(part, "=")
		key, value = unescape(key), unescape(value)
		i := q.find(key)
		switch {
		case i < 0:
			return problem.Parameter(key)
		case seen[i]:
			return q.fields[i].fault(problem.RuleRepeated)
		case value == "":
			return q.fields[i].fault(problem.RuleEmpty)
		}
		seen[i] = true
		s.parts[s.n].field, s.parts[s.n].value = i, value
		s.n++
	}
	return nil
}

// unescape decodes percent escapes. A malformed one, which D1 step 3 has
// refused before, leaves s as it is.
func unescape(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	decoded, err := url.PathUnescape(s)
	if err != nil {
		return s
	}
	return decoded
}

// across judges the rules across parameters. The two cannot both fail: no
// operation with a window has time bounds.
func (q *query) across(params reflect.Value) error {
	if q.from >= 0 {
		from, to := q.bound(params, q.from), q.bound(params, q.to)
		if from.Set && to.Set && from.At.After(to.At) {
			return q.fields[q.from].fault(problem.RuleOrder)
		}
		from.At, to.At = ceilMillisecond(from.At), floorMillisecond(to.At)
	}
	if q.window && q.value(params, q.page).Int()*q.value(params, q.limit).Int() > PageWindow {
		return q.fields[q.page].fault(problem.RuleWindow)
	}
	return nil
}

func (q *query) value(params reflect.Value, i int) reflect.Value {
	return params.FieldByIndex(q.fields[i].index)
}

func (q *query) bound(params reflect.Value, i int) *Bound {
	return q.value(params, i).Addr().Interface().(*Bound)
}

// fault is the refusal that names the parameter. For page and limit it also names the
// bound (D8, D34).
func (f *field) fault(rule problem.Rule) error {
	err := problem.Parameter(f.Name)
	switch f.Name {
	case "page":
		err = problem.ParameterLimit(f.Name, PageWindow)
	case "limit":
		err = problem.ParameterLimit(f.Name, f.Max)
	}
	err.Rule = rule
	return err
}

// set parses value into v and reports whether it is of the field's form.
func (f *field) set(v reflect.Value, value string) bool {
	switch f.Form {
	case FormInteger:
		n, ok := parseInteger(value)
		if !ok || n < f.Min || n > f.Max {
			return false
		}
		v.SetInt(int64(n))
	case FormBoolean:
		if value != "true" && value != "false" {
			return false
		}
		v.SetBool(value == "true")
	case FormEnum:
		if !slices.Contains(f.Enum, value) {
			return false
		}
		v.SetString(value)
	case FormIdentifier:
		v.SetString(value)
	case FormInstant:
		b, ok := parseBound(value, f.end)
		if !ok {
			return false
		}
		*v.Addr().Interface().(*Bound) = b
	default:
		return false
	}
	return true
}

// parseInteger reads 1 to 9 decimal digits without sign or leading zero (D12).
func parseInteger(s string) (int, bool) {
	if s == "" || len(s) > 9 || s[0] == '0' && len(s) > 1 {
		return 0, false
	}
	n := 0
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}
