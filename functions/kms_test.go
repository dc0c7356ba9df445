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
	refused := answer{http.StatusBadRequest, `{"__type":"AccessDeniedException","message":"not yours"}`}
	broken := answer{http.StatusInternalServerError, ""}
	for name, test := range map[string]struct {
		first  []answer // before it opens what it is asked to
		status int
		calls  int
	}{
		"opens":           {nil, http.StatusOK, 1},
		"fails, opens":    {[]answer{broken}, http.StatusOK, 2},
		"may not open it": {[]answer{refused}, http.StatusServiceUnavailable, 1},
	} {
		t.Run(name, func(t *testing.T) {
			k := newKMS(t, test.first...)
			f := start(t, w.of(route.GroupTeams), append([]string{
				stack.VariableKMSKey + "=" + kmsKey, "HTTPS_PROXY=" + k.proxy(t), "SSL_CERT_FILE=" + k.authority,
			}, w.environment...)...)
			sealed := *w
			sealed.service.Opener = k
			sealed.key = sealed.issue(t)
			for range 2 { // the secret is kept, a failure is not
				got := call(t, f, sealed.sign(t, samples(t, route.GroupTeams)["players.json"]))
				if got.StatusCode != test.status {
					t.Fatalf("status %d: %s", got.StatusCode, got.Body)
				}
				if calls := k.called(t); calls != test.calls {
					t.Errorf("KMS was called %d times", calls)
				}
				if test.status != http.StatusOK {
					break
				}
			}
			if text := f.output.String(); strings.Contains(text, sealed.key.Secret.Reveal()) {
				t.Error("the secret is in the log")
			}
		})
	}
}

type answer struct {
	status int
	body   string
}

// fakeKMS is AWS KMS, and its own proxy. What it has sealed is in clear, behind the
// id of its key.
type fakeKMS struct {
	server    *httptest.Server
	authority string // file of its certificate

	mu      sync.Mutex
	answers []answer // to the first calls
	calls   int
	wrong   []string
}

func newKMS(t *testing.T, first ...answer) *fakeKMS {
	t.Helper()
	k := &fakeKMS{authority: filepath.Join(t.TempDir(), "authority.pem"), answers: first}
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
	var is *answer
	if len(k.answers) > 0 {
		is, k.answers = &k.answers[0], k.answers[1:]
	}
	k.mu.Unlock()
	if is == nil {
		is = k.opened(in.CiphertextBlob, in.EncryptionContext)
	}
	w.WriteHeader(is.status)
	_, _ = io.WriteString(w, is.body)
}

func (k *fakeKMS) opened(sealed []byte, encryptionContext map[string]string) *answer {
	id, secret, _ := bytes.Cut(sealed, []byte(" "))
	if !maps.Equal(encryptionContext, keys.KMSContext(string(id))) {
		return &answer{http.StatusBadRequest, `{"__type":"InvalidCiphertextException"}`}
	}
	body, err := json.Marshal(map[string][]byte{"Plaintext": secret})
	if err != nil {
		k.note(err.Error())
	}
	return &answer{http.StatusOK, string(body)}
}

// Seal implements keys.Sealer.
func (k *fakeKMS) Seal(_ context.Context, keyID string, secret []byte) ([]byte, error) {
	return append([]byte(keyID+" "), secret...), nil
}

// Open implements keys.Sealer.
func (k *fakeKMS) Open(context.Context, string, []byte) ([]byte, error) {
	return nil, errors.New("the test opens nothing")
}
