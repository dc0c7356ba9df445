package logs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/google/uuid"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/accesslog"
)

// WhyCommand is `touchline why`.
type WhyCommand struct {
	RequestID string        `arg:"" name:"request-id" help:"X-Request-Id of the answer."`
	Since     time.Duration `default:"24h" placeholder:"TIME" help:"How far back to look on AWS, such as 90m or 72h (default: ${default})."`
	JSON      bool          `name:"json" help:"Print the line of the log as it is."`
	FileFlags
	database.StackFlags
}

// Help is shown below the flags.
func (WhyCommand) Help() string {
	return `Finds the line of the log about one request, and says which check refused it, why, and what to do. It looks in the log of 'touchline serve' on this machine or, with --stack, in CloudWatch Logs.

Examples:

    touchline why 0b5f7f0e-4f0c-4f7e-9d9e-6f2f6b1f7a11
    journalctl -u touchline@main -o cat | touchline why --log - 0b5f7f0e-4f0c-4f7e-9d9e-6f2f6b1f7a11
    touchline why --stack prod --since 72h 0b5f7f0e-4f0c-4f7e-9d9e-6f2f6b1f7a11
`
}

// Run prints what the log has about the request.
func (w *WhyCommand) Run(ctx context.Context, c *terminal.Terminal) error {
	id, err := uuid.Parse(w.RequestID)
	if err != nil || len(w.RequestID) != len(id.String()) {
		return terminal.Usagef("%q is no request id: want the X-Request-Id of an answer, such as 0b5f7f0e-4f0c-4f7e-9d9e-6f2f6b1f7a11", w.RequestID)
	}
	if w.Since <= 0 {
		return terminal.Usagef("--since %s: want a time above zero, such as 24h", w.Since)
	}
	find := w.local
	if w.Stack != "" {
		find = w.onAWS
	}
	line, text, err := find(ctx, c, id.String())
	if err != nil {
		return err
	}
	if w.JSON {
		return c.JSON(json.RawMessage(text))
	}
	c.Printf("%s", inWords(line, text))
	return nil
}

// local finds the line in the log of serve.
func (w *WhyCommand) local(_ context.Context, c *terminal.Terminal, id string) (*accesslog.Line, []byte, error) {
	search := func() (*accesslog.Line, []byte, error) { return Find(w.File(), id) }
	if w.Log == onTerminal {
		search = func() (*accesslog.Line, []byte, error) { return find(c.In, id) }
	}
	line, text, err := search()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, w.Missing()
	case err != nil:
		return nil, nil, err
	case line == nil:
		return nil, nil, fmt.Errorf("no request %s in %s: what was moved elsewhere is read with --log, and what another program prints with --log -; a request to AWS is found with --stack NAME", id, w.File())
	}
	return line, text, nil
}

// onAWS finds the line in the logs of a deployment.
func (w *WhyCommand) onAWS(ctx context.Context, c *terminal.Terminal, id string) (*accesslog.Line, []byte, error) {
	d, err := w.Deployment(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	p := c.Steps()
	defer p.End()
	line, text, err := InsightsOf(ctx, d, func(looks int) { p.Say("asking CloudWatch Logs", looks, 0) }).Find(ctx, id, c.Now().Add(-w.Since), c.Now())
	if line != nil || err != nil {
		return line, text, err
	}
	return nil, nil, fmt.Errorf("no request %s in the logs of stack %s within %s: lines arrive up to a minute late, so ask again; look further back with --since, or at another stage with --stack", id, d.Name, w.Since)
}
