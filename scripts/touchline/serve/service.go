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
)

// Limits are what may be had in a minute; 0 is the default of the contract.
type Limits struct {
	Failures int // failed authentications of an address (D2)
	Rate     int // requests of a key
}

// Handler is the API as a single worker: all functions together. cached is what it
// reads of the data.
func Handler(c *terminal.Terminal, d *database.Database, opener keys.Opener, photo string, limits Limits, log logs.RequestLog, cached *store.Cached) http.Handler {
	s := d.Service()
	s.Opener, s.DefaultPhoto, s.Items = opener, photo, cached
	s.Failures, s.Rate = service.FailureLimits{Limit: limits.Failures}, limits.Rate
	s.Now, s.Began, s.Stage = c.Now, c.Now(), stack.LocalStage
	s.Log, s.Also = log.Lines, log.Also
	return s.Handler(groups.Operations)
}

// CacheOf is a cache of the data, for Handler.
func CacheOf(c *terminal.Terminal, d *database.Database) *store.Cached {
	return &store.Cached{Source: d.Sports(), Now: c.Now}
}
