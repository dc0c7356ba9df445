package functions

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"maps"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"touchline/shared/keys"
	"touchline/shared/route"
	"touchline/shared/stack"
)

const (
	kmsHost = "kms.eu-central-1.amazonaws.com"
	kmsKey  = "arn:aws:kms:eu-central-1:123456789012:key/0f0e"
)

// openSecretsWithKMS runs a function as it is deployed: it finds KMS by the region
// alone, which a proxy leads to the test's own.
func (w *world) openSecretsWithKMS(t *testing.T) {
	k := newKMS(t)
	f := start(t, w.of(route.GroupTeams), append([]string{
		stack.VariableKMSKey + "=" + kmsKey, "HTTPS_PROXY=" + k.proxy(t), "SSL_CERT_FILE=" + k.authority,
	}, w.environment...)...)
	sealed := *w
	sealed.service.Opener = k
	sealed.key = sealed.issue(t)
	for range 2 { // the secret is kept
		if got := call(t, f, sealed.sign(t, samples(t, route.GroupTeams)["players.json"])); got.StatusCode != http.StatusOK {
			t.Fatalf("status %d: %s", got.StatusCode, got.Body)
		}
		if calls := k.called(t); calls != 1 {
			t.Errorf("KMS was called %d times", calls)
		}
	}
	if text := f.Output(); strings.Contains(text, sealed.key.Secret.Reveal()) {
		t.Error("the secret is in the log")
	}
}

// fakeKMS is AWS KMS, and its own proxy. What it has sealed is in clear, behind the
// id of its key.
type fakeKMS struct {
	server    *httptest.Server
	authority string // file of its certificate

	mu    sync.Mutex
	calls int
	wrong []string
}

func newKMS(t *testing.T) *fakeKMS {
	t.Helper()
	k := &fakeKMS{authority: filepath.Join(t.TempDir(), "authority.pem")}
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{kmsHost}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(k.authority, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}), 0o600); err != nil {
		t.Fatal(err)
	}
	k.server = httptest.NewUnstartedServer(k)
	k.server.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{certificate}, PrivateKey: private}}, MinVersion: tls.VersionTLS12}
	k.server.StartTLS()
	t.Cleanup(k.server.Close)
	return k
}

// proxy leads connections to KMS's host to the fake, and no other anywhere.
func (k *fakeKMS) proxy(t *testing.T) string {
	t.Helper()
	p := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect || r.Host != kmsHost+":443" {
			k.note("the proxy is asked: " + r.Method + " " + r.Host)
			w.WriteHeader(http.StatusForbidden)
			return
		}
		to, err := net.Dial("tcp", k.server.Listener.Addr().String())
		if err != nil {
			k.note(err.Error())
			return
		}
		defer to.Close()
		from, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			k.note(err.Error())
			return
		}
		defer from.Close()
		_, _ = io.WriteString(from, "HTTP/1.1 200 OK\r\n\r\n")
		go func() {
			_, _ = io.Copy(to, from)
			_ = to.Close()
		}()
		_, _ = io.Copy(from, to)
	}))
	t.Cleanup(p.Close)
	return p.URL
}

func (k *fakeKMS) note(wrong string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.wrong = append(k.wrong, wrong)
}

// called is how often KMS was called, and fails if anything else was.
func (k *fakeKMS) called(t *testing.T) int {
	t.Helper()
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, wrong := range k.wrong {
		t.Error(wrong)
	}
	return k.calls
}

// ServeHTTP implements http.Handler.
func (k *fakeKMS) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in struct {
		KeyID             string `json:"KeyId"`
		CiphertextBlob    []byte
		EncryptionContext map[string]string
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		k.note(err.Error())
	}
	if !strings.Contains(r.Header.Get("Authorization"), "/eu-central-1/kms/aws4_request") || r.Header.Get("X-Amz-Target") != "TrentService.Decrypt" || in.KeyID != kmsKey {
		k.note("KMS is asked " + r.Header.Get("X-Amz-Target") + " of " + in.KeyID)
	}
	k.mu.Lock()
	k.calls++
	k.mu.Unlock()
	id, secret, _ := bytes.Cut(in.CiphertextBlob, []byte(" "))
	if !maps.Equal(in.EncryptionContext, keys.KMSContext(string(id))) {
		k.note("another context than that of the key")
	}
	if err := json.NewEncoder(w).Encode(map[string][]byte{"Plaintext": secret}); err != nil {
		k.note(err.Error())
	}
}

// Seal implements keys.Sealer.
func (k *fakeKMS) Seal(_ context.Context, keyID string, secret []byte) ([]byte, error) {
	return append([]byte(keyID+" "), secret...), nil
}

// Open implements keys.Sealer.
func (k *fakeKMS) Open(context.Context, string, []byte) ([]byte, error) {
	return nil, errors.New("the test opens nothing")
}
