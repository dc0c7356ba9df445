package sport

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// StampPattern is the form of a date or a time in a query and in a dataset (D14, D35).
const StampPattern = `^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])` +
	`(T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,9})?)?(Z|[+-]([01][0-9]|2[0-3])(:?[0-5][0-9])?)?)?$`

var stampForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(StampPattern) })

// Stamp is a date or a time as it is written.
type Stamp struct {
	Wall     time.Time // the digits, as if they were UTC
	DateOnly bool
	Zoned    bool // an offset or Z was there
	Offset   time.Duration
}

// ParseStamp reads the form of StampPattern; false for any other, and for a date that
// no calendar has. time.Parse alone would take more: hours of one digit, a comma.
func ParseStamp(s string) (st Stamp, ok bool) {
	if !stampForm().MatchString(s) {
		return st, false
	}
	date, clock, timed := strings.Cut(s, "T")
	st.DateOnly = !timed
	if i := strings.IndexAny(clock, "Z+-"); i >= 0 {
		st.Zoned, st.Offset, s = true, offset(clock[i:]), date+"T"+clock[:i]
	}
	const layout = "2006-01-02T15:04:05" // which may have a fraction
	wall, err := time.Parse(layout[:min(len(s), len(layout))], s)
	if err != nil {
		return Stamp{}, false
	}
	st.Wall = wall
	return st, true
}

// offset is that of Z or of a sign with hours, which minutes may follow.
func offset(zone string) time.Duration {
	digits := strings.ReplaceAll(zone[1:], ":", "") + "00"
	if len(digits) < len("hhmm") {
		return 0
	}
	minutes, _ := strconv.Atoi(digits[2:4]) // they are digits, by the form
	hours, _ := strconv.Atoi(digits[:2])
	d := time.Duration(60*hours+minutes) * time.Minute
	if zone[0] == '-' {
		return -d
	}
	return d
}
