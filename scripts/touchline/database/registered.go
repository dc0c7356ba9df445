package database

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"time"

	"touchline/shared/store/file"
)

// Served is what a serve says of itself to other commands of this user, in the folder of
// its data.
type Served struct {
	Folder  string    `json:"folder"` // absolute path
	BaseURL string    `json:"baseUrl"`
	Log     string    `json:"log,omitempty"`    // absolute path of its log of requests; empty: no log
	Health  string    `json:"health,omitempty"` // URL at which it says how it is; empty: nowhere
	PID     int       `json:"pid"`
	Started time.Time `json:"started"`
}

// servedName is the file that has it. It says nothing unless a process shares the data;
// who begins to share them removes it.
const servedName = "serve.json"

func forget(folder string) { _ = os.Remove(filepath.Join(folder, servedName)) }

// Register says that this process serves the data in a folder, until remove is called.
// The folder is noted in the user's configuration folder; where that fails, commands
// find it with --data-dir alone.
func Register(s Served) (remove func(), err error) {
	s.PID, s.Started = os.Getpid(), time.Now()
	text, err := json.Marshal(s)
	if err == nil {
		err = os.WriteFile(filepath.Join(s.Folder, servedName), text, 0o600)
	}
	if err != nil {
		return nil, err
	}
	noted := func() {}
	if pattern, err := hints(); err == nil && os.MkdirAll(filepath.Dir(pattern), 0o700) == nil {
		hint := filepath.Join(filepath.Dir(pattern), hintOf(s.Folder))
		_ = os.WriteFile(hint, []byte(s.Folder), 0o600)
		noted = func() { _ = os.Remove(hint) }
	}
	return func() {
		forget(s.Folder)
		noted()
	}, nil
}

const hintPrefix = "serve-"

// hintOf is the name of the note about a folder.
func hintOf(folder string) string {
	sum := sha256.Sum256([]byte(folder))
	return hintPrefix + hex.EncodeToString(sum[:8])
}

// hints is the pattern of the notes, in the user's configuration folder. A user without
// one, such as a service without HOME, has no notes.
func hints() (pattern string, err error) {
	dir, err := os.UserConfigDir()
	return filepath.Join(dir, "touchline", hintPrefix+"*"), err
}

// ServedFrom is the serve that shares the data in a folder; false: none does.
func ServedFrom(ctx context.Context, folder string) (s Served, ok bool) {
	text, err := os.ReadFile(filepath.Join(folder, servedName)) //nolint:gosec // the folder that the user names
	if err != nil || json.Unmarshal(text, &s) != nil {
		return Served{}, false
	}
	shared, err := file.Dial(ctx, folder)
	if err != nil {
		return Served{}, false
	}
	_ = shared.Close()
	return s, true
}

// Running are the services of this user that run on this machine with data of their own,
// the one that was started last first.
func Running(ctx context.Context) (all []Served) {
	pattern, err := hints()
	if err != nil {
		return nil
	}
	notes, _ := filepath.Glob(pattern) // a folder whose name has a bracket is not found
	for _, path := range notes {
		folder, err := os.ReadFile(filepath.Clean(path))
		if err != nil {
			continue
		}
		if s, ok := ServedFrom(ctx, string(folder)); ok {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b Served) int {
		return cmp.Or(b.Started.Compare(a.Started), cmp.Compare(a.Folder, b.Folder))
	})
	return all
}
