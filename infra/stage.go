package main

import (
	"maps"
	"slices"

	"github.com/aws/aws-cdk-go/awscdk/v2"

	"touchline/shared/keys"
	counters "touchline/shared/limits/dynamo"
	"touchline/shared/route"
	"touchline/shared/store/dynamo"
)

// stage is one deployment of Touchline, all of it in one stack:
//
//	caller ── HTTP API ──┬─ ping (/v1/ping, $default) ──┐
//	  (its own domain)   ├─ organizations ──────────────┤
//	                     ├─ tournaments ────────────────┤    ┌─ Keys, secrets opened by KMS
//	                     ├─ matches ────────────────────┼────┼─ Nonces
//	                     ├─ teams ──────────────────────┤    ├─ Quotas
//	                     └─ players ────────────────────┘    └─ Sports
//	                                                                │
//	operator ── touchline import ───────────────────────────────────┘
//
//	logs, metrics ── alarms ── topic ── operator
type stage struct {
	Stack    awscdk.Stack
	settings settings
	code     code

	// What there is, in the order in which it is built.
	protected                    awscdk.CfnCondition // nil: no table is
	sports, nonces, quotas, keys used
	secrets                      used
	stacks                       []string // its own parts, in the order of stack.Exchangeable
	name                         string   // of the release; empty: none
	functions                    map[route.Group]function
	gateway                      gateway
	alarms                       alarms
}

func (s *stage) build() {
	s.protected = s.protection()
	s.sports = s.table(sportsID, dynamo.Table(""), lasting)
	s.keys = s.table("Keys", keys.KeysTable(""), lasting)
	s.quotas = s.table("Quotas", counters.Table(""), expiring)
	s.nonces = s.table(noncesID, counters.Table(""), expiring)
	s.secrets = s.secretsKey()
	s.exchange()

	s.functions = map[route.Group]function{}
	for _, group := range route.Groups() {
		s.functions[group] = s.serving(group)
	}
	s.gateway = s.frontDoor(routes())
	s.release()

	s.check()
	s.alarms = s.watch()
	s.saveQueries()
	s.budget()
	s.outputs()
	if s.settings.Local {
		s.refuseToDeploy()
	}
}

// servers are the functions that serve requests, by name.
func (s *stage) servers() []function {
	var list []function
	for _, group := range slices.Sorted(maps.Keys(s.functions)) {
		list = append(list, s.functions[group])
	}
	return list
}
