package route

import (
	"strings"
	"time"
)

// Bound is an inclusive bound on kickoff, in UTC. Kickoffs are whole
// milliseconds, so From is rounded up and To down to one, which keeps exactly
// the same matches.
type Bound struct {
	Set bool      // sent
	At  time.Time // between the years -1 and 10000: an offset may lead out of the four digits
}

// Time is the bound; nil where none was sent.
func (b Bound) Time() *time.Time {
	if !b.Set {
		return nil
	}
	return &b.At
}

// lastMillisecond is where a day ends for a bound (read-api, Time filters).
const lastMillisecond = 24*time.Hour - time.Millisecond

// parseBound reads the forms of D14 and D35; end says that a date alone is the
// end of its day and not the start.
func parseBound(s string, end bool) (Bound, bool) {
	date, clock, timed := strings.Cut(s, "T")
	at, ok := parseDate(date)
	if !ok {
		return Bound{}, false
	}
	switch {
	case timed:
		offset, ok := parseClock(clock)
		if !ok {
			return Bound{}, false
		}
		at = at.Add(offset)
	case end:
		at = at.Add(lastMillisecond)
	}
	return Bound{Set: true, At: at}, true
}

// parseDate reads YYYY-MM-DD, a date that exists, as its start in UTC.
func parseDate(s string) (time.Time, bool) {
	if len(s) != len("YYYY-MM-DD") || s[4] != '-' || s[7] != '-' {
		return time.Time{}, false
	}
	year, ok1 := digits(s[:4], 9999)
	month, ok2 := digits(s[5:7], 12)
	day, ok3 := digits(s[8:], 31)
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	return t, ok1 && ok2 && ok3 && t.Month() == time.Month(month) && t.Day() == day
}

// parseClock reads HH:MM[:SS[.fraction]] and a zone, and returns what is to be
// added to the start of the day in UTC.
func parseClock(s string) (time.Duration, bool) {
	s, zone, ok := cutZone(s)
	if !ok || len(s) < len("HH:MM") || s[2] != ':' {
		return 0, false
	}
	hour, ok1 := digits(s[:2], 23)
	minute, ok2 := digits(s[3:5], 59)
	second, nano, ok3 := parseSeconds(s[5:])
	local := time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute +
		time.Duration(second)*time.Second + time.Duration(nano)
	return local - zone, ok1 && ok2 && ok3
}

// parseSeconds reads nothing or :SS[.fraction] with 1 to 9 digits of fraction.
func parseSeconds(s string) (second, nano int, ok bool) {
	if s == "" {
		return 0, 0, true
	}
	if len(s) < len(":SS") || s[0] != ':' {
		return 0, 0, false
	}
	if second, ok = digits(s[1:3], 59); !ok {
		return 0, 0, false
	}
	fraction, dotted := strings.CutPrefix(s[3:], ".")
	if !dotted {
		return second, 0, fraction == ""
	}
	if fraction == "" || len(fraction) > 9 {
		return 0, 0, false
	}
	nano, ok = digits(fraction, maxInteger)
	for range 9 - len(fraction) {
		nano *= 10
	}
	return second, nano, ok
}

// cutZone takes Z or ±HH:MM off the end of s; neither is UTC.
func cutZone(s string) (rest string, zone time.Duration, ok bool) {
	if rest, ok := strings.CutSuffix(s, "Z"); ok {
		return rest, 0, true
	}
	i := len(s) - len("+HH:MM")
	if i < 0 || s[i] != '+' && s[i] != '-' {
		return s, 0, true
	}
	hour, ok1 := digits(s[i+1:i+3], 23)
	minute, ok2 := digits(s[i+4:], 59)
	zone = time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute
	if s[i] == '-' {
		zone = -zone
	}
	return s[:i], zone, ok1 && ok2 && s[i+3] == ':'
}

// digits reads s, one to nine decimal digits, as a number of at most limit.
func digits(s string, limit int) (int, bool) {
	n := 0
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, n <= limit
}

func floorMillisecond(t time.Time) time.Time {
	return t.Add(-time.Duration(t.Nanosecond()) % time.Millisecond)
}

func ceilMillisecond(t time.Time) time.Time {
	return floorMillisecond(t.Add(time.Millisecond - 1))
}
