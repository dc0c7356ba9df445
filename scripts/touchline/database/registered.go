package database

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"touchline/shared/engine"
)

// registration is what serve leaves for other commands of this user: where its
// engine is. It is only a hint, which readers verify.
type registration struct {
	Endpoint string `json:"endpoint"`
	PID      int    `json:"pid"`
}

// registrationPath is the file, in the user's configuration folder.
func registrationPath() (string, error) {
	dir, err := os.UserConfigDir()
	return filepath.Join(dir, "touchline", "serve.json"), err
}

// Register records where an engine is, until remove is called. If that fails,
// the engine can only be found at its default address.
func Register(endpoint string) (remove func()) {
	nothing := func() {}
	path, err := registrationPath()
	if err != nil {
		return nothing
	}
	own := registration{Endpoint: endpoint, PID: os.Getpid()}
	text, err := json.Marshal(own)
	if err != nil || os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return nothing
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".serve-")
	if err != nil {
		return nothing
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // a leftover
		return nothing
	}
	return func() {
		if last, ok := registered(); ok && last == own { // unless another one was started since
			_ = os.Remove(path) // a leftover file only names a process that does not respond
		}
	}
}

// registered reads what the last serve has recorded.
func registered() (r registration, ok bool) {
	path, err := registrationPath()
	if err != nil {
		return r, false
	}
	text, err := os.ReadFile(filepath.Clean(path))
	return r, err == nil && json.Unmarshal(text, &r) == nil
}

// registeredEndpoint is the engine of the serve that was started last, if that
// is still running.
func registeredEndpoint(ctx context.Context) (string, bool) {
	r, ok := registered()
	if !ok {
		return "", false
	}
	owner, ok := engine.OwnerOf(ctx, r.Endpoint)
	return r.Endpoint, ok && owner.PID == r.PID
}
