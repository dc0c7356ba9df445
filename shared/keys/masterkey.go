package keys

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"touchline/shared/stack"
)

const (
	masterKeyBytes = 32 // AES-256
	// maxMasterKeyFile, in bytes, is far above the 45 of a good file.
	maxMasterKeyFile = 1024
)

// MasterKey seals the secrets of one installation that does not use KMS. It is
// never printed.
type MasterKey struct {
	redacted
	bytes concealed[[]byte] // masterKeyBytes of them; nil: no key
}

// LoadMasterKey gives the master key of this machine: the variable
// stack.VariableMasterKey where lookup (os.LookupEnv) finds it, else the file at path,
// which is made on first use. Processes that start at once get the same key.
func LoadMasterKey(lookup func(string) (string, bool), path string) (MasterKey, error) {
	if text, ok := lookup(stack.VariableMasterKey); ok {
		key, err := ParseMasterKey(text)
		if err != nil {
			return MasterKey{}, fmt.Errorf("%s: %w", stack.VariableMasterKey, err)
		}
		return key, nil
	}
	key, err := readMasterKey(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err = makeMasterKey(path); err == nil {
			key, err = readMasterKey(path)
		}
	}
	if err != nil {
		return MasterKey{}, fmt.Errorf("master key: %w", err)
	}
	return key, nil
}

// MasterKeyPath is where a user's master key is kept, whatever folder the
// process runs in: touchline/master.key in the user's configuration folder.
func MasterKeyPath() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("no configuration folder for the master key, set %s: %w", stack.VariableMasterKey, err)
	}
	return filepath.Join(dir, "touchline", "master.key"), nil
}

// ParseMasterKey reads base64 of exactly 32 bytes, padded or not. White space
// around it is ignored. Its errors do not hold the text.
func ParseMasterKey(text string) (MasterKey, error) {
	text = strings.TrimRight(strings.TrimSpace(text), "=")
	b, err := base64.RawStdEncoding.Strict().DecodeString(text)
	if err != nil || len(b) != masterKeyBytes {
		return MasterKey{}, fmt.Errorf("not base64 of %d bytes (openssl rand -base64 %d makes one)",
			masterKeyBytes, masterKeyBytes)
	}
	return MasterKey{bytes: conceal(b)}, nil
}

// readMasterKey reads the file, which nobody but its owner may read, in a folder
// that nobody but its owner may write.
func readMasterKey(path string) (MasterKey, error) {
	info, err := os.Stat(path)
	if err != nil {
		return MasterKey{}, err
	}
	if !info.Mode().IsRegular() {
		return MasterKey{}, fmt.Errorf("%s is not a regular file", path)
	}
	file, err := os.Open(filepath.Clean(path))
	if err != nil {
		return MasterKey{}, err
	}
	defer func() { _ = file.Close() }()
	if info, err = file.Stat(); err != nil {
		return MasterKey{}, err
	}
	if err := checkModes(path, info); err != nil {
		return MasterKey{}, err
	}
	text, err := io.ReadAll(io.LimitReader(file, maxMasterKeyFile))
	if err != nil {
		return MasterKey{}, err
	}
	key, err := ParseMasterKey(string(text))
	if len(text) == maxMasterKeyFile {
		err = errors.New("it is too long")
	}
	if err != nil {
		return MasterKey{}, fmt.Errorf("%s is damaged: %w; restore it from a backup,"+
			" for without it no key sealed with it works", path, err)
	}
	return key, nil
}

func checkModes(path string, file fs.FileInfo) error {
	if runtime.GOOS == "windows" { // access lists there, the mode says nothing
		return nil
	}
	if file.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("%s is open to others than its owner (mode %04o): run chmod 600 %[1]s, or replace the key if it may have been read",
			path, file.Mode().Perm())
	}
	dir, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return err
	}
	if dir.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("the folder of %s can be written by others than its owner (mode %04o): run chmod 700 %s",
			path, dir.Mode().Perm(), filepath.Dir(path))
	}
	return nil
}

// makeMasterKey writes a new key to a file of its own and then links it to path.
// The link appears whole or not at all, and the first one wins.
func makeMasterKey(path string) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(dir, ".master-*") // mode 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }()
	_, err = file.WriteString(base64.StdEncoding.EncodeToString(randomBytes(masterKeyBytes)) + "\n")
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	if err := os.Link(file.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w (set %s where the file system has no hard links)", err, stack.VariableMasterKey)
	}
	syncFolder(dir)
	return nil
}

// syncFolder makes the new name survive a crash, since keys are sealed with the
// file next. Some systems cannot sync a folder, and none can do better then.
func syncFolder(dir string) {
	folder, err := os.Open(filepath.Clean(dir))
	if err != nil {
		return
	}
	_ = folder.Sync()
	_ = folder.Close()
}
