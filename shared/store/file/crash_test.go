package file

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"touchline/shared/store"
)

// writerVariable makes the test program a process that writes to data.db where it is
// started, and prints the number of each write that was answered.
const writerVariable = "TOUCHLINE_TEST_WRITER"

func TestMain(m *testing.M) {
	if os.Getenv(writerVariable) != "" {
		fmt.Println(writeOn(context.Background(), "data.db"))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// batchSize is how many items of some 1 KB the process writes at once.
const batchSize = 50

// writeOn writes as holder of a lease, rewrites some of it, and wipes now and then, until
// it fails.
func writeOn(ctx context.Context, path string) error {
	limitFiles()
	d, err := Connect(ctx, path)
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }()
	if _, err := d.TakeLease(ctx, "sports", lock(), store.Holder{ID: "writer", Label: "the writer"}, time.Time{}); err != nil {
		return err
	}
	for i := 0; ; i++ {
		writes := make([]store.Write, batchSize)
		for n := range writes {
			writes[n] = store.Write{Key: store.Key{PK: strconv.Itoa(i), SK: strconv.Itoa(n)}, Item: itemOf(strings.Repeat("x", 1000))}
		}
		if _, err := d.Write(ctx, "sports", writes); err != nil {
			return err
		}
		fmt.Println(i)
		if i%20 == 19 {
			if err := d.Wipe(ctx); err != nil {
				return err
			}
		}
	}
}

// runWriter starts the process, lets it go on until it ends or has been answered
// `until` times, then kills it, and gives the last answer and what it said last.
func runWriter(t *testing.T, path string, until int, env ...string) (last int, said string) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.CommandContext(t.Context(), program)
	child.Dir = filepath.Dir(path)
	child.Env = append(append(os.Environ(), writerVariable+"=yes"), env...)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	last = -1
	for lines := bufio.NewScanner(out); lines.Scan(); {
		said = lines.Text()
		if n, err := strconv.Atoi(said); err == nil {
			last = n
		}
		if last >= until {
			_ = child.Process.Kill()
		}
	}
	_ = child.Wait() // it was killed
	return last, said
}

// times is how often something is tried that differs each time.
func times(n int) int {
	if testing.Short() {
		return n / 4
	}
	return n
}

// wholeBatches makes sure that the file has each answered batch, none in part, and at
// most one that was not answered.
func wholeBatches(t *testing.T, path string, last int) {
	t.Helper()
	d, err := Connect(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	report := whole(t, d)
	if n := report.Records["sports"]; n%batchSize != 0 || n < batchSize*(last+1) || n > batchSize*(last+2) {
		t.Errorf("%d items after %d answered writes of %d", n, last+1, batchSize)
	}
	for i := range last + 1 {
		reply, err := d.Query(t.Context(), "sports", store.Query{PK: strconv.Itoa(i)}, store.Key{})
		if err != nil || len(reply.Items) != batchSize {
			t.Fatalf("write %d, which was answered, has %d items; %v", i, len(reply.Items), err)
		}
	}
}

func TestAProcessThatIsKilledLosesNothingThatWasAnswered(t *testing.T) {
	for range times(16) {
		path := filepath.Join(folder(t), "data.db")
		last, _ := runWriter(t, path, rand.IntN(50))
		wholeBatches(t, path, last)
	}
}

func TestAProcessThatIsKilledAtTheSocketHoldsNothing(t *testing.T) {
	f := openIn(t, folder(t))
	dial(t, f)
	last, _ := runWriter(t, f.path, 30)
	wholeBatches(t, f.path, last)
	for {
		_, err := takeLease(&f.Database, t, "next")
		if err == nil {
			break
		}
		if held, ok := errors.AsType[*store.HeldError](err); !ok || held.Label != "the writer" { // not seen to have ended
			t.Fatal(err)
		}
	}
}

// fullDisk makes sure that a process which finds no room says so, and that what was
// answered is there.
func fullDisk(t *testing.T, path, saying string, env ...string) {
	t.Helper()
	last, said := runWriter(t, path, 1_000_000, env...)
	if last < 1 || !strings.Contains(said, saying) {
		t.Fatalf("after %d writes it said %q, want %q", last+1, said, saying)
	}
	wholeBatches(t, path, last)
}
