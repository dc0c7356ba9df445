package main

import (
	"log/slog"
	"net/netip"

	"github.com/google/uuid"

	"touchline/shared/endpoints"
	"touchline/shared/gateway"
	"touchline/shared/keys"
	"touchline/shared/limits"
	"touchline/shared/limits/dynamo"
	"touchline/shared/pipeline"
	"touchline/shared/store"
	"touchline/shared/store/sports"
)

// service is the API as one worker: what the functions are together.
func (d *database) service(c *console, opener keys.Opener, photo string) *gateway.Handler {
	reader := &sports.Reader{Items: &store.Cached{Source: d.sports(), Now: c.Now}, Now: c.Now}
	return gateway.New(&pipeline.Pipeline{
		Routes:        endpoints.Table(endpoints.Deps{Sports: reader, DefaultPhoto: photo}),
		Credentials:   &keys.Cache{Records: &keys.DynamoDB{Client: d.client, Table: d.tables.Keys}, Opener: opener, Now: c.Now},
		Organizations: reader,
		Nonces:        &dynamo.Nonces{Client: d.client, Table: d.tables.Nonces},
		Quotas:        &dynamo.Quotas{Client: d.client, Table: d.tables.Quotas},
		Failures: &limits.Failures{Windows: &limits.Windows[netip.Prefix]{
			Limit: limits.FailureLimit, Length: limits.WindowLength,
		}},
		Rates:        &limits.Windows[string]{Limit: limits.RateLimit, Length: limits.WindowLength},
		Now:          c.Now,
		NewRequestID: uuid.NewString,
		Log:          slog.New(slog.NewTextHandler(c.Err, nil)),
	})
}
