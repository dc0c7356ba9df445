package parts

import (
	"testing"

	"touchline/shared/accesslog"
)

func TestTookIsByRoute(t *testing.T) {
	var took Took
	for i := range 20 {
		took.Add(&accesslog.Line{Route: "/v1/ping", Status: 200, DurationMicros: int64(20-i) * 1000})
	}
	took.Add(&accesslog.Line{Route: "/v1/matches/{id}", Status: 503, DurationMicros: 90_000})
	rows := took.Rows()
	if len(rows) != 2 || rows[0].Route != "/v1/ping" || rows[0].Count != 20 || rows[1].Failed != 1 {
		t.Fatalf("%+v", rows)
	}
	for _, tt := range []struct {
		row     *RouteRow
		percent int
		want    int64
	}{{rows[0], 50, 10_000}, {rows[0], 95, 19_000}, {rows[0], 100, 20_000}, {rows[1], 50, 90_000}, {took.All(), 100, 90_000}, {&RouteRow{}, 50, 0}} {
		if got := tt.row.Within(tt.percent); got != tt.want {
			t.Errorf("%s %d %%: %d, want %d", tt.row.Route, tt.percent, got, tt.want)
		}
	}
}
