package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// removed are words of what Touchline has no more, which no page, help or document may send
// anybody to.
var removed = regexp.MustCompile(`(?i)\b(newman|postman|a topic of (AWS )?SNS|touchline (event|sign|kit|openapi|logs|seed|keys (history|retire))\b|make event)`)

func TestNothingNamesWhatWasRemoved(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "git", "-C", "../..", "ls-files").Output()
	must(t, err)
	for file := range strings.FieldsSeq(string(out)) {
		if strings.Contains(file, "testdata/") || strings.HasSuffix(file, "removed_test.go") || strings.HasSuffix(file, "package-lock.json") {
			continue
		}
		text, err := os.ReadFile("../../" + file)
		must(t, err)
		for i, line := range strings.Split(string(text), "\n") {
			if word := removed.FindString(line); word != "" {
				t.Errorf("%s:%d: %s", file, i+1, word)
			}
		}
	}
}
