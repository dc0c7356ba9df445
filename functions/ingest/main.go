// Command ingest is the Lambda function that loads the datasets that are dropped into
// the bucket. Package ingest describes a drop; stack.IngestVariables lists the
// environment variables.
package main

import (
	"context"
	"log/slog"
	"os"

	"github.com/aws/aws-lambda-go/lambda"
)

func main() {
	log := slog.New(slog.NewJSONHandler(os.Stdout, nil))
	worker, err := fromEnvironment(context.Background(), os.Getenv, log)
	if err != nil {
		log.Error("the function is not configured", slog.String("cause", err.Error()))
		os.Exit(1)
	}
	limitMemory(os.Getenv)
	lambda.Start(worker.Handle)
}
