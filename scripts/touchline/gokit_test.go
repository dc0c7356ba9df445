package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	touchline "touchline/scripts/touchline/site/kits"
)

// record is as much of a body as goKit looks at.
type record struct {
	ID string `json:"id"`
}

// asGoKit makes the test program the driver of the Go kit, in a process of its own:
// net/http reads the environment once.
const asGoKit = "TOUCHLINE_TEST_RUNS_THE_GO_KIT"

// goDriver runs it.
func goDriver(t *testing.T, in string, args ...string) string {
	t.Helper()
	driver := exec.CommandContext(t.Context(), os.Args[0], args...)
	driver.Env, driver.Stdin = append(os.Environ(), asGoKit+"=1"), strings.NewReader(in)
	out, err := driver.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	return string(out)
}

// goKit does with the Go kit what the drivers of testdata/kits do with the others.
func goKit(args []string) {
	ctx := context.Background()
	if args[0] == "vectors" {
		for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
			fields := strings.Fields(lines.Text())
			for i, f := range fields {
				plain, _ := hex.DecodeString(strings.Trim(f, "-")) // of this test's
				fields[i] = string(plain)
			}
			text := touchline.Canonical(fields[0], fields[1], fields[2], fields[3], fields[4])
			fmt.Printf("%x %s\n", text, touchline.Signature(fields[5], text))
		}
		return
	}
	waits := ""
	api := touchline.New(args[1], args[2], args[3])
	api.Sleep = func(_ context.Context, d time.Duration) error {
		waits += fmt.Sprint(" ", int(d.Round(time.Second)/time.Second))
		return nil
	}
	switch args[0] {
	case "ditch":
		limit, _ := time.ParseDuration(args[4] + "s")
		api.HTTP.Timeout = limit
		for _, target := range args[5:] {
			item, err := touchline.Get[record](ctx, api, target, nil)
			got := item.ID
			if refusal, ok := errors.AsType[*touchline.Error](err); ok {
				got = strconv.Itoa(refusal.Status)
			}
			fmt.Println(target, got+waits)
			waits = ""
		}
		return
	case "trouble":
		_, err := api.Raw(ctx, "/v1/x?status=live", touchline.Query{"from": "2026-09-01"})
		if refusal, ok := errors.AsType[*touchline.Error](err); ok {
			fmt.Println(refusal.Status, refusal.Code, strings.Contains(err.Error(), "field from"), refusal.Header.Get("X-RateLimit-Remaining"))
		}
	default:
		for item, err := range touchline.Pages[record](ctx, api, args[4], touchline.Query{"limit": 2}) {
			fmt.Println(cmp.Or(item.ID, fmt.Sprint(err)))
		}
		_, err := touchline.Get[record](ctx, api, "/v1/teams/none", nil)
		if refusal, ok := errors.AsType[*touchline.Error](err); ok {
			fmt.Println(refusal.Status, refusal.Code)
		}
	}
	fmt.Println("waited" + waits)
}

// goModule is a folder with a module of that name, which has the Go kit as the pages
// say to lay it out, and other files.
func goModule(t *testing.T, name string, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files["touchline/touchline.go"], files["go.mod"] = kitOf("go").Text, "module "+name+"\n\ngo 1.24\n"
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

// TestTheProgramForTheGoKitCompiles: the one of the page First call.
func TestTheProgramForTheGoKitCompiles(t *testing.T) {
	k := kitOf("go")
	runGo(t, goModule(t, "league", map[string]string{k.Program: k.Example()}), "vet", "./...")
}

// TestTheHooksOfThePageSign what a generated client sends, to an address with a path of its own.
func TestTheHooksOfThePageSign(t *testing.T) {
	f := &fake{status: 200, body: `{"data":{}}`}
	base := f.start(t)
	const target = "/stage/v1/teams/x/matches?to=2026-05-31T23%3A59&status=live"
	t.Setenv("TOUCHLINE_KEY_ID", "k")
	t.Setenv("TOUCHLINE_SECRET", "secret")
	read := func(name string) string {
		text, err := os.ReadFile("site/content/examples/" + name)
		must(t, err)
		return string(text)
	}
	python := `import sys, types, urllib.request
sys.modules["httpx"] = types.SimpleNamespace(Auth=object) # which hands a request on, and sends what it yields
` + read("signed.py") + fmt.Sprintf(`
path = %q
request = types.SimpleNamespace(method="GET", url=types.SimpleNamespace(raw_path=path.encode()), headers={})
request = next(Signed("k", "secret").auth_flow(request))
print(urllib.request.urlopen(urllib.request.Request(%q + path, headers=request.headers)).status)
`, target, base)
	node := read("signed.mjs") + fmt.Sprintf("console.log((await fetch(signed(new Request(%q)))).status)\n", base+target)
	for language, program := range map[string]string{"python": python, "node": node} {
		if got := runWithKit(t, language, program, ""); got != "200\n" {
			t.Errorf("%s: %s", language, got)
		}
	}
	client := fmt.Sprintf(`package main

import (
	"fmt"
	"net/http"
)

func main() {
	r, err := (&http.Client{Transport: Signed{"k", "secret"}}).Get(%q)
	if err != nil {
		panic(err)
	}
	fmt.Println(r.StatusCode)
}
`, base+target)
	if got := runGo(t, goModule(t, "league", map[string]string{"signed.go": read("signed.go.txt"), "main.go": client}), "run", "."); got != "200\n" {
		t.Errorf("go: %s", got)
	}
	if len(f.targets) != 3 {
		t.Errorf("%q", f.targets)
	}
}
