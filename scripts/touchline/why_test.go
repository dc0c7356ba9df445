package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/scripts/touchline/logs"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/accesslog"
	"touchline/shared/problem"
	"touchline/shared/signing"
)

const someRequest = "0b5f7f0e-4f0c-4f7e-9d9e-6f2f6b1f7a11"

// refused is a line about a wrong signature, on AWS.
const refused = `{"time":"2026-03-14T15:09:26.535Z","level":"INFO","msg":"request","requestId":"` + someRequest + `","gatewayRequestId":"JKJaXmPLvHcESHA=","lambdaRequestId":"6f2f6b1f-4f0c-4f7e-9d9e-0b5f7f0e7a11","function":"touchline-dev-teams","stage":"dev","method":"GET","route":"/v1/teams/{id}","keyId":"tk_1","organization":"64b7f0c2a1d3e4f5a6b7c8d9","status":401,"code":"unauthorized","check":10,"refusedBy":"signature","why":"signatureWrong","details":{"canonicalSha256":"92226b26a990ebbb","canonicalBytes":125},"durationMicros":3210,"bytes":65,"keys":{"calls":1,"micros":1500,"readUnits":1},"sports":{"calls":1,"hits":2,"micros":800,"readUnits":0.5},"cold":true,"startMicros":70000}`

func TestAWrongCallOfWhyIsUsage(t *testing.T) {
	for _, args := range [][]string{
		{"why"}, {"why", "x"}, {"why", `" or 1=1`}, {"why", "urn:uuid:" + someRequest}, {"why", "{" + someRequest + "}"},
		{"why", strings.ReplaceAll(someRequest, "-", "")}, {"why", "--since=-1h", someRequest}, {"why", "--since=soon", someRequest},
	} {
		newTerminal(nil).fails(t, exitUsage, "", args...)
	}
}

func TestWhyWithoutALogSaysWhatToDo(t *testing.T) {
	term := newTerminal(nil)
	dir := t.TempDir()
	term.fails(t, exitFailed, "touchline serve", "why", "--data-dir="+dir, someRequest)
	must(t, os.WriteFile(filepath.Join(dir, logs.FileName), []byte(`{"requestId":"r1"}`+"\n"), 0o600))
	term.fails(t, exitFailed, "no request", "why", "--data-dir="+dir, someRequest)
}

// As `journalctl` prints it, with what else serve says.
func TestWhyReadsWhatAnotherProgramPrints(t *testing.T) {
	term := newTerminal(nil)
	term.In = strings.NewReader("Touchline serves http://127.0.0.1:8080\n" + refused + "\nstopping\n")
	if got := term.succeed(t, "why", "--log=-", someRequest); !strings.Contains(got, "check 10, signature") {
		t.Error(got)
	}
}

// TestServeLogsWhatWhyExplains goes the whole way on this machine.
func TestServeLogsWhatWhyExplains(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	term := newTerminal(nil)
	s := startServe(t, term, "--data="+small(t), "--data-dir="+data)
	s.get(t, "/v1/organizations/"+s.Organization)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.BaseURL+"/v1/ping?q=hunter2", nil)
	must(t, err)
	request.Header.Set(signing.HeaderKey, "hunter2")
	answer, err := http.DefaultClient.Do(request)
	must(t, err)
	_ = answer.Body.Close()
	id := answer.Header.Get("X-Request-Id")
	got := newTerminal(nil).succeed(t, "why", "--data-dir="+data, id)
	for _, part := range []string{"Request " + id, "GET /v1/ping", "401 unauthorized", "check 7, headers: the header X-Service-Timestamp is missing", `"stage":"local"`} {
		if !strings.Contains(got, part) {
			t.Errorf("%q is not in %s", part, got)
		}
	}
	var line map[string]any
	if err := json.Unmarshal([]byte(newTerminal(nil).succeed(t, "why", "--json", "--data-dir="+data, strings.ToUpper(id))), &line); err != nil || line["requestId"] != id || line["_aws"] != nil {
		t.Errorf("%v: %v", err, line)
	}
	if code := s.stop(); code != exitOK {
		t.Errorf("exit %d", code)
	}
	seen := term.Errors.String()
	for _, part := range []string{"GET /v1/{alias}/{id} 200", "GET /v1/ping 401 unauthorized: headers (headerMalformed)", "touchline why " + id} {
		if !strings.Contains(seen, part) {
			t.Errorf("%q is not on the terminal: %s", part, seen)
		}
	}
	text, err := os.ReadFile(filepath.Join(data, logs.FileName))
	if err != nil || bytes.Count(text, []byte("\n")) != 2 {
		t.Errorf("%v: %s", err, text)
	}
	for _, hidden := range []string{"hunter2", s.Secret, "127.0.0.1"} {
		if bytes.Contains(text, []byte(hidden)) || strings.Contains(seen, hidden) {
			t.Errorf("%s is shown: %s%s", hidden, text, seen)
		}
	}
}

func TestServeIsQuietWhereItIsAsked(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	term := newTerminal(nil)
	s := startServe(t, term, "--data="+small(t), "--quiet", "--data-dir="+data, "--log="+filepath.Join(data, "elsewhere", "log"))
	s.get(t, "/v1/ping")
	s.stop()
	if strings.Contains(term.Errors.String(), "/v1/ping") {
		t.Errorf("%s", term.Errors.String())
	}
	if text, err := os.ReadFile(filepath.Join(data, "elsewhere", "log")); err != nil || !bytes.Contains(text, []byte(`"/v1/ping"`)) {
		t.Errorf("%v: %s", err, text)
	}
}

func TestWhyNamesTheRuleThatAParameterBreaks(t *testing.T) {
	const matches, players = "/v1/tournaments/{id}/matches", "/v1/{alias}/{id}/players"
	for _, tt := range []struct {
		rule        problem.Rule
		route, name string
		limit       int
		says        string
	}{
		{problem.RuleOrder, matches, "from", 0, "later than the one in to"},
		{problem.RuleValue, matches, "page", 10000, "a value that it may not have: it takes a whole number from 1, in digits alone"},
		{problem.RuleWindow, players, "page", 10000, "above 10000"},
		{problem.RuleValue, matches, "status", 0, "takes upcoming, live, finished or postponed"},
		{problem.RuleRepeated, players, "sort", 0, "more than once"},
		{problem.RuleEmpty, players, "sort", 0, "has no value: it takes id, name, -id or -name"},
		{problem.RuleValue, "/v1/other", "sort", 0, "a value that it may not have"}, // of another version
		{"", matches, "sort", 0, "a value that it may not have"},                    // of an older version
	} {
		l := &accesslog.Line{Route: tt.route, Why: accesslog.ParameterInvalid, Details: accesslog.Why{Parameter: tt.name, Rule: string(tt.rule), Limit: tt.limit}}
		if what, _ := logs.Meaning(l); !strings.Contains(what, tt.says) {
			t.Errorf("%s of %s: %q", tt.rule, tt.name, what)
		}
	}
}

// TestAnUnknownParameterIsExplainedByThoseThatThereAre.
func TestAnUnknownParameterIsExplainedByThoseThatThereAre(t *testing.T) {
	for path, says := range map[string]string{
		"/v1/ping": ", which has none", "/v1/teams/{id}/matches": ", which has season, from, to, status, page, limit", "/v1/other": "that the route does not have",
	} {
		if what, _ := logs.Meaning(&accesslog.Line{Route: path, Why: accesslog.ParameterUnknown}); !strings.Contains(what, says) || path == "/v1/other" && !strings.HasSuffix(what, says) {
			t.Errorf("%s: %q", path, what)
		}
	}
}

// cloudLogs is CloudWatch Logs in AWS's JSON protocol, for the cloud of --stack.
type cloudLogs struct {
	cloud    *cloud
	lines    []string // that a query finds
	statuses []string // of the looks at it, the last one again and again
	refuse   string   // code of an error instead
	started  map[string]any
	stopped  bool
	looked   func()
}

func newLogs(t *testing.T) *cloudLogs {
	t.Helper()
	l := &cloudLogs{cloud: newCloud(t), statuses: []string{"Complete"}, looked: func() {}}
	server := httptest.NewServer(http.HandlerFunc(l.serve))
	t.Cleanup(server.Close)
	t.Setenv("AWS_ENDPOINT_URL_CLOUDWATCH_LOGS", server.URL)
	return l
}

func (l *cloudLogs) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.Header().Set("Content-Type", "application/x-amz-json-1.1")
	reply := func(v any) { _ = json.NewEncoder(w).Encode(v) }
	if l.refuse != "" {
		w.WriteHeader(http.StatusBadRequest)
		reply(map[string]string{"__type": l.refuse, "message": "no"})
		return
	}
	switch r.Header.Get("X-Amz-Target") {
	case "Logs_20140328.StartQuery":
		_ = json.Unmarshal(body, &l.started)
		reply(map[string]string{"queryId": "q"})
	case "Logs_20140328.GetQueryResults":
		status := l.statuses[0]
		if len(l.statuses) > 1 {
			l.statuses = l.statuses[1:]
		}
		var rows [][]map[string]string
		for _, line := range l.lines {
			rows = append(rows, []map[string]string{{"field": "@message", "value": line}, {"field": "@ptr", "value": "p"}})
		}
		l.looked()
		reply(map[string]any{"status": status, "results": rows})
	case "Logs_20140328.StopQuery":
		l.stopped = true
		reply(map[string]bool{"success": true})
	}
}

func TestWhyAsksTheLogsOfAStack(t *testing.T) {
	l := newLogs(t)
	l.statuses = []string{"Scheduled", "Running", "Complete"}
	l.lines = []string{`{"msg":"request","requestId":"another","details":{"usedBy":"` + someRequest + `"}}`, "START RequestId: x", refused}
	term := newTerminal(nil)
	got := term.succeed(t, "why", "--stack=dev", "--since=2h", someRequest)
	if !strings.Contains(got, "touchline-dev-teams") || !strings.Contains(got, "check 10, signature") {
		t.Errorf("%s", got)
	}
	want := map[string]any{
		"logGroupNames": []any{"/touchline/dev/ping"},
		"startTime":     float64(terminal.ScreenTime.Add(-2 * time.Hour).Unix()), "endTime": float64(terminal.ScreenTime.Unix() + 1),
		"queryString": `fields @message | filter requestId = "` + someRequest + `" | sort @timestamp desc | limit 10`,
	}
	if diff := cmp.Diff(want, l.started); diff != "" {
		t.Error(diff)
	}
}

func TestWhyFindsNothingOnAWS(t *testing.T) {
	tests := map[string]struct {
		arm  func(*cloudLogs)
		want string
	}{
		"no line yet":    {func(*cloudLogs) {}, "arrive up to a minute late"},
		"another's line": {func(l *cloudLogs) { l.lines = []string{strings.Replace(refused, someRequest, "x", 1)} }, "arrive up to a minute late"},
		"a failed query": {func(l *cloudLogs) { l.statuses = []string{"Running", "Failed"} }, "ended as Failed"},
		"no permission":  {func(l *cloudLogs) { l.refuse = "AccessDeniedException" }, "logs:StartQuery"},
		"no log group":   {func(l *cloudLogs) { l.refuse = "ResourceNotFoundException" }, "log group"},
		"another fault":  {func(l *cloudLogs) { l.refuse = "LimitExceededException" }, "LimitExceededException"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			l := newLogs(t)
			tt.arm(l)
			term := newTerminal(nil)
			term.fails(t, exitFailed, tt.want, "why", "--stack=dev", someRequest)
		})
	}
}

func TestAQueryThatIsGivenUpIsStopped(t *testing.T) {
	l := newLogs(t)
	l.statuses = []string{"Running"}
	ctx, interrupt := context.WithCancel(t.Context())
	l.looked = interrupt
	term := newTerminal(nil)
	if code := run(ctx, []string{"why", "--stack=dev", someRequest}, &term.Terminal); code != exitFailed || !strings.Contains(term.Errors.String(), "interrupted") {
		t.Errorf("exit %d, %s", code, term.Errors.String())
	}
	if !l.stopped {
		t.Error("the query goes on")
	}
}
