package ingest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/loader"
	"touchline/shared/stack"
)

// Drop is a folder of a bucket.
type Drop struct {
	Bucket string `json:"bucket"`
	Folder string `json:"folder"` // without a slash at its end
}

// Key is the key of an object of the drop.
func (d Drop) Key(name string) string { return d.Folder + "/" + name }

// String is the drop's URL.
func (d Drop) String() string { return "s3://" + d.Bucket + "/" + d.Folder }

// dropOf returns the drop whose _READY has a key, false if it is not the key of
// one. The bucket itself cannot be a drop: its report would be in no folder.
func dropOf(bucket, key string) (Drop, bool) {
	folder, ok := strings.CutSuffix(key, "/"+stack.DropReady)
	return Drop{bucket, folder}, ok && folder != "" && bucket != ""
}

// Object is an object of a bucket, as it is listed.
type Object struct {
	Key  string
	Size int64 // bytes
}

// Content is an object that is being read. Its reader's errors are the store's,
// but for io.EOF at the object's end.
type Content struct {
	io.ReadCloser
	Version
}

// Version distinguishes an object from others under the same key.
type Version struct {
	ETag      string    `json:"etag"`
	VersionID string    `json:"versionId,omitempty"` // where the bucket keeps versions
	Modified  time.Time `json:"modified"`
}

// Is reports whether two versions are the same.
func (v Version) Is(w Version) bool {
	return v.ETag == w.ETag && v.VersionID == w.VersionID && v.Modified.Equal(w.Modified)
}

// ErrNotFound is the error of an object, or a bucket, that is not there.
var ErrNotFound = errors.New("not found")

// Objects is a store of objects, such as S3.
type Objects interface {
	// List lists the objects directly in a folder, by key: at most limit and one.
	List(ctx context.Context, bucket, folder string, limit int) ([]Object, error)
	// Get opens an object; ErrNotFound if there isn't one.
	Get(ctx context.Context, bucket, key string) (*Content, error)
	// Put writes an object wholly or not at all; ErrNotFound where there is no
	// such bucket.
	Put(ctx context.Context, bucket, key string, body []byte) error
}

// Options are what _READY may ask for.
type Options struct {
	Replace  bool `json:"replace,omitempty"`
	GoodPart bool `json:"goodPart,omitempty"`
	DryRun   bool `json:"dryRun,omitempty"`
	Strict   bool `json:"strict,omitempty"`
	// AllowDeletes is how many records Replace may remove (D52); nil: as many as
	// are no likely accident.
	AllowDeletes *int `json:"allowDeletes,omitempty"`
	// Abandon gives up a load that was interrupted and cannot be finished, before
	// the drop is loaded.
	Abandon bool `json:"abandon,omitempty"`
}

// ready is a _READY.
type ready struct {
	Version
	options Options
	fault   string // what is wrong with the options
}

// maxReady bounds a _READY, in bytes.
const maxReady = 4 << 10

// readReady reads the _READY of a drop; ErrNotFound where it is gone.
func readReady(ctx context.Context, objects Objects, d Drop) (*ready, error) {
	content, err := objects.Get(ctx, d.Bucket, d.Key(stack.DropReady))
	if err != nil {
		return nil, err
	}
	defer content.Close()
	text, err := io.ReadAll(io.LimitReader(content, maxReady+1))
	if err != nil {
		return nil, err
	}
	r := &ready{Version: content.Version}
	r.options, r.fault = parseOptions(text)
	return r, nil
}

// parseOptions reads options strictly: an option that is not known was meant.
func parseOptions(text []byte) (o Options, fault string) {
	if len(text) > maxReady {
		return o, fmt.Sprintf("is longer than %d bytes", maxReady)
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")) // some editors' way to begin a file
	if len(bytes.TrimSpace(text)) == 0 {
		return o, ""
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&o); err != nil {
		return Options{}, `is not the JSON of options, such as {"replace": true}: ` + strings.TrimPrefix(err.Error(), "json: ")
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return Options{}, "holds more than one value"
	}
	if o.AllowDeletes != nil && *o.AllowDeletes < 0 {
		return Options{}, "allows fewer than 0 deletions"
	}
	if o.Replace && o.GoodPart && o.AllowDeletes == nil {
		return Options{}, `asks for replace with goodPart, which removes what is left out as faulty: say how many deletions are meant, such as "allowDeletes": 0`
	}
	return o, ""
}

// loader gives the options as the loader takes them.
func (o Options) loader(label string) loader.Options {
	return loader.Options{Replace: o.Replace, GoodPart: o.GoodPart, DryRun: o.DryRun, Abandon: o.Abandon, Strict: o.Strict, AllowDeletes: o.AllowDeletes, Label: label}
}

// label is what the loader keeps of a drop with the load it begins.
type label struct {
	Drop
	Ready Version `json:"ready"`
}

// faultOf is a fault of a file of a drop, or of the drop itself.
func faultOf(file, format string, args ...any) *dataset.Faults {
	f := dataset.NewFaults(0)
	f.Add(dataset.Fault{File: file, Message: fmt.Sprintf(format, args...)})
	return f
}
