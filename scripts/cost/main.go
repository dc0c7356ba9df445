// Command cost computes what requests cost on AWS.
//
// Consumption is measured, not guessed: the command loads a synthetic federation
// into a DynamoDB engine and sends a mix of signed requests (mix.go) through the
// code of the functions, with one worker for each function, its caches, and a
// clock that moves between requests. It adds up the read and write units, which
// the engine reports as DynamoDB does, including those for nonces, quotas and
// keys, the bytes of the log lines and those of the responses. What cannot be
// measured here is assumed, and marked (bill.go has it, and the prices).
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"

	"touchline/shared/engine"
	"touchline/shared/seed"
	"touchline/shared/store/dynamo"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second signal ends at once
	err := run(ctx, os.Stdout)
	stop()
	if err != nil {
		_, _ = fmt.Fprintf(os.Stderr, "cost: %v\n", err)
		os.Exit(1)
	}
}

// sample is how many requests are measured.
const sample = 1000

func run(ctx context.Context, out io.Writer) error {
	endpoint, stop, err := engine.Launch(ctx, "")
	if err != nil {
		return err
	}
	defer stop()
	client, err := dynamo.NewClient(ctx, dynamo.Settings{Endpoint: endpoint})
	if err != nil {
		return err
	}
	m, err := measure(ctx, client, seed.Options{Size: 1, Details: 50}, sample)
	if err != nil {
		return err
	}
	return print(out, m)
}
