// Command soak keeps a service busy for minutes while its data changes and its
// database fails, and checks every response: `make soak`.
//
// It starts an engine with a synthetic federation and `touchline serve` in front
// of it, and sends requests with a thousand keys. First it measures the peak:
// the rate at which eight concurrent callers are served. Then it sends 80
// percent of that, at a steady rate, for the given time. Meanwhile a load
// changes the score of a live match every few seconds, and the engine is killed
// and restarted twice.
//
// It prints the latencies that callers saw, the responses by status, and the
// memory of the service, and fails on
//
//   - a response that is neither right nor a documented 5xx. If the data does not
//     change, the body is compared byte for byte with an earlier one; the score of the
//     live match must be one that was in the table in the seconds before (D10);
//   - a request that was charged twice: the quota must not count more than the
//     requests that were served and those that ended in a 5xx or without a response;
//   - a served request that was not charged;
//   - memory that grew by more than a tenth after the first fifth of the time.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/alecthomas/kong"
)

// cli is the command line.
type cli struct {
	Touchline string        `required:"" placeholder:"FILE" help:"The touchline command."`
	Time      time.Duration `default:"10m" help:"How long to keep the service busy (default: ${default})."`
	Share     float64       `default:"0.8" help:"Share of the peak to send (default: ${default})."`
	Size      int           `default:"1" help:"Size of the federation, in multiples of 10,000 players (default: ${default})."`
	Kills     int           `default:"2" help:"How often the engine is killed (default: ${default})."`
}

func main() {
	var line cli
	kong.Parse(&line, kong.Name("soak"), kong.Description("Keep a service busy while its data changes and its database fails."))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := line.run(ctx)
	stop()
	if err != nil {
		_, _ = fmt.Fprintf(os.Stderr, "soak: %v\n", err)
		os.Exit(1)
	}
}

func (c cli) run(ctx context.Context) (err error) {
	if c.Time < 10*time.Second || c.Share <= 0 || c.Share > 1 || c.Size < 1 || c.Kills < 0 {
		return errors.New("want --time from 10s, --share above 0 to 1, --size from 1 and --kills from 0")
	}
	if c.Touchline, err = filepath.Abs(c.Touchline); err != nil {
		return err
	}
	say("loading %d players", c.Size*10_000)
	w, err := newWorld(ctx, c)
	if w != nil {
		defer func() { err = errors.Join(err, w.close()) }()
	}
	if err != nil {
		return err
	}
	peak, err := w.peak(ctx, 15*time.Second)
	if err != nil {
		return err
	}
	rate := int(peak * c.Share)
	say("peak %.0f requests a second; sending %d a second for %v", peak, rate, c.Time)
	t, err := w.attack(ctx, rate, c.Time, c.Kills)
	if err != nil {
		return err
	}
	counted, err := w.charged(ctx)
	if err != nil {
		return err
	}
	t.charged = counted - t.before
	t.print(os.Stdout)
	return t.verdict()
}

func say(format string, args ...any) { _, _ = fmt.Fprintf(os.Stderr, format+"\n", args...) }
