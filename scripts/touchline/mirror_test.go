package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/scripts/touchline/protocol"
	touchline "touchline/scripts/touchline/site/kits"
	"touchline/shared/dataset"
	"touchline/shared/sport"
)

// mirroredMatches are as many as fill more than two pages of a list.
const mirroredMatches = 230

// league writes a season of a league, which may have ended; the match of the number
// moved kicks off before all others.
func league(t *testing.T, moved int, ended bool) string {
	t.Helper()
	dir := t.TempDir()
	status := `"upcoming"`
	if ended {
		status = `"finished","score":{"home":2,"away":1}`
	}
	var matches strings.Builder
	for i := range mirroredMatches {
		at := time.Date(2025, 8, 1, 12, 0, 0, 0, time.UTC).Add(time.Duration(i) * time.Hour)
		if i == moved {
			at = at.AddDate(0, -1, 0)
		}
		fmt.Fprintf(&matches, `{"id":"m%d","competitionId":"liga","season":2025,"status":%s,"kickoffAt":"%s","homeTeamId":"t%d","awayTeamId":"t%d"}`+"\n",
			i, status, at.Format(time.RFC3339), i%4, (i+1)%4)
	}
	var teams strings.Builder
	for i := range 4 {
		fmt.Fprintf(&teams, `{"id":"t%d","name":"Team %[1]d","shortName":"T%[1]d","organizationId":"fed","competitionId":"liga","season":2025}`+"\n", i)
	}
	for name, text := range map[string]string{
		"organizations": `{"id":"fed","type":"federation","name":"Fed"}` + "\n",
		"competitions":  fmt.Sprintf(`{"id":"liga","season":2025,"name":"Liga","organizationId":"fed","completed":%t}`+"\n", ended),
		"teams":         teams.String(), "matches": matches.String(),
	} {
		writeFile(t, filepath.Join(dir, name+".ndjson"), text)
	}
	return dir
}

// mirror is what makes one with a kit, which waits by asking control.
type mirror func(t *testing.T, base, control, key, secret string, paths []string) map[string][]map[string]any

// A mirror of a kit, made while loads move matches from page to page and end the
// season, has what the table has, record by record.
func TestAMirrorDuringLoadsIsTheTable(t *testing.T) {
	for name, mirror := range map[string]mirror{
		"go": goMirror, "python": pythonMirror("Client", "api.mirror(*paths, rounds=30)"),
		"asyncio":                 pythonMirror("AsyncClient", "asyncio.run(api.mirror(*paths, rounds=30))"),
		"the program of the page": pageMirror,
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != "go" {
				t.Skip("loads a league four times: make test-all runs it")
			}
			t.Setenv("XDG_CONFIG_HOME", t.TempDir())
			var waited, asked atomic.Int64
			term := newTerminal(nil)
			term.Now = func() time.Time { return time.Now().Add(time.Duration(waited.Load()) * time.Second) }
			s := startServe(t, term, "--data="+league(t, -1, false), "--data-dir="+t.TempDir())
			importing := s.beside()
			importing.Now = term.Now
			// By the request that finds it loaded: in the middle of a list in one round
			// after another.
			loads := map[int64]string{3: league(t, 220, false), 7: league(t, 110, true), 12: league(t, 5, true)}
			done := 0
			to, err := url.Parse(s.BaseURL)
			must(t, err)
			proxy := httputil.NewSingleHostReverseProxy(to)
			front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/wait" { // the kit's way to wait: the service's clock goes on
					var seconds int64
					_, _ = fmt.Sscan(r.URL.RawQuery, &seconds)
					waited.Add(seconds)
					return
				}
				if dir, ok := loads[asked.Add(1)]; ok {
					importing.succeed(t, "import", "--yes", dir)
					done++
				}
				proxy.ServeHTTP(w, r)
			}))
			defer front.Close()

			liga := string(dataset.ID(sport.KindCompetition, "liga"))
			paths := []string{"/v1/tournaments/" + liga + "/matches?season=2025", "/v1/tournaments/" + liga + "/teams?season=2025", "/v1/organizations/" + s.Organization + "/competitions"}
			got := mirror(t, front.URL, front.URL, s.KeyID, s.Secret, paths)
			if done < len(loads) {
				t.Fatalf("%d loads in %d requests", done, asked.Load())
			}

			beside := newTerminal(nil) // it has read nothing before
			beside.Now = term.Now
			s.stop(t)
			truth := startServe(t, beside, "--data-dir="+s.Data)
			truth.KeyID, truth.Secret = s.KeyID, s.Secret
			for _, path := range paths {
				if diff := cmp.Diff(everyPage(t, truth, path), got[path]); diff != "" {
					t.Errorf("%s (-table +mirror):\n%s", path, diff)
				}
			}
			if len(got[paths[0]]) != mirroredMatches || len(got[paths[1]]) != 4 || len(got[paths[2]]) != 1 {
				t.Fatalf("%d matches, %d teams, %d competitions", len(got[paths[0]]), len(got[paths[1]]), len(got[paths[2]]))
			}
			for i, item := range got[paths[0]] {
				if i%32 > 0 { // a key has so many requests a minute
					continue
				}
				var record map[string]any
				must(t, json.Unmarshal([]byte(truth.get(t, fmt.Sprint("/v1/matches/", item["id"]))), &record))
				for field, value := range item {
					if held, ok := record[field]; ok && !cmp.Equal(held, value) {
						t.Errorf("match %v: %s is %v, in the table %v", item["id"], field, value, held)
					}
				}
			}
		})
	}
}

// The program of the page has every match, team and player of the demo that the key
// sees by id.
func TestTheMirrorOfThePageLeavesNothingOut(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	term := newTerminal(nil)
	var waited atomic.Int64
	term.Now = func() time.Time { return time.Now().Add(time.Duration(waited.Load()) * time.Second) }
	control := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, _ *http.Request) { waited.Add(15) }))
	defer control.Close()
	s := startServe(t, term, "--demo", "--docs-addr=off", "--rate-limit=100000", "--data-dir="+t.TempDir())
	text := runPageMirror(t, control.URL, s.BaseURL, s.KeyID, s.Secret)
	dir := filepath.Join(t.TempDir(), "demo")
	s.beside().succeed(t, "export", dir)
	caller := newTerminal(map[string]string{protocol.SecretVariable: s.Secret})
	caller.Now = term.Now
	for name, kind := range map[string]sport.Kind{"matches": sport.KindMatch, "teams": sport.KindTeam, "players": sport.KindPlayer} {
		lines, err := os.ReadFile(filepath.Join(dir, name+".ndjson"))
		must(t, err)
		there := 0
		for line := range strings.Lines(string(lines)) {
			var record struct{ ID string }
			must(t, json.Unmarshal([]byte(line), &record))
			id := string(dataset.ID(kind, record.ID))
			item := fmt.Sprintf(`{"id": "%s"`, id) // of a list, which another item's field is not
			if strings.Contains(text, "["+item) || strings.Contains(text, ", "+item) {
				there++
			} else if caller.run("get", "--key-id="+s.KeyID, "--base-url="+s.BaseURL, "/v1/"+name+"/"+id) != exitFailed {
				t.Errorf("%s: %s is left out", name, record.ID)
			}
		}
		if there < 60 {
			t.Errorf("%d %s", there, name)
		}
	}
}

// everyPage reads a list by itself.
func everyPage(t *testing.T, s *serving, path string) (items []map[string]any) {
	t.Helper()
	separator := "?"
	if strings.Contains(path, "?") {
		separator = "&"
	}
	for page := 1; ; page++ {
		var body struct {
			Data    []map[string]any
			HasMore bool
		}
		must(t, json.Unmarshal([]byte(s.get(t, fmt.Sprintf("%s%slimit=100&page=%d", path, separator, page))), &body))
		items = append(items, body.Data...)
		if !body.HasMore {
			return items
		}
	}
}

func goMirror(t *testing.T, base, control, key, secret string, paths []string) map[string][]map[string]any {
	api := touchline.New(base, key, secret)
	api.Sleep = func(_ context.Context, d time.Duration) error {
		answer, err := http.Get(fmt.Sprintf("%s/wait?%d", control, d/time.Second)) //nolint:noctx // of the test
		if err != nil {
			return err
		}
		return answer.Body.Close()
	}
	lists, _, err := api.Mirror(t.Context(), 30, nil, paths...)
	must(t, err)
	got := map[string][]map[string]any{}
	for path, texts := range lists {
		for _, text := range texts {
			var item map[string]any
			must(t, json.Unmarshal(text, &item))
			got[path] = append(got[path], item)
		}
	}
	return got
}

// pythonMirror runs an expression with an api of the kit.
func pythonMirror(class, call string) mirror {
	return func(t *testing.T, base, control, key, secret string, paths []string) map[string][]map[string]any {
		program := `import asyncio, json, sys, urllib.request
import touchline
base, control, key, secret, *paths = sys.argv[1:]
api = touchline.` + class + `(base, key, secret, sleep=lambda s: urllib.request.urlopen(control + "/wait?%d" % s).close())
print(json.dumps(dict(` + call + `)))
`
		var got map[string][]map[string]any
		must(t, json.Unmarshal([]byte(runWithKit(t, "python", program, "", append([]string{base, control, key, secret}, paths...)...)), &got))
		return got
	}
}

// pageMirror runs the program that the page Mirror shows.
func pageMirror(t *testing.T, base, control, key, secret string, paths []string) map[string][]map[string]any {
	var state struct{ Copy map[string]json.RawMessage }
	must(t, json.Unmarshal([]byte(runPageMirror(t, control, base, key, secret)), &state))
	got := map[string][]map[string]any{}
	for _, path := range paths {
		alone, _, _ := strings.Cut(path, "?")
		var items []map[string]any
		must(t, json.Unmarshal(state.Copy[alone], &items))
		got[path] = items
	}
	return got
}

// runPageMirror runs the program that the page shows, which waits by asking control,
// and gives its copy.
func runPageMirror(t *testing.T, control, base, key, secret string) string {
	t.Helper()
	text, err := os.ReadFile("site/content/examples/mirror.py")
	must(t, err)
	for name, value := range map[string]string{"TOUCHLINE_BASE_URL": base, "TOUCHLINE_KEY_ID": key, "TOUCHLINE_SECRET": secret} {
		t.Setenv(name, value)
	}
	const wait = `api.sleep = lambda s: urllib.request.urlopen("%s/wait?%%d" %% s).close()`
	program := "import urllib.request\n" + strings.Replace(string(text), "\nCOPY", fmt.Sprintf("\n"+wait+"\nCOPY", control), 1) + "print(open(COPY).read())\n"
	return runWithKit(t, "python", program, "")
}
