package webconsole

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"touchline/shared/ingest"
	"touchline/shared/loader"
)

// pending is a dataset that was uploaded, or that a form has made, and checked, but
// not applied yet.
type pending struct {
	dir     string // of what was uploaded; empty: made by a form
	files   fs.FS
	name    string // of the file, or how many there are
	back    string // the page to return to; empty: that of the loads
	options loader.Options
	outcome
}

// remove removes the files; nil has none.
func (p *pending) remove() {
	if p != nil && p.dir != "" {
		_ = os.RemoveAll(p.dir)
	}
}

// home is the page to return to.
func (p *pending) home() string { return cmp.Or(p.back, "/loads") }

const (
	maxFiles = 100     // of an upload: a dataset has six kinds
	inMemory = 1 << 20 // bytes of one, while it is received
)

// receive writes the files of an upload to a folder of their own, and unpacks an
// archive. A faulty archive is a *dataset.Faults.
func receive(r *http.Request) (*pending, error) {
	if err := r.ParseMultipartForm(inMemory); err != nil {
		return nil, err
	}
	defer r.MultipartForm.RemoveAll() //nolint:errcheck // the system cleans up temporary files
	dir, err := os.MkdirTemp("", "touchline-upload-")
	if err != nil {
		return nil, err
	}
	p := &pending{dir: dir, files: os.DirFS(dir), options: loader.Options{Replace: r.FormValue("replace") != "", GoodPart: r.FormValue("goodPart") != ""}}
	if n, err := strconv.Atoi(strings.TrimSpace(r.FormValue("deletes"))); err == nil && n >= 0 {
		p.options.AllowDeletes = &n
	}
	sent := slices.Concat(r.MultipartForm.File["files"], r.MultipartForm.File["folder"])
	sent = slices.DeleteFunc(sent, func(f *multipart.FileHeader) bool { return strings.HasPrefix(f.Filename, ".") }) // written by the system
	archive := slices.ContainsFunc(sent, func(f *multipart.FileHeader) bool { return ingest.IsArchive(f.Filename) })
	switch {
	case len(sent) == 0:
		return p, errors.New("no file was chosen")
	case len(sent) > maxFiles:
		return p, fmt.Errorf("more than %d files: choose the folder of the dataset alone", maxFiles)
	case archive && len(sent) > 1:
		return p, errors.New("an archive and other files: choose one archive, or the files of one dataset")
	}
	for _, f := range sent {
		if err := keepFile(filepath.Join(dir, filepath.Base(f.Filename)), f); err != nil {
			return p, err
		}
	}
	if p.name = sent[0].Filename; len(sent) > 1 {
		p.name = fmt.Sprintf("%d files", len(sent))
	}
	if archive {
		return p, p.unpack()
	}
	return p, nil
}

func keepFile(path string, sent *multipart.FileHeader) error {
	content, err := sent.Open()
	if err != nil {
		return err
	}
	defer content.Close()
	file, err := os.OpenFile(filepath.Clean(path), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("%s was sent twice, or cannot be kept", sent.Filename)
	}
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Close())
}

// unpack puts the files of an archive in its place.
func (p *pending) unpack() error {
	file, err := os.Open(filepath.Join(p.dir, filepath.Base(p.name)))
	if err != nil {
		return err
	}
	into := filepath.Join(p.dir, "files")
	p.files = os.DirFS(into)
	if err = os.Mkdir(into, 0o700); err == nil {
		err = ingest.Unpack(file, p.name, into, ingest.DefaultLimits())
	}
	return errors.Join(err, file.Close())
}
