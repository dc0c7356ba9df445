package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/scripts/touchline/protocol"
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
		"python":                  pythonMirror("Client", "api.mirror(*paths, rounds=30)"),
		"asyncio":                 pythonMirror("AsyncClient", "asyncio.run(api.mirror(*paths, rounds=30))"),
		"the program of the page": pageMirror,
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != "python" {
				t.Skip("loads a league four times: make test-all runs it")
			}
			var waited, asked atomic.Int64
			term := newTerminal(nil)
			term.Now = func() time.Time { return time.Now().Add(time.Duration(waited.Load()) * time.Second) }
			s := startServe(t, term, "--data="+league(t, -1, false), "--rate-limit=100000", "--data-dir="+t.TempDir())
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
			s.stop()
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
	if testing.Short() {
		t.Skip("makes a mirror of the demo: make test-all runs it")
	}
	term := newTerminal(nil)
	var waited, asked atomic.Int64
	night := time.Now().UTC().Truncate(24 * time.Hour).Add(23 * time.Hour)
	for night.Weekday() != time.Saturday { // so that as many matches are of the last seven days
		night = night.AddDate(0, 0, 1)
	}
	term.Now = func() time.Time { return night.Add(time.Duration(waited.Load()) * time.Second) }
	s := startServe(t, term, "--demo", "--docs-addr=off", "--rate-limit=100000", "--data-dir="+t.TempDir())
	to, err := url.Parse(s.BaseURL)
	must(t, err)
	proxy := httputil.NewSingleHostReverseProxy(to)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/wait" {
			waited.Add(15)
			return
		}
		asked.Add(1)
		proxy.ServeHTTP(w, r)
	}))
	defer front.Close()
	file := filepath.Join(t.TempDir(), "copy.json")
	mirror := func() (string, int64) {
		asked.Store(0)
		return runPageMirrorAt(t, term.Now(), file, front.URL, front.URL, s.KeyID, s.Secret), asked.Load()
	}
	text, first := mirror()
	_, unchanged := mirror()
	beside := s.beside()
	beside.Now = term.Now
	scored := beside.succeed(t, "score", "est.premier.match.15.20-4", "2:1", "--end")
	waited.Add(3600)
	_, changed := mirror()
	t.Logf("%d requests for a first copy; %s", first, scored)
	for row, n := range map[string]int64{"[`mirror.py`](mirror.html), once a night, nothing changed": unchanged, "`mirror.py`, once a night, with one match changed": changed} {
		onPage(t, "limits.md", fmt.Sprintf("| %s | %d | %d |", row, n, 31*n))
	}
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

// mirrored is a season of a league with a match of last year and one of this week, a cup
// that its teams play, and a friendly. Every match has a goal, and all but one of the cup
// line-ups.
func mirrored(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	lines := map[string]*strings.Builder{}
	put := func(file, format string, args ...any) {
		if lines[file] == nil {
			lines[file] = &strings.Builder{}
		}
		fmt.Fprintf(lines[file], format+"\n", args...)
	}
	put("organizations", `{"id":"fed","type":"federation","name":"Fed"}`)
	put("competitions", `{"id":"liga","season":2025,"name":"Liga","organizationId":"fed"}`)
	put("competitions", `{"id":"cup","season":2025,"name":"Cup","organizationId":"fed","type":"cup","format":"knockout"}`)
	for _, team := range []string{"a", "b"} {
		put("organizations", `{"id":"%s","type":"club","name":"FC %[1]s","parentId":"fed"}`, team)
		put("teams", `{"id":"liga-%s","name":"FC %[1]s","shortName":"%[1]s","organizationId":"%[1]s","competitionId":"liga","season":2025}`, team)
		put("teams", `{"id":"cup-%s","name":"FC %[1]s","shortName":"%[1]s","organizationId":"%[1]s","competitionId":"cup","season":2025}`, team)
		put("teams", `{"id":"free-%s","name":"FC %[1]s","shortName":"%[1]s","organizationId":"%[1]s"}`, team)
		for number := 1; number <= 4; number++ {
			hidden := ""
			if team == "b" && number == 2 {
				hidden = `,"visibility":"hidden"`
			}
			put("players", `{"id":"liga-%s%d","name":"Liga %[1]s%[2]d","teamId":"liga-%[1]s","number":%[2]d%s}`, team, number, hidden)
			put("players", `{"id":"free-%s%d","name":"Free %[1]s%[2]d","teamId":"free-%[1]s","number":%[2]d}`, team, number)
		}
	}
	week := time.Now().UTC().AddDate(0, 0, -2).Format(time.RFC3339)
	for _, m := range []struct{ id, competition, teams, players, kickoff string }{
		{"old", `"liga"`, "liga", "liga", "2025-10-04T14:00:00Z"}, {"new", `"liga"`, "liga", "liga", week},
		{"cup", `"cup"`, "cup", "liga", "2025-11-01T14:00:00Z"}, {"free", "null", "free", "free", "2025-09-01T14:00:00Z"},
	} {
		side := func(team string) string {
			entry := `{"playerId":"` + m.players + "-" + team
			return fmt.Sprintf(`{"coach":"Coach %s","starting":[%s1"},%[2]s2"}],"bench":[%[2]s3"}]}`, team, entry)
		}
		season := `,"season":2025`
		if m.competition == "null" {
			season = ""
		}
		put("matches", `{"id":"%s","competitionId":%s%s,"status":"finished","kickoffAt":"%s","homeTeamId":"%s-a","awayTeamId":"%[5]s-b","score":{"home":1,"away":0},
			"lineups":{"confirmed":true,"home":%[6]s,"away":%[7]s},"events":[{"type":"goal","minute":7,"side":"home","playerId":"%[8]s-a1","assistId":"%[8]s-a2"}]}`,
			m.id, m.competition, season, m.kickoff, m.teams, side("a"), side("b"), m.players)
	}
	put("matches", `{"id":"bare","competitionId":"cup","season":2025,"status":"finished","kickoffAt":"2025-11-08T14:00:00Z","homeTeamId":"cup-b","awayTeamId":"cup-a",
			"score":{"home":1,"away":0},"events":[{"type":"goal","minute":7,"side":"home","playerId":"liga-b4"}]}`)
	for file, text := range lines {
		writeFile(t, filepath.Join(dir, file+".ndjson"), strings.ReplaceAll(text.String(), "\n\t\t\t", " "))
	}
	return dir
}

// TestTheMirrorOfThePageNamesWhoIsNamed holds what the program of the page shows of each
// match to what the service says, after loads that change nothing in any list of matches.
func TestTheMirrorOfThePageNamesWhoIsNamed(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a mirror fifteen times: make test-all runs it")
	}
	var waited atomic.Int64
	control := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, _ *http.Request) { waited.Add(15) }))
	defer control.Close()
	term := newTerminal(nil)
	term.Now = func() time.Time { return time.Now().Add(time.Duration(waited.Load()) * time.Second) }
	s := startServe(t, term, "--data="+mirrored(t), "--docs-addr=off", "--rate-limit=100000", "--data-dir="+t.TempDir())
	beside := s.beside()
	beside.Now = term.Now
	file := filepath.Join(t.TempDir(), "copy.json")
	load := func(record string, flags ...string) func() {
		return func() {
			kind, line, _ := strings.Cut(record, " ")
			dir := t.TempDir()
			writeFile(t, filepath.Join(dir, kind+".ndjson"), line+"\n")
			beside.succeed(t, append([]string{"import", "--yes", dir}, flags...)...)
		}
	}
	undo := func() { beside.succeed(t, "undo", "--yes") }
	for _, step := range []struct {
		name    string
		load    func()
		forgets string // which is nowhere in the copy then
	}{
		{"the first mirror", func() {}, "Coach"},
		{"a rename", load(`players {"id":"liga-a1","patch":true,"name":"Renamed"}`), "Liga a1"},
		{"shown, who was hidden when first asked for", load(`players {"id":"liga-b2","patch":true,"visibility":"public"}`), ""},
		{"a scorer of long ago", load(`matches {"id":"old","patch":true,"events":[{"type":"goal","minute":7,"side":"home","playerId":"liga-a3"},{"type":"card","detail":"red","minute":9,"side":"away","playerId":"liga-b3"}]}`), ""},
		{"a red card of long ago", load(`matches {"id":"old","patch":true,"events":[{"type":"goal","minute":7,"side":"home","playerId":"liga-a3"},{"type":"card","detail":"red","minute":9,"side":"home","playerId":"liga-a1"}]}`), ""},
		{"promoted", load(`players {"id":"free-a2","patch":true,"teamId":"liga-a"}`), ""},
		{"hidden", load(`players {"id":"liga-a2","patch":true,"visibility":"hidden"}`), "Liga a2"},
		{"not hidden any more, by an undo", undo, ""},
		{"a child", load(`competitions {"id":"liga","season":2025,"patch":true,"rules":{"hidePlayers":true}}`), ""},
		{"no child any more", load(`competitions {"id":"liga","season":2025,"patch":true,"rules":{"hidePlayers":false}}`), ""},
		{"a corrected scorer", load(`matches {"id":"new","patch":true,"events":[{"type":"goal","minute":7,"side":"home","playerId":"liga-a3"}]}`), ""},
		{"a line-up alone", load(`matches {"id":"new","patch":true,"lineups":{"confirmed":true,"home":{"starting":[{"playerId":"liga-a4","number":44}],"bench":[]},"away":{"starting":[],"bench":[]}}}`), ""},
		{"a friendly's player hidden", load(`players {"id":"free-b2","patch":true,"visibility":"hidden"}`), "Free b2"},
		{"erased", load(`players {"id":"liga-b1","erase":true}`), "Liga b1"},
		{"erased in a friendly", load(`players {"id":"free-a1","erase":true}`), "Free a1"},
	} {
		t.Run(step.name, func(t *testing.T) {
			step.load()
			unnamed := step.name == "a child" || strings.HasPrefix(step.name, "erased")
			text := runPageMirror(t, file, control.URL, s.BaseURL, s.KeyID, s.Secret)
			var state struct{ Shown map[string]map[string]any }
			must(t, json.Unmarshal([]byte(text), &state))
			if step.forgets != "" && strings.Contains(text, step.forgets) {
				t.Errorf("%s is kept", step.forgets)
			}
			if len(state.Shown) != 5 {
				t.Fatalf("%d matches", len(state.Shown))
			}
			for _, match := range []string{"old", "new", "cup", "bare", "free"} {
				id := string(dataset.ID(sport.KindMatch, match))
				for part, shown := range state.Shown[id] {
					var said struct{ Data any }
					must(t, json.Unmarshal([]byte(s.get(t, "/v1/matches/"+id+"/"+part)), &said))
					if diff := cmp.Diff(kept(said.Data, unnamed), kept(shown, unnamed)); diff != "" {
						t.Errorf("%s of %s (-service +mirror):\n%s", part, match, diff)
					}
				}
			}
		})
	}
}

// kept is a body as a mirror has it, which need not show coaches. Whoever was taken out of it
// has no entry in its line-ups, where the service shows one without a name of who was erased,
// and of a children's league.
func kept(body any, unnamed bool) any {
	switch body := body.(type) {
	case map[string]any:
		delete(body, "coach")
		for name, value := range body {
			body[name] = kept(value, unnamed)
		}
	case []any:
		return slices.DeleteFunc(body, func(value any) bool {
			entry, _ := kept(value, unnamed).(map[string]any)
			return unnamed && entry["player"] == nil && entry["captain"] != nil
		})
	}
	return body
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
	must(t, json.Unmarshal([]byte(runPageMirror(t, filepath.Join(t.TempDir(), "copy.json"), control, base, key, secret)), &state))
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
// and gives its copy, with the details of matches as it shows them.
func runPageMirror(t *testing.T, file, control, base, key, secret string) string {
	t.Helper()
	return runPageMirrorAt(t, time.Now(), file, control, base, key, secret)
}

// runPageMirrorAt runs it at a moment.
func runPageMirrorAt(t *testing.T, at time.Time, file, control, base, key, secret string) string {
	t.Helper()
	text, err := os.ReadFile("site/content/examples/mirror.py")
	must(t, err)
	for name, value := range map[string]string{"TOUCHLINE_BASE_URL": base, "TOUCHLINE_KEY_ID": key, "TOUCHLINE_SECRET": secret} {
		t.Setenv(name, value)
	}
	const wait = `api.sleep = lambda s: urllib.request.urlopen("%s/wait?%%d" %% s).close()`
	const shown = `state["shown"] = {id: {part: show(state, id, part) for part in PARTS} for id in state["details"]}` + "\nprint(json.dumps(state))\n"
	clock := fmt.Sprintf("import time\nbehind = time.time() - %d\nreal = time.time\ntime.time = lambda: real() - behind\n", at.Unix())
	program := clock + "import urllib.request\n" + strings.NewReplacer(`COPY = "copy.json"`, fmt.Sprintf("COPY = %q", file),
		"\n\n\ndef read(", "\n"+fmt.Sprintf(wait, control)+"\n\n\ndef read(").Replace(string(text)) + shown
	return runWithKit(t, "python", program, "")
}
