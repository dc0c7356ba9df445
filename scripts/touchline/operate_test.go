package main

import (
	"cmp"
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

	"touchline/scripts/touchline/terminal/terminaltest"
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

// TestNginxTellsCallersApart runs nginx with the server of operate.md, without TLS:
// who fails too often behind it keeps nobody else out.
func TestNginxTellsCallersApart(t *testing.T) {
	path := os.Getenv("PATH") + ":/usr/sbin"
	t.Setenv("PATH", path)
	if _, err := exec.LookPath("nginx"); err != nil {
		need(t, err)
	}
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	s := startServe(t, newTerminal(nil), "--demo", "--docs-addr=off", "--data-dir="+t.TempDir(), "--trusted-proxy=127.0.0.1", "--allow-host=api.example.org")
	proxy := nginx(t, s.BaseURL)
	send := func(from string, headers map[string]string) int {
		t.Helper()
		client := http.Client{Transport: &http.Transport{DialContext: (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}).DialContext}}
		defer client.CloseIdleConnections()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, proxy+"/v1/ping", nil)
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
		statuses[send(attacker, map[string]string{"X-Forwarded-For": partner})]++ // the proxy adds who it is
	}
	if statuses[http.StatusUnauthorized] != 20 || statuses[http.StatusTooManyRequests] != 5 {
		t.Errorf("unsigned: %v", statuses)
	}
	m := signing.Message{Method: http.MethodGet, Path: "/v1/ping", Timestamp: strconv.FormatInt(terminaltest.Time.Unix(), 10), Nonce: "once"}
	text, err := m.Canonical()
	must(t, err)
	if status := send(partner, map[string]string{
		signing.HeaderKey: s.KeyID, signing.HeaderTimestamp: m.Timestamp, signing.HeaderNonce: m.Nonce, signing.HeaderSignature: signing.Sign(s.Secret, text),
	}); status != http.StatusOK {
		t.Errorf("the partner gets %d", status)
	}
}

// nginx serves as operate.md says in front of a service, and returns its address.
func nginx(t *testing.T, service string) string {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	addr := free.Addr().String()
	must(t, free.Close())
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
