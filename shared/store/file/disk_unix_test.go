//go:build unix

package file

import (
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// limitVariable is the bound of the files of a writing process, in bytes.
const limitVariable = "TOUCHLINE_TEST_LIMIT"

// limitFiles bounds the files of this process where the environment says so.
func limitFiles() {
	if n, err := strconv.ParseUint(os.Getenv(limitVariable), 10, 64); err == nil {
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n}); err != nil {
			panic(err)
		}
	}
}

func TestAFileThatMayNotGrowKeepsWhatItHas(t *testing.T) {
	fullDisk(t, filepath.Join(folder(t), "data.db"), "file too large", limitVariable+"=8000000")
}
