package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"              //nolint:depguard // this package is the wiring
	"github.com/aws/aws-sdk-go-v2/service/dynamodb" //nolint:depguard // this package is the wiring

	"touchline/shared/keys"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/direct"
)

// FromEnvironment configures the worker of a function from the environment that
// getenv reads. Its error names everything that is missing or wrong. ctx is used
// for the configuration, not for requests.
func FromEnvironment(ctx context.Context, getenv func(string) string, log *slog.Logger) (Service, error) {
	began := time.Now()
	faults := missing(getenv)
	if err := checkURL(stack.VariableDefaultPhoto, getenv); err != nil {
		faults = append(faults, err)
	}
	if err := checkURL(stack.VariableDynamoDBEndpoint, getenv); err != nil {
		faults = append(faults, err)
	}
	client, err := store.NewClient(ctx, store.Settings{Endpoint: getenv(stack.VariableDynamoDBEndpoint), Getenv: getenv})
	if err != nil {
		faults = append(faults, err)
	}
	failures, err := failureLimits(getenv)
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
		Database: direct.New(client),
		Tables: stack.Tables{
			Sports: getenv(stack.VariableSportsTable), Nonces: getenv(stack.VariableNoncesTable),
			Quotas: getenv(stack.VariableQuotasTable), Keys: getenv(stack.VariableKeysTable),
		},
		Opener:       opener,
		DefaultPhoto: getenv(stack.VariableDefaultPhoto),
		Failures:     failures,
		Stage:        cmp.Or(getenv(stack.VariableStage), stack.LocalStage),
		Now:          time.Now,
		Log:          log,
		Function:     getenv(stack.VariableFunction),
		Began:        began,
	}, nil
}

// failureLimits reads the two numbers of D2.
func failureLimits(getenv func(string) string) (FailureLimits, error) {
	limit, wrongLimit := number(getenv, stack.VariableFailureLimit, 100_000)
	seconds, wrongWindow := number(getenv, stack.VariableFailureWindow, 86_400)
	return FailureLimits{Limit: limit, Window: time.Duration(seconds) * time.Second}, errors.Join(wrongLimit, wrongWindow)
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

// missing returns an error for each variable that has to be set and is not.
func missing(getenv func(string) string) (faults []error) {
	for _, v := range stack.RequestVariables() {
		if v.Required && getenv(v.Name) == "" {
			faults = append(faults, fmt.Errorf("%s is not set: want the %s", v.Name, v.Holds))
		}
	}
	if getenv(stack.VariableKMSKey) == "" && getenv(stack.VariableMasterKey) == "" {
		faults = append(faults, fmt.Errorf("neither %s nor %s is set: nothing could open the secrets of keys", stack.VariableKMSKey, stack.VariableMasterKey))
	}
	return faults
}

// checkURL refuses a variable that is set to anything but an http or https URL.
// A URL may contain a password, so the error does not show it.
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
	master, err := keys.ParseMasterKey(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", stack.VariableMasterKey, err)
	}
	return keys.NewLocalSealer(master)
}
