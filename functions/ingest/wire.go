package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"touchline/shared/ingest"
	"touchline/shared/meter"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/direct"
	"touchline/shared/store/dynamo"
	"touchline/shared/store/records"
)

// patience is how long an invocation waits for another load: most of the 15 minutes that
// Lambda allows, since a message that goes back comes again after 16.
const patience = 13 * time.Minute

// fromEnvironment configures the function from the environment that getenv
// reads.
func fromEnvironment(ctx context.Context, getenv func(string) string, log *slog.Logger) (*ingest.Worker, error) {
	var faults []error
	for _, v := range stack.IngestVariables() {
		if v.Required && getenv(v.Name) == "" {
			faults = append(faults, fmt.Errorf("%s is not set: want the %s", v.Name, v.Holds))
		}
	}
	keep := 0 // as it was
	if value := getenv(stack.VariableKeepLoads); value != "" {
		var err error
		if keep, err = strconv.Atoi(value); err != nil || keep < 1 {
			faults = append(faults, fmt.Errorf("%s is %q: want a number of days", stack.VariableKeepLoads, value))
		}
	}
	client, err := dynamo.NewClient(ctx, dynamo.Settings{Endpoint: getenv(stack.VariableDynamoDBEndpoint), Getenv: getenv})
	if faults = append(faults, err); errors.Join(faults...) != nil {
		return nil, errors.Join(faults...)
	}
	// S3 is called with the settings of DynamoDB, except for its
	// timeouts: reading an object takes as long as the object is large.
	as := client.Options()
	config := aws.Config{Region: as.Region, Credentials: as.Credentials, Retryer: func() aws.Retryer { return as.Retryer }}
	db := dynamo.DB{Client: direct.New(client)}
	name, used := getenv(stack.VariableSportsTable), &meter.Meter{}
	return &ingest.Worker{
		Objects: ingest.NewS3(config, getenv(stack.VariableS3Endpoint)),
		Table:   &store.Table{DB: db, Name: name, Meter: used, Parallel: parallel},
		NewLease: func() *store.Lease {
			return &store.Lease{DB: db, Table: name, Key: records.LockKey(), Holder: rand.Text(), Label: "the ingest function", Now: time.Now, Meter: used}
		},
		Patience: patience,
		KeepDays: keep,
		Stage:    cmp.Or(getenv(stack.VariableStage), stack.LocalStage),
		Now:      time.Now,
		Log:      log,
	}, nil
}

// limitMemory makes the garbage collector work harder as the heap approaches the
// function's memory, beyond which the process is killed: without it, the garbage
// between two collections would be as large as what the load needs. Some memory
// is left for what is not in the heap.
func limitMemory(getenv func(string) string) {
	if megabytes := stack.Memory(getenv); megabytes > 0 {
		debug.SetMemoryLimit(stack.MemoryLimit(megabytes))
	}
}

// parallel is the number of concurrent calls to DynamoDB. One with 25 items
// takes some 10 ms, so sixteen write up to 40,000 items a second, more than a
// table takes that was not warmed up.
const parallel = 16
