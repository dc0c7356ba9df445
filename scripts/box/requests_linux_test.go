package box

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"touchline/shared/signing"
)

// do sends a request from an address of the machine. Where it is not answered the status
// is 0, as while a service starts.
func (b *box) do(from, url string, headers map[string]string) (status int, body string) {
	b.t.Helper()
	client := http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{ServerName: "api.example.org", InsecureSkipVerify: true}, //nolint:gosec // the certificate is the test's
		DialContext:     func(ctx context.Context, _, to string) (net.Conn, error) { return b.dial(ctx, from, to) },
	}}
	defer client.CloseIdleConnections()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, url, nil)
	must(b.t, err)
	if !strings.HasSuffix(url, "/health") {
		r.Host = "api.example.org"
	}
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	answer, err := client.Do(r)
	if err != nil {
		return 0, err.Error()
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	must(b.t, err)
	return answer.StatusCode, string(text)
}

// health is what monitoring asks.
const health = "http://127.0.0.1:8082/health"

func (b *box) health() (status int, body string) { return b.do("127.0.0.1", health, nil) }

// signed sends a request with a query, with the signature of the key.
func (b *box) signed(from, service, query string) (status int) {
	b.t.Helper()
	status, _ = b.ask(from, service, query)
	return status
}

func (b *box) ask(from, service, query string) (status int, body string) {
	b.t.Helper()
	m := signing.Message{Method: http.MethodGet, Path: "/v1/ping", Query: query, Timestamp: strconv.FormatInt(time.Now().Unix(), 10), Nonce: rand.Text()}
	text, err := m.Canonical()
	must(b.t, err)
	return b.do(from, strings.TrimSuffix(service+"/v1/ping?"+query, "?"), map[string]string{
		signing.HeaderKey: b.key.KeyID, signing.HeaderTimestamp: m.Timestamp, signing.HeaderNonce: m.Nonce, signing.HeaderSignature: signing.Sign(b.key.Secret, text),
	})
}

// served makes sure that the key's requests are answered.
func (b *box) served() {
	b.t.Helper()
	if status, body := b.ask("127.0.0.1", "http://127.0.0.1:8080", ""); status != http.StatusOK {
		b.t.Fatalf("%s\na signed request gets %d: %s", b.journal(), status, body)
	}
}

// behindProxies has nginx and Caddy tell callers apart: who fails too often behind one
// keeps nobody else out, and a query arrives as it was signed.
func (b *box) behindProxies() {
	b.write("/touchline/local", "{\n    local_certs\n    skip_install_trust\n}\n") // Caddy reaches nobody who signs
	for n, proxy := range []string{"nginx", "caddy"} {
		b.run("systemctl start " + proxy)
		b.follow("The proxy", 2, "/HOST/", "/api.example.org/", "scripts/box/Caddyfile", "local scripts/box/Caddyfile")
		b.await(proxy+" answers", func() bool { return b.signed("127.0.0.1", "https://127.0.0.1", "") == http.StatusOK })
		b.tellCallersApart(n)
		b.run("systemctl stop " + proxy)
	}
}

func (b *box) tellCallersApart(n int) {
	b.t.Helper()
	attacker, partner := "127.0.1."+strconv.Itoa(n+1), "127.0.2."+strconv.Itoa(n+1)
	statuses := map[int]int{}
	for range 25 {
		status, _ := b.do(attacker, "https://127.0.0.1/v1/ping", map[string]string{"X-Forwarded-For": partner}) // the proxy says who it is
		statuses[status]++
	}
	if statuses[http.StatusUnauthorized] != 20 || statuses[http.StatusTooManyRequests] != 5 {
		b.t.Errorf("unsigned: %v", statuses)
	}
	for query, want := range map[string]int{"": http.StatusOK, "n%6fne=a%2Fb+c&&d": http.StatusBadRequest} { // which is after the signature
		if status := b.signed(partner, "https://127.0.0.1", query); status != want {
			b.t.Errorf("the partner gets %d for %q, want %d", status, query, want)
		}
	}
}

// asked asks for the health as often as a monitoring does in two hours.
func (b *box) asked() {
	b.follow("Monitoring", 1)
	before := b.run("systemctl show --property=MainPID,NRestarts touchline@main")
	for range 120 {
		if status, body := b.health(); status != http.StatusOK || strings.Contains(body, `"unknown"`) {
			b.t.Fatalf("%d: %s\n%s", status, body, b.journal())
		}
	}
	if after := b.run("systemctl show --property=MainPID,NRestarts touchline@main"); after != before {
		b.t.Errorf("it was started again: %s, before %s", after, before)
	}
}
