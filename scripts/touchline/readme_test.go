package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"touchline/shared/signing"
)

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestTheReadmesSignatureIsRight signs what the README pipes into openssl.
func TestTheReadmesSignatureIsRight(t *testing.T) {
	text := readme(t)
	example := regexp.MustCompile(`(?s)printf '([^']*)' \|\s+openssl dgst -sha256 -hmac '([^']*)'`).FindStringSubmatch(text)
	if example == nil {
		t.Fatal("no example")
	}
	signature := signing.Sign(example[2], strings.ReplaceAll(example[1], `\n`, "\n"))
	if !strings.Contains(text, "X-Service-Signature: "+signature+"\n") {
		t.Errorf("the signature is %s", signature)
	}
}

// TestTheReadmeNamesWhatThereIs asks every command of the README's table for
// its help, and looks for the variables and targets it names.
func TestTheReadmeNamesWhatThereIs(t *testing.T) {
	text := readme(t)
	commands := regexp.MustCompile("`touchline ([a-z ]+[a-z])[^`]*`").FindAllStringSubmatch(text, -1)
	if len(commands) < 10 {
		t.Fatalf("found %d commands", len(commands))
	}
	for _, c := range commands {
		newTerminal(nil).succeed(t, append(strings.Fields(c[1]), "--help")...)
	}
	var help strings.Builder
	for _, c := range []string{"serve", "keys create", "get"} {
		help.WriteString(newTerminal(nil).succeed(t, append(strings.Fields(c), "--help")...))
	}
	help.WriteString("TOUCHLINE_MASTER_KEY TOUCHLINE_SHARED") // no flags
	for _, name := range regexp.MustCompile(`TOUCHLINE_[A-Z_]+`).FindAllString(text, -1) {
		if !strings.Contains(help.String(), name) {
			t.Errorf("%s is not in any help", name)
		}
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	targets := regexp.MustCompile(`make ([a-z][a-z-]+)`).FindAllStringSubmatch(text, -1)
	if len(targets) < 3 {
		t.Errorf("found %d targets", len(targets))
	}
	for _, target := range targets {
		if !strings.Contains(string(makefile), "\n"+target[1]+":") {
			t.Errorf("no target %s", target[1])
		}
	}
}

// TestTheReadmeNamesEveryPackage looks for the folders of shared/ in the table
// of where things are.
func TestTheReadmeNamesEveryPackage(t *testing.T) {
	_, table, found := strings.Cut(readme(t), "## Where things are\n")
	if !found {
		t.Fatal("no such section")
	}
	table, _, _ = strings.Cut(table, "\n\nEach package's comment")
	entries, err := os.ReadDir(filepath.Join("..", "..", "shared"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && !strings.Contains(table, "`"+e.Name()+"`") {
			t.Errorf("shared/%s is not in it", e.Name())
		}
	}
}
