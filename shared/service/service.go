package service

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"touchline/shared/accesslog"
	"touchline/shared/endpoints"
	"touchline/shared/endpoints/wire"
	"touchline/shared/gateway"
	"touchline/shared/keys"
	"touchline/shared/limits"
	"touchline/shared/limits/dynamo"
	"touchline/shared/pipeline"
	"touchline/shared/route"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/reader"
)

// Database is what the stores ask of DynamoDB; its client is one.
type Database interface {
	store.DB
	keys.DynamoDBClient
	dynamo.NoncesClient
	dynamo.QuotasClient
}

// FailureLimits are the two numbers of D2: so many failed authentications in a
// window of that length.
type FailureLimits struct {
	Limit  int
	Window time.Duration
}

// Service is what a worker is made of. All fields are needed, but for those that
// say otherwise.
type Service struct {
	Database     Database
	Tables       stack.Tables
	Opener       keys.Opener // of the secrets in the table Keys
	DefaultPhoto string      // URL of the picture of players who have none
	// Failures bounds failed authentications by caller (D2); the zero value is 20 in
	// 60 s.
	Failures FailureLimits
	Stage    string // of the deployment, such as dev; stack.LocalStage on a laptop
	Now      func() time.Time
	Log      *slog.Logger           // of the requests, a line each: package accesslog
	Function string                 // of Lambda, whose log has the metrics; empty: none
	Began    time.Time              // when the start of the worker did
	Also     func(*accesslog.Entry) // is given each request that was logged; may be nil
}

// Operations makes the operations of a worker: those of a group (such as
// teams.Operations), or of all.
type Operations func(endpoints.Deps) []route.Operation

// Handler makes a worker, with caches and windows of its own, that serves the
// operations. Every other path is unknown to it.
func (s Service) Handler(operations Operations) *gateway.Handler {
	sports := &reader.Reader{
		Items: &store.Cached{Source: &store.Table{DB: s.Database, Name: s.Tables.Sports}, Now: s.Now},
		Now:   s.Now,
	}
	return gateway.New(&pipeline.Pipeline{
		Routes: route.NewTable(operations(endpoints.Deps{
			Sports: sports, Players: wire.Players{DefaultPhoto: s.DefaultPhoto},
		})...),
		Credentials: &keys.Cache{
			Records: &keys.DynamoDB{Client: s.Database, Table: s.Tables.Keys}, Opener: s.Opener, Now: s.Now,
		},
		Organizations: sports,
		Nonces:        &dynamo.Nonces{Client: s.Database, Table: s.Tables.Nonces},
		Quotas:        &dynamo.Quotas{Client: s.Database, Table: s.Tables.Quotas},
		Known:         limits.NewKnown(),
		Failures:      limits.NewFailures(cmp.Or(s.Failures.Limit, limits.FailureLimit), cmp.Or(s.Failures.Window, limits.WindowLength)),
		Rates:         &limits.Windows[string]{Limit: limits.RateLimit, Length: limits.WindowLength},
		Now:           s.Now,
		NewRequestID:  uuid.NewString,
		Log: &accesslog.Log{
			Logger: s.Log, Function: s.Function, Stage: s.Stage, Metrics: s.Function != "",
			Start: s.Now().Sub(s.Began), Also: s.Also,
		},
	})
}
