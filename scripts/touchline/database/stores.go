package database

import (
	"context"
	"time"

	"touchline/shared/keys"
	"touchline/shared/limits"
	counters "touchline/shared/limits/dynamo"
	"touchline/shared/service"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/direct"
	"touchline/shared/store/dynamo"
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
