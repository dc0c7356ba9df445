package ingest_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

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
	e := message("b/_READY", 1)
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
func TestALoadOfAnotherVersionIsGivenUpAtOnce(t *testing.T) {
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
		if r := w.report(folder); r == nil || r.Status != ingest.Failed || !strings.Contains(r.Message, `"abandon": true`) {
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

func (e elsewhere) List(ctx context.Context, b, folder string, limit int) ([]ingest.Object, error) {
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

// Hidden files that a system leaves in a folder are uploaded with the others.
func TestHiddenObjectsAreIgnored(t *testing.T) {
	w := newWorld(t)
	w.drop("packed", "", map[string]string{"est.zip": zipOf(t, organizations(club)), "._est.zip": "", ".DS_Store": ""})
	w.drop("plain", "", map[string]string{"organizations.ndjson": club, "._organizations.ndjson": "", ".former.zip": ""})
	for _, name := range []string{"packed", "plain"} {
		w.load(name)
		w.loaded(name)
	}
}

// A disk that is too small will be too small the next time, too.
func TestADropThatDoesNotFitOnTheDiskIsAnswered(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"teams.ndjson", "all.zip", "all.tgz"} {
		t.Run(name, func(t *testing.T) {
			text := "{}"
			if name == "all.tgz" {
				text = gzipOf(t, "no matter what")
			}
			w.drop(name, "", map[string]string{name: text})
			w.Worker.Objects = fullDisk{w.Worker.Objects, name}
			if w.load(name) {
				t.Fatalf("the message goes back: %v", w.lastLine())
			}
			if r := w.report(name); r == nil || r.Status != ingest.Faulty || !strings.Contains(r.Faults.Error(), "does not fit on the function's disk") {
				t.Errorf("%+v", r)
			}
		})
	}
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

// What a load sorts takes as much of the disk as the drop.
func TestTheFilesOfADropAreGoneBeforeTheLoadWrites(t *testing.T) {
	w := newWorld(t)
	w.drop("plain", "", organizations(club))
	writes := 0
	w.Worker.Table.DB = looking{w.Worker.Table.DB, func() {
		writes++
		if left, err := filepath.Glob(filepath.Join(w.Worker.Dir, "*", "*", "*.ndjson")); err != nil || len(left) > 0 {
			t.Errorf("%v is left, %v", left, err)
		}
	}}
	w.load("plain")
	w.loaded("plain")
	if writes == 0 {
		t.Error("nothing was written")
	}
}

// looking looks around before every bulk write.
type looking struct {
	store.DB
	look func()
}

func (l looking) Write(ctx context.Context, table string, writes []store.Write) (store.Reply, error) {
	l.look()
	return l.DB.Write(ctx, table, writes)
}

// fullDisk fails to copy an object, as a disk without space does.
type fullDisk struct {
	ingest.Objects
	name string
}

func (d fullDisk) Get(ctx context.Context, bucket, key string) (*ingest.Content, error) {
	content, err := d.Objects.Get(ctx, bucket, key)
	if err == nil && strings.HasSuffix(key, "/"+d.name) {
		content.ReadCloser = struct {
			io.Reader
			io.Closer
		}{iotest.ErrReader(&os.PathError{Op: "write", Path: "/tmp", Err: syscall.ENOSPC}), content.ReadCloser}
	}
	return content, err
}
