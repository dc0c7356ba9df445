package serve

import (
	"net/http"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/logs"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/endpoints/groups"
	"touchline/shared/keys"
	"touchline/shared/service"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/direct"
)

// Limits are what may be had in a minute; 0 is the default of the contract.
type Limits struct {
	Failures int // failed authentications of an address (D2)
	Rate     int // requests of a key
}

// Handler is the API as a single worker: all functions together. cached is what it
// reads of the data.
func Handler(c *terminal.Terminal, d *database.Database, opener keys.Opener, photo string, limits Limits, log logs.RequestLog, cached *store.Cached) http.Handler {
	return service.Service{
		Database:     direct.New(d.Client),
		Tables:       stack.Tables{Sports: d.Tables.Sports, Nonces: d.Tables.Nonces, Quotas: d.Tables.Quotas, Keys: d.Tables.Keys},
		Opener:       opener,
		DefaultPhoto: photo,
		Failures:     service.FailureLimits{Limit: limits.Failures},
		Rate:         limits.Rate,
		Now:          c.Now,
		Log:          log.Logger(),
		Stage:        stack.LocalStage,
		Began:        c.Now(),
		Items:        cached,
		Also:         log.Also,
	}.Handler(groups.Operations)
}

// CacheOf is a cache of the data, for Handler.
func CacheOf(c *terminal.Terminal, d *database.Database) *store.Cached {
	return &store.Cached{Source: &store.Table{DB: direct.New(d.Client), Name: d.Tables.Sports}, Now: c.Now}
}
