package openapi

import (
	"context"
	"regexp"
	"testing"

	"touchline/shared/route"
	"touchline/shared/sport"
)

// TestBoundsAreThoseOfTheDecoder: the pattern matches everything that is
// accepted. Of what is refused it matches only dates that are in no calendar.
func TestBoundsAreThoseOfTheDecoder(t *testing.T) {
	o := route.Define(route.Row{Group: route.GroupMatches, Path: "/v1/matches"},
		func(_ context.Context, _ route.Call, p route.TimeRange) (route.TimeRange, error) { return p, nil })
	pattern := regexp.MustCompile(sport.StampPattern)
	dates := []string{"2026-01-01", "2024-02-29", "0000-12-31", "2026-1-1", "20260101", "2026-13-01", "2026-00-10", "2026-01-32", "2026-01-00", "now"}
	clocks := []string{"", "T", "T10:00", "T23:59:59", "T24:00", "T10:60", "T10", "T10:00:60", "T10:00:00.1", "T10:00:00.123456789", "T10:00:00.1234567890", "T10:00:00.", "T10:00.5", " 10:00", "t10:00"}
	zones := []string{"", "Z", "z", "+02:00", "-23:59", "+24:00", "+02:60", "+0200", "+2:00", "ZZ"}
	accepted := 0
	for _, date := range dates {
		for _, clock := range clocks {
			for _, zone := range zones {
				value := date + clock + zone
				_, err := o.Decode("from=" + value)
				if matches := pattern.MatchString(value); matches != (err == nil) {
					t.Errorf("%s: the pattern says %v, the decoder %v", value, matches, err)
				}
				if err == nil {
					accepted++
				}
			}
		}
	}
	if accepted < 20 {
		t.Errorf("accepted %d", accepted)
	}
	for _, value := range []string{"2025-02-29", "2026-04-31"} {
		if _, err := o.Decode("from=" + value); err == nil || !pattern.MatchString(value) {
			t.Errorf("%s: no longer decided by the calendar alone", value)
		}
	}
}
