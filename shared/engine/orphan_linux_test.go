package engine

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// parentVariable makes the test binary a program that starts an engine on the
// database named by it, prints the endpoint and waits to be killed.
const parentVariable = "TOUCHLINE_ENGINE_TEST_DATABASE"

func TestMain(m *testing.M) {
	if path := os.Getenv(parentVariable); path != "" {
		e, err := Start(context.Background(), Options{DBPath: path})
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(e.Endpoint)
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// TestKilledParentLeavesNoOrphanAndLosesNothing kills, with kill -9, a program
// that runs an engine, while writes are going on. The engine must end, the file
// must be free at once, and it must have every write that was acknowledged.
func TestKilledParentLeavesNoOrphanAndLosesNothing(t *testing.T) {
	binary := need(t)
	path := filepath.Join(t.TempDir(), "touchline.db")
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), parentVariable+"="+path, "PATH="+filepath.Dir(binary)+":"+os.Getenv("PATH"))
	stdin, err := parent.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stdin.Close() }()
	stdout, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = parent.Process.Kill() }()
	line, err := bufio.NewReader(stdout).ReadString('\n')
	endpoint := strings.TrimSpace(line)
	if err != nil || !strings.HasPrefix(endpoint, "http://") {
		t.Fatalf("the parent said %q, %v", line, err)
	}
	witness, err := net.Dial("tcp", strings.TrimPrefix(endpoint, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer witness.Close()

	const before, limit = 50, 1_000_000
	if _, err := call(endpoint, "CreateTable", createTable); err != nil {
		t.Fatal(err)
	}
	enough, acknowledged := make(chan struct{}), make(chan int)
	go func() {
		n := 0
		for ; n < limit; n++ {
			if _, err := call(endpoint, "PutItem", fmt.Sprintf(putNumber, n)); err != nil {
				break
			}
			if n == before {
				close(enough)
			}
		}
		acknowledged <- n
	}()
	select {
	case <-enough:
	case n := <-acknowledged:
		t.Fatalf("writes failed after %d", n)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	n := <-acknowledged

	// When the engine ends its connections are closed; a live engine would keep
	// this one open. The deadline only ends a test that has failed.
	if err := witness.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := witness.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatal("the engine outlived its parent")
	}
	e := begin(t, Options{DBPath: path})
	for i := range n {
		got, err := call(e.Endpoint, "GetItem", fmt.Sprintf(getNumber, i))
		if err != nil || !strings.Contains(got, fmt.Sprintf(`"S":"%d"`, i)) {
			t.Fatalf("write %d of %d acknowledged is lost: %s, %v", i, n, got, err)
		}
	}
	t.Logf("%d writes acknowledged before the kill", n)
}
