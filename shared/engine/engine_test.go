package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// need returns the path of the engine. Without one the test cannot run, which is
// a failure on a CI machine.
func need(t *testing.T) string {
	t.Helper()
	path, err := Find()
	if err != nil && os.Getenv("CI") == "" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func begin(t *testing.T, o Options) *Engine {
	t.Helper()
	need(t)
	e, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Stop() })
	return e
}

// call sends a DynamoDB request and returns the body of a 200. It is not signed,
// since the engine does not check signatures.
func call(endpoint, operation, body string) (string, error) {
	req, err := http.NewRequest(http.MethodPost, endpoint, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	req.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	req.Header.Set("Content-Type", "application/x-amz-json-1.0")
	req.Header.Set("X-Amz-Date", "20260101T000000Z")
	req.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %d %s", operation, resp.StatusCode, data)
	}
	return string(data), err
}

const (
	createTable = `{"TableName":"numbers","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]}`
	putNumber   = `{"TableName":"numbers","Item":{"pk":{"S":"%d"}}}`
	getNumber   = `{"TableName":"numbers","ConsistentRead":true,"Key":{"pk":{"S":"%d"}}}`
)

func TestStartAnswersWhenTheEngineDoes(t *testing.T) {
	e := begin(t, Options{})
	if _, err := call(e.Endpoint, "ListTables", "{}"); err != nil {
		t.Fatal(err)
	}
}

func TestStopEndsTheEngineAndMayBeRepeated(t *testing.T) {
	e := begin(t, Options{})
	for range 2 {
		if err := e.Stop(); err != nil {
			t.Fatal(err)
		}
	}
	<-e.Done()
	if c, err := net.Dial("tcp", strings.TrimPrefix(e.Endpoint, "http://")); err == nil {
		_ = c.Close()
		t.Fatal("something still listens")
	}
}

func TestStopReportsAnEngineThatEndedByItself(t *testing.T) {
	e := begin(t, Options{})
	if err := e.process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-e.Done()
	if err := e.Stop(); err == nil || !strings.Contains(err.Error(), "ended by itself") {
		t.Fatalf("got %v", err)
	}
}

func TestEnginesStartedTogetherHavePortsOfTheirOwn(t *testing.T) {
	need(t)
	const n = 6
	var wg sync.WaitGroup
	endpoints := make([]string, n)
	for i := range n {
		wg.Go(func() {
			e, err := Start(context.Background(), Options{})
			if err != nil {
				t.Error(err)
				return
			}
			t.Cleanup(func() { _ = e.Stop() })
			endpoints[i] = e.Endpoint
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	for _, e := range endpoints {
		if seen[e] {
			t.Fatalf("%s twice in %v", e, endpoints)
		}
		seen[e] = true
	}
}

func TestDataOutlivesAStop(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data", "touchline.db")
	e := begin(t, Options{DBPath: path})
	for _, r := range [][2]string{{"CreateTable", createTable}, {"PutItem", fmt.Sprintf(putNumber, 1)}} {
		if _, err := call(e.Endpoint, r[0], r[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Stop(); err != nil {
		t.Fatal(err)
	}
	e = begin(t, Options{DBPath: path})
	got, err := call(e.Endpoint, "GetItem", fmt.Sprintf(getNumber, 1))
	if err != nil || !strings.Contains(got, `"S":"1"`) {
		t.Fatalf("got %s, %v", got, err)
	}
}

func TestEngineSeesNoCredentials(t *testing.T) {
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	t.Setenv("TOUCHLINE_MASTER_KEY", "secret")
	for _, v := range environment() {
		if strings.Contains(v, "secret") {
			t.Fatalf("handed on %s", v)
		}
	}
}

func TestOutputGoesToTheLog(t *testing.T) {
	var log bytes.Buffer
	e := begin(t, Options{Log: &log})
	if err := e.Stop(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), listening) {
		t.Fatalf("got %q", log.String())
	}
}

func TestStartFaults(t *testing.T) {
	need(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	folder := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	held := filepath.Join(folder, "held.db")
	begin(t, Options{DBPath: held})
	plain := write("plain", "", 0o600)

	tests := []struct {
		name string
		give Options
		is   error
		says string
	}{
		{"port taken", Options{Addr: taken.Addr().String()}, ErrAddressInUse, "already listens on " + taken.Addr().String()},
		{"database open elsewhere", Options{DBPath: held}, ErrDatabaseInUse, "another engine has " + held + " open"},
		{"database is something else", Options{DBPath: write("text.db", strings.Repeat("no database\n", 100), 0o600)}, ErrDatabase, "move it away"},
		{"folder is a file", Options{DBPath: filepath.Join(plain, "x.db")}, ErrDatabase, "not a directory"},
		{"database is a folder", Options{DBPath: folder}, ErrDatabase, folder},
		{"program missing", Options{Binary: filepath.Join(folder, "none")}, os.ErrNotExist, "none"},
		{"program of another machine", Options{Binary: write("foreign", "\x7fELF not ours", 0o700)}, nil, "is not a program for " + runtime.GOOS},
		{"program without its mode bit", Options{Binary: plain}, nil, "chmod +x"},
		{"program that says nothing", Options{Binary: write("mute", "#!/bin/sh\nexit 3\n", 0o700)}, nil, "printed no reason"},
		{"program that fails", Options{Binary: write("sick", "#!/bin/sh\necho error: no luck >&2\nexit 1\n", 0o700)}, nil, "ended before it listened: no luck"},
		{"address without port", Options{Addr: "127.0.0.1"}, nil, "want host:port"},
		{"port not a number", Options{Addr: "127.0.0.1:http"}, nil, "0 to 65535"},
		{"port too high", Options{Addr: "127.0.0.1:65536"}, nil, "0 to 65535"},
		{"every interface", Options{Addr: "0.0.0.0:8000"}, nil, "loopback"},
		{"no host", Options{Addr: ":8000"}, nil, "loopback"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, err := Start(t.Context(), tt.give)
			if err == nil {
				_ = e.Stop()
				t.Fatal("started")
			}
			if tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("%v is not %v", err, tt.is)
			}
			if !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%q does not say %q", err, tt.says)
			}
		})
	}
}

func TestStartEndsWithItsContext(t *testing.T) {
	need(t)
	ctx, cancel := context.WithCancel(t.Context())
	hang := filepath.Join(t.TempDir(), "hang")
	if err := os.WriteFile(hang, []byte("#!/bin/sh\necho up\nexec tail -f /dev/null\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Start(ctx, Options{Binary: hang, Log: &cancelOnWrite{cancel}}); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
}

// cancelOnWrite cancels at the first output, when the program is certainly
// running.
type cancelOnWrite struct{ cancel func() }

func (c *cancelOnWrite) Write(p []byte) (int, error) {
	c.cancel()
	return len(p), nil
}
