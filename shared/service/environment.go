package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb" //nolint:depguard // this package is the wiring
	"github.com/aws/aws-sdk-go-v2/service/kms"      //nolint:depguard // this package is the wiring

	"touchline/shared/keys"
	"touchline/shared/store"
)

// The variables of a function's environment.
const (
	VariableSportsTable  = "TOUCHLINE_SPORTS_TABLE"
	VariableNoncesTable  = "TOUCHLINE_NONCES_TABLE"
	VariableQuotasTable  = "TOUCHLINE_QUOTAS_TABLE"
	VariableKeysTable    = "TOUCHLINE_KEYS_TABLE"
	VariableDefaultPhoto = "TOUCHLINE_DEFAULT_PHOTO"
	VariableKMSKey       = "TOUCHLINE_KMS_KEY"
	VariableMasterKey    = keys.MasterKeyVariable
	VariableEndpoint     = "AWS_ENDPOINT_URL_DYNAMODB"
	VariableStage        = "TOUCHLINE_STAGE"
)

// variableFunction is set by Lambda: the function's name.
const variableFunction = "AWS_LAMBDA_FUNCTION_NAME"

// LocalStage is the stage of what was not deployed.
const LocalStage = "local"

// LocalEngine is where the engine of `touchline serve` listens where it is not
// told otherwise, and so where others on the machine look for it.
const LocalEngine = "127.0.0.1:8000"

// LocalTables are the tables of `touchline serve`: those that the environment
// names, else the usual ones.
func LocalTables(getenv func(string) string) Tables {
	return Tables{
		Sports: cmp.Or(getenv(VariableSportsTable), "touchline-sports"), Nonces: cmp.Or(getenv(VariableNoncesTable), "touchline-nonces"),
		Quotas: cmp.Or(getenv(VariableQuotasTable), "touchline-quotas"), Keys: cmp.Or(getenv(VariableKeysTable), "touchline-keys"),
	}
}

// Variable is a variable of a function's environment.
type Variable struct {
	Name     string
	Holds    string // in a few words
	Required bool
	// Deployed: a deployment on AWS sets it. The others are for functions that run
	// on a laptop.
	Deployed bool
}

// Variables lists what a function reads of its environment, beside what Lambda
// sets. Of VariableKMSKey and VariableMasterKey one is required; where both are
// set the former counts.
func Variables() []Variable {
	return []Variable{
		{VariableSportsTable, "table of the data", true, true},
		{VariableNoncesTable, "table of the nonces", true, true},
		{VariableQuotasTable, "table of the quotas", true, true},
		{VariableKeysTable, "table of the keys", true, true},
		{VariableDefaultPhoto, "URL of the picture of players who have none", true, true},
		{VariableKMSKey, "AWS KMS key (id, ARN or alias) that opens the secrets of keys", false, true},
		{VariableMasterKey, "base64 of 32 bytes that open the secrets of keys where there is no KMS key", false, false},
		{VariableEndpoint, "address of another DynamoDB than that of AWS", false, false},
		{VariableStage, "name of the stage, " + LocalStage + " where it is not set", false, true},
	}
}

// FromEnvironment configures the worker of a function, whose environment getenv
// reads. The error names all that is missing or wrong. ctx is for the
// configuration, not for the requests.
func FromEnvironment(ctx context.Context, getenv func(string) string, log *slog.Logger) (Service, error) {
	began := time.Now()
	faults := missing(getenv)
	if err := checkURL(VariableDefaultPhoto, getenv); err != nil {
		faults = append(faults, err)
	}
	if err := checkURL(VariableEndpoint, getenv); err != nil {
		faults = append(faults, err)
	}
	client, err := store.NewClient(ctx, store.Settings{Endpoint: getenv(VariableEndpoint), Getenv: getenv})
	if err != nil {
		faults = append(faults, err)
	}
	var opener keys.Opener
	if client != nil {
		if opener, err = openerOf(getenv, client.Options()); err != nil {
			faults = append(faults, err)
		}
	}
	if len(faults) > 0 {
		return Service{}, errors.Join(faults...)
	}
	return Service{
		Database: client,
		Tables: Tables{
			Sports: getenv(VariableSportsTable), Nonces: getenv(VariableNoncesTable),
			Quotas: getenv(VariableQuotasTable), Keys: getenv(VariableKeysTable),
		},
		Opener:       opener,
		DefaultPhoto: getenv(VariableDefaultPhoto),
		Stage:        cmp.Or(getenv(VariableStage), LocalStage),
		Now:          time.Now,
		Log:          log,
		Function:     getenv(variableFunction),
		Began:        began,
	}, nil
}

// missing finds the variables that have to be set and are not.
func missing(getenv func(string) string) (faults []error) {
	for _, v := range Variables() {
		if v.Required && getenv(v.Name) == "" {
			faults = append(faults, fmt.Errorf("%s is not set: want the %s", v.Name, v.Holds))
		}
	}
	if getenv(VariableKMSKey) == "" && getenv(VariableMasterKey) == "" {
		faults = append(faults, fmt.Errorf("neither %s nor %s is set: nothing could open the secrets of keys", VariableKMSKey, VariableMasterKey))
	}
	return faults
}

// checkURL refuses a variable that is set to something else than a URL of the
// web. A URL may hold a password, so the error does not show it.
func checkURL(name string, getenv func(string) string) error {
	value := getenv(name)
	if value == "" {
		return nil
	}
	if !IsURL(value) {
		return fmt.Errorf("%s is not an http or https URL", name)
	}
	return nil
}

// IsURL reports whether a value is a URL of the web.
func IsURL(value string) bool {
	u, err := url.Parse(value)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

// openerOf is KMS where a key of it is named, else the master key. KMS is
// reached as DynamoDB is: same region, credentials, connections and retries.
func openerOf(getenv func(string) string, as dynamodb.Options) (keys.Opener, error) {
	if key := getenv(VariableKMSKey); key != "" {
		client := kms.New(kms.Options{
			Region: as.Region, Credentials: as.Credentials, HTTPClient: as.HTTPClient, Retryer: as.Retryer,
		})
		return &keys.KMSSealer{Client: client, KeyID: key}, nil
	}
	text := getenv(VariableMasterKey)
	if text == "" {
		return nil, nil // missing has said so
	}
	master, err := keys.ParseMasterKey(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", VariableMasterKey, err)
	}
	return keys.NewLocalSealer(master)
}
