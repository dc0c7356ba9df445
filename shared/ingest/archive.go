package ingest

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
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

// LimitsOf are the limits for a disk of storage MB: a drop may use 88 percent of
// it, and decompress to four times its size.
func LimitsOf(storage int) Limits {
	disk := int64(storage) << 20
	return Limits{Files: 1000, Disk: disk / 100 * 88, Plain: 4 * disk}
}

// DefaultLimits are those of a disk of 2 GB. A dataset of 1,000,000 players and 250,000
// matches takes some 300 MB.
func DefaultLimits() Limits { return LimitsOf(2048) }

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

// tar unpacks a compressed tar archive. What follows the archive does not matter.
func (u *unpacker) tar(f io.Reader) error {
	plain, err := gzip.NewReader(f)
	if err != nil {
		return u.broken("tar.gz", err)
	}
	// This bounds what a decompression bomb can produce, even though none of it
	// is kept.
	bounded := &io.LimitedReader{R: plain, N: u.limits.Plain}
	if err = u.entries(tar.NewReader(bounded)); err == nil { // the checksum comes at the end
		if _, err = io.Copy(io.Discard, bounded); errors.Is(err, gzip.ErrHeader) {
			err = nil
		}
	}
	if bounded.N <= 0 {
		return u.tooLarge(u.limits.Plain)
	}
	return u.broken("tar.gz", err)
}

func (u *unpacker) entries(archive *tar.Reader) error {
	for {
		entry, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = u.count()
		}
		switch {
		case err != nil:
		case entry.Typeflag == tar.TypeReg:
			err = u.entry(entry.Name, archive)
		case entry.Typeflag != tar.TypeDir && entry.Typeflag != tar.TypeXGlobalHeader:
			err = faultOf(u.source, "holds %q, which is a link or a device: pack files only", shown(entry.Name))
		}
		if err != nil {
			return err
		}
	}
}

// broken says what is wrong with an archive, unless reading or writing a file failed.
func (u *unpacker) broken(form string, err error) error {
	if err == nil || errors.As(err, new(*dataset.Faults)) || errors.As(err, new(*os.PathError)) {
		return err
	}
	return faultOf(u.source, "is not a complete %s archive: %v", form, err)
}

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
		content, err := f.Open()
		if err == nil {
			err = errors.Join(u.entry(f.Name, content), content.Close())
		}
		if err != nil {
			return u.broken("zip", err)
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
// format.Read decides whether one was meant to be a file of the dataset.
func (u *unpacker) put(base string, content io.Reader) error {
	if !files.IsFile(base) {
		content = strings.NewReader("")
	}
	return u.write(base, content)
}

func (u *unpacker) write(base string, content io.Reader) (err error) {
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
	n, err := io.Copy(f, io.LimitReader(content, u.limits.Disk-u.disk+1))
	if u.disk += n; u.disk > u.limits.Disk {
		return u.tooLarge(u.limits.Disk)
	}
	return err
}

// checkPlain bounds the files of a folder, decompressed. Those that are not valid gzip are
// left to format.Read.
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
		f, err := os.Open(filepath.Join(dir, file.Name())) //nolint:gosec // of our own folder
		if err != nil {
			return err
		}
		if plain, err := gzip.NewReader(f); err == nil {
			n, _ := io.Copy(io.Discard, io.LimitReader(plain, left+1))
			left -= n
		}
		if _ = f.Close(); left < 0 {
			return faultOf(file.Name(), "uncompresses to more than %d MB", limits.Plain>>20)
		}
	}
	return nil
}
