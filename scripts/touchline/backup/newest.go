package backup

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// noted is the file beside the data that says when the newest backup of them was made, and
// where.
const noted = "newest-backup"

func note(folder, path string, made time.Time) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, noted), []byte(made.UTC().Format(time.RFC3339)+" "+path), 0o600)
}

// Newest is the newest backup of the data in a folder, which may have been moved since.
// Where none was made the error is fs.ErrNotExist.
func Newest(folder string) (path string, made time.Time, err error) {
	text, err := os.ReadFile(filepath.Clean(filepath.Join(folder, noted)))
	if err != nil {
		return "", time.Time{}, err
	}
	at, path, _ := strings.Cut(string(text), " ")
	if made, err = time.Parse(time.RFC3339, at); err != nil {
		return "", time.Time{}, fmt.Errorf("%s: %w", noted, err)
	}
	return path, made, nil
}
