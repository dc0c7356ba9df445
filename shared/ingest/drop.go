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

// Key is the key of an object in the drop.
func (d Drop) Key(name string) string { return d.Folder + "/" + name }

// String is the drop's URL.
func (d Drop) String() string { return "s3://" + d.Bucket + "/" + d.Folder }

// dropOf returns the drop that a _READY with this key completes; false if the
// key is not that of a _READY. The root of the bucket cannot be a drop.
func dropOf(bucket, key string) (Drop, bool) {
	folder, ok := strings.CutSuffix(key, "/"+stack.DropReady)
	return Drop{bucket, folder}, ok && folder != "" && bucket != ""
}

// Content is an object that is being read. Errors of its reader are the store's,
// except for io.EOF at the end.
type Content struct {
	io.ReadCloser
	Version
}

// Version distinguishes an object from others under the same key.
type Version struct {
	ETag     string    `json:"etag"`
	Modified time.Time `json:"modified"`
}

// Is reports whether two versions are the same.
func (v Version) Is(w Version) bool {
	return v.ETag == w.ETag && v.Modified.Equal(w.Modified)
}

// ErrNotFound says that an object, or a bucket, does not exist.
var ErrNotFound = errors.New("not found")

// Objects is a store of objects, such as S3.
type Objects interface {
	// List gives the keys of the objects directly in a folder, up to limit + 1 of them.
	List(ctx context.Context, bucket, folder string, limit int) ([]string, error)
	// Get opens an object; ErrNotFound if it does not exist.
	Get(ctx context.Context, bucket, key string) (*Content, error)
	// Put writes an object completely or not at all; ErrNotFound if the bucket
	// does not exist.
	Put(ctx context.Context, bucket, key string, body []byte) error
}

// ready is the _READY of a drop.
type ready struct {
	Version
	options loader.Options
	faults  *dataset.Faults // what is wrong with the options; nil: nothing
}

// maxReady bounds a _READY, in bytes.
const maxReady = 4 << 10

// readReady reads the _READY of a drop; ErrNotFound if it is gone.
func readReady(ctx context.Context, objects Objects, d Drop) (r ready, err error) {
	content, err := objects.Get(ctx, d.Bucket, d.Key(stack.DropReady))
	if err != nil {
		return r, err
	}
	defer content.Close()
	text, err := io.ReadAll(io.LimitReader(content, maxReady))
	if err != nil {
		return r, err
	}
	r.Version = content.Version
	if r.options, err = parseOptions(text); err != nil {
		r.faults = faultOf(stack.DropReady, `is not the JSON of options, such as {"replace": true}: %v`, err)
	}
	return r, nil
}

// parseOptions reads options strictly: an unknown option is an error, because it was meant
// to have an effect.
func parseOptions(text []byte) (o loader.Options, err error) {
	text = bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))) // written by some editors
	if len(text) == 0 {
		return o, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err = decoder.Decode(&o); err == nil && decoder.More() {
		err = errors.New("there is more than one value")
	}
	return o, err
}

// label is what the loader stores about a drop with the load that it begins.
type label struct {
	Drop
	Ready Version `json:"ready"`
}

func labelOf(d Drop, of Version) string {
	text, err := json.Marshal(label{d, of})
	if err != nil {
		panic(err) // impossible: strings, and a time that was decoded
	}
	return string(text)
}

// faultOf is a fault in a file of a drop, or in the drop itself.
func faultOf(file, format string, args ...any) *dataset.Faults {
	f := &dataset.Faults{}
	f.Add(dataset.Fault{File: file, Message: fmt.Sprintf(format, args...)})
	return f
}
