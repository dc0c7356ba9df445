package serve

import (
	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/logs"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/endpoints/groups"
	"touchline/shared/gateway"
	"touchline/shared/keys"
	"touchline/shared/service"
	"touchline/shared/stack"
	"touchline/shared/store/direct"
)

// Handler is the API as a single worker: all functions together. failures is how
// many failed authentications an address may have in a minute (D2).
func Handler(c *terminal.Terminal, d *database.Database, opener keys.Opener, photo string, failures int, log logs.RequestLog) *gateway.Handler {
	return service.Service{
		Database:     direct.New(d.Client),
		Tables:       stack.Tables{Sports: d.Tables.Sports, Nonces: d.Tables.Nonces, Quotas: d.Tables.Quotas, Keys: d.Tables.Keys},
		Opener:       opener,
		DefaultPhoto: photo,
		Failures:     service.FailureLimits{Limit: failures},
		Now:          c.Now,
		Log:          log.Logger(),
		Stage:        stack.LocalStage,
		Began:        c.Now(),
		Also:         log.Also,
	}.Handler(groups.Operations)
}
