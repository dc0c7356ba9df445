package webconsole

import (
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

// uploaded is what was received.
type uploaded struct {
	Name    string // of the file, or how many there are
	Options loader.Options
	dir     string
}

// Remove removes the files.
func (p *uploaded) Remove() {
	if p != nil {
		_ = os.RemoveAll(p.dir)
	}
}

// Files are the dataset.
func (p *uploaded) Files() fs.FS {
	into := filepath.Join(p.dir, "files")
	if info, err := os.Stat(into); err == nil && info.IsDir() {
		return os.DirFS(into)
	}
	return os.DirFS(p.dir)
}

// maxFiles bounds the files of an upload: a dataset has six kinds.
const maxFiles = 100

// partText is the text of a small field.
func partText(part *multipart.Part) string {
	text, err := io.ReadAll(io.LimitReader(part, 1<<10))
	if err != nil {
		return ""
	}
	return string(text)
}

// errNoFiles says that an upload has no files.
var errNoFiles = errors.New("no file was chosen")

// receive writes the files of an upload to a folder of their own, and unpacks an
// archive. A faulty archive is a *dataset.Faults.
func receive(parts *multipart.Reader) (*uploaded, error) {
	dir, err := os.MkdirTemp("", "touchline-upload-")
	if err != nil {
		return nil, err
	}
	p := &uploaded{dir: dir}
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
			p.set(part.FormName(), partText(part))
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
		p.Name = name
	}
	switch {
	case files == 0:
		return p, errNoFiles
	case archive != "" && files > 1:
		return p, errors.New("an archive and other files: choose one archive, or the files of one dataset")
	case archive != "":
		p.Name = archive
		return p, p.unpack(archive)
	case files > 1:
		p.Name = fmt.Sprintf("%d files", files)
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
func (p *uploaded) unpack(name string) error {
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
func (p *uploaded) set(name, value string) {
	switch name {
	case "replace":
		p.Options.Replace = value != ""
	case "goodPart":
		p.Options.GoodPart = value != ""
	case "deletes":
		if n, err := strconv.Atoi(strings.TrimSpace(value)); err == nil && n >= 0 {
			p.Options.AllowDeletes = &n
		}
	}
}
