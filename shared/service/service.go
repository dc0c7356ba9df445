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

// Database is the part of the DynamoDB client that the stores use.
type Database interface {
	store.DB
	keys.DynamoDBClient
	dynamo.NoncesClient
	dynamo.QuotasClient
}

// FailureLimits are the two numbers of D2: how many failed authentications are
// allowed in a window, and its length.
type FailureLimits struct {
	Limit  int
	Window time.Duration
}

// Service is the parts of a worker. All fields are required unless they say
// otherwise.
type Service struct {
	Database     Database
	Tables       stack.Tables
	Opener       keys.Opener // of the secrets in the table Keys
	DefaultPhoto string      // URL of the picture for players without one
	// Failures limits failed authentications by caller (D2); the zero value
	// means 20 in 60 s.
	Failures FailureLimits
	Stage    string // of the deployment, such as dev; stack.LocalStage on a laptop
	Now      func() time.Time
	Log      *slog.Logger           // a line for each request: package accesslog
	Function string                 // name on Lambda, for the metrics in the log; empty: no metrics
	Began    time.Time              // when the worker started
	Items    *store.Cached          // what is read of the Sports table; nil: a cache of its own
	Also     func(*accesslog.Entry) // called for each request after it was logged; may be nil
}

// Operations makes the operations of a worker: those of one group (such as
// teams.Operations), or of all.
type Operations func(endpoints.Deps) []route.Operation

// Handler makes a worker that serves the operations, with caches and rate
// windows of its own. Other paths are unknown to it.
func (s Service) Handler(operations Operations) *gateway.Handler {
	if s.Items == nil {
		s.Items = &store.Cached{Source: &store.Table{DB: s.Database, Name: s.Tables.Sports}, Now: s.Now}
	}
	sports := &reader.Reader{Items: s.Items, Now: s.Now}
	return gateway.New(&pipeline.Pipeline{
		Routes: route.NewTable(operations(endpoints.Deps{
			Sports: sports, Players: wire.Players{DefaultPhoto: s.DefaultPhoto},
		})...),
		Credentials: &keys.Cache{
			Records: &keys.DynamoDB{Client: s.Database, Table: s.Tables.Keys}, Opener: s.Opener, Now: s.Now,
		},
		Organizations: sports,
		Data:          sports,
		Nonces:        &dynamo.Nonces{Client: s.Database, Table: s.Tables.Nonces},
		Quotas:        &dynamo.Quotas{Client: s.Database, Table: s.Tables.Quotas},
		Refusals:      limits.NewRefusals(),
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
