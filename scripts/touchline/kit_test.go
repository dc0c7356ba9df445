package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/signing"
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
	}
}

// runKit runs a driver beside the kit that the command prints, and returns its
// output. A language that is not installed skips.
func runKit(t *testing.T, language, in string, args ...string) string {
	t.Helper()
	driver := drivers()[language]
	program := driver[0]
	if language == "java" {
		program = "javac" // a runtime alone may be there
	}
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("%s is not installed", program)
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, kitNames()[language]), newTerminal(nil).succeed(t, "kit", language))
	text, err := os.ReadFile(filepath.Join("testdata", "kits", driver[1]))
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, driver[1]), string(text))
	if language == "java" {
		build := exec.Command("javac", "-d", ".", kitNames()[language], driver[1])
		build.Dir = dir
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		driver = []string{"java", "-cp", ".", "Driver"}
	}
	cmd := exec.Command(driver[0], append(driver[1:], args...)...)
	var out, said bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, strings.NewReader(in), &out, &said
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s%s", language, err, out.String(), said.String())
	}
	return out.String()
}

// eachKit runs a test for every language that there is a kit for.
func eachKit(t *testing.T, test func(t *testing.T, language string)) {
	t.Helper()
	for language := range kitNames() {
		t.Run(language, func(t *testing.T) {
			if drivers()[language] == nil {
				t.Fatal("no driver")
			}
			test(t, language)
		})
	}
}

func TestKitsSignTheVectors(t *testing.T) {
	text, err := os.ReadFile("../../shared/signing/testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors struct {
		CanonicalQuery []struct{ Sent, Canonical string }
		Requests       []struct{ Secret, Method, Target, Timestamp, Nonce, Canonical, Signature string }
	}
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
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
	for _, r := range vectors.Requests {
		path, query, _ := strings.Cut(r.Target, "?")
		add(r.Canonical, r.Signature, r.Method, path, query, r.Timestamp, r.Nonce, r.Secret)
	}
	for _, q := range vectors.CanonicalQuery {
		canonical := strings.Join([]string{"GET", "/v1/x", q.Canonical, "1", "n", signing.BodyHash(nil)}, "\n")
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
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	dir := small(t)
	var clubs strings.Builder
	for i := range 4 {
		fmt.Fprintf(&clubs, `{"id":"club%d","type":"club","name":"FC %d","parentId":"fed"}`+"\n", i, i)
	}
	text, err := os.ReadFile(filepath.Join(dir, "organizations.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "organizations.ndjson"), string(text)+clubs.String())
	term := newTerminal(nil)
	term.Now = time.Now // the kits have no other clock
	s := serve(t, term, "--data="+dir, "--data-dir="+t.TempDir())
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
			h, err := signing.ParseHeaders(func(name string) (string, bool) { return r.Header.Get(name), r.Header.Get(name) != "" })
			if err != nil || nonces[h.Nonce] {
				t.Errorf("request %d: %v, or a nonce that was used", asked, err)
			}
			nonces[h.Nonce] = true
			canonical, _ := signing.Message{Method: r.Method, Path: r.URL.EscapedPath(), Query: r.URL.RawQuery, Timestamp: h.Timestamp, Nonce: h.Nonce}.Canonical()
			var seconds int64
			_, _ = fmt.Sscan(h.Timestamp, &seconds)
			switch skew := now.Sub(time.Unix(seconds, 0)).Abs(); {
			case skew > signing.Skew || !signing.Verify([]string{"secret"}, canonical, h.Signature):
				w.WriteHeader(http.StatusUnauthorized)
				_, _ = fmt.Fprint(w, `{"error":{"code":"unauthorized","message":"Invalid credentials"}}`)
			case asked == 2:
				w.Header().Set("Retry-After", "1")
				w.WriteHeader(http.StatusTooManyRequests)
				_, _ = fmt.Fprint(w, `{"error":{"code":"rateLimited","message":"Rate limit exceeded","retryAfter":1}}`)
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
		if language != "shell" && !strings.Contains(got, "waited 1\n") { // the shell's waits are in a subshell
			t.Errorf("got %q", got)
		}
	})
}

func TestTheKitsAreListed(t *testing.T) {
	out := newTerminal(nil).succeed(t, "kit")
	for language := range kitNames() {
		if !strings.Contains(out, language+"\n") {
			t.Errorf("%s is not in %s", language, out)
		}
	}
	if code := newTerminal(nil).run("kit", "cobol"); code != exitUsage {
		t.Errorf("exit %d", code)
	}
}
