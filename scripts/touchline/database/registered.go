package database

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"touchline/shared/engine"
)

// registration is what serve leaves for the commands of this user, wherever they
// run: where its engine is. It is a hint: whoever reads it asks there.
type registration struct {
	Endpoint string `json:"endpoint"`
	PID      int    `json:"pid"`
}

// registrationPath is the file, in the user's configuration folder.
func registrationPath() (string, error) {
	dir, err := os.UserConfigDir()
	return filepath.Join(dir, "touchline", "serve.json"), err
}

// Register notes where an engine is, until remove is called. It is no fault where
// it cannot be noted: the engine is then found at its usual address alone.
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
		if last, ok := registered(); ok && last == own { // not one that was started since
			_ = os.Remove(path) // a leftover names a process that does not answer
		}
	}
}

// registered reads what the last serve noted.
func registered() (r registration, ok bool) {
	path, err := registrationPath()
	if err != nil {
		return r, false
	}
	text, err := os.ReadFile(filepath.Clean(path))
	return r, err == nil && json.Unmarshal(text, &r) == nil
}

// registeredEndpoint is the engine of the serve that was started last, if that
// runs still.
func registeredEndpoint(ctx context.Context) (string, bool) {
	r, ok := registered()
	if !ok {
		return "", false
	}
	owner, ok := engine.OwnerOf(ctx, r.Endpoint)
	return r.Endpoint, ok && owner.PID == r.PID
}
