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

// NamesOf are the names of those organizations that are in the data.
func NamesOf(ctx context.Context, sports *store.Table, ids []sport.ID) (map[sport.ID]string, error) {
	wanted := make([]store.Key, len(ids))
	for i, id := range ids {
		wanted[i] = records.OrganizationKey(id)
	}
	items, err := sports.BatchGet(ctx, wanted, false)
	names := make(map[sport.ID]string, len(items))
	for _, item := range items {
		o, err := store.Decode[records.OrganizationRecord](item)
		if err != nil {
			return nil, err
		}
		names[o.ID] = o.Name
	}
	return names, err
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
