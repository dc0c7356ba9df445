package service

import (
	"context"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/aws/aws-lambda-go/lambda"

	"touchline/shared/stack"
)

// Start is the main function of a Lambda function that serves the operations. If
// the environment is faulty it logs that and exits with 1.
func Start(operations Operations) {
	if megabytes := stack.Memory(os.Getenv); megabytes > 0 {
		runtime.GOMAXPROCS(min(processors(megabytes), runtime.NumCPU()))
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

// processorMemory is the memory in MB for which Lambda gives a function the time
// of one processor. For less it gives so much less of the time, but still shows
// two processors.
const processorMemory = 1769

// processors is how many processors a function of so many MB should run on, at
// least one. A request waits for its stores most of the time: a second processor
// would look for work meanwhile, which takes a third of a request's time.
func processors(megabytes int) int {
	return (megabytes + processorMemory - 1) / processorMemory
}
