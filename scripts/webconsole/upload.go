package webconsole

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime/multipart"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"touchline/shared/ingest"
	"touchline/shared/loader"
)

// pending is a dataset that was uploaded, or that a form has made, and checked, but
// not applied yet.
type pending struct {
	dir     string // of what was uploaded; empty: made by a form
	made    fs.FS  // by a form; nil: an upload
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

// files are the dataset.
func (p *pending) files() fs.FS {
	into := filepath.Join(p.dir, "files")
	if info, err := os.Stat(into); p.made == nil && err == nil && info.IsDir() {
		return os.DirFS(into)
	}
	if p.made != nil {
		return p.made
	}
	return os.DirFS(p.dir)
}

// maxFiles bounds the files of an upload: a dataset has six kinds.
const maxFiles = 100

// errNoFiles says that an upload has no files.
var errNoFiles = errors.New("no file was chosen")

// receive writes the files of an upload to a folder of their own, and unpacks an
// archive. A faulty archive is a *dataset.Faults.
func receive(parts *multipart.Reader) (*pending, error) {
	dir, err := os.MkdirTemp("", "touchline-upload-")
	if err != nil {
		return nil, err
	}
	p := &pending{dir: dir}
	archive, files := "", 0
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return p, err
		}
		if part.FileName() == "" {
			text, err := io.ReadAll(io.LimitReader(part, 1<<10))
			if err != nil {
				return p, err
			}
			p.set(part.FormName(), string(text))
			continue
		}
		name := filepath.Base(filepath.FromSlash(part.FileName()))
		if strings.HasPrefix(name, ".") { // written by the system
			continue
		}
		if files++; files > maxFiles {
			return p, fmt.Errorf("more than %d files: choose the folder of the dataset alone", maxFiles)
		}
		if ingest.IsArchive(name) {
			archive, name = name, "archive"
		}
		if err := keepFile(filepath.Join(dir, name), part); err != nil {
			return p, err
		}
		p.name = name
	}
	switch {
	case files == 0:
		return p, errNoFiles
	case archive != "" && files > 1:
		return p, errors.New("an archive and other files: choose one archive, or the files of one dataset")
	case archive != "":
		p.name = archive
		return p, p.unpack(archive)
	case files > 1:
		p.name = fmt.Sprintf("%d files", files)
	}
	return p, nil
}

func keepFile(path string, content io.Reader) error {
	file, err := os.OpenFile(filepath.Clean(path), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("%s was sent twice, or cannot be kept", filepath.Base(path))
	}
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Close())
}

// unpack replaces an archive by its files.
func (p *pending) unpack(name string) error {
	path := filepath.Join(p.dir, "archive")
	file, err := os.Open(filepath.Clean(path))
	if err != nil {
		return err
	}
	into := filepath.Join(p.dir, "files")
	if err = os.Mkdir(into, 0o700); err == nil {
		err = ingest.Unpack(file, name, into, ingest.DefaultLimits())
	}
	return errors.Join(err, file.Close())
}

// set reads an option of the form.
func (p *pending) set(name, value string) {
	switch name {
	case "replace":
		p.options.Replace = value != ""
	case "goodPart":
		p.options.GoodPart = value != ""
	case "deletes":
		if n, err := strconv.Atoi(strings.TrimSpace(value)); err == nil && n >= 0 {
			p.options.AllowDeletes = &n
		}
	}
}
