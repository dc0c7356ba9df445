// Command cost computes what requests cost on AWS.
//
// Consumption is measured, not guessed: the command loads a synthetic federation
// into the local engine and sends a mix of signed requests (mix.go) through the
// code of the functions, with one worker for each function, its caches, and a
// clock that moves between requests. It adds up the read and write units, which
// the engine reports as DynamoDB does, including those for nonces, quotas and
// keys, the bytes of the log lines and those of the responses. What cannot be
// measured here is assumed, and shown as such (bill.go). Prices are list prices
// (prices.go).
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/alecthomas/kong"

	"touchline/infra/values"
	"touchline/shared/engine"
	"touchline/shared/seed"
	"touchline/shared/stack"
	"touchline/shared/store"
)

// cli is the command line.
type cli struct {
	Prices    string  `placeholder:"FILE" help:"JSON object of other prices in USD than those of us-east-1, such as {\"Read\": 0.1525}; the names are in scripts/cost/prices.go."`
	Requests  float64 `default:"1000000" help:"How many requests the table is for (default: ${default})."`
	Duration  float64 `name:"duration-ms" default:"15" help:"Milliseconds that Lambda bills of a request (default: ${default})."`
	Stage     string  `default:"prod" help:"Stage whose memory the functions have, by cdk.json (default: ${default})."`
	Memory    int     `name:"memory-mb" help:"Memory of a function in MB (default: that of the stage)."`
	PerMinute float64 `name:"per-minute" default:"30" help:"Requests a minute to the workers, one a function; the more, the more their caches save (default: ${default})."`
	Sample    int     `default:"1000" help:"How many requests to measure (default: ${default})."`
	Size      int     `default:"1" help:"Size of the federation, in multiples of 10,000 players (default: ${default})."`
	JSON      bool    `name:"json" help:"Print JSON."`
}

func main() {
	var line cli
	kong.Parse(&line, kong.Name("cost"), kong.Description("Compute what requests cost on AWS, from capacity measured here."))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := line.run(ctx, os.Stdout, os.Stderr)
	stop()
	if err != nil {
		_, _ = fmt.Fprintf(os.Stderr, "cost: %v\n", err)
		os.Exit(1)
	}
}

func (c cli) run(ctx context.Context, out, progress io.Writer) (err error) {
	p, from, err := c.prices()
	if err != nil {
		return err
	}
	of := "as given"
	if c.Memory == 0 {
		of = "as the stage " + c.Stage + " has"
		if c.Memory, err = memoryOf("cdk.json", c.Stage); err != nil {
			return err
		}
	}
	// A key has 60 requests a minute on each worker.
	if c.Requests <= 0 || c.Duration <= 0 || c.Memory < 128 || c.Sample < 1 || c.PerMinute <= 0 || c.PerMinute > 60 {
		return fmt.Errorf("want --requests, --duration-ms and --sample above 0, --memory-mb from 128, --per-minute from above 0 to 60")
	}
	e, err := engine.Start(ctx, engine.Options{})
	if err != nil {
		return err
	}
	defer func() {
		if stopped := e.Stop(); err == nil {
			err = stopped
		}
	}()
	client, err := store.NewClient(ctx, store.Settings{Endpoint: e.Endpoint})
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(progress, "loading %d players and sending %d requests\n", c.Size*10_000, c.Sample)
	m, err := measure(ctx, client, client, plan{
		Seed: seed.Options{Size: c.Size, Details: 50}, Requests: c.Sample, Every: time.Duration(float64(time.Minute) / c.PerMinute),
	})
	if err != nil {
		return err
	}
	a := assumed
	a.DurationMS, a.MemoryMB, a.MemoryOf = c.Duration, c.Memory, of
	b := newBill(from, p, a, m, c.Requests)
	if c.JSON {
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(b)
	}
	return b.print(out)
}

// memoryOf is the memory of a stage's functions, by the settings in a file.
func memoryOf(file, stage string) (megabytes int, err error) {
	text, err := os.ReadFile(filepath.Clean(file))
	if err != nil {
		return 0, fmt.Errorf("the stage's memory: %w: run this where cdk.json is, or give --memory-mb", err)
	}
	var app struct{ Context map[string]any }
	if err := json.Unmarshal(text, &app); err != nil {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	r := values.NewReader(app.Context)
	r.OfStage(stage)
	megabytes = r.Number("memory", stack.DefaultMemory, 128, 10240)
	return megabytes, r.Err()
}

// prices are those of us-east-1 with the changes in a file, and where they are
// from.
func (c cli) prices() (p prices, from string, err error) {
	if c.Prices == "" {
		return usEast, "us-east-1, " + listed, nil
	}
	file, err := os.Open(c.Prices)
	if err != nil {
		return prices{}, "", fmt.Errorf("--prices: %w", err)
	}
	defer func() { _ = file.Close() }() // only read
	if p, err = usEast.overridden(file); err != nil {
		return prices{}, "", fmt.Errorf("--prices %s: %w", c.Prices, err)
	}
	return p, c.Prices + ", else us-east-1, " + listed, nil
}
