package main

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/signing"
)

// blocks are the code blocks of operate.md in a language.
func blocks(t *testing.T, language string) (found []string) {
	t.Helper()
	text, err := os.ReadFile("operate.md")
	must(t, err)
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		found = append(found, m[1])
	}
	return found
}

// TestTheUnitsAreSound has systemd read those of operate.md, and judge how much the
// service is kept from.
func TestTheUnitsAreSound(t *testing.T) {
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		need(t, err)
	}
	units := blocks(t, "ini")
	if len(units) != 2 {
		t.Fatalf("%d units", len(units))
	}
	for i, unit := range units {
		path := filepath.Join(t.TempDir(), "touchline.service")
		writeFile(t, path, strings.ReplaceAll(unit, "/usr/local/bin/touchline", "/bin/true")) // which is there
		if out, err := exec.Command("systemd-analyze", "verify", "--man=no", path).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("unit %d: %v: %s", i, err, out)
		}
		if i > 0 {
			continue
		}
		if out, err := exec.Command("systemd-analyze", "security", "--offline=true", "--threshold=20", path).CombinedOutput(); err != nil {
			t.Errorf("it is exposed more than 2 of 10: %s", out)
		}
	}
}

// TestProxiesTellCallersApart runs nginx and Caddy with the servers of operate.md,
// without TLS: who fails too often behind one keeps nobody else out, and a query
// arrives as it was signed.
func TestProxiesTellCallersApart(t *testing.T) {
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin")
	for program, start := range map[string]func(t *testing.T, service string) string{"nginx": nginx, "caddy": caddy} {
		t.Run(program, func(t *testing.T) {
			if _, err := exec.LookPath(program); err != nil {
				need(t, err)
			}
			t.Setenv("XDG_CONFIG_HOME", t.TempDir())
			s := startServe(t, newTerminal(nil), "--data="+small(t), "--docs-addr=off", "--data-dir="+t.TempDir(), "--trusted-proxy=127.0.0.1", "--allow-host=api.example.org")
			tellCallersApart(t, s, start(t, s.BaseURL))
		})
	}
}

func tellCallersApart(t *testing.T, s *serving, proxy string) {
	t.Helper()
	send := func(from, target string, headers map[string]string) int {
		t.Helper()
		client := http.Client{Transport: &http.Transport{DialContext: (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}).DialContext}}
		defer client.CloseIdleConnections()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, proxy+target, nil)
		must(t, err)
		r.Host = "api.example.org"
		for name, value := range headers {
			r.Header.Set(name, value)
		}
		answer, err := client.Do(r)
		must(t, err)
		_ = answer.Body.Close()
		return answer.StatusCode
	}
	const attacker, partner = "127.0.0.2", "127.0.0.3"
	statuses := map[int]int{}
	for range 25 {
		statuses[send(attacker, "/v1/ping", map[string]string{"X-Forwarded-For": partner})]++ // the proxy says who it is
	}
	if statuses[http.StatusUnauthorized] != 20 || statuses[http.StatusTooManyRequests] != 5 {
		t.Errorf("unsigned: %v", statuses)
	}
	for query, want := range map[string]int{"": http.StatusOK, "n%6fne=a%2Fb+c&&d": http.StatusBadRequest} { // which is after the signature
		m := signing.Message{Method: http.MethodGet, Path: "/v1/ping", Query: query, Timestamp: strconv.FormatInt(terminal.ScreenTime.Unix(), 10), Nonce: "once" + strconv.Itoa(want)}
		text, err := m.Canonical()
		must(t, err)
		if status := send(partner, strings.TrimSuffix("/v1/ping?"+query, "?"), map[string]string{
			signing.HeaderKey: s.KeyID, signing.HeaderTimestamp: m.Timestamp, signing.HeaderNonce: m.Nonce, signing.HeaderSignature: signing.Sign(s.Secret, text),
		}); status != want {
			t.Errorf("the partner gets %d for %q, want %d", status, query, want)
		}
	}
}

// freeAddress is one of this machine that nothing listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	must(t, free.Close())
	return free.Addr().String()
}

// caddy serves as operate.md says in front of a service, and returns its address.
func caddy(t *testing.T, service string) string {
	t.Helper()
	addr, dir := freeAddress(t), t.TempDir()
	t.Setenv("XDG_DATA_HOME", dir)
	admin := "unix/" + filepath.Join(dir, "admin")
	site := strings.NewReplacer("api.example.org {", "http://api.example.org:"+addr[strings.Index(addr, ":")+1:]+" {\n    bind 127.0.0.1", "127.0.0.1:8080", strings.TrimPrefix(service, "http://")).Replace(blocks(t, "caddy")[0])
	conf := filepath.Join(dir, "Caddyfile")
	writeFile(t, conf, fmt.Sprintf("{\n    admin %s\n}\n%s", admin, site))
	log := filepath.Join(dir, "log")
	run := func(args ...string) {
		out, err := os.Create(log)
		must(t, err)
		c := exec.Command("caddy", args...)
		c.Stdout, c.Stderr = out, out // a file: what it leaves running has it, too
		if err := errors.Join(c.Run(), out.Close()); err != nil {
			said, _ := os.ReadFile(log)
			t.Errorf("caddy: %v: %s", err, said)
		}
	}
	run("start", "--config", conf, "--adapter", "caddyfile") // it returns once it listens
	t.Cleanup(func() { run("stop", "--address", admin) })
	return "http://" + addr
}

// nginx serves as operate.md says in front of a service, and returns its address.
func nginx(t *testing.T, service string) string {
	t.Helper()
	addr := freeAddress(t)
	server := regexp.MustCompile(`(?m)^\s*ssl_.*\n`).ReplaceAllString(blocks(t, "nginx")[0], "")
	server = strings.NewReplacer("listen 443 ssl", "listen "+addr, "http://127.0.0.1:8080", service).Replace(server)
	dir := t.TempDir()
	conf := filepath.Join(dir, "nginx.conf")
	user := ""
	if os.Getuid() == 0 {
		user = "user root;\n"
	}
	writeFile(t, conf, user+fmt.Sprintf("pid %[1]s/pid;\nerror_log %[1]s/error.log;\nevents {}\nhttp {\naccess_log off;\nclient_body_temp_path %[1]s/body;\nproxy_temp_path %[1]s/proxy;\nfastcgi_temp_path %[1]s/f;\nuwsgi_temp_path %[1]s/u;\nscgi_temp_path %[1]s/s;\n%[2]s}\n", dir, server))
	run := func(more ...string) {
		out, err := exec.Command("nginx", append([]string{"-p", dir, "-c", conf}, more...)...).CombinedOutput()
		if err != nil {
			t.Errorf("nginx: %v: %s", err, cmp.Or(string(out), "no output"))
		}
	}
	run() // it returns once it listens
	t.Cleanup(func() { run("-s", "stop") })
	return "http://" + addr
}
