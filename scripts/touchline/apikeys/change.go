package apikeys

import (
	"context"
	"errors"
	"fmt"
	"time"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/keys"
)

type keysList struct {
	JSON bool `name:"json" help:"Print a JSON array."`
}

func (keysList) Help() string { return "Example:\n\n    touchline keys list\n" }

func (l *keysList) Run(ctx context.Context, c *terminal.Terminal, parent *Command) error {
	d, registry, err := parent.open(ctx, c)
	if err != nil {
		return err
	}
	defer d.Close()
	list, err := registry.Store.List(ctx)
	if err != nil {
		return d.Explain(err)
	}
	SayDamaged(c, list)
	rows, err := listed(ctx, c, d, list)
	if err != nil {
		return err
	}
	if l.JSON {
		return c.JSON(rows)
	}
	if len(list) == 0 {
		c.Sayf("no keys in table %s at %s", d.Tables.Keys, d.Where)
		return nil
	}
	return printList(c, rows)
}

// listedKey is a key as a list shows it.
type listedKey struct {
	keys.Key
	Name  string `json:"organizationName,omitempty"`
	Used  *int   `json:"usedThisMonth,omitempty"` // by the organization, over all its keys; nil: not known
	Quota int    `json:"quota"`
}

// listed adds to keys what people want to see with them, as far as the caller
// may read it.
func listed(ctx context.Context, c *terminal.Terminal, d *database.Database, list []keys.Key) ([]listedKey, error) {
	counts, err := d.Usage(ctx, c.Now())
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	names, err := database.NamesOf(ctx, d.Sports(), keys.Organizations(list))
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	rows := make([]listedKey, 0, len(list))
	for _, k := range list {
		row := listedKey{Key: k, Name: names[k.Organization], Quota: k.Quota()}
		if counts != nil {
			n := counts[k.Organization]
			row.Used = &n
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// oneKey is the argument of the commands about a single key.
type oneKey struct {
	ID   string `arg:"" name:"key-id" help:"Id of the key."`
	JSON bool   `name:"json" help:"Print JSON."`
}

type keysShow struct{ oneKey }

func (keysShow) Help() string {
	return `Shows what a key may do, and its last changes, some 20: when, who, and each field before and after. Who is the user of the machine or, of a deployment, the AWS identity.

Example:

    touchline keys show tk_…
`
}

func (s *keysShow) Run(ctx context.Context, c *terminal.Terminal, parent *Command) error {
	var shown keys.Key
	err := s.run(ctx, c, parent, func(r *keys.Registry) (k keys.Key, err error) {
		shown, err = r.Store.Get(ctx, s.ID)
		return shown, err
	})
	if err != nil || s.JSON {
		return err
	}
	return printHistory(c, shown)
}

// run does something with the key, and prints it.
func (o oneKey) run(ctx context.Context, c *terminal.Terminal, parent *Command, do func(*keys.Registry) (keys.Key, error)) error {
	d, registry, err := parent.open(ctx, c)
	if err != nil {
		return err
	}
	defer d.Close()
	k, err := do(registry)
	if err != nil {
		return o.fault(d, err)
	}
	return printKey(c, k, o.JSON)
}

type keysRotate struct {
	oneKey
	DropOlder bool   `xor:"drop" help:"Drop the older secret, which ends the rotation."`
	Drop      string `xor:"drop" placeholder:"ID" help:"Drop the secret of this id (see show) instead: the newer, say, if it was never delivered."`
}

func (keysRotate) Help() string {
	return `Gives the key a second secret, which is shown now and never again. Both work until --drop-older drops the older one.

Examples:

    touchline keys rotate tk_…
    touchline keys rotate --drop-older tk_…
`
}

func (r *keysRotate) Run(ctx context.Context, c *terminal.Terminal, parent *Command) error {
	if r.DropOlder || r.Drop != "" {
		return r.run(ctx, c, parent, func(registry *keys.Registry) (keys.Key, error) {
			k, err := registry.Retire(ctx, r.ID, r.Drop)
			if err == nil {
				c.Sayf("dropped; it stops working within 60 seconds")
			}
			return k, err
		})
	}
	d, registry, err := parent.openSealing(ctx, c)
	if err != nil {
		return err
	}
	defer d.Close()
	issued, err := registry.Rotate(ctx, r.ID)
	if err != nil {
		return r.fault(d, err)
	}
	c.Sayf("the new secret is accepted everywhere %.0f seconds from now, at %s; the older one works until you run: %s",
		keys.CredentialTTL.Seconds(), c.Now().Add(keys.CredentialTTL).Local().Format(time.TimeOnly), d.Hint("keys rotate --drop-older "+r.ID))
	return printIssued(c, issued, r.JSON)
}

type keysRevoke struct{ oneKey }

func (keysRevoke) Help() string { return "Example:\n\n    touchline keys revoke tk_…\n" }

func (r *keysRevoke) Run(ctx context.Context, c *terminal.Terminal, parent *Command) error {
	return r.run(ctx, c, parent, func(registry *keys.Registry) (keys.Key, error) {
		k, err := registry.Revoke(ctx, r.ID)
		if err == nil {
			c.Sayf("revoked; it stops working within 60 seconds")
		}
		return k, err
	})
}

// fault says what to do about a failed change.
func (o oneKey) fault(d *database.Database, err error) error {
	switch {
	case errors.Is(err, keys.ErrUnknown):
		return fmt.Errorf("no key %q in table %s at %s: `%s` shows all", o.ID, d.Tables.Keys, d.Where, d.Hint("keys list"))
	case errors.Is(err, keys.ErrDamaged):
		return fmt.Errorf("the record of key %s cannot be read, so that requests with it get 503: end it with `%s`, and make another", o.ID, d.Hint("keys revoke "+o.ID))
	case errors.Is(err, keys.ErrRotating):
		return fmt.Errorf("key %s has two secrets already: run `%s` first", o.ID, d.Hint("keys rotate --drop-older "+o.ID))
	case errors.Is(err, keys.ErrNotRotating):
		return fmt.Errorf("key %s has one secret only, which stays: to end the key run `%s`", o.ID, d.Hint("keys revoke "+o.ID))
	case errors.Is(err, keys.ErrUnknownSecret):
		return fmt.Errorf("key %s has no such secret: `%s` names its secrets", o.ID, d.Hint("keys show "+o.ID))
	case errors.Is(err, keys.ErrRevoked):
		return fmt.Errorf("key %s is revoked: make a new one with `%s`", o.ID, d.Hint("keys create"))
	}
	return d.Explain(err)
}
