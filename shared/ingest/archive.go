package ingest

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"touchline/shared/dataset"
)

// Limits bound the size of a drop. They are enforced on what is actually read,
// whatever sizes an archive declares.
type Limits struct {
	Files int // in a folder, or entries of an archive, including those that are ignored
	// Disk bounds the files as stored in /tmp while they are read.
	Disk int64 // bytes
	// Plain bounds the files after decompression.
	Plain int64 // bytes
}

// DefaultStorage is the disk size of the function by default, in MB. A dataset
// of 1,000,000 players and 250,000 matches takes some 300 MB.
const DefaultStorage = 2048

// LimitsOf are the limits for a disk of storage MB: a drop may use 88 percent of
// it, and decompress to four times its size.
func LimitsOf(storage int) Limits {
	disk := int64(storage) << 20
	return Limits{Files: 1000, Disk: disk / 100 * 88, Plain: 4 * disk}
}

// DefaultLimits are those of DefaultStorage.
func DefaultLimits() Limits { return LimitsOf(DefaultStorage) }

// unpacker writes the files of a dataset to a folder.
type unpacker struct {
	dir    string
	limits Limits

	source string // for faults: the name of the archive
	files  int
	disk   int64
	top    *string // the folder of the archive that its files are in; "" if in none
}

// IsArchive reports whether Unpack reads archives of this name.
func IsArchive(name string) bool {
	return isTar(name) || strings.HasSuffix(strings.ToLower(name), ".zip")
}

func isTar(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".tar.gz") || strings.HasSuffix(name, ".tgz")
}

// Unpack unpacks an archive into an existing, empty folder. The format follows
// from the name: .zip, .tar.gz or .tgz. An archive that is malformed or, with
// the compressed files in it, beyond the limits gives a *dataset.Faults; errors
// of reading f or writing to the folder are returned as they are.
func Unpack(f *os.File, name, dir string, limits Limits) error {
	u := &unpacker{dir: dir, limits: limits, source: name}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if isTar(name) {
		err = u.tar(f)
	} else {
		err = u.zip(f, info.Size())
	}
	if err != nil {
		return err
	}
	return checkPlain(dir, limits)
}

// tar unpacks a compressed tar archive. A malformed archive gives a
// *dataset.Faults; errors of r are returned as they are.
func (u *unpacker) tar(r io.Reader) error {
	from := &source{Reader: r}
	plain, err := gzip.NewReader(from)
	if err != nil {
		return u.broken(from, "gzip", err)
	}
	// This bounds what a decompression bomb can produce, even though none of it
	// is kept.
	bounded := &io.LimitedReader{R: plain, N: u.limits.Plain}
	archive := tar.NewReader(bounded)
	for {
		entry, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return u.rest(from, bounded)
		}
		if bounded.N <= 0 {
			return u.tooLarge(u.limits.Plain)
		}
		if err != nil {
			return u.broken(from, "tar", err)
		}
		if err := u.count(); err != nil {
			return err
		}
		switch entry.Typeflag {
		case tar.TypeReg:
			err = u.entry(entry.Name, archive)
		case tar.TypeDir, tar.TypeXGlobalHeader:
		default:
			err = faultOf(u.source, "holds %q, which is a link or a device: pack files only", shown(entry.Name))
		}
		if bounded.N <= 0 {
			return u.tooLarge(u.limits.Plain)
		}
		if err != nil {
			return u.broken(from, "tar", err)
		}
	}
}

// rest reads the compressed stream to its end, past the end of the archive: the
// checksum is there, and a second archive there would otherwise go unnoticed.
func (u *unpacker) rest(from *source, r *io.LimitedReader) error {
	const magic, at = "ustar", 257 // in a header
	block := make([]byte, 512)
	for {
		n, err := io.ReadFull(r, block)
		if n > 0 && errors.Is(err, io.ErrUnexpectedEOF) {
			_, err = r.Read(block) // of this block, or of a reader that is cut off
		}
		switch {
		case r.N <= 0:
			return u.tooLarge(u.limits.Plain)
		case err == nil && string(block[at:at+len(magic)]) == magic:
			return faultOf(u.source, "has a second archive after the first one: pack one dataset")
		case err == nil:
		case from.failed == nil && (errors.Is(err, io.EOF) || errors.Is(err, gzip.ErrHeader)): // nothing follows, or nothing that matters
			return nil
		default:
			return u.broken(from, "gzip", err)
		}
	}
}

// source remembers an error of its reader, as opposed to one about the content.
type source struct {
	io.Reader
	failed error
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		s.failed = err
	}
	return n, err
}

// broken says what is wrong with an archive, unless reading its source failed.
func (u *unpacker) broken(from *source, form string, err error) error {
	var faults *dataset.Faults
	var own *os.PathError
	switch {
	case from.failed != nil:
		return from.failed
	case errors.As(err, &faults), errors.As(err, &own):
		return err
	}
	return faultOf(u.source, "is not a complete %s archive: %v", form, err)
}

// zip unpacks a zip archive.
func (u *unpacker) zip(r io.ReaderAt, size int64) error {
	// The directory of a zip is read before its length is known. It has some 100
	// bytes a file; the end of a zip is searched in the last 64 KB.
	directory := &atMost{ReaderAt: r, left: 256<<10 + int64(u.limits.Files)<<10}
	archive, err := zip.NewReader(directory, size)
	if errors.Is(err, errBounded) {
		return u.tooMany()
	}
	directory.whole = true
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // names are checked below
		return faultOf(u.source, "is not a complete zip archive: %v", err)
	}
	for _, f := range archive.File {
		if err := u.count(); err != nil {
			return err
		}
		const encrypted = 1
		f.Name = strings.ReplaceAll(f.Name, `\`, "/") // as some packers on Windows write it
		switch {
		case strings.HasSuffix(f.Name, "/"):
			continue
		case f.Flags&encrypted != 0:
			return faultOf(u.source, "holds %q, which is encrypted: pack without a password", shown(f.Name))
		case !f.Mode().IsRegular():
			return faultOf(u.source, "holds %q, which is a link or a device: pack files only", shown(f.Name))
		case f.Method != zip.Store && f.Method != zip.Deflate:
			return faultOf(u.source, "holds %q, compressed with an unknown method (%d): use deflate", shown(f.Name), f.Method)
		}
		if err := u.member(f); err != nil {
			return err
		}
	}
	return nil
}

// atMost limits how many bytes are read, until whole is set.
type atMost struct {
	io.ReaderAt
	left  int64
	whole bool
}

var errBounded = errors.New("more than the limit was read")

// ReadAt implements io.ReaderAt.
func (b *atMost) ReadAt(p []byte, at int64) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 && !b.whole {
		return 0, errBounded
	}
	return b.ReaderAt.ReadAt(p, at)
}

func (u *unpacker) member(f *zip.File) error {
	r, err := f.Open()
	if err != nil {
		return faultOf(u.source, "holds %q, which cannot be read: %v", shown(f.Name), err)
	}
	defer r.Close()
	if err := u.entry(f.Name, r); err != nil {
		return u.broken(&source{}, "zip", err)
	}
	return nil
}

// count counts an entry.
func (u *unpacker) count() error {
	if u.files++; u.files > u.limits.Files {
		return u.tooMany()
	}
	return nil
}

func (u *unpacker) tooMany() error {
	return faultOf(u.source, "holds more than %d files", u.limits.Files)
}

func (u *unpacker) tooLarge(limit int64) error {
	return faultOf(u.source, "unpacks to more than %d MB: drop a folder of .ndjson.gz files, or several datasets", limit>>20)
}

// entry unpacks a file of an archive. It ignores hidden files, which systems
// leave behind; any other must have a plain path.
func (u *unpacker) entry(name string, content io.Reader) error {
	if !plainName(name) {
		return faultOf(u.source, "has %q: paths must stay inside the archive", shown(name))
	}
	clean := path.Clean(name)
	folder, base := path.Split(clean)
	folder = strings.TrimSuffix(folder, "/")
	if strings.HasPrefix(base, ".") || strings.HasPrefix(clean, "__MACOSX/") {
		return nil
	}
	if strings.Contains(folder, "/") {
		return faultOf(u.source, "has %q: files may be in one folder, but not deeper", shown(name))
	}
	if u.top == nil {
		u.top = &folder
	}
	if *u.top != folder {
		return faultOf(u.source, "has files in several folders (%q): pack one dataset", shown(name))
	}
	return u.put(base, content)
}

// plainName reports whether, on any system, a name means a path below the
// current folder.
func plainName(name string) bool {
	if name == "" || strings.ContainsAny(name, "\\\x00:") || path.IsAbs(name) {
		return false
	}
	return !slices.Contains(strings.Split(name, "/"), "..")
}

// shown is the beginning of a name, for messages.
func shown(name string) string {
	const most = 100
	if len(name) > most {
		return name[:most] + "..."
	}
	return name
}

// put writes a file of the dataset. Of other files it keeps the names only:
// dataset.Read decides whether one was meant to be a file of the dataset.
func (u *unpacker) put(base string, content io.Reader) (err error) {
	const longest = 200
	if len(base) > longest {
		return faultOf(u.source, "has a name longer than %d bytes", longest)
	}
	f, err := os.OpenFile(filepath.Join(u.dir, filepath.Base(base)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return faultOf(u.source, "holds %s twice", shown(base))
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if !dataset.IsFile(base) {
		return nil
	}
	n, err := io.Copy(f, io.LimitReader(content, u.limits.Disk-u.disk+1))
	if u.disk += n; u.disk > u.limits.Disk {
		return u.tooLarge(u.limits.Disk)
	}
	return err
}

// checkPlain checks the size of a folder of files, decompressed. Files
// that are not valid gzip are left to dataset.Read.
func checkPlain(dir string, limits Limits) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	left := limits.Plain
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".gz") {
			continue
		}
		n, err := plainSize(filepath.Join(dir, file.Name()), left)
		if err != nil {
			return err
		}
		if left -= n; left < 0 {
			return faultOf(file.Name(), "uncompresses to more than %d MB", limits.Plain>>20)
		}
	}
	return nil
}

// plainSize is the decompressed size of a file, as far as it can be read, and at
// most limit + 1.
func plainSize(name string, limit int64) (int64, error) {
	f, err := os.Open(name) //nolint:gosec // of our own folder
	if err != nil {
		return 0, fmt.Errorf("read the file that was fetched: %w", err)
	}
	defer f.Close() //nolint:errcheck // only read
	plain, err := gzip.NewReader(f)
	if err != nil {
		return 0, nil //nolint:nilerr // dataset.Read says what is wrong with it
	}
	n, _ := io.Copy(io.Discard, io.LimitReader(plain, limit+1)) // as above
	return n, nil
}
