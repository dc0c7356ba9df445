package service

import (
	"context"
	"log/slog"
	"os"

	"github.com/aws/aws-lambda-go/lambda"
)

// Start is the main function of a Lambda function that serves the operations. If
// the environment is faulty it logs that and exits with 1.
func Start(operations Operations) {
	log := slog.New(slog.NewJSONHandler(os.Stdout, nil))
	worker, err := FromEnvironment(context.Background(), os.Getenv, log)
	if err != nil {
		log.Error("the function is not configured", slog.String("cause", err.Error()))
		os.Exit(1)
	}
	lambda.Start(worker.Handler(operations).Handle)
}
