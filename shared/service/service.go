package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"              //nolint:depguard // this package is the wiring
	"github.com/aws/aws-sdk-go-v2/service/dynamodb" //nolint:depguard // this package is the wiring
	"github.com/google/uuid"

	"touchline/shared/accesslog"
	"touchline/shared/endpoints"
	"touchline/shared/endpoints/wire"
	"touchline/shared/gateway"
	"touchline/shared/keys"
	"touchline/shared/limits"
	counters "touchline/shared/limits/dynamo"
	"touchline/shared/pipeline"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/direct"
	"touchline/shared/store/dynamo"
	"touchline/shared/store/reader"
)

// Start is the main function of a Lambda function that serves the operations. If
// the environment is faulty it logs that and exits with 1.
func Start(operations Operations) {
	if megabytes := stack.Memory(os.Getenv); megabytes > 0 {
		debug.SetMemoryLimit(stack.MemoryLimit(megabytes))
	}
	worker, err := FromEnvironment(context.Background(), os.Getenv)
	if err != nil {
		slog.New(slog.NewJSONHandler(os.Stdout, nil)).Error("the function is not configured", slog.String("cause", err.Error()))
		os.Exit(1)
	}
	lambda.Start(gateway.New(worker.Handler(operations)).Handle)
}

// Client is the part of the DynamoDB client that the stores use.
type Client interface {
	dynamo.Client
	keys.DynamoDBClient
	counters.NoncesClient
}

// Service is the parts of a worker. All fields are required unless they say
// otherwise.
type Service struct {
	Sports       *store.Table
	Keys         keys.Store
	Nonces       limits.NonceStore
	Quotas       limits.QuotaStore
	Opener       keys.Opener // of the secrets in Keys
	DefaultPhoto string      // URL of the picture for players without one
	FailureLimit int         // failed authentications of a caller in a minute (D2); 0: 20
	Rate         int         // requests of a key in a minute; 0: 60, which is the contract's
	Stage        string      // of the deployment, such as dev; stack.LocalStage on a laptop
	Now          func() time.Time
	Log          io.Writer // takes a line for each request (package accesslog); nil: nobody does
	Function     string    // name on Lambda, for the metrics in the log; empty: no metrics
	Began        time.Time // when the worker started
	// RefusesPages means that requests of web pages get 403, as on a loopback address (D2).
	RefusesPages bool
	Items        *store.Cached         // what is read of Sports; nil: a cache of its own
	Also         func(*accesslog.Line) // called for each request after it was logged; may be nil
}

// OnDynamoDB is a service with its four stores on DynamoDB, and nothing else.
func OnDynamoDB(client Client, tables stack.Tables) Service {
	return Service{
		Sports: &store.Table{DB: dynamo.DB{Client: client}, Name: tables.Sports},
		Keys:   &keys.DynamoDB{Client: client, Table: tables.Keys},
		Nonces: &counters.Nonces{Client: client, Table: tables.Nonces},
		Quotas: &counters.Quotas{Client: client, Table: tables.Quotas},
	}
}

// Operations makes the operations of a worker: those of one group (such as
// teams.Operations), or of all.
type Operations func(endpoints.Deps) []route.Operation

// Handler makes a worker that serves the operations, with caches and rate
// windows of its own. Other paths are unknown to it.
func (s Service) Handler(operations Operations) http.Handler {
	if s.Items == nil {
		s.Items = &store.Cached{Source: s.Sports, Now: s.Now}
	}
	sports := &reader.Reader{Items: s.Items}
	return &pipeline.Pipeline{
		Routes: route.NewTable(operations(endpoints.Deps{
			Sports: sports, Players: wire.Players{DefaultPhoto: s.DefaultPhoto},
		})...),
		Credentials:   &keys.Cache{Records: s.Keys, Opener: s.Opener, Now: s.Now},
		Organizations: sports,
		Data:          sports,
		Nonces:        s.Nonces,
		Quotas:        s.Quotas,
		Spent:         limits.Windows[sport.ID]{Limit: 1, Length: limits.WindowLength},
		Failures:      limits.NewFailures(cmp.Or(s.FailureLimit, limits.FailureLimit), limits.WindowLength),
		Rates:         &limits.Windows[string]{Limit: cmp.Or(s.Rate, limits.RateLimit), Length: limits.WindowLength},
		RefusesPages:  s.RefusesPages,
		Now:           s.Now,
		NewRequestID:  uuid.NewString,
		Log: &accesslog.Log{
			Lines: s.Log, Function: s.Function, Stage: s.Stage, Metrics: s.Function != "",
			Start: s.Now().Sub(s.Began), Also: s.Also,
		},
		IDs: gateway.IDs,
	}
}

// FromEnvironment configures the worker of a function from the environment that
// getenv reads. Its error names everything that is missing or wrong. ctx is used
// for the configuration, not for requests.
func FromEnvironment(ctx context.Context, getenv func(string) string) (Service, error) {
	began := time.Now()
	client, noClient := dynamo.NewClient(ctx, dynamo.Settings{Endpoint: getenv(stack.VariableDynamoDBEndpoint), Getenv: getenv})
	failures, noLimits := number(getenv, stack.VariableFailureLimit, 100_000)
	var opener keys.Opener
	var noOpener error
	if client != nil {
		opener, noOpener = openerOf(getenv, client.Options())
	}
	if err := errors.Join(
		missing(getenv), checkURL(stack.VariableDefaultPhoto, getenv), checkURL(stack.VariableDynamoDBEndpoint, getenv),
		noClient, noLimits, noOpener,
	); err != nil {
		return Service{}, err
	}
	s := OnDynamoDB(direct.New(client), stack.Tables{
		Sports: getenv(stack.VariableSportsTable), Nonces: getenv(stack.VariableNoncesTable),
		Quotas: getenv(stack.VariableQuotasTable), Keys: getenv(stack.VariableKeysTable),
	})
	s.Opener, s.DefaultPhoto, s.FailureLimit = opener, getenv(stack.VariableDefaultPhoto), failures
	s.Stage = cmp.Or(getenv(stack.VariableStage), stack.LocalStage)
	s.Now, s.Log, s.Function, s.Began = time.Now, os.Stdout, getenv(stack.VariableFunction), began
	return s, nil
}

// number reads a variable from 1 to most; 0 if it is not set.
func number(getenv func(string) string, name string, most int) (int, error) {
	text := getenv(name)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, fmt.Errorf("%s is not a whole number from 1 to %d", name, most)
	}
	return n, nil
}

// missing names each variable that has to be set and is not.
func missing(getenv func(string) string) error {
	var faults []error
	for _, v := range stack.RequestVariables() {
		if v.Required && getenv(v.Name) == "" {
			faults = append(faults, fmt.Errorf("%s is not set: want the %s", v.Name, v.Holds))
		}
	}
	if getenv(stack.VariableKMSKey) == "" && getenv(stack.VariableMasterKey) == "" {
		faults = append(faults, fmt.Errorf("neither %s nor %s is set: nothing could open the secrets of keys", stack.VariableKMSKey, stack.VariableMasterKey))
	}
	return errors.Join(faults...)
}

// checkURL refuses a variable that is set to anything but an http or https URL.
// A URL may contain a password, so the error does not show it.
func checkURL(name string, getenv func(string) string) error {
	if value := getenv(name); value != "" && !IsURL(value) {
		return fmt.Errorf("%s is not an http or https URL", name)
	}
	return nil
}

// IsURL reports whether a value is an http or https URL.
func IsURL(value string) bool {
	u, err := url.Parse(value)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

// openerOf is KMS if a KMS key is named, else the master key. KMS is called with
// the settings of DynamoDB: region, credentials, connections and retries.
func openerOf(getenv func(string) string, as dynamodb.Options) (keys.Opener, error) {
	if key := getenv(stack.VariableKMSKey); key != "" {
		config := aws.Config{
			Region: as.Region, Credentials: as.Credentials, HTTPClient: as.HTTPClient, Retryer: func() aws.Retryer { return as.Retryer },
		}
		return &keys.KMSOpener{Client: keys.NewKMS(config, ""), KeyID: key}, nil
	}
	text := getenv(stack.VariableMasterKey)
	if text == "" {
		return nil, nil // reported by missing
	}
	sealer, err := keys.NewLocalSealer(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", stack.VariableMasterKey, err)
	}
	return sealer, nil
}
