package parts

import (
	"cmp"
	"slices"

	"touchline/shared/accesslog"
)

// Took is how long requests took, by route.
type Took struct {
	rows map[string]*RouteRow
	all  RouteRow
}

// RouteRow are the requests of a route.
type RouteRow struct {
	Route  string
	Count  int
	Failed int // answered with 5xx
	micros []int64
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
		if l.Status >= 500 {
			r.Failed++
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

// Within is the time in microseconds within which a share of the requests, in percent,
// was answered; 0 where there isn't one.
func (r *RouteRow) Within(percent int) int64 {
	if len(r.micros) == 0 {
		return 0
	}
	slices.Sort(r.micros)
	return r.micros[(len(r.micros)*percent+99)/100-1]
}
