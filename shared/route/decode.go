package route

import (
	"encoding/json"
	"iter"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"touchline/shared/problem"
)

// PageWindow is the bound of page * limit on routes with a window, and the
// bound given with every fault of page (read-api, Limits; D8).
const PageWindow = 10000

// maxInteger is the largest integer of a query but for page: at most 9 digits (D12).
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

// decode judges raw and fills params, which holds the defaults, and args. First come
// the keys: it refuses the first that is unknown or repeated, or whose value is empty
// (D34). Keys and values are compared decoded, and a plus is a plus (D11). The error is a
// *problem.Error.
func (q *query) decode(raw string, params reflect.Value, args *Arguments) error {
	var seen uint64 // a bit for each parameter, of which no operation has 64
	for key, value := range pairs(raw) {
		i := q.find(key)
		switch {
		case i < 0:
			return problem.Parameter(key)
		case seen&(1<<uint(i)) != 0:
			return q.fields[i].fault(problem.RuleRepeated)
		case value == "":
			return q.fields[i].fault(problem.RuleEmpty)
		}
		seen |= 1 << uint(i)
	}
	for key, value := range pairs(raw) {
		f := &q.fields[q.find(key)]
		if !f.set(params.FieldByIndex(f.index), value) {
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

// pairs are the keys and values of a query, decoded, in the order sent. Empty parts are
// left out.
func pairs(raw string) iter.Seq2[string, string] {
	return func(yield func(key, value string) bool) {
		for part := range strings.SplitSeq(raw, "&") {
			key, value, _ := strings.Cut(part, "=")
			if part != "" && !yield(unescape(key), unescape(value)) {
				return
			}
		}
	}
}

// unescape decodes percent escapes. A malformed one, which D1 step 3 has
// refused before, leaves s as it is.
func unescape(s string) string {
	if decoded, err := url.PathUnescape(s); err == nil {
		return decoded
	}
	return s
}

// across judges the rules across parameters. The two cannot both fail: no
// operation with a window has time bounds.
func (q *query) across(params reflect.Value) error {
	if q.from >= 0 {
		from, to := q.bound(params, q.from), q.bound(params, q.to)
		if from.Set && to.Set && from.At.After(to.At) {
			return q.fields[q.from].fault(problem.RuleOrder)
		}
		from.At, to.At = ceilMillisecond(from.At), to.At.Truncate(time.Millisecond)
	}
	if q.window {
		paging := Paging{json.Number(q.value(params, q.page).String()), int(q.value(params, q.limit).Int())}
		if paging.end() > PageWindow {
			return q.fields[q.page].fault(problem.RuleWindow)
		}
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
		if v.Kind() == reflect.String {
			v.SetString(value)
			return isInteger(value)
		}
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
	n, err := strconv.ParseUint(s, 10, 32) // takes no sign
	return int(n), err == nil && len(s) <= 9 && (s[0] != '0' || len(s) == 1)
}

// isInteger reports whether s is decimal digits, the first of them no zero.
func isInteger(s string) bool {
	return s != "" && s[0] != '0' && !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}
