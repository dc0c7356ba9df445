package terminal

import (
	"fmt"
	"strings"
	"unicode"
)

// Counted is a number of things in words: "1 fault", "2 faults".
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Plain is text from the data without characters that would move the cursor of a
// terminal.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '\uFFFD'
		}
		return r
	}, text)
}

// Word quotes a word for a shell, if necessary.
func Word(s string) string {
	if strings.IndexFunc(s, func(r rune) bool {
		return !strings.ContainsRune("/._-+:@%,=", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0 && s != "" {
		return s
	}
	return Quote(s)
}

// Quote quotes text as one word of a POSIX shell.
func Quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
