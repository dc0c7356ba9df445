package ingest

import (
	"context"
	"errors"
	"io"
	"path"

	"touchline/shared/loader/conduct"
	"touchline/shared/stack"
)

// work is the folder of a conducted load in the bucket of its drop.
type work struct {
	objects Objects
	bucket  string
	folder  string
}

// workOf is where the folder of a load is.
func workOf(id string) string { return stack.WorkFolder + "/" + id }

// Get implements conduct.Folder.
func (w work) Get(ctx context.Context, name string) ([]byte, error) {
	content, err := w.objects.Get(ctx, w.bucket, w.folder+"/"+name)
	if errors.Is(err, ErrNotFound) {
		return nil, conduct.ErrNoObject
	}
	if err != nil {
		return nil, err
	}
	defer content.Close()
	return io.ReadAll(content)
}

// Put implements conduct.Folder.
func (w work) Put(ctx context.Context, name string, content []byte) error {
	return w.objects.Put(ctx, w.bucket, w.folder+"/"+name, content)
}

// mostObjects bounds the objects of a folder of a work folder: conduct makes a run for
// each part, of which the largest dataset has some hundreds.
const mostObjects = 100_000

// List implements conduct.Folder.
func (w work) List(ctx context.Context, folder string) ([]string, error) {
	found, err := w.objects.List(ctx, w.bucket, path.Join(w.folder, folder), mostObjects)
	names := make([]string, len(found))
	for i, o := range found {
		names[i] = path.Base(o.Key)
	}
	return names, err
}

// remove removes all that is in the folder. What is left of it where that fails, the
// bucket removes after some days.
func (w work) remove(ctx context.Context, remover Remover) error {
	for _, folder := range conduct.Folders(ctx, w) {
		keys, err := w.List(ctx, folder)
		if err != nil {
			return err
		}
		for i, name := range keys {
			keys[i] = path.Join(w.folder, folder, name)
		}
		if err := remover.Remove(ctx, w.bucket, keys); err != nil {
			return err
		}
	}
	return nil
}

// Remover removes objects.
type Remover interface {
	// Remove removes any number of objects, also such as are not there.
	Remove(ctx context.Context, bucket string, keys []string) error
}
