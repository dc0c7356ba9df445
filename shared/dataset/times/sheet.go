package times

import (
	"strings"
	"time"
)

// iso writes a time as spreadsheets show it as ISO 8601. The time may have a space for T,
// and hours of one digit; the date may have dots, with the day first, and spaces behind
// them or not. Midnight with its seconds is what some programs write behind a date alone.
// Anything else stays as it is: dates with strokes too, which are one day in Europe and
// another in America.
func iso(s string) string {
	text := strings.ReplaceAll(strings.TrimSpace(s), ". ", ".")
	date, clock, timed := strings.Cut(strings.TrimSuffix(text, " 00:00:00"), " ")
	if day, err := time.Parse("2.1.2006", date); err == nil {
		date = day.Format(time.DateOnly)
	}
	if !timed {
		return date
	}
	if clock = strings.TrimSpace(clock); strings.Index(clock, ":") == 1 {
		clock = "0" + clock
	}
	return date + "T" + clock
}
