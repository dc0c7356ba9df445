package spreadsheet

import (
	"strings"

	"github.com/xuri/excelize/v2"
)

// What the formats of a workbook are taken for. A sign that XML cannot hold tells a date,
// which is text then, from a text.
const (
	days      = "\"\x01\"yyyy-mm-dd hh:mm:ss.000" // dates, whose time of day counts if there is one
	moments   = "\"\x02\"yyyy-mm-dd hh:mm:ss.000" // dates that are shown with a time
	clocks    = "\"\x03\"yyyy-mm-dd hh:mm:ss.000"
	hours     = "\"\x04\"[h]:mm:ss" // elapsed time, which may be more than a day
	minutes   = "\"\x04\"[m]:ss"
	plainText = "@"
)

// styled has excelize show values: a date, in whatever form the country writes it, as
// YYYY-MM-DD, with its time if it has one or its format shows one; a number with its
// digits, and the zeros in front that its format fills it up with.
func styled(f *excelize.File) {
	s := f.Styles
	if s == nil || s.CellXfs == nil {
		return
	}
	custom := map[int]string{}
	if s.NumFmts != nil {
		for _, n := range s.NumFmts.NumFmt {
			custom[n.NumFmtID] = n.FormatCode
			n.FormatCode16 = ""
		}
	}
	ids := map[string]int{}
	for i := range s.CellXfs.Xf {
		id := 0
		if given := s.CellXfs.Xf[i].NumFmtID; given != nil {
			id = *given
		}
		code, ok := custom[id]
		if ok {
			code = taken(code)
		} else {
			code = builtIn(id)
		}
		if ids[code] == 0 {
			format := code
			style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &format})
			if err != nil || s.CellXfs.Xf[style].NumFmtID == nil {
				continue // the value is shown as it is
			}
			ids[code] = *s.CellXfs.Xf[style].NumFmtID
		}
		id = ids[code]
		s.CellXfs.Xf[i].NumFmtID = &id
	}
}

// builtIn is what a format that every workbook has is taken for (ECMA-376, 18.8.30).
func builtIn(id int) string {
	switch {
	case id == 22:
		return moments
	case id >= 14 && id <= 17, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 58:
		return days
	case id == 46:
		return hours
	case id >= 18 && id <= 21, id >= 32 && id <= 35, id >= 45 && id <= 47:
		return clocks
	}
	return plainText
}

// taken is what the code of a format is taken for, such as dd.mm.yyyy, of which the first
// section counts. Texts in it, and what is in brackets but for elapsed time, say nothing.
func taken(code string) string {
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
				plain.WriteString(elapsed + inside)
			}
			i += n + 1
		default:
			plain.WriteByte(c)
		}
	}
	text := strings.ToLower(plain.String())
	switch {
	case strings.HasPrefix(text, elapsed+"h"):
		return hours
	case strings.HasPrefix(text, elapsed+"m"):
		return minutes
	}
	day, clock := strings.ContainsAny(text, "yd"), strings.ContainsAny(text, "hs")
	switch {
	case strings.Contains(text, "general"), text == "":
		return plainText
	case day && clock:
		return moments
	case day, !clock && strings.Contains(text, "m"):
		return days
	case clock:
		return clocks
	case strings.Trim(text, "0") == "":
		return text[:min(len(text), 30)] + "." + strings.Repeat("#", 10)
	}
	return plainText
}

// elapsed marks what is in brackets in the code of a format: hours, minutes or seconds that
// do not begin again.
const elapsed = "\x04"

// shown is a cell as excelize shows it, without the sign of a date and what that does not
// need.
func shown(cell string) string {
	if cell == "" || cell[0] > 4 {
		return cell
	}
	if cell[0] == elapsed[0] {
		if cell = cell[1:]; strings.Count(cell, ":") == 2 {
			cell = strings.TrimSuffix(cell, ":00")
		}
		return cell
	}
	day, clock, _ := strings.Cut(cell[1:], " ")
	clock = strings.TrimSuffix(strings.TrimSuffix(clock, ".000"), ":00")
	switch {
	case cell[0] == clocks[1] && (day == "1900-01-00" || day == "1904-01-01" || day > "1954"): // of a date of today its time of day
		return clock
	case cell[0] == days[1] && clock == "00:00":
		return day
	}
	return day + " " + clock
}
