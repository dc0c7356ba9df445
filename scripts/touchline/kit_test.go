package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/scripts/touchline/site"
	"touchline/shared/openapi"
	"touchline/shared/problem"
	"touchline/shared/signing"
	"touchline/shared/signing/vectors"
)

// drivers are how a language's kit is run with its driver in testdata/kits.
func drivers() map[string][]string {
	return map[string][]string{
		"python": {"python3", "driver.py"},
		"node":   {"node", "driver.mjs"},
		"shell":  {"bash", "driver.sh"},
		"php":    {"php", "driver.php"},
		"ruby":   {"ruby", "driver.rb"},
		"java":   {"java", "Driver.java"},
		"csharp": {"mono", "Driver.cs"},
	}
}

// compilers are what languages need besides the program that runs them, in
// which a runtime alone may be there: the kit and then the driver are added.
func compilers() map[string][]string {
	return map[string][]string{
		"java":   {"javac", "-J-XX:TieredStopAtLevel=1", "-d", "."},
		"csharp": {"mcs", "-out:Driver.exe", "-r:System.Net.Http.dll"},
	}
}

// runKit runs a driver of testdata next to the kit that the command prints, and
// returns its output. A language that is not installed skips.
func runKit(t *testing.T, language, in string, args ...string) string {
	t.Helper()
	if language == "go" {
		return goDriver(t, in, args...)
	}
	text, err := os.ReadFile(filepath.Join("testdata", "kits", drivers()[language][1]))
	must(t, err)
	return runWithKit(t, language, string(text), in, args...)
}

// runWithKit runs a program of a language next to its kit.
func runWithKit(t *testing.T, language, source, in string, args ...string) string {
	t.Helper()
	if language == "go" {
		return runGo(t, goModule(t, "example", map[string]string{"main.go": source}), "run", ".")
	}
	driver := drivers()[language]
	compile := compilers()[language]
	needs := []string{driver[0]}
	if compile != nil {
		needs = append(needs, compile[0])
	}
	for _, program := range needs {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed", program)
		}
	}
	dir := t.TempDir()
	if compile != nil {
		dir = compiled(t, language, source)
		driver = map[string][]string{"java": {"java", "-XX:TieredStopAtLevel=1", "-cp", ".", "Driver"}, "csharp": {"mono", "Driver.exe"}}[language]
	} else {
		writeProgram(t, dir, language, source)
	}
	cmd := exec.Command(driver[0], append(driver[1:], args...)...)
	var out, said bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, strings.NewReader(in), &out, &said
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s%s", language, err, out.String(), said.String())
	}
	return out.String()
}

// writeProgram writes a program and the kit of its language into a folder.
func writeProgram(t *testing.T, dir, language, source string) {
	t.Helper()
	writeFile(t, filepath.Join(dir, kitOf(language).File), kitOf(language).Text)
	writeFile(t, filepath.Join(dir, drivers()[language][1]), source)
}

// programs are the folders of the programs that were compiled, by language and
// source: a compiler of Java takes longer than all tests of a kit.
var programs sync.Map

// compiled returns the folder with the program and the kit, compiled.
func compiled(t *testing.T, language, source string) string {
	t.Helper()
	if dir, ok := programs.Load(language + source); ok {
		return dir.(string)
	}
	dir, err := os.MkdirTemp(folder, "kit-")
	must(t, err)
	writeProgram(t, dir, language, source)
	command := append(compilers()[language], kitOf(language).File, drivers()[language][1])
	compiler := exec.Command(command[0], command[1:]...)
	compiler.Dir = dir
	if out, err := compiler.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	programs.Store(language+source, dir)
	return dir
}

// kitOf is the kit for a language.
func kitOf(language string) site.Kit {
	all := site.Kits()
	return all[slices.IndexFunc(all, func(k site.Kit) bool { return k.ID == language })]
}

// eachKit runs a test for every language that there is a kit for.
func eachKit(t *testing.T, test func(t *testing.T, language string)) {
	t.Helper()
	for _, k := range site.Kits() {
		language := k.ID
		if k.Program == "" {
			continue
		}
		t.Run(language, func(t *testing.T) {
			if drivers()[language] == nil && language != "go" {
				t.Fatal("no driver")
			}
			if compilers()[language] != nil && testing.Short() {
				t.Skip("compiles kits: make test-all runs it")
			}
			test(t, language)
		})
	}
}

func TestKitsSignTheVectors(t *testing.T) {
	var known struct {
		CanonicalQuery []struct{ Sent, Canonical string }
	}
	must(t, json.Unmarshal(vectors.JSON(), &known))
	var in, want []string
	add := func(canonical, signature string, fields ...string) {
		for i, f := range fields {
			fields[i] = hex.EncodeToString([]byte(f))
			if f == "" {
				fields[i] = "-"
			}
		}
		in = append(in, strings.Join(fields, " "))
		want = append(want, hex.EncodeToString([]byte(canonical))+" "+signature)
	}
	for _, r := range knownRequests(t) {
		path, query, _ := strings.Cut(r.Target, "?")
		add(r.Canonical, r.Signature, r.Method, path, query, r.Timestamp, r.Nonce, r.Secret)
	}
	hashOfNothing := fmt.Sprintf("%x", sha256.Sum256(nil))
	for _, q := range known.CanonicalQuery {
		canonical := strings.Join([]string{"GET", "/v1/x", q.Canonical, "1", "n", hashOfNothing}, "\n")
		add(canonical, signing.Sign("s", canonical), "GET", "/v1/x", q.Sent, "1", "n", "s")
	}
	if len(want) < 80 {
		t.Fatalf("%d vectors", len(want))
	}
	eachKit(t, func(t *testing.T, language string) {
		in, want := in, want
		if language == "shell" { // it starts a dozen processes for each
			in, want = everyThird(in), everyThird(want)
		}
		got := strings.Split(strings.TrimSpace(runKit(t, language, strings.Join(in, "\n")+"\n", "vectors")), "\n")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

func everyThird(lines []string) (thin []string) {
	for i := 0; i < len(lines); i += 3 {
		thin = append(thin, lines[i])
	}
	return thin
}

func TestKitsWalkARealService(t *testing.T) {
	dir := small(t)
	var clubs strings.Builder
	for i := range 4 {
		fmt.Fprintf(&clubs, `{"id":"club%d","type":"club","name":"FC %d","parentId":"fed"}`+"\n", i, i)
	}
	text, err := os.ReadFile(filepath.Join(dir, "organizations.ndjson"))
	must(t, err)
	writeFile(t, filepath.Join(dir, "organizations.ndjson"), string(text)+clubs.String())
	term := newTerminal(nil)
	term.Now = time.Now // the kits have no other clock
	s := startServe(t, term, "--data="+dir, "--data-dir="+t.TempDir())
	path := "/v1/organizations/" + s.Organization + "/clubs"
	var list struct{ Data []struct{ ID string } }
	if err := json.Unmarshal([]byte(s.get(t, path)), &list); err != nil || len(list.Data) != 5 {
		t.Fatalf("%+v, %v", list, err)
	}
	want := ""
	for _, club := range list.Data {
		want += club.ID + "\n"
	}
	want += "404 notFound\nwaited\n"
	eachKit(t, func(t *testing.T, language string) {
		if diff := cmp.Diff(want, runKit(t, language, "", "session", s.BaseURL, s.KeyID, s.Secret, path)); diff != "" {
			t.Error(diff)
		}
	})
}

// What the types declare, and nothing else, is in the kit.
func TestTheTypesAreThoseOfTheNodeKit(t *testing.T) {
	exported := func(language, pattern string) (names []string) {
		for _, found := range regexp.MustCompile(pattern).FindAllStringSubmatch(kitOf(language).Text, -1) {
			names = append(names, found[1])
		}
		slices.Sort(names)
		return names
	}
	want := exported("node", `(?m)^export (?:class|function) (\w+)`)
	if diff := cmp.Diff(want, exported("types", `(?m)^export (?:class|function) (\w+)`)); diff != "" || len(want) < 5 {
		t.Errorf("%v: %s", want, diff)
	}
	types := kitOf("types").Text
	for _, code := range problem.Codes() {
		if !strings.Contains(types, "'"+string(code)+"'") {
			t.Errorf("no code %s", code)
		}
	}
}

// A service whose clock is an hour ahead, which is busy once.
func TestKitsCorrectTheirClockAndWait(t *testing.T) {
	eachKit(t, func(t *testing.T, language string) {
		ahead := time.Hour
		nonces := map[string]bool{}
		asked := 0
		service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked++
			now := time.Now().Add(ahead)
			w.Header().Set("Date", now.UTC().Format(http.TimeFormat))
			h, ok := signedAs(r, r.URL.EscapedPath())
			if nonces[h.Nonce] {
				t.Errorf("request %d: a nonce that was used", asked)
			}
			nonces[h.Nonce] = true
			var seconds int64
			_, _ = fmt.Sscan(h.Timestamp, &seconds)
			switch skew := now.Sub(time.Unix(seconds, 0)).Abs(); {
			case skew > signing.Skew || !ok:
				w.WriteHeader(http.StatusUnauthorized)
				_, _ = fmt.Fprint(w, `{"error":{"code":"unauthorized","message":"Invalid credentials"}}`)
			case asked == 2:
				w.Header().Set("Retry-After", "1")
				w.WriteHeader(http.StatusTooManyRequests)
				_, _ = fmt.Fprint(w, `{"error":{"code":"rateLimited","message":"Rate limit exceeded","retryAfter":1}}`)
			case asked == 3:
				w.Header().Set("Retry-After", "3")
				w.WriteHeader(http.StatusServiceUnavailable)
				_, _ = fmt.Fprint(w, `{"error":{"code":"serviceUnavailable","message":"Temporarily unavailable"}}`)
			case strings.HasSuffix(r.URL.Path, "/none"):
				w.WriteHeader(http.StatusNotFound)
				_, _ = fmt.Fprint(w, `{"error":{"code":"notFound","message":"Not found"}}`)
			default:
				_, _ = fmt.Fprint(w, `{"data":[{"id":"abc"}],"page":1,"limit":2,"total":1,"hasMore":false}`)
			}
		}))
		defer service.Close()
		got := runKit(t, language, "", "session", service.URL, "k", "secret", "/v1/x")
		if !strings.HasPrefix(got, "abc\n404 notFound\nwaited") {
			t.Errorf("got %q after %d requests", got, asked)
		}
		if language != "shell" && !strings.Contains(got, "waited 1 3\n") { // the shell's waits are in a subshell
			t.Errorf("got %q", got)
		}
	})
}

// troubled is a service with a list a and a list b, whose first connection is
// lost, which is then busy until a date, and whose data change while the first
// list is read.
func troubled(t *testing.T) (address string, queries *[]string) {
	versions := []string{"7", "7", "7+"}
	queries = &[]string{}
	lists := 0
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-RateLimit-Remaining", "7")
		switch r.URL.Path {
		case "/v1/x":
			*queries = append(*queries, r.URL.RawQuery)
			switch len(*queries) {
			case 1:
				panic(http.ErrAbortHandler)
			case 2:
				w.Header().Set("Retry-After", time.Now().Add(41*time.Second).UTC().Format(http.TimeFormat))
				w.WriteHeader(http.StatusTooManyRequests)
			default:
				w.WriteHeader(http.StatusBadRequest)
				_, _ = fmt.Fprint(w, `{"error":{"code":"badRequest","message":"Bad request","details":{"field":"from"}}}`)
			}
			return
		}
		version := "8"
		if lists < len(versions) {
			version = versions[lists]
		}
		lists++
		w.Header().Set("X-Service-Data-Version", version)
		page := r.URL.Query().Get("page")
		item := map[string]string{"id": strings.Trim(r.URL.Path, "/v") + page}
		if err := json.NewEncoder(w).Encode(map[string]any{"data": []any{item}, "hasMore": page == "1"}); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(service.Close)
	return service.URL, queries
}

// TestKitsStandTrouble: a lost connection is tried again; Retry-After may be a date; a query within the path is taken apart; a
// refusal says which parameter is at fault, and has the headers; the mirror of Python
// reads lists in one state.
func TestKitsStandTrouble(t *testing.T) {
	eachKit(t, func(t *testing.T, language string) {
		address, queries := troubled(t)
		got := strings.ToLower(runKit(t, language, "", "trouble", address, "k", "secret"))
		lines, waits, _ := strings.Cut(got, "waited")
		want, pauses := "400 badrequest true 7\n", ""
		if language == "python" { // the one that mirrors
			want, pauses = want+"over\n/a a1 a2\n/b b1 b2\n", " 15 15"
		}
		if diff := cmp.Diff(want, lines); diff != "" {
			t.Error(diff)
		}
		if want := "status=live&from=2026-09-01"; len(*queries) != 3 || (*queries)[2] != want {
			t.Errorf("%q, not %q three times", *queries, want)
		}
		// The date is some seconds nearer once a slow machine has read it.
		if language != "shell" && !regexp.MustCompile(`^ 1 (?:[1-3]\d|4[01])`+pauses+`\n$`).MatchString(waits) {
			t.Errorf("waited%s", waits)
		}
	})
}

// TestThePHPKitWaitsInNoVisitorsRequest, unless it is told to: a page of a web server shows
// what it has instead.
func TestThePHPKitWaitsInNoVisitorsRequest(t *testing.T) {
	asked := 0
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.Header().Set("Retry-After", "59")
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = fmt.Fprint(w, `{"error":{"code":"rateLimited","message":"Rate limit exceeded","retryAfter":59}}`)
	}))
	defer service.Close()
	for _, tt := range []struct{ sapi, option, want string }{
		{"fpm-fcgi", "", "rateLimited 1"}, {"cli-server", "", "rateLimited 1"},
		{"fpm-fcgi", "longestWait: 60, ", "waited 59\nwaited 59\nwaited 59\nrateLimited 4"}, {"cli", "", "waited 59\nwaited 59\nwaited 59\nrateLimited 4"},
	} {
		asked = 0
		got := runWithKit(t, "php", fmt.Sprintf(`<?php
namespace Touchline;
const PHP_SAPI = '%s';
require __DIR__ . '/touchline.php';
$api = new Client('%s', 'k', 'secret', %ssleep: function (int $s) { echo "waited $s\n"; });
try {
    $api->get('/v1/ping');
} catch (Error $refusal) {
    echo $refusal->errorCode;
}`, tt.sapi, service.URL, tt.option), "")
		if got := fmt.Sprint(got, " ", asked); got != tt.want {
			t.Errorf("%s %s: %q, want %q", tt.sapi, tt.option, got, tt.want)
		}
	}
}

// TestTheKitsSayTheirVersionAndLicence, near the top.
func TestTheKitsSayTheirVersionAndLicence(t *testing.T) {
	for _, k := range site.Kits() {
		text, language := k.Text[:1200], k.ID
		if !strings.Contains(text, "of Touchline "+openapi.Version) || !strings.Contains(text, "SPDX-License-Identifier: 0BSD") {
			t.Errorf("%s does not", language)
		}
	}
}
