package service

import (
	"context"
	"log/slog"
	"os"
	"runtime/debug"

	"github.com/aws/aws-lambda-go/lambda"

	"touchline/shared/stack"
)

// Start is the main function of a Lambda function that serves the operations. If
// the environment is faulty it logs that and exits with 1.
func Start(operations Operations) {
	if megabytes := stack.Memory(os.Getenv); megabytes > 0 {
		debug.SetMemoryLimit(stack.MemoryLimit(megabytes))
	}
	log := slog.New(slog.NewJSONHandler(os.Stdout, nil))
	worker, err := FromEnvironment(context.Background(), os.Getenv, log)
	if err != nil {
		log.Error("the function is not configured", slog.String("cause", err.Error()))
		os.Exit(1)
	}
	lambda.Start(worker.Handler(operations).Handle)
}
