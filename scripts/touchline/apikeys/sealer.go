package apikeys

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/keys"
	"touchline/shared/stack"
)

// Sealer is the master key of this machine, which is made on first use.
func Sealer(c *terminal.Terminal) (keys.Sealer, error) {
	path, err := masterKeyPath(c)
	if err != nil {
		return nil, err
	}
	return keys.LoadLocalSealer(Lookup(c), path)
}

// masterKeyPath is the file of this machine's master key; empty: the environment has it.
func masterKeyPath(c *terminal.Terminal) (string, error) {
	if _, given := Lookup(c)(stack.VariableMasterKey); given {
		return "", nil
	}
	return keys.MasterKeyPath()
}

// MasterKey is this machine's master key, and the file or variable that has it. It
// makes no key: without one the error is fs.ErrNotExist.
func MasterKey(c *terminal.Terminal) (seal keys.Sealer, source string, err error) {
	path, err := masterKeyPath(c)
	if err != nil {
		return nil, "", err
	}
	if path != "" {
		if _, err := os.Stat(path); err != nil {
			return nil, path, err
		}
	}
	seal, err = keys.LoadLocalSealer(Lookup(c), path)
	return seal, cmp.Or(path, stack.VariableMasterKey), err
}

// SealerOf is Sealer for the keys of a store, which it fits: it is refused where
// it opens none of those that work, and where it does not open some, a warning names
// them. No master key is made where there are such keys, since their own one is
// elsewhere: with another user, machine or copy.
func SealerOf(ctx context.Context, c *terminal.Terminal, store keys.Store) (keys.Sealer, error) {
	list, err := store.List(ctx)
	if err != nil && !errors.As(err, new(*types.ResourceNotFoundException)) { // there may be no table yet
		return nil, err
	}
	SayDamaged(c, list)
	working := slices.DeleteFunc(list[:min(len(list), maxChecked)], func(k keys.Key) bool { return !k.Valid(c.Now()) })
	if len(working) > 0 {
		if _, path, err := MasterKey(c); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s stored, and this user has no master key at %s: %s", terminal.Counted(len(working), "key")+map[bool]string{true: " is", false: " are"}[len(working) == 1], path, wayOut)
		}
	}
	seal, err := Sealer(c)
	if err != nil {
		return nil, err
	}
	foreign, err := ForeignKeys(ctx, &keys.Registry{Store: store, Sealer: seal, Now: c.Now}, working)
	switch {
	case err != nil || len(foreign) == 0:
	case len(foreign) < len(working):
		c.Sayf("warning: requests with these keys get 503, since another master key sealed their secrets: %s. Start with that one in %s, or replace them with `touchline keys create` and `touchline keys revoke`", strings.Join(foreign, ", "), stack.VariableMasterKey)
	default:
		err = fmt.Errorf("this machine's master key opens none of the %s stored, so that every request would get 503: %s", terminal.Counted(len(working), "key"), wayOut)
	}
	if err != nil {
		return nil, err
	}
	return seal, nil
}

// SayDamaged names the keys whose records cannot be read.
func SayDamaged(c *terminal.Terminal, list []keys.Key) {
	if ids := keys.Damaged(list); ids != nil {
		c.Sayf("warning: requests with these keys get 503, since their records cannot be read: %s. End each with `touchline keys revoke`, and make another", strings.Join(ids, ", "))
	}
}

// wayOut is what to do about keys that no master key opens.
const wayOut = "run this as the user who made them, give their master key in " + stack.VariableMasterKey + ", or end them with `touchline keys revoke`"

// credentialFile is the file of the master key among the credentials that systemd
// gives a service (LoadCredential=).
const credentialFile = "touchline-master-key"

// Lookup is os.LookupEnv on the terminal's environment, where empty is unset. The
// master key can also be a credential of systemd.
func Lookup(c *terminal.Terminal) func(string) (string, bool) {
	return func(name string) (string, bool) {
		v := c.Getenv(name)
		if dir := c.Getenv("CREDENTIALS_DIRECTORY"); v == "" && name == stack.VariableMasterKey && dir != "" {
			text, err := os.ReadFile(filepath.Join(filepath.Clean(dir), credentialFile))
			return string(text), err == nil
		}
		return v, v != ""
	}
}

// maxChecked is how many keys are checked at a start.
const maxChecked = 1000

// ForeignKeys are the valid keys in a list, of which the first maxChecked are
// checked, whose secrets the registry's sealer cannot open.
func ForeignKeys(ctx context.Context, registry *keys.Registry, list []keys.Key) ([]string, error) {
	var foreign []string
	for _, k := range list[:min(len(list), maxChecked)] {
		if !k.Valid(registry.Now()) {
			continue
		}
		stored, err := registry.Store.Get(ctx, k.ID)
		if errors.Is(err, keys.ErrUnknown) || errors.Is(err, keys.ErrDamaged) {
			continue // since the list was read
		}
		if err != nil {
			return nil, err
		}
		if _, err := registry.Sealer.Open(ctx, k.ID, stored.Current.Sealed); errors.Is(err, keys.ErrSealed) {
			foreign = append(foreign, k.ID)
		}
	}
	return foreign, nil
}
