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

	"touchline/shared/dataset/files"
	"touchline/shared/loader"
)

// pending is a dataset that was uploaded, or that a form has made, and checked, but
// not applied yet.
type pending struct {
	dir     string // of what was uploaded; empty: made by a form
	files   fs.FS
	closed  func() error // closes an archive; nil: no archive
	name    string       // of the file, or how many there are
	back    string       // the page to return to; empty: that of the loads
	options loader.Options
	outcome
}

// remove removes the files; nil has none.
func (p *pending) remove() {
	if p != nil && p.closed != nil {
		_ = p.closed() // it was only read
	}
	if p != nil && p.dir != "" {
		_ = os.RemoveAll(p.dir) //nolint:gosec // a folder that receive has made
	}
}

// Name is that of what was checked.
func (p pending) Name() string { return p.name }

// home is the page to return to.
func (p *pending) home() string { return cmp.Or(p.back, "/loads") }

const (
	maxFiles = 100     // of an upload: a dataset has six kinds
	maxValue = 1 << 10 // bytes of a field that is no file
)

// receive writes the files of an upload to a folder of their own, below one, and opens an
// archive.
func receive(r *http.Request, below string) (*pending, error) {
	form, err := r.MultipartReader()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(below, "")
	if err != nil {
		return nil, err
	}
	p := &pending{dir: dir, files: os.DirFS(dir)}
	var names []string
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		name := ""
		if err == nil {
			name = part.FileName()
		}
		switch {
		case err != nil:
			return p, err
		case name == "":
			err = p.option(part)
		case strings.HasPrefix(name, "."): // written by the system
		case len(names) == maxFiles:
			return p, fmt.Errorf("more than %d files: choose the folder of the dataset alone", maxFiles)
		default:
			names = append(names, name)
			err = keepFile(filepath.Join(dir, filepath.Base(name)), part)
		}
		if err != nil {
			return p, err
		}
	}
	archive := slices.ContainsFunc(names, files.IsZip)
	switch {
	case len(names) == 0:
		return p, errors.New("no file was chosen")
	case archive && len(names) > 1:
		return p, errors.New("an archive and other files: choose one archive, or the files of one dataset")
	}
	if p.name = names[0]; len(names) > 1 {
		p.name = fmt.Sprintf("%d files", len(names))
	}
	if archive {
		p.files, p.closed, err = files.OpenZip(filepath.Join(dir, filepath.Base(p.name)))
	}
	return p, err
}

// option reads a field of the form.
func (p *pending) option(part *multipart.Part) error {
	value, err := io.ReadAll(io.LimitReader(part, maxValue))
	switch text := strings.TrimSpace(string(value)); part.FormName() {
	case "replace":
		p.options.Replace = text != ""
	case "goodPart":
		p.options.GoodPart = text != ""
	case "deletes":
		if n, err := strconv.Atoi(text); err == nil && n >= 0 {
			p.options.AllowDeletes = &n
		}
	}
	return err
}

func keepFile(path string, content *multipart.Part) error {
	file, err := os.OpenFile(filepath.Clean(path), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("%s was sent twice, or cannot be kept", content.FileName())
	}
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Close())
}
