package database

import (
	"context"
	"fmt"
	"time"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/dataset"
	"touchline/shared/keys"
	"touchline/shared/limits"
	counters "touchline/shared/limits/dynamo"
	"touchline/shared/service"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/direct"
	"touchline/shared/store/dynamo"
	"touchline/shared/store/records"
)

// Service is a service with its four stores here, and nothing else.
func (d *Database) Service() service.Service {
	if d.File == nil {
		return service.OnDynamoDB(direct.New(d.Client), d.Tables)
	}
	return service.Service{
		Sports: &store.Table{DB: d.File, Name: d.Tables.Sports},
		Keys:   d.File.Keys(), Nonces: d.File.Nonces(), Quotas: d.File.Quotas(),
	}
}

// Sports is the table of the data.
func (d *Database) Sports() *store.Table { return d.Service().Sports }

// Leases are those on the data.
func (d *Database) Leases() store.Leases {
	if d.File != nil {
		return d.File
	}
	return dynamo.DB{Client: direct.New(d.Client)}
}

// Keys are the records of keys.
func (d *Database) Keys() keys.Store {
	if d.File != nil {
		return d.File.Keys()
	}
	return &keys.DynamoDB{Client: d.Client, Table: d.Tables.Keys}
}

// Nonces are the nonces that were used.
func (d *Database) Nonces() limits.NonceStore { return d.Service().Nonces }

// Usage counts the requests of each organization in the UTC month that holds at.
func (d *Database) Usage(ctx context.Context, at time.Time) (map[sport.ID]int, error) {
	if d.File != nil {
		return d.File.Usage(ctx, at)
	}
	return counters.Usage(ctx, d.Client, d.Tables.Quotas, at)
}

// Organization is an organization of the data; nil: no organization has that id.
func (d *Database) Organization(ctx context.Context, id sport.ID) (*records.OrganizationRecord, error) {
	item, err := d.Sports().Get(ctx, records.OrganizationKey(id), true)
	if item == nil || err != nil {
		return nil, err
	}
	return store.Decode[records.OrganizationRecord](item)
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

// Known is an organization, which has to be in the data. If the caller may not read
// the data, it says so and assumes that it is: nil.
func (d *Database) Known(ctx context.Context, c *terminal.Terminal, given string) (*records.OrganizationRecord, error) {
	id := dataset.ID(sport.KindOrganization, given)
	o, err := d.Organization(ctx, id)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		c.Sayf("note: could not check that organization %s exists: %v", given, err)
	case o == nil:
		return nil, fmt.Errorf("no organization %q (id %s) in table %s at %s: import it first, check the spelling, or add --unchecked", given, id, d.Tables.Sports, d.Where)
	}
	return o, nil
}
