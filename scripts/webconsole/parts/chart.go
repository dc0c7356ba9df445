package parts

import (
	"fmt"
	"time"

	"touchline/shared/accesslog"
)

// Chart is the number of requests over time, in columns.
type Chart struct {
	From, To time.Time
	Columns  []column
	Highest  int // requests in the highest column
	Served   int
	Refused  int
	Failed   int
}

// column is a part of the time of a chart; heights are percentages.
type column struct {
	X                                         int
	Served, Refused, Failed                   int
	ServedHeight, RefusedHeight, FailedHeight int
	ServedTop, RefusedTop, FailedTop          int
}

// columns is how many a chart has: each is 15 seconds of 15 minutes, or 24
// minutes of a day.
const columns = 60

// NewChart is a chart without requests.
func NewChart(from, to time.Time) Chart {
	c := Chart{From: from, To: to, Columns: make([]column, columns)}
	for i := range c.Columns {
		c.Columns[i].X = 10 * i
	}
	return c
}

// Add counts a request.
func (c *Chart) Add(l *accesslog.Line) {
	at := int(l.Time.Sub(c.From) * columns / max(1, c.To.Sub(c.From)))
	if at = min(at, columns-1); at < 0 {
		return
	}
	switch col := &c.Columns[at]; {
	case l.Status >= 500:
		col.Failed++
		c.Failed++
	case l.Status >= 400:
		col.Refused++
		c.Refused++
	default:
		col.Served++
		c.Served++
	}
}

// Finish computes the heights. A column that is not empty has a height of at
// least one.
func (c *Chart) Finish() {
	for _, col := range c.Columns {
		c.Highest = max(c.Highest, col.Served+col.Refused+col.Failed)
	}
	height := func(n int) int {
		if n == 0 {
			return 0
		}
		return max(2, n*100/c.Highest)
	}
	for i := range c.Columns {
		col := &c.Columns[i]
		col.ServedHeight, col.RefusedHeight, col.FailedHeight = height(col.Served), height(col.Refused), height(col.Failed)
		col.ServedTop = 104 - col.ServedHeight
		col.RefusedTop = col.ServedTop - col.RefusedHeight
		col.FailedTop = col.RefusedTop - col.FailedHeight
	}
}

// Words describes the chart.
func (c Chart) Words() string {
	return fmt.Sprintf("requests: %d served, %d refused and %d failed between %s and %s UTC", c.Served, c.Refused, c.Failed,
		c.From.UTC().Format("2 Jan 15:04"), c.To.UTC().Format("2 Jan 15:04"))
}
