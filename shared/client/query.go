package client

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"touchline/shared/sport"
)

// query is the part of a target after the question mark. Its methods add a
// parameter, unless it has its zero value.
type query string

func (q query) text(name, value string) query {
	if value == "" {
		return q
	}
	return q.and(query(name + "=" + escape(value)))
}

func (q query) number(name string, n int) query {
	if n == 0 {
		return q
	}
	return q.text(name, strconv.Itoa(n))
}

func (q query) flag(name string, set bool) query {
	if !set {
		return q
	}
	return q.text(name, "true")
}

func (q query) time(name string, t time.Time) query {
	if t.IsZero() {
		return q
	}
	return q.text(name, t.UTC().Format("2006-01-02T15:04:05.999999999Z"))
}

func (q query) and(more query) query {
	if q == "" || more == "" {
		return q + more
	}
	return q + "&" + more
}

// escape writes a value in a query. A space is %20, since the service reads a
// plus as a plus.
func escape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

// segment writes an id into a path. Anything else becomes a single segment as
// well, which the service does not know.
func segment(id sport.ID) string { return url.PathEscape(string(id)) }
