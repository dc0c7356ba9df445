package main

import (
	"touchline/shared/endpoints/groups"
	"touchline/shared/gateway"
	"touchline/shared/keys"
	"touchline/shared/service"
	"touchline/shared/stack"
)

// service is the API as one worker: what the functions are together.
func (d *database) service(c *console, opener keys.Opener, photo string, log requestLog) *gateway.Handler {
	return service.Service{
		Database:     d.client,
		Tables:       stack.Tables{Sports: d.tables.Sports, Nonces: d.tables.Nonces, Quotas: d.tables.Quotas, Keys: d.tables.Keys},
		Opener:       opener,
		DefaultPhoto: photo,
		Now:          c.Now,
		Log:          log.logger(),
		Stage:        stack.LocalStage,
		Began:        c.Now(),
		Also:         log.also,
	}.Handler(groups.Operations)
}
