package parts

import (
	"testing"
	"time"

	"touchline/shared/accesslog"
)

func TestAChartKeepsEveryRequestInItsColumn(t *testing.T) {
	testTime := time.Date(2026, time.March, 14, 15, 0, 0, 0, time.UTC)
	c := NewChart(testTime.Add(-time.Hour), testTime)
	for _, l := range []accesslog.Line{
		{Time: testTime.Add(-time.Hour), Status: 200}, {Time: testTime, Status: 404}, {Time: testTime.Add(time.Second), Status: 500},
		{Time: testTime.Add(-2 * time.Hour), Status: 200},
	} {
		c.Add(&l)
	}
	c.Finish()
	if c.Columns[0].Served != 1 || c.Columns[columns-1].Refused != 1 || c.Columns[columns-1].Failed != 1 || c.Highest != 2 {
		t.Errorf("%+v", c)
	}
	if last := c.Columns[columns-1]; last.RefusedHeight != 50 || last.FailedTop != 4 {
		t.Errorf("%+v", last)
	}
}
