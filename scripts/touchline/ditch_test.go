package main

import (
	"bytes"
	"compress/gzip"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/signing"
)

// ditch is what goes wrong with an answer, and what every kit makes of it. A new row
// is a name, the bytes of the answer, and the outcome.
var ditch = []struct {
	path   string
	answer string // all that is sent before the connection ends; empty: nothing
	times  int    // so many requests are answered so, those after them well
	want   string // the id of the answer or the status of the kit's error, then its waits in seconds
}{
	{"/well", "", 0, "abc"},
	{"/again", "", 0, "abc"}, // over the same connection, where the kit keeps one
	{"/lost", "", 1, "abc 1"},
	{"/lost-always", "", 9, "0 1 2 4"},
	{"/no-http", "SSH-2.0-OpenSSH_9.6\r\n", 9, "0 1 2 4"},
	{"/cut-in-head", "HTTP/1.1 200 OK\r\nContent-Le", 1, "abc 1"},
	{"/cut-by-length", "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n" + wellBody, 2, "abc 1 2"},
	{"/cut-by-length-always", "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n" + wellBody, 9, "0 1 2 4"},
	{"/cut-by-chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n15\r\n" + wellBody + "\r\n", 2, "abc 1 2"},
	{"/cut-by-chunk-always", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40\r\n" + wellBody, 9, "0 1 2 4"},
	{"/cut-in-gzip", packedAnswer(wellPacked()[:30]), 1, "abc 1"},
	{"/cut-in-gzip-always", packedAnswer(wellPacked()[:30]), 9, "0 1 2 4"},
	{"/chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n8;x=y\r\n" + wellBody[:8] + "\r\nd\r\n" + wellBody[8:] + "\r\n0\r\n\r\n", 9, "abc"},
	{"/page", "HTTP/1.1 200 OK\r\nContent-Length: 22\r\nConnection: close\r\n\r\n<html>Log in.</html>\r\n", 9, "200"},
	{"/null", "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nnull", 9, "200"},
	{"/refused", "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}", 9, "404"},
	{"/gateway", "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 5\r\nConnection: close\r\n\r\n<html", 1, "abc 1"},
	{"/false-date", "HTTP/1.1 401 Unauthorized\r\nDate: Sat, 14 Mar 2099 12:00:00 GMT\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}", 9, "401"},
	{"/after-false-date", "", 0, "abc"}, // signed for today
	{"/nothing", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", 9, "200"},
	{"/list", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\n[1]", 9, "200"},
	{"/text", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\n\"abc\"", 9, "200"},
	{"/number", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\n7", 9, "200"},
	{"/moved", "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", 9, "302"},
	{"/moved-forever", "HTTP/1.1 308 Permanent Redirect\r\nLocation: http://example.com/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", 9, "308"},
	{"/not-gzip", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 21\r\nConnection: close\r\n\r\n{\"data\":{\"id\":\"abc\"}}", 1, "abc 1"},
	{"/later", "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 3\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}", 1, "abc 3"},
	{"/later-minus", "HTTP/1.1 429 Too Many Requests\r\nRetry-After: -7\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}", 1, "abc 60"},
	{"/later-odd", "HTTP/1.1 429 Too Many Requests\r\nRetry-After: soon\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}", 1, "abc 60"},
	{"/later-unsaid", "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}", 1, "abc 60"},
	{"/later-on", "HTTP/1.1 429 Too Many Requests\r\nRetry-After: Sat, 14 Mar 2015 12:00:00 GMT\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}", 1, "abc 0"},
	{"/never", "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1209600\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}", 9, "429"},
	{"/busy-page", "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 6\r\nConnection: close\r\n\r\n<html>", 1, "abc 1"},
	{"/odd-date", "HTTP/1.1 401 Unauthorized\r\nDate: yesterday\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}", 9, "401"},
	{"/no-date", "HTTP/1.1 401 Unauthorized\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx", 9, "401"},
}

// slow are answers that come a byte at a time; both never end.
var slow = map[string]string{
	"/drip-in-head": "HTTP/1.1 200 OK\r\nX-Drip: ",
	"/drip-in-body": "HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\n{",
}

const wellBody = `{"data":{"id":"abc"}}`

func wellPacked() []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(wellBody))
	_ = z.Close()
	return b.Bytes()
}

// packedAnswer has as long a body as it says.
func packedAnswer(body []byte) string {
	return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", len(body), body)
}

// misbehaving is a service that answers as the table says. It holds every request to
// a new nonce, a signature of now, and the wish for gzip.
type misbehaving struct {
	t      *testing.T
	nonces map[string]bool
	asked  map[string]int    // by path
	from   map[string]string // the address of the connection, by path
}

func (m *misbehaving) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimPrefix(r.URL.Path, "/stage")
	h, ok := signedAs(r, path)
	seconds, _ := strconv.ParseInt(h.Timestamp, 10, 64)
	if !ok || m.nonces[h.Nonce] || time.Since(time.Unix(seconds, 0)).Abs() > signing.Skew {
		m.t.Errorf("%s: a nonce that was used, or a signature of another request or time", r.URL.Path)
	}
	if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") || r.Header.Get("Proxy-Authorization") != "" {
		m.t.Errorf("%s: not asked for gzip, or told how to log in at the proxy: %v", r.URL.Path, r.Header)
	}
	m.nonces[h.Nonce] = true
	m.asked[path]++
	m.from[path] = r.RemoteAddr
	if text, ok := slow[path]; ok {
		m.drip(w, text)
		return
	}
	for _, row := range ditch {
		if row.path == path && m.asked[path] <= row.times {
			c := m.hijack(w)
			_, _ = io.WriteString(c, row.answer)
			_ = c.Close()
			return
		}
	}
	w.Header().Set("Content-Encoding", "gzip")
	_, _ = w.Write(wellPacked())
}

func (m *misbehaving) hijack(w http.ResponseWriter) net.Conn {
	c, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		m.t.Error(err)
	}
	return c
}

// drip sends until the client has enough of it.
func (m *misbehaving) drip(w http.ResponseWriter, text string) {
	c := m.hijack(w)
	defer c.Close()
	for tick := time.NewTicker(20 * time.Millisecond); ; <-tick.C {
		if _, err := io.WriteString(c, text); err != nil {
			return
		}
		text = "x"
	}
}

// proxy makes tunnels to one of two services, by the port that is asked for, whatever
// the name. It counts them, and wants a login where it has one.
func proxy(t *testing.T, plain, secure *httptest.Server, login bool) (address string, tunnels *int) {
	tunnels = new(int)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to := map[string]*httptest.Server{"example.com:80": plain, "example.com:443": secure}[r.Host]
		switch {
		case login && r.Header.Get("Proxy-Authorization") != "Basic dXNlcjpwYUBzcw==":
			w.Header().Set("Proxy-Authenticate", `Basic realm="proxy"`)
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		case r.Method != http.MethodConnect && to == plain || r.URL.Host == "example.com": // what is asked for in the clear need not be tunnelled
			r.Header.Del("Proxy-Authorization")
			plain.Config.Handler.ServeHTTP(w, r)
			return
		case to == nil:
			t.Errorf("the proxy is asked for %s %s", r.Method, r.Host)
			return
		}
		*tunnels++
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer c.Close()
		back, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", to.Listener.Addr().String())
		if err != nil {
			return
		}
		defer back.Close()
		_, _ = io.WriteString(c, "HTTP/1.1 200 Connection established\r\nDate: Sat, 14 Mar 2099 12:00:00 GMT\r\n\r\n")
		go func() { _, _ = io.Copy(back, c); _ = back.Close() }()
		_, _ = io.Copy(c, back)
	}))
	t.Cleanup(server.Close)
	host := server.Listener.Addr().String()
	if login {
		host = "user:pa%40ss@" + host
	}
	return "http://" + host, tunnels
}

// TestKitsInTheDitch holds every kit to the table: straight, behind a proxy to TLS,
// and behind one to plain HTTP. Two slashes end the address.
func TestKitsInTheDitch(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for time limits: make test-callers runs it")
	}
	for _, name := range []string{"http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "no_proxy", "NO_PROXY", "ALL_PROXY", "all_proxy"} {
		t.Setenv(name, "")
		_ = os.Unsetenv(name)
	}
	keeps := map[string]bool{"go": true, "python": true, "node": true, "ruby": true}
	var rows, want []string
	for _, row := range ditch {
		rows = append(rows, row.path)
		want = append(want, row.path+" "+row.want)
	}
	eachKit(t, func(t *testing.T, language string) {
		outcome := func(t *testing.T, m *misbehaving, base, timeout string, rows, want []string) {
			got := runKit(t, language, "", append([]string{"ditch", base, "k", "secret", timeout}, rows...)...)
			if diff := cmp.Diff(want, strings.Split(strings.TrimSpace(got), "\n")); diff != "" {
				t.Error(diff)
			}
			if kept := m.from["/well"] == m.from["/again"]; kept != keeps[language] && len(rows) == len(ditch) {
				t.Errorf("kept a connection: %v", kept)
			}
		}
		service := func(t *testing.T) (*misbehaving, *httptest.Server, *httptest.Server) {
			m := &misbehaving{t, map[string]bool{}, map[string]int{}, map[string]string{}}
			plain, secure := httptest.NewServer(m), httptest.NewTLSServer(m)
			t.Cleanup(plain.Close)
			t.Cleanup(secure.Close)
			return m, plain, secure
		}
		t.Run("straight", func(t *testing.T) {
			m, plain, _ := service(t)
			outcome(t, m, plain.URL+"/stage//", "30", rows, want)
		})
		t.Run("slow", func(t *testing.T) {
			m, plain, _ := service(t)
			outcome(t, m, plain.URL, "0.25", []string{"/drip-in-head", "/drip-in-body"}, []string{"/drip-in-head 0 1 2 4", "/drip-in-body 0 1 2 4"})
		})
		t.Run("behind a proxy", func(t *testing.T) {
			m, plain, secure := service(t)
			address, tunnels := proxy(t, plain, secure, language != "java" && language != "csharp")
			trust(t, language, secure, address)
			base := "https://example.com//"
			if language == "csharp" {
				base = "http://example.com//" // Mono trusts what the system trusts, and heeds no NO_PROXY
			}
			outcome(t, m, base, "30", rows, want)
			if *tunnels == 0 && language != "csharp" {
				t.Error("not by the proxy")
			}
			outcome(t, m, "http://example.com", "30", []string{"/in-the-clear"}, []string{"/in-the-clear abc"})
			if language == "csharp" {
				return
			}
			t.Setenv("NO_PROXY", "other.example,127.0.0.1")
			outcome(t, m, plain.URL, "30", []string{"/past-the-proxy"}, []string{"/past-the-proxy abc"})
		})
	})
}

// trust has the programs of a language use a proxy, and trust a service.
func trust(t *testing.T, language string, service *httptest.Server, proxy string) {
	dir := t.TempDir()
	file, store := filepath.Join(dir, "ca.pem"), filepath.Join(dir, "ca.p12")
	writeFile(t, file, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: service.Certificate().Raw})))
	for _, name := range []string{"SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "CURL_CA_BUNDLE"} {
		t.Setenv(name, file)
	}
	t.Setenv("https_proxy", proxy)
	t.Setenv("http_proxy", proxy)
	if language != "java" {
		return
	}
	keytool := exec.CommandContext(t.Context(), "keytool", "-importcert", "-noprompt", "-file", file, "-keystore", store, "-storepass", "changeit")
	if out, err := keytool.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	host, port, _ := strings.Cut(strings.TrimPrefix(proxy, "http://"), ":")
	t.Setenv("JAVA_TOOL_OPTIONS", fmt.Sprintf("-Dhttps.proxyHost=%s -Dhttps.proxyPort=%s -Dhttp.proxyHost=%[1]s -Dhttp.proxyPort=%[2]s -Djavax.net.ssl.trustStore=%s -Djavax.net.ssl.trustStorePassword=changeit", host, port, store))
}
