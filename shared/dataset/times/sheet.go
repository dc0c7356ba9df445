package times

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ErrAmbiguous is the error of a date that is one day in Europe and another in America.
var ErrAmbiguous = errors.New("is a date that can be read in two ways: write it as YYYY-MM-DD, or with dots as DD.MM.YYYY")

// iso writes a time as spreadsheets show it as ISO 8601. The time may have a space for T,
// and hours of one digit or with AM and PM. The date may have the year first, or dots (day
// first, and spaces behind them or not), or strokes, if one of its first two numbers cannot
// be a month. Midnight with its seconds is what some programs write behind a date alone.
// Anything else stays as it is.
func iso(s string) string {
	text := strings.ReplaceAll(strings.TrimSpace(s), ". ", ".")
	text = strings.TrimSuffix(text, " 00:00:00") // of a cell that holds a date
	date, clock, timed := strings.Cut(text, " ")
	if !timed && len(text) >= 10 && text[4:5] == "-" {
		return text
	}
	day, ok := isoDate(date)
	if !ok {
		return s
	}
	if !timed {
		return day
	}
	return day + "T" + isoClock(strings.TrimSpace(clock))
}

// isoDate gives a date of a spreadsheet as YYYY-MM-DD.
func isoDate(date string) (string, bool) {
	if len(date) == 10 && date[4] == '-' {
		return date, true
	}
	for _, stroke := range []string{".", "/", "-"} {
		parts := strings.Split(date, stroke)
		yearFirst := len(parts) == 3 && len(parts[0]) == 4 && stroke != "."
		if yearFirst {
			slices.Reverse(parts)
		}
		if len(parts) != 3 || len(parts[2]) != 4 || stroke == "-" && !yearFirst {
			continue
		}
		day, err := strconv.Atoi(parts[0])
		month, err2 := strconv.Atoi(parts[1])
		if err != nil || err2 != nil {
			return "", false
		}
		if stroke == "/" && !yearFirst {
			switch {
			case day <= 12 && month <= 12 && day != month:
				return "", false
			case month > 12:
				day, month = month, day
			}
		}
		return fmt.Sprintf("%s-%02d-%02d", parts[2], month, day), true
	}
	return "", false
}

// ambiguous reports whether a text begins with a date that isoDate cannot tell.
func ambiguous(s string) bool {
	date, _, _ := strings.Cut(strings.TrimSpace(s), " ")
	parts := strings.Split(date, "/")
	if len(parts) != 3 || len(parts[2]) < 2 {
		return false
	}
	for _, part := range parts[:2] {
		if n, err := strconv.Atoi(part); err != nil || n < 1 || n > 12 {
			return false
		}
	}
	return true
}

// isoClock gives a time of day with hours of two digits, from 00 to 23.
func isoClock(clock string) string {
	half, upper := 0, strings.ToUpper(clock)
	for i, suffix := range []string{"AM", "PM"} {
		if rest, ok := strings.CutSuffix(upper, suffix); ok {
			half, clock = i+1, strings.TrimSpace(rest)
		}
	}
	hour, rest, ok := strings.Cut(clock, ":")
	n, err := strconv.Atoi(hour)
	if half > 0 && (n < 1 || n > 12) {
		return "" // which is no time
	}
	if !ok || err != nil || len(hour) > 2 {
		return clock
	}
	if half > 0 {
		n = n%12 + 12*(half-1)
	}
	return fmt.Sprintf("%02d:%s", n, rest)
}

// Place ends the message on a time zone that is not known, but names the place of one, such
// as "vienna"; empty for any other.
func Place(zone string) string {
	words := strings.FieldsFunc(zone[strings.LastIndex(zone, "/")+1:], func(r rune) bool { return r == ' ' || r == '_' })
	for i, word := range words {
		words[i] = strings.ToUpper(word[:1]) + strings.ToLower(word[1:])
	}
	for _, part := range []string{"Europe/", "America/", "Asia/", "Africa/", "Australia/", "Pacific/", "Atlantic/", "Indian/"} {
		if _, err := time.LoadLocation(part + strings.Join(words, "_")); err == nil && len(words) > 0 {
			return "; did you mean " + part + strings.Join(words, "_") + "?"
		}
	}
	return ""
}

// Advice ends the message on a kick-off that cannot be read; empty where the error says
// it.
func Advice(s string, err error) string {
	if !errors.Is(err, ErrLocal) {
		return ""
	}
	date, clock, _ := strings.Cut(strings.TrimSpace(s), " ")
	day, dated := isoDate(date)
	_, wrong := time.Parse(time.DateOnly, day)
	switch {
	case dated && wrong != nil:
		return "; there is no such day"
	case strings.HasPrefix(clock, "24:"):
		return "; midnight is 00:00 of the next day"
	case strings.Trim(date, "0123456789.,") == "" && strings.Count(date, ".") < 2:
		return "; format the column as a date"
	case clock == "" && strings.Contains(date, "T"):
		return "" // ISO 8601, as the error asks for
	}
	return "; a date is written as 31.12.2026 or 2026-12-31, and a time behind it as 18:30"
}
