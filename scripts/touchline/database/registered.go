package database

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"touchline/shared/engine"
)

// Registration is what each serve leaves for other commands of this user: where
// its engine is. It is only a hint, which readers verify.
type Registration struct {
	Endpoint string    `json:"endpoint"`
	PID      int       `json:"pid"`
	Started  time.Time `json:"started"`
	// BaseURL is the service's, as it says itself.
	BaseURL string `json:"-"`
}

// registrations is the pattern of the files, in the user's configuration folder.
func registrations() (string, error) {
	dir, err := os.UserConfigDir()
	return filepath.Join(dir, "touchline", "serve-*.json"), err
}

// Register records where an engine is, until remove is called. If that fails,
// the engine can only be found at its default address.
func Register(ctx context.Context, endpoint string) (remove func()) {
	nothing := func() {}
	pattern, err := registrations()
	if err != nil {
		return nothing
	}
	for path, r := range registered() {
		if _, ok := r.verified(ctx); !ok {
			_ = os.Remove(path) // a leftover of one that was killed
		}
	}
	text, err := json.Marshal(Registration{Endpoint: endpoint, PID: os.Getpid(), Started: time.Now()})
	if err != nil || os.MkdirAll(filepath.Dir(pattern), 0o700) != nil {
		return nothing
	}
	f, err := os.CreateTemp(filepath.Dir(pattern), filepath.Base(pattern))
	if err != nil {
		return nothing
	}
	_, err = f.Write(text)
	remove = func() { _ = os.Remove(f.Name()) } // a leftover names a process that does not respond
	if errors.Join(err, f.Close()) != nil {
		remove()
		return nothing
	}
	return remove
}

// registered reads what every serve has recorded, by file.
func registered() map[string]Registration {
	all := map[string]Registration{}
	pattern, err := registrations()
	if err != nil {
		return all
	}
	paths, _ := filepath.Glob(pattern) // a folder's name with a bracket finds none
	for _, path := range paths {
		var r Registration
		if text, err := os.ReadFile(filepath.Clean(path)); err == nil && json.Unmarshal(text, &r) == nil {
			all[path] = r
		}
	}
	return all
}

// verified asks the engine whose it is; false if it is not that of the process
// that has recorded it.
func (r Registration) verified(ctx context.Context) (Registration, bool) {
	owner, ok := engine.OwnerOf(ctx, r.Endpoint)
	r.BaseURL = owner.BaseURL
	return r, ok && owner.PID == r.PID
}

// Running are the services of this user that run on this machine with an engine
// of their own, the one that was started last first.
func Running(ctx context.Context) (all []Registration) {
	for _, r := range registered() {
		if r, ok := r.verified(ctx); ok {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b Registration) int {
		return cmp.Or(b.Started.Compare(a.Started), cmp.Compare(a.Endpoint, b.Endpoint))
	})
	return all
}
