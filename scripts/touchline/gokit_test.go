package main

import (
	"bufio"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"touchline/scripts/touchline/site"
	touchline "touchline/scripts/touchline/site/kits"
	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/openapi"
)

// record is as much of a body as goDriver looks at.
type record struct {
	ID string `json:"id"`
}

// goDriver does with the Go kit what the drivers of testdata/kits do with the
// others.
func goDriver(t *testing.T, in string, args ...string) string {
	t.Helper()
	var out strings.Builder
	if args[0] == "ditch" {
		driver := exec.CommandContext(t.Context(), os.Args[0], args[1:]...)
		driver.Env = append(os.Environ(), asGoKit+"=1")
		said, err := driver.CombinedOutput()
		if err != nil {
			t.Errorf("%v\n%s", err, said)
		}
		return string(said)
	}
	if args[0] == "vectors" {
		for lines := bufio.NewScanner(strings.NewReader(in)); lines.Scan(); {
			fields := strings.Fields(lines.Text())
			for i, f := range fields {
				plain, err := hex.DecodeString(strings.Trim(f, "-"))
				must(t, err)
				fields[i] = string(plain)
			}
			text := touchline.Canonical(fields[0], fields[1], fields[2], fields[3], fields[4])
			fmt.Fprintf(&out, "%x %s\n", text, touchline.Signature(fields[5], text))
		}
		return out.String()
	}
	var waits strings.Builder
	api := touchline.New(args[1], args[2], args[3])
	api.Sleep = func(_ context.Context, d time.Duration) error {
		fmt.Fprintf(&waits, " %d", d.Round(time.Second)/time.Second)
		return nil
	}
	if args[0] == "trouble" {
		_, err := api.Raw(t.Context(), "/v1/x?status=live", touchline.Query{"from": "2026-09-01"})
		if refusal, ok := errors.AsType[*touchline.Error](err); ok {
			fmt.Fprintln(&out, refusal.Status, refusal.Code, strings.Contains(err.Error(), "field from"), refusal.Header.Get("X-RateLimit-Remaining"))
		}
		fmt.Fprintf(&out, "waited%s\n", waits.String())
		return out.String()
	}
	for item, err := range touchline.Pages[record](t.Context(), api, args[4], touchline.Query{"limit": 2}) {
		must(t, err)
		fmt.Fprintln(&out, item.ID)
	}
	_, err := touchline.Get[record](t.Context(), api, "/v1/teams/none", nil)
	if refusal, ok := errors.AsType[*touchline.Error](err); ok {
		fmt.Fprintln(&out, refusal.Status, refusal.Code)
	}
	fmt.Fprintf(&out, "waited%s\n", waits.String())
	return out.String()
}

// goModule is a folder with a module of that name, which has the Go kit as the pages
// say to lay it out, and other files.
func goModule(t *testing.T, name string, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files["touchline/touchline.go"], files["go.mod"] = newTerminal(nil).succeed(t, "kit", "go"), "module "+name+"\n\ngo 1.24\n"
	for file, text := range files {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o700))
		writeFile(t, filepath.Join(dir, file), text)
	}
	return dir
}

// runGo runs the go command in a folder, and returns what it prints.
func runGo(t *testing.T, dir string, args ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", args...)
	command.Dir = dir
	out, err := command.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	return string(out)
}

// TestTheProgramsForTheGoKitCompile: the one of the page First call, and the samples
// of the OpenAPI document.
func TestTheProgramsForTheGoKitCompile(t *testing.T) {
	for _, k := range site.Kits("https://api.example.org") {
		if k.ID == "go" {
			runGo(t, goModule(t, "league", map[string]string{k.Program: k.Example()}), "vet", "./...")
		}
	}
	samples := map[string]string{}
	for o := range groups.Table(endpoints.Deps{}).All() {
		all := openapi.Samples(o, "https://api.example.org", openapi.Examples()[o.Path].Target)
		samples[fmt.Sprintf("sample%d/main.go", len(samples))] = all[len(all)-1].Source
	}
	runGo(t, goModule(t, "example", samples), "vet", "./...")
}
