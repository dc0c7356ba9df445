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

// Limits bound a drop, whatever it says of itself.
type Limits struct {
	Files int // of a folder, or entries of an archive, those passed over included
	// Disk bounds the files as they are kept while they are read: in /tmp.
	Disk int64 // bytes
	// Plain bounds the files once they are uncompressed.
	Plain int64 // bytes
}

// DefaultStorage is the disk of the usual function, in MB. A dataset of 1,000,000
// players and 250,000 matches has some 300 MB.
const DefaultStorage = 2048

// LimitsOf are the limits of a disk of so many MB: a drop may take 88 percent of
// it, and four times its size once it is uncompressed.
func LimitsOf(storage int) Limits {
	disk := int64(storage) << 20
	return Limits{Files: 1000, Disk: disk / 100 * 88, Plain: 4 * disk}
}

// DefaultLimits are those of DefaultStorage.
func DefaultLimits() Limits { return LimitsOf(DefaultStorage) }

// unpacker writes the files of a dataset into a folder.
type unpacker struct {
	dir    string
	limits Limits

	source string // for faults: the archive's name
	files  int
	disk   int64
	top    *string // the one folder of the archive that its files are in, "" none
}

// isDataset reports whether a name is one of a dataset's files.
func isDataset(name string) bool {
	return dataset.IsFile(name)
}

// isArchive reports whether a name is that of an archive.
func isArchive(name string) bool {
	return isTar(name) || strings.HasSuffix(strings.ToLower(name), ".zip")
}

func isTar(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".tar.gz") || strings.HasSuffix(name, ".tgz")
}

// Unpack unpacks an archive into a folder, which is there and empty. Its format is
// taken from its name: .zip, .tar.gz or .tgz. What can be wrong with an archive,
// and with the compressed files in it beyond the limits, is a *dataset.Faults; an
// error of reading f or writing to the folder is its own.
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

// IsArchive reports whether a name is that of an archive that Unpack reads.
func IsArchive(name string) bool { return isArchive(name) }

// tar unpacks a compressed tar archive. The error is *dataset.Faults where the
// archive is at fault; an error of r is its own.
func (u *unpacker) tar(r io.Reader) error {
	from := &source{Reader: r}
	plain, err := gzip.NewReader(from)
	if err != nil {
		return u.broken(from, "gzip", err)
	}
	// What a bomb unpacks to, though nothing of it is kept.
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

// rest reads on to the end of what is compressed, behind that of the archive:
// there is its checksum, and there another archive would be passed over unseen.
func (u *unpacker) rest(from *source, r *io.LimitedReader) error {
	const magic, at = "ustar", 257 // of a header
	block := make([]byte, 512)
	for {
		n, err := io.ReadFull(r, block)
		if n > 0 && errors.Is(err, io.ErrUnexpectedEOF) {
			_, err = r.Read(block) // whose end it is: this block's, or of a reader that is cut off
		}
		switch {
		case r.N <= 0:
			return u.tooLarge(u.limits.Plain)
		case err == nil && string(block[at:at+len(magic)]) == magic:
			return faultOf(u.source, "holds a second archive behind the first: pack one dataset")
		case err == nil:
		case from.failed == nil && (errors.Is(err, io.EOF) || errors.Is(err, gzip.ErrHeader)): // nothing more, or nothing of ours
			return nil
		default:
			return u.broken(from, "gzip", err)
		}
	}
}

// source remembers an error that is its reader's, not that of what was read.
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

// broken says what is wrong with an archive, where it is not its source.
func (u *unpacker) broken(from *source, form string, err error) error {
	var faults *dataset.Faults
	var own *os.PathError
	switch {
	case from.failed != nil:
		return from.failed
	case errors.As(err, &faults), errors.As(err, &own):
		return err
	}
	return faultOf(u.source, "is not a whole %s archive: %v", form, err)
}

// zip unpacks a zip archive.
func (u *unpacker) zip(r io.ReaderAt, size int64) error {
	// Its directory, which is read before it is known how long it is, has some 100
	// bytes a file; the end of a zip is looked for in its last 64 KB.
	directory := &atMost{ReaderAt: r, left: 256<<10 + int64(u.limits.Files)<<10}
	archive, err := zip.NewReader(directory, size)
	if errors.Is(err, errBounded) {
		return u.tooMany()
	}
	directory.whole = true
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // names are looked at below
		return faultOf(u.source, "is not a whole zip archive: %v", err)
	}
	for _, f := range archive.File {
		if err := u.count(); err != nil {
			return err
		}
		const encrypted = 1
		f.Name = strings.ReplaceAll(f.Name, `\`, "/") // of some packers on Windows
		switch {
		case strings.HasSuffix(f.Name, "/"):
			continue
		case f.Flags&encrypted != 0:
			return faultOf(u.source, "holds %q, which is encrypted: pack without a password", shown(f.Name))
		case !f.Mode().IsRegular():
			return faultOf(u.source, "holds %q, which is a link or a device: pack files only", shown(f.Name))
		case f.Method != zip.Store && f.Method != zip.Deflate:
			return faultOf(u.source, "holds %q, packed by a method (%d) that is not known: pack with deflate", shown(f.Name), f.Method)
		}
		if err := u.member(f); err != nil {
			return err
		}
	}
	return nil
}

// atMost reads no more than some bytes, until whole is set.
type atMost struct {
	io.ReaderAt
	left  int64
	whole bool
}

var errBounded = errors.New("more than the bound was read")

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

// entry takes a file of an archive. Hidden files, which systems leave behind,
// are passed over; the place of every other must be plain.
func (u *unpacker) entry(name string, content io.Reader) error {
	if !plainName(name) {
		return faultOf(u.source, "holds %q: a file's place must be inside the archive", shown(name))
	}
	clean := path.Clean(name)
	folder, base := path.Split(clean)
	folder = strings.TrimSuffix(folder, "/")
	if strings.HasPrefix(base, ".") || strings.HasPrefix(clean, "__MACOSX/") {
		return nil
	}
	if strings.Contains(folder, "/") {
		return faultOf(u.source, "holds %q: its files may lie in one folder, not deeper", shown(name))
	}
	if u.top == nil {
		u.top = &folder
	}
	if *u.top != folder {
		return faultOf(u.source, "holds files in several folders (%q): pack one dataset", shown(name))
	}
	return u.put(base, content)
}

// plainName reports whether a name means a place below where it is, on any
// system.
func plainName(name string) bool {
	if name == "" || strings.ContainsAny(name, "\\\x00:") || path.IsAbs(name) {
		return false
	}
	return !slices.Contains(strings.Split(name, "/"), "..")
}

// shown is the beginning of a name.
func shown(name string) string {
	const most = 100
	if len(name) > most {
		return name[:most] + "..."
	}
	return name
}

// put writes a file of the dataset. Of other files only the name is kept: it
// may have been meant for a dataset's, which dataset.Read decides.
func (u *unpacker) put(base string, content io.Reader) (err error) {
	const longest = 200
	if len(base) > longest {
		return faultOf(u.source, "holds a name longer than %d bytes", longest)
	}
	f, err := os.OpenFile(filepath.Join(u.dir, filepath.Base(base)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return faultOf(u.source, "holds %s twice", shown(base))
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if !isDataset(base) {
		return nil
	}
	n, err := io.Copy(f, io.LimitReader(content, u.limits.Disk-u.disk+1))
	if u.disk += n; u.disk > u.limits.Disk {
		return u.tooLarge(u.limits.Disk)
	}
	return err
}

// checkPlain bounds what the compressed files of a folder uncompress to. What is
// no whole gzip is for dataset.Read to say.
func checkPlain(dir string, limits Limits) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.gz"))
	if err != nil {
		return err
	}
	left := limits.Plain
	for _, name := range files {
		n, err := plainSize(name, left)
		if err != nil {
			return err
		}
		if left -= n; left < 0 {
			return faultOf(filepath.Base(name), "uncompresses to more than %d MB", limits.Plain>>20)
		}
	}
	return nil
}

// plainSize is the size of a compressed file's content, as far as it can be
// read, at most limit and one.
func plainSize(name string, limit int64) (int64, error) {
	f, err := os.Open(name) //nolint:gosec // of our own folder
	if err != nil {
		return 0, fmt.Errorf("read what was fetched: %w", err)
	}
	defer f.Close() //nolint:errcheck // only read
	plain, err := gzip.NewReader(f)
	if err != nil {
		return 0, nil //nolint:nilerr // dataset.Read says what is wrong with it
	}
	n, _ := io.Copy(io.Discard, io.LimitReader(plain, limit+1)) // as above
	return n, nil
}
