package times

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
)

// iso writes a time as spreadsheets show it as ISO 8601. The time may have a space for T,
// hours of one digit, an h for the colon, and "Uhr" behind it; the date may have the day of
// the week in front, and dots, with the day first, and spaces behind them or not. Midnight with its seconds is what some programs write behind a date alone.
// Anything else stays as it is: dates with strokes too, which are one day in Europe and
// another in America.
func iso(s string) string {
	text := strings.TrimSuffix(withoutWeekday(strings.TrimSpace(s)), " Uhr")
	text = strings.TrimSuffix(strings.ReplaceAll(text, ". ", "."), " 00:00:00")
	date, clock, timed := strings.Cut(text, " ")
	if day, err := time.Parse("2.1.2006", date); err == nil {
		date = day.Format(time.DateOnly)
	}
	if !timed {
		return date
	}
	if hour, minute, ok := strings.Cut(clock, "h"); ok && len(minute) == 2 {
		clock = hour + ":" + minute
	}
	if clock = strings.TrimSpace(clock); strings.Index(clock, ":") == 1 {
		clock = "0" + clock
	}
	return date + "T" + clock
}

// withoutWeekday is a date without the day of the week in front: Sa 14.03.2026.
func withoutWeekday(text string) string {
	word, rest, _ := strings.Cut(text, " ")
	if word = strings.TrimRight(word, ".,"); word == "" || strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }) {
		return text
	}
	return strings.TrimSpace(rest)
}

// dates are those that are not read: with strokes, or a year of two digits.
var dates = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\d{1,2})([/.])(\d{1,2})[/.](20)?(\d\d)\b`)
})

// The days of spreadsheets from 1954 to 2119: other numbers are not taken for days.
const (
	firstDay = 20_000
	lastDay  = 80_000
)

// Advice ends the message on a text that is no time; empty where there isn't any to give.
// A spreadsheet counts days from the end of 1899 on, and the time of day is a fraction of
// one: without the format of a date a cell is that number.
func Advice(s string) string {
	s = withoutWeekday(strings.TrimSpace(s))
	unread := dates().FindStringSubmatch(s)
	date, clock, _ := strings.Cut(s, " ")
	days, counted := serial(date)
	part, timed := serial(clock)
	const form = ": %s is %s in a spreadsheet; give its cells the format of a %s"
	at := time.Date(1899, time.December, 30, 0, 0, 0, 0, time.UTC).Add(time.Duration(math.Round((days+part)*24*60)) * time.Minute)
	switch {
	case unread != nil && (unread[2] == "/" || unread[4] == ""):
		return fmt.Sprintf(": if the day comes first, write %s.%s.20%s", unread[1], unread[3], unread[5])
	case counted && firstDay <= days && days < lastDay:
		return fmt.Sprintf(form, date, at.Format(time.DateOnly), "date")
	case timed && part < 1 && !counted:
		return fmt.Sprintf(form, clock, at.Format("15:04"), "time")
	case clock != "":
		if _, _, err := ParseLocal(date); err == nil {
			return ": write the time as 18:30"
		}
	}
	return ""
}

// serial is a number of days.
func serial(text string) (float64, bool) {
	n, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	return n, err == nil && n >= 0
}
