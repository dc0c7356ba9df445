// Command ingest is two Lambda functions: one loads the datasets that are dropped into
// the bucket, the other does the steps of the loads that Step Functions conducts.
// Package ingest describes a drop; stack.IngestVariables and stack.BulkVariables list
// the environment variables of the two functions.
package main

import (
	"context"
	"log/slog"
	"os"

	"github.com/aws/aws-lambda-go/lambda"
)

func main() {
	log := slog.New(slog.NewJSONHandler(os.Stdout, nil))
	function, err := fromEnvironment(context.Background(), os.Getenv, log)
	if err == nil {
		err = os.RemoveAll(scratch())
	}
	if err != nil {
		log.Error("the function is not configured", slog.String("cause", err.Error()))
		os.Exit(1)
	}
	limitMemory(os.Getenv)
	lambda.Start(function.Handle)
}
