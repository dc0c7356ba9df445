package ingest_test

import (
	"context"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"touchline/shared/ingest"
)

// A report that is none of ours, left by a copy that broke off or by whoever
// made the folder from another, is written over.
func TestAForeignReportIsWrittenOver(t *testing.T) {
	w := newWorld(t)
	for name, text := range map[string]string{
		"empty":           "",
		"text":            "hello",
		"cut-off":         `{"status":"loaded","ready":{"etag":"`,
		"a-list":          `[]`,
		"another-type":    `{"status":7}`,
		"no-time":         `{"status":"loaded","ready":{"modified":"today"}}`,
		"null":            `null`,
		"nothing-known":   `{}`,
		"a-later-word":    `{"status":"pending"}`,
		"longer-than-any": strings.Repeat(" ", 5<<20) + `{"status":"loaded"}`,
	} {
		t.Run(name, func(t *testing.T) {
			w.put(name+"/"+ingest.ReportName, text)
			w.drop(name, "", organizations(club))
			if w.load(name) {
				t.Fatalf("the message goes back: %v", w.lastLine())
			}
			w.loaded(name)
		})
	}
}

func TestAnArchiveOfAnotherKindIsNamed(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"est.tar", "est.tar.bz2", "est.TAR.XZ", "est.7z"} {
		w.drop(name, "", map[string]string{name: "no matter what", "readme.txt": ""})
		w.load(name)
		if r := w.report(name); r == nil || r.Status != ingest.Faulty || r.Faults.List[0].File != name || !strings.Contains(r.Faults.Error(), ".tar.gz or .zip") {
			t.Errorf("%s: %+v", name, r)
		}
	}
	w.drop("beside", "", map[string]string{"former.tar": "", "organizations.ndjson": club})
	w.load("beside")
	w.loaded("beside")
}

// A disk that is too small is so the next time, too.
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
			if r := w.report(name); r == nil || r.Status != ingest.Faulty || !strings.Contains(r.Faults.Error(), "ingestStorage") {
				t.Errorf("%+v", r)
			}
		})
	}
}

// fullDisk fails to copy an object as a disk does that has no room for it.
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
