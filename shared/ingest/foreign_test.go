package ingest_test

import (
	"context"
	"errors"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/ingest"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// A report that the function did not write, for example from a copy of the
// folder, is overwritten.
func TestAForeignReportIsOverwritten(t *testing.T) {
	w := newWorld(t)
	for name, text := range map[string]string{
		"empty":           "",
		"cut-off":         `{"status":"loaded","ready":{"etag":"`,
		"another-type":    `{"status":7}`,
		"longer-than-any": strings.Repeat(" ", 5<<20) + `{"status":"loaded"}`,
	} {
		t.Run(name, func(t *testing.T) {
			w.put(name+"/"+stack.DropReport, text)
			w.drop(name, "", organizations(club))
			if w.load(name) {
				t.Fatalf("the message goes back: %v", w.lastLine())
			}
			w.loaded(name)
		})
	}
}

func TestOptionsMayBeginAsAnEditorWritesThem(t *testing.T) {
	w := newWorld(t)
	for name, options := range map[string]string{"options": "\xef\xbb\xbf{\"dryRun\": true}\r\n", "none": "\xef\xbb\xbf\r\n"} {
		w.drop(name, options, organizations(club))
		w.load(name)
		if w.loaded(name); w.report(name).DryRun != (name == "options") {
			t.Errorf("%s: %+v", name, w.report(name))
		}
	}
}

// A table that was restored for another stage may have the unfinished load of a
// drop in the first stage's bucket, to which the second stage has no right.
func TestALoadOfAnotherBucketIsFinishedWithoutAReport(t *testing.T) {
	w := newWorld(t)
	w.interrupt()
	objects := w.Worker.Objects
	w.Worker.Objects = elsewhere{objects}
	e := message("b/_READY")
	e.Records[0].Body = strings.ReplaceAll(e.Records[0].Body, bucket, "others")
	w.drop("b", "", organizations(club))
	if w.receive(e) {
		t.Fatalf("the message goes back: %v", w.lastLine())
	}
	w.Worker.Objects = objects
	if b := w.loaded("b"); b.Finished == nil || w.report("a") != nil {
		t.Errorf("%+v, %+v", b, w.report("a"))
	}
}

// No attempt makes it better that another version has begun the load that was
// interrupted: the first one says what to do.
func TestALoadOfAnotherVersionIsAnsweredAtOnce(t *testing.T) {
	w := newWorld(t)
	w.interrupt()
	table := &store.Table{DB: w.client, Name: "sports"}
	lock, err := table.Get(t.Context(), records.LockKey(), true)
	if err != nil {
		t.Fatal(err)
	}
	head := store.Attribute(lock, store.LeasePayload)
	if head["o"] == nil {
		t.Fatalf("no order of writes in %v", head)
	}
	head["o"] = &types.AttributeValueMemberN{Value: "99"}
	if err := table.Write(t.Context(), []store.Write{{Key: records.LockKey(), Item: lock}}); err != nil {
		t.Fatal(err)
	}
	w.drop("b", "", organizations(club))
	for _, folder := range []string{"a", "b"} {
		if w.load(folder) {
			t.Fatalf("the message of %s goes back: %v", folder, w.lastLine())
		}
		if r := w.report(folder); r == nil || r.Status != ingest.Faulty || !strings.Contains(r.Faults.Error(), `"abandon": true`) {
			t.Errorf("%s: %+v", folder, r)
		}
	}
	w.drop("c", `{"abandon": true}`, organizations(club))
	w.load("c")
	w.loaded("c")
}

// elsewhere has the same objects in the bucket others, and a right to that one
// only.
type elsewhere struct{ ingest.Objects }

var errDenied = errors.New("access denied")

func (e elsewhere) in(b string) (string, error) {
	if b != "others" {
		return "", errDenied
	}
	return bucket, nil
}

func (e elsewhere) List(ctx context.Context, b, folder string, limit int) ([]string, error) {
	b, err := e.in(b)
	if err != nil {
		return nil, err
	}
	return e.Objects.List(ctx, b, folder, limit)
}

func (e elsewhere) Get(ctx context.Context, b, key string) (*ingest.Content, error) {
	b, err := e.in(b)
	if err != nil {
		return nil, err
	}
	return e.Objects.Get(ctx, b, key)
}

func (e elsewhere) Put(ctx context.Context, b, key string, body []byte) error {
	b, err := e.in(b)
	if err != nil {
		return err
	}
	return e.Objects.Put(ctx, b, key, body)
}

// A load that needs more memory than the function has would need it the next time, too.
func TestADropThatDoesNotFitInMemoryIsAnswered(t *testing.T) {
	w := newWorld(t)
	w.drop("a", "", organizations(club))
	was := debug.SetMemoryLimit(1 << 20)
	back := w.load("a")
	debug.SetMemoryLimit(was)
	if back {
		t.Fatalf("the message goes back: %v", w.lastLine())
	}
	if r := w.report("a"); r == nil || r.Status != ingest.Faulty || !strings.Contains(r.Faults.Error(), "Raise the setting ingestMemory to ") {
		t.Errorf("%+v", r)
	}
}

// A disk that is too small for what a load sorts will be too small the next time, too.
func TestADropThatDoesNotFitOnTheDiskIsAnswered(t *testing.T) {
	w := newWorld(t)
	w.drop("a", "", organizations(club))
	w.Worker.Table = &store.Table{DB: fullDisk{w.client}, Name: "sports"}
	if w.load("a") {
		t.Fatalf("the message goes back: %v", w.lastLine())
	}
	if r := w.report("a"); r == nil || r.Status != ingest.Faulty || !strings.Contains(r.Faults.Error(), "does not fit on the function's disk") {
		t.Errorf("%+v", r)
	}
}

// fullDisk fails as a disk without space does.
type fullDisk struct{ store.DB }

func (fullDisk) Get(context.Context, string, []store.Key, bool) (store.Reply, error) {
	return store.Reply{}, &os.PathError{Op: "write", Path: "/tmp", Err: syscall.ENOSPC}
}
