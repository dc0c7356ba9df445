// Package slips finds what spreadsheets, and those who type into them, leave in a
// text: errors of formulas, formulas themselves, numbers and dates that a text was
// turned into, words for no value, letters in the wrong encoding, and characters that
// nobody sees. [Near] finds what a misspelt word was meant to be.
//
// The messages read on after a field's name.
package slips

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Wrong says what a text holds that nobody can have meant; empty for a good text.
func Wrong(text string) string {
	switch {
	case text == "":
	case isError(text):
		return "is " + strconv.Quote(text) + ", an error of a spreadsheet's formula"
	case text[0] == '=' && len(text) > 1 && (text[1] == '(' || text[1] == '$' || isLetter(text[1])):
		return "is a formula of a spreadsheet, not its value"
	}
	return ""
}

// WrongKey is Wrong for an id or a reference.
func WrongKey(key string) string {
	if message := Wrong(key); message != "" {
		return message
	}
	if shortened(key) {
		return "is " + strconv.Quote(key) + ", a number as spreadsheets shorten it: format the column as text"
	}
	return ""
}

// Odd says what of a name or another short text was most likely not meant; empty for a
// text in order.
func Odd(text string) string {
	if blank(text) {
		return "is " + strconv.Quote(text) + ": leave the cell empty where there is no value"
	}
	if text == "" || plain(text) && text[0] != ' ' && text[len(text)-1] != ' ' && !strings.Contains(text, "  ") && !strings.Contains(text, "?") {
		return ""
	}
	if first, _ := utf8.DecodeRuneInString(text); unicode.IsSpace(first) {
		return "begins with white space"
	}
	if last, _ := utf8.DecodeLastRuneInString(text); unicode.IsSpace(last) {
		return "ends with white space"
	}
	if strings.Contains(text, "  ") {
		return "has two spaces in a row"
	}
	if message := unseen(text); message != "" {
		return message
	}
	if meant := misread(text); meant != "" {
		return "has letters in the wrong encoding: was " + strconv.Quote(meant) + " meant? Save the file as UTF-8"
	}
	if letterLost(text) {
		return "has a question mark within a word: was a letter lost? Save the file as UTF-8"
	}
	return ""
}

// precise is how many digits of a number spreadsheets keep.
const precise = 15

// OddKey is Odd for an id or a reference.
func OddKey(key string) string {
	switch {
	case thousands(key):
		return "looks like a number that a spreadsheet has given points or zeros: format the column as text"
	case IsDate(key):
		return "looks like a date that a spreadsheet has made of it: format the column as text"
	case len(key) > precise && strings.Trim(key, "0123456789") == "" && strings.Trim(key[precise:], "0") == "":
		return "is a number of more than 15 digits, of which spreadsheets make the last ones zeros: format the column as text"
	}
	return Odd(key)
}

// blanks are what people write into a cell that has no value.
var blanks = []string{"n/a", "n.a.", "-", "--", "---", "–", "—", "?", "??", "tbd", "tba", "null", "none", "nan", "unknown", "n.n.", "k.a."}

// blank reports whether a text stands for no value.
func blank(text string) bool {
	return slices.ContainsFunc(blanks, func(b string) bool { return strings.EqualFold(b, text) })
}

// letterLost reports whether a question mark is within a word, as programs leave it that
// have no letter for one.
func letterLost(text string) bool {
	runes := []rune(text)
	for i := 1; i < len(runes)-1; i++ {
		if runes[i] == '?' && unicode.IsLetter(runes[i-1]) && unicode.IsLetter(runes[i+1]) && !strings.Contains(text, "://") {
			return true
		}
	}
	return false
}

// thousands reports whether a text is a number such as 1.000 or 1001.0.
func thousands(text string) bool {
	whole, part, ok := strings.Cut(text, ".")
	if !ok {
		whole, part, ok = strings.Cut(text, ",")
	}
	digits := strings.Trim(whole+part, "0123456789") == "" && whole != ""
	return ok && digits && (part == "0" || part == "00" || len(part) == 3 && len(whole) <= 3 && whole[0] != '0')
}

func plain(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// undotted is a word in small letters, without the marks of an abbreviation.
func undotted(word string) string {
	return strings.ToLower(strings.TrimSpace(strings.NewReplacer(".", "", "/", "").Replace(word)))
}

// Truth ends the message on a text that is neither true nor false; empty where there is
// nothing to say.
func Truth(text string) string {
	word := undotted(text)
	switch {
	case slices.Contains([]string{"x", "1", "ja", "j", "yes", "y", "oui", "si", "sì", "sí", "✓", "✔", "on"}, word), isExtraTime(text), isShootout(text):
		return ": write true"
	case slices.Contains([]string{"0", "nein", "n", "no", "non", "off"}, word), blank(text):
		return ": write false"
	}
	return ""
}

// Plus ends the message on a number with a plus where one below 0 is possible; empty for
// any other text.
func Plus(text string) string {
	digits, signed := strings.CutPrefix(strings.TrimSpace(text), "+")
	if !signed || digits == "" || strings.Trim(digits, "0123456789") != "" {
		return ""
	}
	return ": write " + digits + " for points that are added, and -" + digits + " for a deduction"
}

// Advice ends the message on a text that is no number, or no year; empty where there isn't
// one to give.
func Advice(text string, year bool) string {
	text = strings.TrimSpace(text)
	if strings.Trim(text, "0123456789/-–") == "" && year && text != "" {
		return ": the year in which it starts, alone"
	}
	home, away, result := strings.Cut(strings.NewReplacer("-", ":", "–", ":", "−", ":").Replace(text), ":")
	part := strings.TrimLeft(away, " 0123456789")
	_, err := strconv.Atoi(strings.TrimSpace(home))
	whole, rest, fraction := strings.Cut(strings.ReplaceAll(text, ",", "."), ".")
	digits := len(text) > 1 && strings.Trim(text, "0123456789") == ""
	switch {
	case isError(text):
		return ", an error of a spreadsheet's formula"
	case strings.HasPrefix(text, "="):
		return ", a formula without a value: open the file in a spreadsheet program and save it again"
	case IsDate(text), isTime(text):
		return ": a spreadsheet has made a date or a time of it; format the column as text and write it again"
	case decided(text) != "":
		return decided(text)
	case digits && text[0] == '0':
		return ": drop the zero in front"
	case blank(text), strings.Trim(text, "-–:x ") == "":
		return ": leave the cell empty where there is no value"
	case result && err == nil && away != "" && part != strings.TrimSpace(away) && part[:min(1, len(part))] != ":":
		return ": the goals of home and away have a column each, and no other sign"
	case fraction && whole != "" && strings.Trim(whole+rest, "0123456789") == "":
		return ": write it without point, comma and decimals"
	case strings.ContainsAny(text, "0123456789") && strings.Trim(text, "0123456789") != "":
		return ": write digits alone"
	}
	return ""
}

// What people write behind a result that extra time, or a shoot-out, has decided.
var (
	extraTimes = []string{"nv", "iv", "ot", "aet", "et", "ap", "dts", "prol", "pp", "ja", "dogr", "overtime", "verlängerung", "nachverlängerung", "afterextratime"}
	shootouts  = []string{"np", "so", "gws", "ne", "ie", "pen", "pens", "ps", "pso", "tab", "dcr", "n7m", "sn", "vl", "str", "k", "penalties", "shootout", "elfmeterschießen"}
	// results are 4:3 n.V., 4 OT, 1:1 (4:3 i.E.) and 4:3 n.V. (3:3): the goals, and the words
	// between other results.
	results = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(\d{1,3})(?:\s*[:–−-]\s*(\d{1,3}))?[\d\s:–−,(/)-]*(\pL.*?)[\s(,/]*(?:[(]?\d[\d\s:–−,-]*[)]?)?$`)
	})
)

func isExtraTime(word string) bool { return slices.Contains(extraTimes, abbreviated(word)) }
func isShootout(word string) bool  { return slices.Contains(shootouts, abbreviated(word)) }

// abbreviated is an abbreviation without spaces and brackets as well.
func abbreviated(word string) string {
	return strings.NewReplacer(" ", "", "(", "", ")", "").Replace(undotted(word))
}

// decided ends the message on a result such as "4:3 n.V." or "3:2 SO"; empty for any other.
func decided(text string) string {
	parts := results().FindStringSubmatch(text)
	switch {
	case parts == nil:
	case isExtraTime(parts[3]) && parts[2] != "":
		return ": extra time has a column of its own; write score.home " + parts[1] + ", score.away " + parts[2] + ", extraTime true"
	case isExtraTime(parts[3]):
		return ": extra time has a column of its own; write " + parts[1] + " here, and extraTime true"
	case isShootout(parts[3]):
		return ": the score is that before the shoot-out, which has columns of its own: such as score.home 2, score.away 2, penalties.home 4, penalties.away 3"
	}
	return ""
}

func isLetter(c byte) bool { return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' }

// isError reports whether a text is what a cell shows of a formula that failed, in any
// language: #REF!, #VALEUR!, #¿NOMBRE?, #N/A, Err:502, or ###, a column that is too narrow.
func isError(text string) bool {
	text = strings.ToUpper(strings.TrimSpace(text))
	if number, ok := strings.CutPrefix(text, "ERR:"); ok {
		return len(number) == 3 && strings.Trim(number, "0123456789") == ""
	}
	name, ok := strings.CutPrefix(text, "#")
	ended := strings.TrimRight(name, "!?")
	if !ok || strings.ContainsFunc(ended, func(r rune) bool { return !unicode.IsUpper(r) && !strings.ContainsRune("#/0¡¿", r) }) {
		return false
	}
	return ended != name || ended == "NV" || strings.HasPrefix(ended, "N/") || len(name) > 1 && strings.Trim(name, "#") == ""
}

// shortened reports whether a text is a number such as 1E+03 or 1,23E12.
func shortened(text string) bool {
	mantissa, exponent, ok := strings.Cut(strings.ToUpper(text), "E")
	exponent, signed := strings.CutPrefix(exponent, "+")
	digits := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	whole, part, fraction := strings.Cut(strings.ReplaceAll(mantissa, ",", "."), ".")
	return ok && digits(exponent) && digits(whole) && (signed || fraction) && (!fraction || digits(part))
}

// months are those of dates as spreadsheets show them, in English and German.
var months = []string{
	"jan", "feb", "mar", "mär", "mrz", "apr", "may", "mai", "jun", "jul", "aug", "sep", "oct", "okt", "nov", "dec", "dez",
}

// IsDate reports whether a text is a date such as "02. Jan", "Jan-02", or a day with its
// midnight.
func IsDate(text string) bool {
	text = strings.ToLower(text)
	if day := strings.TrimSuffix(text, " 00:00:00"); len(day) == len(time.DateOnly) {
		if _, err := time.Parse(time.DateOnly, day); err == nil {
			return true
		}
	}
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == '.' || r == '-' || r == ' ' })
	if len(parts) != 2 {
		return false
	}
	for i, month := range parts {
		n, err := strconv.Atoi(parts[1-i])
		for _, m := range months {
			if month == m && err == nil && n > 0 && len(parts[1-i]) <= 2 {
				return true
			}
		}
	}
	return false
}

// isTime reports whether a text is a time of day with seconds, a date with dots, or a
// date with a time, as a workbook's cell gives it. Spreadsheets keep a time as a part of
// a day, which is one, too.
func isTime(text string) bool {
	for _, layout := range []string{"15:04:05", "2.1.2006", "2006-01-02 15:04"} {
		if _, err := time.Parse(layout, text); err == nil {
			return true
		}
	}
	part, ok := strings.CutPrefix(strings.ReplaceAll(text, ",", "."), "0.")
	return ok && len(part) > 6 && strings.Trim(part, "0123456789") == ""
}

// unseen names an invisible character, or one that stands for a lost one.
func unseen(text string) string {
	joined := strings.ContainsFunc(text, func(r rune) bool { return r >= 0x590 && r < 0x2000 }) // scripts that join letters, or run to the left
	for _, r := range text {
		switch {
		case r == '\u00a0', r == '\u202f':
			return "has a no-break space"
		case r == '\u200b', r == '\u2060', r == '\ufeff', r == '\u00ad', r >= '\u200c' && r <= '\u200f' && !joined:
			return "has a character that cannot be seen (" + strconv.FormatInt(int64(r), 16) + ")"
		case r == utf8.RuneError:
			return "has a character in the place of one that was lost (\ufffd)"
		}
	}
	return ""
}

// misread returns what a text was before UTF-8 was taken for Windows-1252; empty where
// that cannot be.
func misread(text string) string {
	was, err := charmap.Windows1252.NewEncoder().String(text)
	if err != nil || plain(was) || !utf8.ValidString(was) {
		return ""
	}
	return was
}
