package dynamo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"touchline/shared/store"
)

// Settings say where DynamoDB is.
type Settings struct {
	// Endpoint is the address of a local engine, such as
	// http://127.0.0.1:8000; empty is AWS.
	Endpoint string
	// Region is the AWS region; empty is AWS_REGION, then AWS_DEFAULT_REGION,
	// then for a local engine us-east-1, which the engine ignores.
	Region string
	// Getenv reads the environment; nil reads none. Functions and commands set
	// os.Getenv.
	Getenv func(string) string
	// Load finds the SDK's standard configuration (profiles, sign-on, instance
	// roles) where the environment holds no credentials. Functions always have them in
	// their environment, and leave it nil: with the code that looks for profiles and
	// roles they would take twice as long to start.
	Load func(context.Context) (aws.Config, error)
}

// ErrNoCredentials is the error where neither the environment nor Load gives
// credentials for AWS.
var ErrNoCredentials = errors.New("no AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")

// The bounds of one call. DynamoDB responds in some ten milliseconds, so a call
// without a response after seconds is better repeated, soon: a person waits.
// Four attempts stay within the timeout of a gateway.
const (
	dialTimeout    = 2 * time.Second
	attemptTimeout = 5 * time.Second
	// localTimeout is that of an engine on this machine: it is never far away,
	// only busy, and repeating a call makes it busier.
	localTimeout   = 30 * time.Second
	maxAttempts    = 4
	maxConnections = 64
)

// NewClient is a DynamoDB client. It does not call DynamoDB: see Ping.
func NewClient(ctx context.Context, s Settings) (*dynamodb.Client, error) {
	config, err := s.config(ctx)
	if err != nil {
		return nil, err
	}
	return dynamodb.NewFromConfig(config, func(o *dynamodb.Options) {
		if s.Endpoint != "" {
			o.BaseEndpoint = aws.String(s.Endpoint)
		}
	}), nil
}

func (s Settings) config(ctx context.Context) (aws.Config, error) {
	getenv := s.Getenv
	if getenv == nil {
		getenv = func(string) string { return "" }
	}
	region := cmp.Or(s.Region, getenv("AWS_REGION"), getenv("AWS_DEFAULT_REGION"))
	id, secret := getenv("AWS_ACCESS_KEY_ID"), getenv("AWS_SECRET_ACCESS_KEY")
	switch {
	case s.Endpoint != "":
		// Any credentials do, but one engine wants letters and digits only.
		region = cmp.Or(region, "us-east-1")
		id, secret = cmp.Or(id, "touchline"), cmp.Or(secret, "touchline")
	case id != "" && secret != "" && region != "":
	case s.Load == nil && (id == "" || secret == ""):
		return aws.Config{}, ErrNoCredentials
	case s.Load == nil:
		return aws.Config{}, errors.New("no AWS region: set AWS_REGION")
	default:
		config, err := s.Load(ctx)
		if err != nil {
			return aws.Config{}, fmt.Errorf("AWS configuration: %w", err)
		}
		config.Region = cmp.Or(s.Region, config.Region)
		if config.Retryer == nil {
			config.Retryer = retryer
		}
		if config.Region == "" {
			return aws.Config{}, errors.New("no AWS region: set AWS_REGION, or region in the profile")
		}
		return config, nil
	}
	return aws.Config{
		Region:      region,
		Credentials: aws.NewCredentialsCache(credentials.NewStaticCredentialsProvider(id, secret, getenv("AWS_SESSION_TOKEN"))),
		HTTPClient:  httpClient(s.Endpoint != ""),
		Retryer:     retryer,
	}, nil
}

// repeatable is what the SDK repeats, and also a call whose response broke off or
// cannot be read. That is a failure of the connection, but the SDK treats it as final.
var repeatable = append(slices.Clone(retry.DefaultRetryables), retry.IsErrorRetryableFunc(func(err error) aws.Ternary {
	var unreadable *smithy.DeserializationError
	if errors.As(err, &unreadable) {
		return aws.TrueTernary
	}
	return aws.UnknownTernary
}))

// retryer repeats the calls that no Table makes.
func retryer() aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts = maxAttempts
		o.Backoff = retry.BackoffDelayerFunc(func(attempt int, _ error) (time.Duration, error) {
			return store.PauseAfter(attempt - 1), nil
		})
		o.Retryables = repeatable
	})
}

func httpClient(local bool) *http.Client {
	timeout := attemptTimeout
	if local {
		timeout = localTimeout
	}
	transport := &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout:   dialTimeout,
		ResponseHeaderTimeout: timeout,
		IdleConnTimeout:       90 * time.Second,
		MaxIdleConns:          maxConnections,
		MaxIdleConnsPerHost:   maxConnections,
		ForceAttemptHTTP2:     !local,
	}
	return &http.Client{Timeout: timeout, Transport: transport, CheckRedirect: stay}
}

// stay hands a redirection on as it is. DynamoDB sends none, and a signature
// holds for one host.
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// pingTimeout is how long a person at a terminal waits for the error.
const pingTimeout = 3 * time.Second

// Ping checks once, for at most three seconds, whether DynamoDB responds;
// endpoint is the one of the Settings. Where a local engine does not respond,
// the caller adds to the error what to do about it.
func Ping(ctx context.Context, db *dynamodb.Client, endpoint string) error {
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	_, err := db.ListTables(ctx, &dynamodb.ListTablesInput{Limit: aws.Int32(1)}, func(o *dynamodb.Options) {
		o.Retryer = aws.NopRetryer{}
	})
	var refusal smithy.APIError
	switch {
	case err == nil, errors.As(err, &refusal) && refusal.ErrorCode() == "AccessDeniedException":
		return nil // whoever may not list tables has reached it, too
	case endpoint == "":
		return fmt.Errorf("DynamoDB on AWS does not answer; check the region and the credentials: %w", err)
	}
	return fmt.Errorf("no DynamoDB at %s: %w", endpoint, err)
}

// BackupDays is how far back tables of a deployment can be restored: as far as DynamoDB
// lets them.
const BackupDays = 35

// Table defines a table of items, such as that of all sports data: a partition and a sort
// key, both strings, paid by the request. On AWS the stack creates it, with
// point-in-time recovery and deletion protection.
func Table(name string) *dynamodb.CreateTableInput {
	attribute := func(name string) types.AttributeDefinition {
		return types.AttributeDefinition{AttributeName: aws.String(name), AttributeType: types.ScalarAttributeTypeS}
	}
	key := func(name string, kind types.KeyType) types.KeySchemaElement {
		return types.KeySchemaElement{AttributeName: aws.String(name), KeyType: kind}
	}
	return &dynamodb.CreateTableInput{
		TableName:            aws.String(name),
		BillingMode:          types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{attribute(store.PKName), attribute(store.SKName)},
		KeySchema:            []types.KeySchemaElement{key(store.PKName, types.KeyTypeHash), key(store.SKName, types.KeyTypeRange)},
	}
}
