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

	"touchline/shared/stack"
)

// maxMasterKeyFile is a size in bytes, far above the 45 of a proper file.
const maxMasterKeyFile = 1024

// LoadLocalSealer returns the sealer of this machine. Its master key is that of the
// variable stack.VariableMasterKey if lookup (os.LookupEnv) finds it, else that of the file
// at path, which is created on first use. Processes that start at the same time
// get the same key.
func LoadLocalSealer(lookup func(string) (string, bool), path string) (*LocalSealer, error) {
	if text, ok := lookup(stack.VariableMasterKey); ok {
		sealer, err := NewLocalSealer(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", stack.VariableMasterKey, err)
		}
		return sealer, nil
	}
	sealer, err := readMasterKey(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err = makeMasterKey(path); err == nil {
			sealer, err = readMasterKey(path)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("master key: %w", err)
	}
	return sealer, nil
}

// MasterKeyPath is where the master key of a user is kept, whatever folder the
// process runs in: touchline/master.key in the user's configuration folder.
func MasterKeyPath() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("no configuration folder for the master key, set %s: %w", stack.VariableMasterKey, err)
	}
	return filepath.Join(dir, "touchline", "master.key"), nil
}

// readMasterKey reads the file. Only its owner may be able to read it and to
// write to its folder.
func readMasterKey(path string) (*LocalSealer, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // opening a pipe would wait
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	file, err := os.Open(filepath.Clean(path))
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	if info, err = file.Stat(); err == nil {
		err = checkModes(path, info)
	}
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(file, maxMasterKeyFile))
	if err != nil {
		return nil, err
	}
	sealer, err := NewLocalSealer(string(text))
	if len(text) == maxMasterKeyFile {
		err = errors.New("it is too long")
	}
	if err != nil {
		return nil, fmt.Errorf("%s is damaged: %w; restore it from a backup,"+
			" because no key that was sealed with it works without it", path, err)
	}
	return sealer, nil
}

func checkModes(path string, file fs.FileInfo) error {
	if runtime.GOOS == "windows" { // which has access lists; the mode means nothing
		return nil
	}
	if file.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("%s can be read by others than its owner (mode %04o): run chmod 600 %[1]s, or replace the key if it may have been read",
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

// makeMasterKey writes a new key to a temporary file and links that to path: the
// file appears complete or not at all, and the first of several processes wins.
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

// syncFolder makes the new file survive a crash, because keys will be sealed
// with it next. It ignores errors: some systems cannot sync a folder.
func syncFolder(dir string) {
	folder, err := os.Open(filepath.Clean(dir))
	if err != nil {
		return
	}
	_ = folder.Sync()
	_ = folder.Close()
}
