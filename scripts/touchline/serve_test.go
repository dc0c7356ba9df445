package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/scripts/touchline/apikeys"
	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/logs"
	"touchline/scripts/touchline/protocol"
	"touchline/scripts/touchline/serve"
	"touchline/shared/engine/enginetest"
	"touchline/shared/keys"
	"touchline/shared/loader/history"
	"touchline/shared/sport"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// running is a command under way in this process.
type running struct {
	lines  *bufio.Reader // of its output
	drain  func()        // has nobody read what it prints from now on
	end    func()        // as SIGTERM does
	exited chan int
}

// start starts a command, which ends with the test.
func (t *screen) start(tb testing.TB, args ...string) *running {
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	console := t.Terminal
	console.Out = in
	r := &running{lines: bufio.NewReader(out), end: cancel, exited: make(chan int, 1)}
	r.drain = sync.OnceFunc(func() { go func() { _, _ = io.Copy(io.Discard, r.lines) }() })
	go func() {
		code := run(ctx, t.onData(args), &console)
		_ = in.Close()
		r.exited <- code
	}()
	tb.Cleanup(func() { r.end(); r.wait() })
	return r
}

// wait waits for its end, and gives its exit code, every time.
func (r *running) wait() int {
	r.drain()
	code := <-r.exited
	r.exited <- code
	return code
}

// ready reads the line with which a command says as JSON that it is ready.
func (r *running) ready(t *testing.T, term *screen, into any) {
	t.Helper()
	line, err := r.lines.ReadBytes('\n')
	if err != nil {
		t.Fatalf("never ready: %v: %s", err, term.Errors.String())
	}
	must(t, json.Unmarshal(line, into))
}

// serving is a serve command under way.
type serving struct {
	serve.ReadyReport
	*running
	term *screen
}

// startServe starts one and waits until it says that it is ready. The test has a master key
// of its own.
func startServe(t *testing.T, term *screen, flags ...string) *serving {
	t.Helper()
	if os.Getenv("XDG_CONFIG_HOME") == folder {
		t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	}
	s := &serving{running: term.start(t, append([]string{"serve", "--json", "--addr=127.0.0.1:0"}, flags...)...), term: term}
	s.ready(t, term, &s.ReadyReport)
	return s
}

// beside is a terminal whose commands work with its data.
func (s *serving) beside() *screen {
	term := newTerminal(nil)
	term.data = s.Data
	return term
}

// stop ends it and returns its exit code.
func (s *serving) stop() int {
	s.end()
	return s.wait()
}

// need skips a test where something is missing, which CI does not allow.
func need(t *testing.T, err error) {
	t.Helper()
	if inCI() {
		t.Fatal(err)
	}
	t.Skip(err)
}

// must ends a test that cannot go on.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// get asks the service with the key it showed.
func (s *serving) get(t *testing.T, target string) string {
	t.Helper()
	caller := newTerminal(map[string]string{protocol.SecretVariable: s.Secret})
	caller.Now = s.term.Now
	return caller.succeed(t, "get", "--key-id="+s.KeyID, "--base-url="+s.BaseURL, target)
}

func TestTheDemoWorksAndKeepsItsKey(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	first := startServe(t, newTerminal(nil), "--demo", "--data-dir="+data)
	body := first.get(t, "/v1/federations/"+first.Organization+"/clubs?includeDescendants=true&limit=100")
	if !strings.Contains(body, `"total":23`) {
		t.Errorf("24 clubs, of which one is hidden: %s", body)
	}
	if !strings.Contains(first.Command, "TOUCHLINE_SECRET="+first.Secret) || !strings.Contains(first.Command, " get '/v1/organizations/"+first.Organization) {
		t.Error(first.Command)
	}
	if code := first.stop(); code != exitOK {
		t.Errorf("exit %d: %s", code, first.term.Errors.String())
	}
	later := newTerminal(nil)
	next := later.Now().AddDate(0, 1, 0)
	later.Now = func() time.Time { return next }
	second := startServe(t, later, "--demo", "--data-dir="+data)
	if second.KeyID != first.KeyID || second.Secret != first.Secret {
		t.Errorf("another key: %s, %s", first.KeyID, second.KeyID)
	}
	second.get(t, "/v1/ping")
	if second.stop(); strings.Contains(second.term.Errors.String(), "not moved to today") {
		t.Error(second.term.Errors.String())
	}
}

// small writes a dataset of a federation with a club.
func small(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "small")
	writeFile(t, filepath.Join(dir, "organizations.ndjson"), `{"id":"club","type":"club","name":"FC","parentId":"fed"}
{"id":"fed","type":"federation","name":"Small"}
`)
	return dir
}

// asPage sends a request of a browser and returns the status of the answer.
func asPage(t *testing.T, method, url, host string, header http.Header) int {
	t.Helper()
	req, err := http.NewRequest(method, url, nil)
	must(t, err)
	req.Host, req.Header = host, header
	resp, err := http.DefaultClient.Do(req)
	must(t, err)
	defer resp.Body.Close()
	return resp.StatusCode
}

func TestAWebPageReachesNothing(t *testing.T) {
	// What a browser sends for a page is no failed authentication of its machine.
	s := startServe(t, newTerminal(nil), "--data-dir="+t.TempDir(), "--allow-host=api.example", "--failure-limit=4")
	page := http.Header{"Origin": {"https://page.example"}}
	for _, tt := range []struct {
		name, method, url, host string
		header                  http.Header
		want                    int
	}{
		{"the service, by a name", "GET", s.BaseURL + "/v1/ping", "page.example:8080", nil, 403},
		{"the service, by a page", "GET", s.BaseURL + "/v1/ping", "", page, 403},
		{"the service, by a server that hands a page's headers on", "GET", s.BaseURL + "/v1/ping", "", http.Header{"Origin": {"https://page.example"}, "X-Service-Signature": {"0"}}, 401},
		{"the service, by a page's preflight", "OPTIONS", s.BaseURL + "/v1/ping", "", page, 204},
		{"the service, by a page through a proxy", "GET", s.BaseURL + "/v1/ping", "api.example", http.Header{"Sec-Fetch-Site": {"same-site"}}, 403},
		{"the service, by a typed address", "GET", s.BaseURL + "/v1/ping", "", http.Header{"Sec-Fetch-Site": {"none"}}, 401},
		{"the service, by a name that was allowed", "GET", s.BaseURL + "/v1/ping", "API.example", nil, 401},
		{"the service, by localhost", "GET", s.BaseURL + "/v1/ping", "localhost:8080", nil, 401},
	} {
		if got := asPage(t, tt.method, tt.url, tt.host, tt.header); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
	s.stop()
	if said := s.term.Errors.String(); strings.Count(said, "hostNotServed") != 1 || strings.Count(said, "pageNotServed") != 2 {
		t.Error(said)
	}
}

func TestTheSecretOverOnesOwnDataIsShownOnce(t *testing.T) {
	dir, data := small(t), t.TempDir()
	first := startServe(t, newTerminal(nil), "--data="+dir, "--data-dir="+data)
	if first.Organization != string(sport.IDFor(sport.KindOrganization, "fed")) || first.Secret == "" || strings.Contains(first.Command, first.Secret) || !strings.Contains(first.Command, "TOUCHLINE_KEY_ID="+first.KeyID) {
		t.Errorf("the first start shows %+v", first.ReadyReport)
	}
	first.get(t, "/v1/federations/"+first.Organization)
	first.stop()
	second := startServe(t, newTerminal(nil), "--data="+dir, "--data-dir="+data)
	if second.KeyID != first.KeyID || second.Secret != "" || second.Command != "" {
		t.Errorf("the second start shows %+v", second.ReadyReport)
	}
	second.stop()
}

func TestAStartNamesKeysSealedWithAnotherMasterKey(t *testing.T) {
	term := keeper(t)
	create(t, term) // with this machine's
	term.Env[stack.VariableMasterKey] = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
	seal, err := apikeys.Sealer(&term.Terminal)
	must(t, err)
	var foreign keys.Key
	for range 2 {
		if foreign.ID != "" {
			term.succeed(t, "keys", "revoke", foreign.ID)
		}
		term.with(t, func(d *database.Database) {
			registry := &keys.Registry{Store: d.Keys(), Sealer: seal, Now: term.Now}
			issued, err := registry.Create(t.Context(), keys.Request{Organization: sport.IDFor(sport.KindOrganization, "est")})
			must(t, err)
			foreign = issued.Key
		})
	}
	delete(term.Env, stack.VariableMasterKey)
	s := startServe(t, term)
	s.stop()
	if says := term.Errors.String(); !strings.Contains(says, "requests with these keys get 503, since another master key sealed their secrets: "+foreign.ID+".") {
		t.Errorf("said %s", says)
	}
}

// A record of a key in which a byte has changed costs that key alone.
func TestADamagedKeyIsNamedAndEnded(t *testing.T) {
	term := keeper(t)
	damaged, whole := create(t, term), create(t, term)
	path := filepath.Join(term.data, database.FileName)
	must(t, os.WriteFile(path, bytes.ReplaceAll(bytesOf(t, path), []byte(damaged.Current.ID), []byte("ts_AAAAAAAAAAAAAAAAAAAA")), 0o600))
	names := func(args ...string) {
		t.Helper()
		term.run(args...)
		if said := term.Output.String() + term.Errors.String(); !strings.Contains(said, damaged.ID) || !strings.Contains(said, "keys revoke") {
			t.Errorf("%v: %s", args, said)
		}
	}
	names("keys", "list")
	names("usage")
	names("doctor")
	names("keys", "show", damaged.ID)
	names("backup", filepath.Join(t.TempDir(), "copy.db"))
	names("keys", "create", "--organization=est", "--unchecked")
	s := startServe(t, term)
	s.KeyID, s.Secret = whole.ID, whole.Secret
	s.get(t, "/v1/ping")
	s.stop()
	if said := term.Errors.String(); !strings.Contains(said, damaged.ID) {
		t.Errorf("serve says: %s", said)
	}
	term.succeed(t, "keys", "revoke", damaged.ID)
	if list := term.succeed(t, "keys", "list"); strings.Contains(list+term.Errors.String(), "damaged") || !strings.Contains(list, damaged.ID+"  revoked") {
		t.Error(list)
	}
}

// Nobody serves, or shows, data of another layout (D63).
func TestDataOfAnotherLayoutIsRefusedAtTheStart(t *testing.T) {
	term := keeper(t)
	unreleased := store.Write{Key: records.VersionKey(), Item: store.Item{"v": &types.AttributeValueMemberN{Value: "8"}}}
	term.with(t, func(d *database.Database) { must(t, d.Sports().Write(t.Context(), []store.Write{unreleased})) })
	for _, line := range [][]string{
		{"serve", "--addr=127.0.0.1:0"},
		{"serve", "--addr=127.0.0.1:0", "--data=" + small(t)},
		{"serve", "--addr=127.0.0.1:0", "--demo"},
		{"console"},
		{"import", small(t)},
		{"export", t.TempDir()},
		{"doctor"},
	} {
		code := term.run(line...)
		said := term.Errors.String() + term.Output.String()
		if code != exitFailed || !strings.Contains(said, "has data of a version from before layout 1 was settled, which this version does not read") {
			t.Errorf("%s: exit %d: %s", line[0], code, said)
		}
		if line[0] == "serve" && !strings.Contains(said, "export the dataset with the version that wrote it, and import it with this one") {
			t.Errorf("it does not say what to do: %s", said)
		}
	}
}

// Another user's master key, or a new one, would make keys that never work, and
// serve keys that never do.
func TestAMasterKeyThatOpensNoStoredKeyIsRefused(t *testing.T) {
	term := keeper(t)
	made := create(t, term)
	own := os.Getenv("XDG_CONFIG_HOME")
	for name, change := range map[string]func(){
		"none of this user's": func() { t.Setenv("XDG_CONFIG_HOME", t.TempDir()) },
		"another one":         func() { term.Env[stack.VariableMasterKey] = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=" },
	} {
		t.Run(name, func(t *testing.T) {
			change()
			for _, args := range [][]string{
				{"serve", "--addr=127.0.0.1:0"},
				{"keys", "create", "--organization=est", "--unchecked"}, {"keys", "rotate", made.ID},
			} {
				term.fails(t, exitFailed, "run this as the user who made them", args...)
			}
			if left, err := filepath.Glob(filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "touchline", "master.key")); err != nil || len(left) > 0 && os.Getenv("XDG_CONFIG_HOME") != own {
				t.Errorf("a master key was made: %v, %v", left, err)
			}
		})
		delete(term.Env, stack.VariableMasterKey)
		t.Setenv("XDG_CONFIG_HOME", own)
	}
	credentials := t.TempDir()
	text, err := os.ReadFile(filepath.Join(own, "touchline", "master.key"))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(credentials, "touchline-master-key"), text, 0o400))
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	term.Env["CREDENTIALS_DIRECTORY"] = credentials // of systemd
	create(t, term)
}

// TestServeTellsSystemd: the unit is up when serve is ready, for which it has as long as
// something goes on.
func TestServeTellsSystemd(t *testing.T) {
	dir, err := os.MkdirTemp("", "n") // the path of a socket has 108 bytes at most
	must(t, err)
	defer os.RemoveAll(dir) //nolint:errcheck // a leftover
	socket, err := net.ListenPacket("unixgram", filepath.Join(dir, "s"))
	must(t, err)
	defer socket.Close() //nolint:errcheck // a test's
	s := startServe(t, newTerminal(map[string]string{"NOTIFY_SOCKET": filepath.Join(dir, "s")}), "--data="+small(t), "--data-dir="+t.TempDir())
	for _, want := range []string{"EXTEND_TIMEOUT_USEC=120000000", "READY=1", "STOPPING=1"} {
		message := make([]byte, 100)
		n, _, err := socket.ReadFrom(message)
		if err != nil || string(message[:n]) != want {
			t.Errorf("%q, %v, want %s", message[:n], err, want)
		}
		s.stop()
	}
}

// TestServeAllowsMoreRequestsForTests than the contract does, which is the default.
func TestServeAllowsMoreRequestsForTests(t *testing.T) {
	for limit, flags := range map[string][]string{"60": nil, "500": {"--rate-limit=500"}} {
		s := startServe(t, newTerminal(nil), append(flags, "--data="+small(t), "--docs-addr=off", "--data-dir="+t.TempDir())...)
		caller := newTerminal(map[string]string{protocol.SecretVariable: s.Secret})
		if got := caller.succeed(t, "get", "-i", "--key-id="+s.KeyID, "--base-url="+s.BaseURL, "/v1/ping"); !strings.Contains(strings.ToLower(got), "x-ratelimit-limit: "+limit+"\n") {
			t.Errorf("want %s: %s", limit, got)
		}
		s.stop()
	}
}

// TestCallersBehindAProxyAreToldApart: failures of one keep no other out.
func TestCallersBehindAProxyAreToldApart(t *testing.T) {
	s := startServe(t, newTerminal(nil), "--data-dir="+t.TempDir(), "--trusted-proxy=127.0.0.1", "--failure-limit=2")
	for i, tt := range []struct {
		from string
		want int
	}{{"203.0.113.1", 401}, {"203.0.113.1", 401}, {"203.0.113.1", 429}, {"198.51.100.9, 203.0.113.1", 429}, {"203.0.113.2", 401}} {
		if got := asPage(t, "GET", s.BaseURL+"/v1/ping", "", http.Header{"X-Forwarded-For": {tt.from}}); got != tt.want {
			t.Errorf("request %d, from %s: %d, want %d", i, tt.from, got, tt.want)
		}
	}
}

// serve says how long loads are kept: the table remembers it for the loads after it, and
// without the flag it stays.
func TestServeSaysHowLongLoadsAreKept(t *testing.T) {
	term, dir := importer(t)
	days := func() int {
		t.Helper()
		var mark history.Mark
		term.with(t, func(d *database.Database) {
			_, item, err := store.ReadLease(t.Context(), d.Sports(), records.LockKey())
			must(t, err)
			mark, err = history.MarkOf(item)
			must(t, err)
		})
		return mark.Kept.Days
	}
	for _, c := range []struct {
		flags []string
		want  int
	}{{nil, 0}, {[]string{"--keep-loads=30"}, 30}, {nil, 30}, {[]string{"--keep-loads=7"}, 7}} {
		startServe(t, term, c.flags...).stop()
		if got := days(); got != c.want && (c.want > 0 || got != history.DefaultDays) {
			t.Errorf("%v: loads are kept for %d days, want %d", c.flags, got, c.want)
		}
		writeFile(t, filepath.Join(dir, "organizations.ndjson"), fmt.Sprintf(`{"id":"fed","type":"federation","name":"F %d %v"}`+"\n", c.want, c.flags))
		term.succeed(t, "import", dir)
		if got := days(); c.want > 0 && got != c.want {
			t.Errorf("%v: %d days after a load, want %d", c.flags, got, c.want)
		}
	}
	term.succeed(t, "import", "--keep-loads", "9", dir)
	if got := days(); got != 9 {
		t.Errorf("loads are kept for %d days", got)
	}
}

func TestTheDemoLeavesOtherDataAlone(t *testing.T) {
	data := t.TempDir()
	startServe(t, newTerminal(nil), "--data="+small(t), "--data-dir="+data).stop()
	s := startServe(t, newTerminal(nil), "--demo", "--data-dir="+data)
	if s.KeyID != "" {
		t.Errorf("got %+v", s.ReadyReport)
	}
	s.stop()
	if !strings.Contains(s.term.Errors.String(), "the demo was not loaded") {
		t.Error(s.term.Errors.String())
	}
}

func TestServeUsesTheDatabaseNamed(t *testing.T) {
	term := newTerminal(map[string]string{"AWS_ENDPOINT_URL_DYNAMODB": enginetest.Start(t)})
	data := t.TempDir()
	s := startServe(t, term, "--data="+small(t), "--data-dir="+data)
	if s.Data != term.Env["AWS_ENDPOINT_URL_DYNAMODB"] {
		t.Errorf("uses %s", s.Data)
	}
	if s.KeyID != "" {
		t.Error("a key was made in a database of others")
	}
	var made apikeys.IssuedKey
	must(t, json.Unmarshal([]byte(term.succeed(t, "keys", "create", "--organization=fed", "--json")), &made))
	s.KeyID, s.Secret = made.ID, made.Secret
	s.get(t, "/v1/ping")
	if _, err := os.Stat(filepath.Join(data, database.FileName)); err == nil {
		t.Error("there is a file of data")
	}
	if _, err := os.Stat(filepath.Join(data, logs.FileName)); err != nil {
		t.Errorf("no log: %v", err)
	}
}

func TestServeSaysWhyItDoesNotStart(t *testing.T) {
	data := t.TempDir()
	first := startServe(t, newTerminal(nil), "--data-dir="+data)
	addr := strings.TrimPrefix(first.BaseURL, "http://")
	faulty := filepath.Join(t.TempDir(), "set")
	writeFile(t, filepath.Join(faulty, "organizations.ndjson"), `{"id":"o","type":"planet","name":"X"}`+"\n")
	plain := filepath.Join(t.TempDir(), "plain")
	writeFile(t, plain, "")
	open, broken := t.TempDir(), filepath.Join(t.TempDir(), "broken")
	writeFile(t, filepath.Join(open, "else"), "others may enter")
	writeFile(t, filepath.Join(broken, database.FileName), strings.Repeat("no data\n", 5000))
	must(t, os.Chmod(broken, 0o700)) //nolint:gosec // a folder
	free := []string{"--addr=127.0.0.1:0", "--data-dir=" + t.TempDir()}
	tests := []struct {
		name  string
		flags []string
		code  int
		says  string
	}{
		{"the address is in use", []string{"--addr=" + addr}, exitFailed, "--addr"},
		{"the data are in use", []string{"--addr=127.0.0.1:0", "--data-dir=" + data}, exitFailed, "another touchline serve, or console, has the data in " + data + " open: stop it, or use another folder with --data-dir"},
		{"others may enter the folder", []string{"--addr=127.0.0.1:0", "--data-dir=" + open}, exitFailed, "chmod go= " + open},
		{"the data are damaged", []string{"--addr=127.0.0.1:0", "--data-dir=" + broken}, exitFailed, "touchline restore"},
		{"the data folder is a file", []string{"--addr=127.0.0.1:0", "--data-dir=" + plain}, exitFailed, "--data-dir"},
		{"not an address", []string{"--addr=nowhere"}, exitUsage, "--addr"},
		{"the database is away", []string{"--addr=127.0.0.1:0", "--dynamodb-endpoint=http://127.0.0.1:1"}, exitFailed, "127.0.0.1:1"},
		{"the log is a folder", append(free, "--log="+t.TempDir()), exitFailed, "--log"},
		{"the dataset is faulty", append(free, "--data="+faulty), exitFailed, "organizations.ndjson:1: type"},
		{"the dataset is missing", append(free, "--data="+plain+".none"), exitFailed, "is not a folder"},
		{"demo and dataset", append(free, "--demo", "--data=x"), exitUsage, "can't be used together"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			term := newTerminal(nil)
			term.fails(t, tt.code, "", append([]string{"serve"}, tt.flags...)...)
			if !strings.Contains(term.Errors.String(), tt.says) || term.Output.Len() > 0 {
				t.Errorf("%q does not say %q; output %q", term.Errors.String(), tt.says, term.Output.String())
			}
		})
	}
}

// TestServeSaysHowItIs at the address of --health, and doctor at what it serves.
func TestServeSaysHowItIs(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	s := startServe(t, newTerminal(nil), "--data="+small(t), "--docs-addr=off", "--health=127.0.0.1:0", "--data-dir="+data)
	s.get(t, "/v1/organizations/"+s.Organization)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.BaseURL+"/v1/ping", nil)
	must(t, err)
	request.Host = "api.example.org"
	refused, err := http.DefaultClient.Do(request)
	must(t, err)
	_ = refused.Body.Close()
	answer, err := http.Get(s.Health + "/health") //nolint:noctx // a test
	must(t, err)
	text, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil || !strings.Contains(string(text), `"check":"store","state":"ok"`) {
		t.Errorf("%s, %v", text, err)
	}
	why := newTerminal(nil).succeed(t, "why", "--data-dir="+data, refused.Header.Get("X-Request-Id"))
	if !strings.Contains(why, "403 forbidden") || !strings.Contains(why, "--allow-host") {
		t.Error(why)
	}
	beside := newTerminal(nil)
	beside.run("doctor", "--json", "--data-dir="+data)
	if found := examined(t, beside.Output.String()); found["data"].State != fine || found["keys"].State != fine || found["disk"].State == "" {
		t.Errorf("%v", found)
	}
	newTerminal(nil).fails(t, exitUsage, "", "serve", "--addr=127.0.0.1:0", "--health=0.0.0.0:0")
}
