package apikeys

import (
	"context"
	"errors"

	"touchline/scripts/touchline/deployment"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/keys"
	"touchline/shared/stack"
)

// Sealer is KMS, in the account and region chosen, if a KMS key is named; else
// the master key of this machine.
func Sealer(ctx context.Context, f deployment.AWSFlags, kmsKey string, c *terminal.Terminal) (keys.Sealer, error) {
	if kmsKey != "" {
		cfg, err := f.Load(ctx)
		if err != nil {
			return nil, err
		}
		return newKMSSealer(cfg, kmsKey), nil
	}
	path := ""
	if _, given := Lookup(c)(stack.VariableMasterKey); !given {
		var err error
		if path, err = keys.MasterKeyPath(); err != nil {
			return nil, err
		}
	}
	master, err := keys.LoadMasterKey(Lookup(c), path)
	if err != nil {
		return nil, err
	}
	return keys.NewLocalSealer(master)
}

// Lookup is os.LookupEnv on the terminal's environment, where empty is unset.
func Lookup(c *terminal.Terminal) func(string) (string, bool) {
	return func(name string) (string, bool) {
		v := c.Getenv(name)
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
		if errors.Is(err, keys.ErrUnknown) {
			continue // it was removed just now
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
