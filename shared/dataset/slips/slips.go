// Package slips finds what spreadsheets, and those who type into them, leave in a
// text: errors of formulas, formulas themselves, numbers that were shortened, white space
// in the wrong place, letters in the wrong encoding, and characters that nobody sees.
// [Near] finds what a misspelt word was meant to be.
//
// The messages read on after a field's name.
package slips

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/hbollon/go-edlib"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
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

// Odd says what of a text was most likely not meant; empty for a text in order.
func Odd(text string) string {
	first, _ := utf8.DecodeRuneInString(text)
	last, _ := utf8.DecodeLastRuneInString(text)
	switch {
	case unicode.IsSpace(first):
		return "begins with white space"
	case unicode.IsSpace(last):
		return "ends with white space"
	case strings.Contains(text, "  "):
		return "has two spaces in a row"
	case plain(text):
		return ""
	}
	if message := unseen(text); message != "" {
		return message
	}
	if meant := misread(text); meant != "" {
		return "has letters in the wrong encoding: was " + strconv.Quote(meant) + " meant? Save the file as UTF-8"
	}
	return ""
}

// plain reports whether a text is ASCII.
func plain(text string) bool { return utf8.RuneCountInString(text) == len(text) }

// Advice ends the message on a text in the place of a number; empty where there isn't any
// to give. A signed number may be below 0.
func Advice(text string, signed bool) string {
	text = strings.TrimSpace(text)
	bare, plus := strings.CutPrefix(text, "+")
	switch {
	case signed && plus && digits(bare):
		return ": write " + bare + " for points that are added, and -" + bare + " for a deduction"
	case len(text) > 1 && digits(text) && text[0] == '0':
		return ": drop the zero in front"
	}
	if strings.HasPrefix(text, "1900-0") {
		return ": is it a number in a cell with the format of a date? Give its cells the format of numbers"
	}
	if dates().MatchString(text) {
		return ": is it the date that a spreadsheet makes of 3-1? Type 3:1, or each number into a cell of its own"
	}
	return decided(text)
}

// dates are dates as a cell has or shows them: 2026-01-03, 03.01.2026, 03. Jan, 3-Jan, Mrz 01.
var dates = sync.OnceValue(func() *regexp.Regexp {
	const month = `(jan|gen|ene|feb|f[eé]v|m[aä]r|mrz|a[pbv]r|ma[iyg]|j[uú][nli]|giu|lug|au?g|ao[uû]|sep|set|o[kct]t|nov|d[eéi][zc])\pL*\.?`
	return regexp.MustCompile(`(?i)^(\d{4}-\d\d-\d\d.*|\d{1,2}\.\d{1,2}\.\d{2,4}|\d{1,2}[. -]{0,2}` + month + `|` + month + `[. -]{0,2}\d{1,2})$`)
})

func digits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// What people write behind a result that extra time, or a shoot-out, has decided.
var (
	extraTimes = []string{"nv", "iv", "ot", "aet", "et", "ap", "dts", "prol", "pró", "prórroga", "pp", "ja", "dogr", "overtime", "verlängerung", "nachverlängerung", "afterextratime"}
	shootouts  = []string{"np", "so", "gws", "ne", "ie", "pen", "pens", "ps", "pso", "tab", "dcr", "n7m", "sn", "vl", "str", "k", "penalties", "shootout", "elfmeterschießen"}
	// results are 4:3 n.V., 4 OT, 1:1 (4:3 i.E.) and 4:3 n.V. (3:3), with the words between.
	results = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\d{1,3}(?:\s*[:–−-]\s*\d{1,3})?[\d\s:–−,(/)-]*(\pL.*?)[\s(,/]*(?:[(]?\d[\d\s:–−,-]*[)]?)?$`)
	})
)

// decided ends the message on a result such as "4:3 n.V." or "3:2 SO"; empty for any other.
func decided(text string) string {
	parts := results().FindStringSubmatch(text)
	if parts == nil {
		return ""
	}
	word := strings.ToLower(strings.NewReplacer(" ", "", "(", "", ")", "", ".", "", "/", "").Replace(parts[1]))
	switch {
	case slices.Contains(extraTimes, word):
		return ": the goals stand alone; extra time has a column of its own, extraTime, with true"
	case slices.Contains(shootouts, word):
		return ": the score is that before the shoot-out, which has columns of its own, penalties.home and penalties.away"
	}
	return ""
}

func isLetter(c byte) bool { return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' }

// isError reports whether a text is what a cell shows of a formula that failed, in any
// language: #REF!, #VALEUR!, #¿NOMBRE?, #N/A, Err:502, or ###, a column that is too narrow.
func isError(text string) bool {
	if number, ok := strings.CutPrefix(text, "Err:"); ok {
		return len(number) == 3 && digits(number)
	}
	name, ok := strings.CutPrefix(text, "#")
	return ok && (name == "NV" || strings.HasPrefix(name, "N/") || len(name) > 1 && strings.Trim(name, "#") == "" ||
		strings.TrimRight(name, "!?") != name && strings.ToUpper(name) == name && !strings.ContainsAny(name, " 123456789"))
}

// shortened reports whether a text is a number such as 1E+03 or 1,23E12.
func shortened(text string) bool {
	mantissa, exponent, ok := strings.Cut(strings.ToUpper(text), "E")
	exponent, signed := strings.CutPrefix(exponent, "+")
	whole, part, fraction := strings.Cut(strings.ReplaceAll(mantissa, ",", "."), ".")
	return ok && digits(exponent) && digits(whole) && (signed || fraction) && (!fraction || digits(part))
}

// unseen names an invisible character, or one that stands for a lost one.
func unseen(text string) string {
	joined := strings.ContainsFunc(text, func(r rune) bool { return r >= 0x590 && r < 0x2000 }) // scripts that join letters, or run to the left
	for i, r := range text {
		switch {
		case r == '\u00a0', r == '\u202f':
			return "has a no-break space"
		case r == '\u200b', r == '\u2060', r == '\ufeff', r == '\u00ad', r >= '\u200c' && r <= '\u200f' && !joined:
			before := []rune(text[:i])
			where := "at its beginning"
			if len(before) > 0 {
				where = fmt.Sprintf("after %q", string(before[max(len(before)-12, 0):]))
			}
			return fmt.Sprintf("has a character that cannot be seen: U+%04X %s", r, where)
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

// Folded is a name as it is compared with others: whatever its case, its spaces, and how its
// accents are encoded.
func Folded(name string) string {
	return strings.ToLower(norm.NFC.String(strings.Join(strings.Fields(name), " ")))
}

// Near returns the candidate that a misspelt word was most likely meant to be:
// the one fewest edits away, at most a third of the word's letters and at most
// three. Letter case does not count. It is empty if none is near, and the first
// of several that are equally near.
func Near(word string, candidates []string) (nearest string) {
	letters := utf8.RuneCountInString(word)
	word, limit := strings.ToLower(word), min(letters/3, 3) // the most edits at which a candidate is worth naming
	for _, c := range candidates {
		if d := utf8.RuneCountInString(c) - letters; d > limit || -d > limit {
			continue
		}
		// Letters swapped with their neighbours are one edit.
		if d := edlib.OSADamerauLevenshteinDistance(word, strings.ToLower(c)); d <= limit {
			nearest, limit = c, d-1
		}
	}
	return nearest
}

// DidYouMean returns the end of a message that names the nearest candidate, empty if
// none is near.
func DidYouMean(word string, candidates []string) string {
	if word == "blue" && slices.Contains(candidates, "secondYellow") { // a card of handball
		return ": a blue card comes after the red one, so enter that"
	}
	if near := Near(word, candidates); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}
