// Package slips finds what spreadsheets, and those who type into them, leave in a
// text: errors of formulas, formulas themselves, numbers and dates that a text was
// turned into, letters in the wrong encoding, and characters that nobody sees.
//
// The messages read on after a field's name.
package slips

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Wrong says what a text holds that nobody can have meant; empty for a good text.
func Wrong(text string) string {
	switch {
	case text == "":
	case text[0] == '#' && isError(text):
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
	if message := typed(text); message != "" {
		return message
	}
	if text == "" || plain(text) && text[0] != ' ' && text[len(text)-1] != ' ' && !strings.Contains(text, "  ") {
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
	return ""
}

// OddKey is Odd for an id or a reference.
func OddKey(key string) string {
	switch {
	case len(key) > 1 && key[0] == '\'' && key[1] >= '0' && key[1] <= '9':
		return "begins with an apostrophe, which spreadsheets put in front of a number that is text"
	case thousands(key):
		return "looks like a number that a spreadsheet has given points or zeros: format the column as text"
	case isDate(key):
		return "looks like a date that a spreadsheet has made of it: format the column as text"
	}
	return Odd(key)
}

// blanks are what people write into a cell that has no value.
var blanks = []string{"n/a", "n.a.", "-", "--", "---", "–", "—", "?", "??", "???", "tbd", "tba", "null", "none", "nil", "nan", "undefined", "unknown"}

// typed is Odd for what people type, or copy from elsewhere.
func typed(text string) string {
	if slices.ContainsFunc(blanks, func(b string) bool { return strings.EqualFold(b, text) }) {
		return "is " + strconv.Quote(text) + ": leave the cell empty where there is no value"
	}
	if entity(text) {
		return "has a letter as HTML writes it"
	}
	if i := strings.IndexByte(text, '?'); i > 0 && i < len(text)-1 && isLetter(text[i-1]) && isLetter(text[i+1]) && !strings.Contains(text, "://") {
		return "has a question mark within a word: was a letter lost? Save the file as UTF-8"
	}
	return ""
}

// entity reports whether a text has a reference such as &uuml; or &#252;.
func entity(text string) bool {
	_, after, _ := strings.Cut(text, "&")
	name, _, ended := strings.Cut(after, ";")
	return ended && name != "" && strings.Trim(name, entityLetters) == ""
}

const entityLetters = "#0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

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

func isLetter(c byte) bool { return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' }

// isError reports whether a text is what a cell shows of a formula that failed, in
// English or German.
func isError(text string) bool {
	switch strings.ToUpper(strings.TrimSpace(text)) {
	case "#REF!", "#N/A", "#VALUE!", "#NAME?", "#DIV/0!", "#NULL!", "#NUM!", "#SPILL!", "#CALC!", "#FIELD!", "#ERROR!",
		"#BEZUG!", "#NV", "#WERT!", "#ZAHL!", "#ÜBERLAUF!":
		return true
	}
	return strings.Trim(text, "#") == "" && len(text) > 2 // a column that is too narrow
}

// shortened reports whether a text is a number such as 1E+03.
func shortened(text string) bool {
	mantissa, exponent, ok := strings.Cut(strings.ToUpper(text), "E+")
	digits := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	whole, part, fraction := strings.Cut(strings.ReplaceAll(mantissa, ",", "."), ".")
	return ok && digits(exponent) && digits(whole) && (!fraction || digits(part))
}

// months are those of dates as spreadsheets show them, in English and German.
var months = []string{
	"jan", "feb", "mar", "mär", "mrz", "apr", "may", "mai", "jun", "jul", "aug", "sep", "oct", "okt", "nov", "dec", "dez",
}

// isDate reports whether a text is a date such as "02. Jan", "Jan-02", or a day with its
// midnight.
func isDate(text string) bool {
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

// unseen names a character that cannot be seen, or that stands for one that was lost.
func unseen(text string) string {
	for _, r := range text {
		switch r {
		case '\u00a0', '\u202f':
			return "has a no-break space"
		case '\u200b', '\u2060', '\ufeff', '\u00ad':
			return "has a character that cannot be seen (" + strconv.FormatInt(int64(r), 16) + ")"
		case utf8.RuneError:
			return "has a character in the place of one that was lost (\ufffd)"
		}
	}
	return ""
}

// windows1252 are the characters of the bytes 0x80 to 0x9f; 0 for those that have none.
var windows1252 = [32]rune{
	'€', 0, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0, 'Ž', 0,
	0, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0, 'ž', 'Ÿ',
}

// misread returns what a text was before UTF-8 was taken for Windows-1252; empty where
// that cannot be.
func misread(text string) string {
	bytes := make([]byte, 0, len(text))
	for _, r := range text {
		switch {
		case r < 0x80 || r >= 0xa0 && r <= 0xff:
			bytes = append(bytes, byte(r)) //nolint:gosec // below 0x100
		default:
			at := -1
			for i, c := range windows1252 {
				if c == r {
					at = i
				}
			}
			if at < 0 {
				return ""
			}
			bytes = append(bytes, byte(0x80+at))
		}
	}
	if plain(string(bytes)) || !utf8.Valid(bytes) {
		return ""
	}
	return string(bytes)
}
