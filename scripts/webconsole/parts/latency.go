package parts

import (
	"cmp"
	"slices"

	"touchline/shared/accesslog"
)

// Took is how requests ended and how long they took, by route.
type Took struct {
	rows map[string]*RouteRow
	all  RouteRow
}

// RouteRow are the requests of a route.
type RouteRow struct {
	Route           string
	Count           int
	Refused, Failed int // answered with 4xx, and with 5xx
	micros          []int64
}

// Add counts a request.
func (t *Took) Add(l *accesslog.Line) {
	if t.rows == nil {
		t.rows = map[string]*RouteRow{}
	}
	if t.rows[l.Route] == nil {
		t.rows[l.Route] = &RouteRow{Route: l.Route}
	}
	for _, r := range []*RouteRow{t.rows[l.Route], &t.all} {
		r.Count++
		switch {
		case l.Status >= 500:
			r.Failed++
		case l.Status >= 400:
			r.Refused++
		}
		r.micros = append(r.micros, l.DurationMicros)
	}
}

// All are the requests of all routes.
func (t *Took) All() *RouteRow { return &t.all }

// Rows are the routes, the most used first.
func (t *Took) Rows() []*RouteRow {
	var rows []*RouteRow
	for _, r := range t.rows {
		rows = append(rows, r)
	}
	slices.SortFunc(rows, func(a, b *RouteRow) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Route, b.Route)) })
	return rows
}

// Served is how many were neither refused nor failed.
func (r *RouteRow) Served() int { return r.Count - r.Refused - r.Failed }

// Within is the time in microseconds within which a share of the requests, in percent,
// was answered; 0 where there isn't one.
func (r *RouteRow) Within(percent int) int64 {
	if len(r.micros) == 0 {
		return 0
	}
	slices.Sort(r.micros)
	return r.micros[(len(r.micros)*percent+99)/100-1]
}
