package logs

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"

	"touchline/shared/accesslog"
)

// longestLine bounds a line of a log, in bytes. A request takes some KB, with
// the stack of a fault some ten; longer lines are not ours.
const longestLine = 1 << 20

// Find looks for a request in a log and in the file that logrotate made of it last, and
// returns its line; nil if there isn't one. The error is fs.ErrNotExist if there is no log.
func Find(path, requestID string) (found *accesslog.Line, text []byte, err error) {
	file, err := os.Open(filepath.Clean(path))
	if err == nil {
		found, text, err = find(file, requestID)
		_ = file.Close() // only read
	}
	if found != nil {
		return found, text, err
	}
	former, missing := os.Open(filepath.Clean(path) + ".1")
	if missing != nil {
		return found, text, err
	}
	defer former.Close() //nolint:errcheck // only read
	return find(former, requestID)
}

// find looks for a request in the lines of a log, of which those that are too long or not
// complete are passed over.
func find(from io.Reader, requestID string) (*accesslog.Line, []byte, error) {
	in := bufio.NewReaderSize(from, longestLine)
	for whole := true; ; {
		line, err := in.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			whole = false
			continue
		case errors.Is(err, io.EOF):
			return nil, nil, nil
		case err != nil:
			return nil, nil, err
		}
		if whole && bytes.Contains(line, []byte(requestID)) {
			if l, err := accesslog.Parse(line); err == nil && l.RequestID == requestID {
				return &l, bytes.TrimSpace(bytes.Clone(line)), nil
			}
		}
		whole = true
	}
}
