package main

import (
	"context"
	"errors"
	"fmt"

	"touchline/shared/keys"
)

type keysList struct {
	JSON bool `name:"json" help:"Print a JSON array."`
}

// Help is shown below the flags.
func (keysList) Help() string { return "Example:\n\n    touchline keys list\n" }

// Run prints all keys.
func (l *keysList) Run(ctx context.Context, c *console, parent *keysCommand) error {
	d, registry, err := parent.open(ctx, c)
	if err != nil {
		return err
	}
	list, err := registry.Store.List(ctx)
	if err != nil {
		return d.explain(err)
	}
	if l.JSON {
		if list == nil {
			list = []keys.Key{}
		}
		return c.json(list)
	}
	if len(list) == 0 {
		c.sayf("no keys in table %s at %s", d.tables.Keys, d.where)
		return nil
	}
	return printList(c, list)
}

// oneKey is the argument of the commands about one key.
type oneKey struct {
	ID   string `arg:"" name:"key-id" help:"Id of the key."`
	JSON bool   `name:"json" help:"Print JSON."`
}

type keysShow struct{ oneKey }

// Help is shown below the flags.
func (keysShow) Help() string { return "Example:\n\n    touchline keys show tk_…\n" }

// Run prints one key.
func (s *keysShow) Run(ctx context.Context, c *console, parent *keysCommand) error {
	d, registry, err := parent.open(ctx, c)
	if err != nil {
		return err
	}
	k, err := registry.Store.Get(ctx, s.ID)
	if err != nil {
		return s.fault(d, err)
	}
	return printKey(c, k, s.JSON)
}

type keysRotate struct{ oneKey }

// Help is shown below the flags.
func (keysRotate) Help() string {
	return `Both secrets work until 'touchline keys retire' drops the older one. The new one is shown now and never again.

Example:

    touchline keys rotate tk_…
`
}

// Run gives the key a new secret.
func (r *keysRotate) Run(ctx context.Context, c *console, parent *keysCommand) error {
	d, registry, err := parent.openSealing(ctx, c)
	if err != nil {
		return err
	}
	issued, err := registry.Rotate(ctx, r.ID)
	if err != nil {
		return r.fault(d, err)
	}
	c.sayf("the old secret works until you run: touchline keys retire %s", r.ID)
	return printIssued(c, issued, r.JSON)
}

type keysRetire struct {
	oneKey
	Secret string `name:"secret-id" placeholder:"ID" help:"Drop the secret of this id (see show) instead of the older one: the newer, say, if it was never delivered."`
}

// Help is shown below the flags.
func (keysRetire) Help() string { return "Example:\n\n    touchline keys retire tk_…\n" }

// Run drops a secret.
func (r *keysRetire) Run(ctx context.Context, c *console, parent *keysCommand) error {
	d, registry, err := parent.open(ctx, c)
	if err != nil {
		return err
	}
	var k keys.Key
	if r.Secret == "" {
		k, err = registry.Retire(ctx, r.ID)
	} else {
		k, err = registry.RetireSecret(ctx, r.ID, r.Secret)
	}
	if err != nil {
		return r.fault(d, err)
	}
	c.sayf("dropped; it stops working within 60 seconds")
	return printKey(c, k, r.JSON)
}

type keysRevoke struct{ oneKey }

// Help is shown below the flags.
func (keysRevoke) Help() string { return "Example:\n\n    touchline keys revoke tk_…\n" }

// Run ends the key.
func (r *keysRevoke) Run(ctx context.Context, c *console, parent *keysCommand) error {
	d, registry, err := parent.open(ctx, c)
	if err != nil {
		return err
	}
	k, err := registry.Revoke(ctx, r.ID)
	if err != nil {
		return r.fault(d, err)
	}
	c.sayf("revoked; it stops working within 60 seconds")
	return printKey(c, k, r.JSON)
}

// fault says what to do about a failed change.
func (o oneKey) fault(d *database, err error) error {
	switch {
	case errors.Is(err, keys.ErrUnknown):
		return fmt.Errorf("no key %q in table %s at %s: `touchline keys list` shows all", o.ID, d.tables.Keys, d.where)
	case errors.Is(err, keys.ErrRotating):
		return fmt.Errorf("key %s has two secrets already: run `touchline keys retire %s` first", o.ID, o.ID)
	case errors.Is(err, keys.ErrNotRotating):
		return fmt.Errorf("key %s has one secret only, which stays: to end the key run `touchline keys revoke %s`", o.ID, o.ID)
	case errors.Is(err, keys.ErrUnknownSecret):
		return fmt.Errorf("key %s has no such secret: `touchline keys show %s` names its secrets", o.ID, o.ID)
	case errors.Is(err, keys.ErrRevoked):
		return fmt.Errorf("key %s is revoked: make a new one with `touchline keys create`", o.ID)
	}
	return d.explain(err)
}
