package database

import (
	"context"
	"fmt"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/dataset"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// Has reports whether an organization is in the data.
func (d *Database) Has(ctx context.Context, id sport.ID) (bool, error) {
	item, err := d.Sports().Get(ctx, records.OrganizationKey(id), true)
	return item != nil, err
}

// NameOf is the name of an organization; empty if it is not in the data, or the
// caller may not read the data.
func (d *Database) NameOf(ctx context.Context, id sport.ID) (string, error) {
	item, err := d.Sports().Get(ctx, records.OrganizationKey(id), false)
	if err != nil || item == nil {
		return "", err
	}
	r, err := store.Decode[records.OrganizationRecord](item)
	if err != nil {
		return "", err
	}
	return r.Name, nil
}

// Known checks that an organization is in the data. If the caller may not read
// the data, it says so and assumes that it is.
func (d *Database) Known(ctx context.Context, c *terminal.Terminal, given string) error {
	id := dataset.ID(sport.KindOrganization, given)
	there, err := d.Has(ctx, id)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		c.Sayf("note: could not check that organization %s exists: %v", given, err)
	case !there:
		return fmt.Errorf("no organization %q (id %s) in table %s at %s: import it first, check the spelling, or add --unchecked", given, id, d.Tables.Sports, d.Where)
	}
	return nil
}
