package terminal

import (
	"fmt"
	"runtime"
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

// Word quotes a word for the shell of this system, if necessary.
func Word(s string) string {
	if runtime.GOOS == "windows" && strings.ContainsAny(s, ` &'();`) {
		return `"` + s + `"` // of cmd and PowerShell
	} else if runtime.GOOS == "windows" {
		return s
	}
	if strings.IndexFunc(s, func(r rune) bool {
		return !strings.ContainsRune("/._-+:@%,=", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0 && s != "" {
		return s
	}
	return Quote(s)
}

// Quote quotes text as one word of a POSIX shell.
func Quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// Variable is one of the environment. Without a value it is asked for, and not shown.
type Variable struct{ Name, Value string }

// Line is a line of the shell that people have on a system (GOOS), PowerShell or a POSIX
// one, which sets variables and runs a command; without one they stay set.
func Line(system string, variables []Variable, command string) string {
	var asked, names, set []string
	for _, v := range variables {
		switch {
		case system == "windows" && v.Value == "":
			set = append(set, "$env:"+v.Name+" = [Net.NetworkCredential]::new('', (Read-Host -AsSecureString)).Password")
		case system == "windows":
			set = append(set, "$env:"+v.Name+" = '"+strings.ReplaceAll(v.Value, "'", "''")+"'")
		case v.Value == "":
			asked, names = append(asked, "read -rs "+v.Name), append(names, v.Name)
		default:
			names = append(names, v.Name+"="+Word(v.Value))
		}
	}
	switch {
	case system == "windows" && command != "":
		return strings.Join(append(set, "& "+command), "; ")
	case system == "windows":
		return strings.Join(set, "; ")
	case asked == nil:
		return strings.Join(append(names, command), " ")
	}
	all := append(asked, "export "+strings.Join(names, " "))
	if command != "" {
		all = append(all, command)
	}
	return strings.Join(all, " && ")
}
