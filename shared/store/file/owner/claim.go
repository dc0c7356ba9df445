package owner

import (
	"errors"
	"os"
	"path/filepath"
)

// claimName is the file in a claimed folder whose lock says that its process lives.
const claimName = ".claim"

// Claim makes a folder for files that this process keeps for a while, in the system's folder
// for them, under a name that begins with a prefix. It removes those that processes of this
// user have left there which were killed. Release removes the folder.
func Claim(prefix string) (dir string, release func() error, err error) {
	left, err := filepath.Glob(filepath.Join(os.TempDir(), prefix+"*"))
	if err != nil {
		return "", nil, err
	}
	for _, dir := range left {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() && Private(dir) == nil && abandoned(filepath.Join(dir, claimName)) {
			_ = os.RemoveAll(dir) // the next one tries again
		}
	}
	if dir, err = os.MkdirTemp("", prefix); err != nil {
		return "", nil, err
	}
	claim, err := os.OpenFile(filepath.Clean(filepath.Join(dir, claimName)), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err == nil {
		err = Lock(claim, true)
	}
	return dir, func() error { return errors.Join(claim.Close(), os.RemoveAll(dir)) }, err
}

// abandoned reports whether no process has a claim any more, and removes it. Where files have
// no locks, on Windows, an open one cannot be removed.
func abandoned(claim string) bool {
	f, err := os.OpenFile(filepath.Clean(claim), os.O_RDWR, 0)
	if err != nil {
		return false
	}
	err = errors.Join(Lock(f, true), f.Close())
	return err == nil && os.Remove(claim) == nil
}
