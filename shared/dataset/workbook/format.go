package workbook

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// format is what the numbers of a style are.
type format struct {
	day    bool // dates
	clock  bool // times of day; of dates, they are shown with it
	digits int  // that a number is filled up to with zeros
}

// builtIn is a format that every workbook has (ECMA-376, 18.8.30).
func builtIn(id int) format {
	switch {
	case id == 22:
		return format{day: true, clock: true}
	case id >= 14 && id <= 17, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 58:
		return format{day: true}
	case id >= 18 && id <= 21, id >= 32 && id <= 35, id >= 45 && id <= 47:
		return format{clock: true}
	}
	return format{}
}

// formatOf reads the code of a format, such as dd.mm.yyyy, of which the first section
// counts. Texts in it, and what is in brackets but for elapsed time, say nothing.
func formatOf(code string) format {
	var plain strings.Builder
	for i := 0; i < len(code); i++ {
		switch c := code[i]; c {
		case ';':
			code = code[:i]
		case '\\', '_', '*':
			i++
		case '"', '[':
			end := map[byte]byte{'"': '"', '[': ']'}[c]
			n := strings.IndexByte(code[i+1:], end)
			if n < 0 {
				n = len(code) - i - 1
			}
			if inside := strings.ToLower(code[i+1 : i+1+n]); c == '[' && strings.Trim(inside, "hms") == "" {
				plain.WriteString(inside)
			}
			i += n + 1
		default:
			plain.WriteByte(c)
		}
	}
	text := strings.ToLower(plain.String())
	if strings.Contains(text, "general") {
		return format{}
	}
	f := format{day: strings.ContainsAny(text, "yd"), clock: strings.ContainsAny(text, "hs")}
	if strings.Contains(text, "m") && !f.day && !f.clock {
		f.day = true
	}
	if text != "" && strings.Trim(text, "0") == "" {
		f.digits = min(len(text), 30)
	}
	return f
}

// lastDay is the last that a spreadsheet can say, that of the year 9999.
const lastDay = 2958465

// text is a number as a cell of CSV has it; value is as the workbook has it.
func (f format) text(value string, from1904 bool) string {
	n, err := strconv.ParseFloat(value, 64)
	switch {
	case err != nil || math.IsNaN(n) || math.IsInf(n, 0):
		return value
	case (f.day || f.clock) && n >= 0 && n <= lastDay:
		return f.moment(n, from1904)
	case n == math.Trunc(n) && math.Abs(n) < 1e15:
		text := strconv.FormatFloat(n, 'f', -1, 64)
		if n < 0 || len(text) >= f.digits {
			return text
		}
		return strings.Repeat("0", f.digits-len(text)) + text
	case math.Abs(n) >= 1e15 || math.Abs(n) < 1e-5:
		return value
	}
	return strconv.FormatFloat(n, 'g', 15, 64) // as many digits as spreadsheets show
}

// moment is a date, a time of day, or both. Days count from the last one of 1899, and
// up to February 1900 from the first one of 1900: a leap day too many is in between.
func (f format) moment(n float64, from1904 bool) string {
	if f.clock && !f.day {
		n -= math.Floor(n)
	}
	switch first := n; {
	case f.day && from1904:
		n += 1462
	case f.day && first < 60:
		n++
	}
	at := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).Add(time.Duration(math.Floor(n)) * 24 * time.Hour)
	ms := math.Round((n - math.Floor(n)) * 24 * 60 * 60 * 1000)
	at = at.Add(time.Duration(ms) * time.Millisecond)
	clock := at.Format("15:04")
	if at.Nanosecond() > 0 {
		clock = at.Format("15:04:05.000")
	} else if at.Second() > 0 {
		clock = at.Format("15:04:05")
	}
	switch {
	case !f.day:
		return clock
	case !f.clock && ms == 0:
		return at.Format(time.DateOnly)
	}
	return fmt.Sprintf("%s %s", at.Format(time.DateOnly), clock)
}
