package files

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// MaxLine bounds a line, in bytes (D47).
const MaxLine = 1 << 20

// ErrLineTooLong is the error of Lines.Next for a line above the bound. The
// next call returns the line after it.
var ErrLineTooLong = errors.New("line too long")

// Lines are the lines of an open file.
type Lines struct {
	f      fs.File
	number int // of the line last read, from 1
	r      *bufio.Reader
	zipped bool
	buf    []byte
	limit  int // of a line, in bytes
}

// Open opens a file, unpacking it where its name says so. Lines of more than
// limit bytes are above the bound. Reading ends when ctx does, also inside a long
// line. The error is an *UnreadableError where name and content do not go
// together.
func Open(ctx context.Context, fsys fs.FS, name string, limit int) (*Lines, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be opened: %w", name, err)
	}
	l := &Lines{f: f, limit: limit, zipped: strings.HasSuffix(name, gzipSuffix)}
	packed := &counted{ctx: ctx, from: f}
	l.r = bufio.NewReaderSize(packed, 1<<16)
	head, err := l.r.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.Join(fmt.Errorf("%s cannot be read: %w", name, err), f.Close())
	}
	switch gzipped := string(head) == "\x1f\x8b"; {
	case gzipped && !l.zipped:
		return nil, errors.Join(Unreadable("is gzip-compressed: rename it to "+name+".gz"), f.Close())
	case l.zipped && !gzipped && len(head) > 0:
		return nil, errors.Join(Unreadable("is not gzip-compressed: rename it to "+strings.TrimSuffix(name, gzipSuffix)), f.Close())
	}
	if l.zipped {
		z, err := gzip.NewReader(l.r)
		if err != nil {
			return nil, errors.Join(l.failed(err), f.Close())
		}
		l.r = bufio.NewReaderSize(&unpacked{counted{ctx: ctx, from: z}, packed}, 1<<16)
	}
	for head, _ := l.r.Peek(3); string(head) == "\xef\xbb\xbf"; head, _ = l.r.Peek(3) {
		_, _ = l.r.Discard(3) // some programs write a second one
	}
	return l, nil
}

// A compressed file may unpack to unpackedTimes its size, and to unpackedAlways
// bytes whatever its size (D47). Datasets compress to a tenth or a thirtieth.
const (
	unpackedTimes  = 100
	unpackedAlways = 256 << 20
)

// counted counts what is read, until ctx ends.
type counted struct {
	ctx  context.Context //nolint:containedctx // of the reading of one file
	from io.Reader
	n    int64
}

// Read implements io.Reader.
func (c *counted) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.from.Read(p)
	c.n += int64(n)
	return n, err
}

// unpacked bounds what a compressed file becomes.
type unpacked struct {
	counted
	packed *counted
}

// Read implements io.Reader.
func (u *unpacked) Read(p []byte) (int, error) {
	if u.n > max(unpackedAlways, unpackedTimes*u.packed.n) {
		return 0, Unreadable(fmt.Sprintf("unpacks to more than %d MB and %d times its size, as no dataset does", unpackedAlways>>20, unpackedTimes))
	}
	return u.counted.Read(p)
}

// UnreadableError is what is wrong with a file as a whole: the other files can
// still be read. Its text reads on after the file's name.
type UnreadableError struct{ message string }

func (e *UnreadableError) Error() string { return e.message }

// Unreadable is an *UnreadableError with a message that reads on after the file's
// name.
func Unreadable(message string) error { return &UnreadableError{message} }

// Read reads what follows, uncompressed: of a file that is not read by lines. Its
// errors are those of Next.
func (l *Lines) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	if err != nil && err != io.EOF { //nolint:errorlint // io.EOF itself ends a reader
		err = l.failed(err)
	}
	return n, err
}

// failed explains a failure to read on.
func (l *Lines) failed(err error) error {
	if errors.As(err, new(*UnreadableError)) {
		return err
	}
	var corrupt flate.CorruptInputError
	if l.zipped && (errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &corrupt)) {
		return &UnreadableError{fmt.Sprintf("is a damaged gzip file after line %d (%v): check it with gzip -t and copy or compress it again", l.number, err)}
	}
	return fmt.Errorf("cannot be read after line %d: %w", l.number, err)
}

// Next returns the next line without its line end, valid until the next call.
// The error is io.EOF at the end, ErrLineTooLong for a line above the bound, of
// which it returns the beginning, and an *UnreadableError in a damaged file.
func (l *Lines) Next() ([]byte, error) {
	l.buf = l.buf[:0]
	long, started := false, false
	for {
		part, err := l.r.ReadSlice('\n')
		started = started || len(part) > 0
		if len(l.buf)+len(part) > l.limit {
			long = true
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			if !long {
				l.buf = append(l.buf, part...)
			}
			continue
		case errors.Is(err, io.EOF) && !started:
			return nil, io.EOF
		case err != nil && !errors.Is(err, io.EOF):
			return nil, l.failed(err)
		}
		l.number++
		if long {
			return l.buf, ErrLineTooLong
		}
		if len(l.buf) > 0 {
			l.buf = append(l.buf, part...)
			part = l.buf
		}
		return bytes.TrimSuffix(bytes.TrimSuffix(part, []byte("\n")), []byte("\r")), nil
	}
}

// Number counts the lines read, from 1.
func (l *Lines) Number() int { return l.number }

// Close closes the file.
func (l *Lines) Close() error { return l.f.Close() }
